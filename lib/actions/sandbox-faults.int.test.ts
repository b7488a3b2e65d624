// @module-tag no-retry
// @module-tag proof
import { afterAll, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, SANDBOX_PLAYERS, SENDER } from '#e2e/support/actions/action-environment.ts';
import { findViolations, ROUTE_OF } from '#e2e/support/actions/find-violations.ts';
import { recordFigure } from '#e2e/support/proof.ts';
import { anyOf, listTablesHolding } from '#e2e/support/test-environment.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { confirmOutcome, recordOutcome, rereadAction } from './decide-outcome.ts';
import type { ActionTarget } from './read-action-facts.ts';
import { verifyActions } from './verify-actions.ts';

const opened: ActionEnvironment[] = [];
afterAll(async () => void (await Promise.all(opened.map((each) => each.close()))));

const FAULTS = [
  'none',
  'landed_then_reset',
  'made_then_500',
  'torn_after',
  'html_after',
  'reset',
  '500',
  '503',
  'player_429',
  'test_code_in_production',
];
const LANTERN = { event_type: 'game.custom.recorded', name: 'lantern_lit', value: '3', occurred_at: '2026-11-20T18:30:00Z' };
const asa = { playerId: SANDBOX_PLAYERS.asa };

const KINDS: [ActionTarget, typed: Record<string, string>, entered: string, isSandbox: boolean][] = [
  [{ kind: 'purchase', ...asa }, { usd_amount: '9.99' }, 'pm_ok', true],
  [{ kind: 'purchase', ...asa }, { usd_amount: '9.99', save_card: 'true' }, 'pm_unknown_landed', true],
  [{ kind: 'card_setup', ...asa }, {}, 'pm_ok', true],
  [{ kind: 'client_event', ...asa }, LANTERN, '', true],
  [{ kind: 'rewards_page', ...asa }, {}, '', true],
  [{ kind: 'claim', transactionId: 'TRF_IN' }, {}, 'canary-claim-code-TRF_IN', false],
];

/** Two people record what the service executed of an action that needs attention, so that the next one of its subject can be requested. */
async function endByPeople({ context, people, find, executed }: ActionEnvironment, actionId: number): Promise<void> {
  const { state, kind, reference } = await find(actionId);
  if (state !== 'attention') return;
  const counts = await executed(ROUTE_OF[kind as keyof typeof ROUTE_OF]);
  const isDone = counts.some(({ subject, executions }) => executions > 0 && (reference === null || subject === reference));
  await rereadAction(context, people.sam, actionId);
  const recorded = await recordOutcome(context.game, people.sam, {
    actionId,
    decision: isDone ? 'done' : 'not_done',
    text: 'As Invo’s console shows.',
  });
  expect(recorded).toEqual({ ok: true });
  if ((await find(actionId)).state === 'attention')
    expect(await confirmOutcome(context.game, people.gus, { actionId, decisionNo: 1 })).toEqual({ ok: true });
}

test.each(KINDS)(
  'any fault of %o leaves it executed once at most, claims nothing else, and leaves no secret in a table',
  { timeout: 600_000 },
  async (target, typed, entered, isSandbox) => {
    const testEnv = await openActionEnvironment({}, isSandbox);
    opened.push(testEnv);
    const { pool, people } = testEnv;
    await pool.query(`insert into action_switch (game_id, action_group, is_on) select game_id, 'transfers', true from game`);
    const given = new Set<string>([entered].filter((text) => text !== ''));
    const broken: string[] = [];
    for (const fault of FAULTS) {
      testEnv.upstream.reset();
      for (const environment of ['production', 'sandbox']) await testEnv.control('POST', 'game', { environment, rateLimit: false });
      await pool.query('update rate_bucket set paused_until = null');
      const requested = await testEnv.request(people.sam, target, { typed, entered, isAlikeConfirmed: true });
      if (!requested.ok) throw new Error(`${fault}: ${JSON.stringify(requested)}`);
      const { actionId } = requested;
      if (fault !== 'none')
        await testEnv.control('POST', 'faults', [{ kind: fault, match: { route: ROUTE_OF[target.kind as keyof typeof ROUTE_OF] } }]);
      const sent = await testEnv.press(people.sam, actionId, SENDER, entered);
      const wasShown = sent.ok && sent.passes !== null;
      broken.push(...(await findViolations(testEnv, actionId, { wasShown })).map((each) => `${fault}: ${each}`));
      // The same again where that is safe, then time ends what no reading settles.
      await testEnv.press(people.sam, actionId, SENDER, entered);
      await testEnv.control('POST', 'clock', { now: '2026-11-22T12:30:00Z' });
      await pool.query(
        `alter table desk_action disable trigger desk_action_kept;
         update desk_action set approved_at = approved_at - interval '25 hours', first_sent_at = first_sent_at - interval '25 hours',
           last_sent_at = last_sent_at - interval '25 hours', settle_until = settle_until - interval '25 hours', next_look_at = clock_now()
         where ended_at is null;
         alter table desk_action enable trigger desk_action_kept`,
      );
      await testEnv.settle();
      broken.push(...(await findViolations(testEnv, actionId, { wasShown, isAtRest: true })).map((each) => `${fault}, at rest: ${each}`));
      await endByPeople(testEnv, actionId);
      for (const value of await testEnv.secretsGiven()) given.add(value);
    }
    expect(broken).toEqual([]);
    const secret = anyOf(given);
    expect(await listTablesHolding(pool, secret)).toEqual([]);
    const findings = new Findings();
    await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
    expect(findings.violations).toEqual([]);
    recordFigure(
      `faults of ${target.kind}`,
      `${FAULTS.length} faults, ${broken.length} violations, ${given.size} secrets searched for, none found`,
    );
  },
);
