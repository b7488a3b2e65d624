// @module-tag no-retry
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLAYERS, SENDER } from '#e2e/support/actions/action-environment.ts';
import { failPress } from '#e2e/support/actions/fail-press.ts';
import { countExecutions, findViolations } from '#e2e/support/actions/find-violations.ts';
import { openPlayerEnvironment, type PlayerEnvironment, REWARDS, redemptionOf } from '#e2e/support/actions/player-environment.ts';
import { DYE, EVENT, LANTERN, SALE } from '#e2e/support/actions/worker-environment.ts';
import { proofCases, proofSize, recordFigure } from '#e2e/support/proof.ts';
import { type Failure, WAYS } from '#e2e/support/refunds/fail-at-step.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { advanceAction } from './advance-action.ts';
import { openActionPorts, pressAction } from './press-action.ts';
import type { ActionTarget } from './read-action-facts.ts';
import { isReadAsPlayer, protocolOf } from './rules/protocols.ts';
import type { SendResult } from './send-approved.ts';
import { verifyActions } from './verify-actions.ts';

/** In how many ways a step fails: all, or one after another from step to step. */
const WAYS_OF_A_STEP = proofSize(1, WAYS.length);

let testEnv: PlayerEnvironment;
let side: pg.Client;
beforeAll(async () => {
  testEnv = await openPlayerEnvironment();
  side = new pg.Client({ connectionString: testEnv.url });
  await side.connect();
});
afterAll(async () => {
  await side.end();
  await testEnv.close();
});

/** With the steps that fail in `npm test`: every ninth or tenth, or every fortieth of those that take the same path and are longer. */
const FORMS: [ActionTarget, Record<string, string>, ends: string[], every: number][] = [
  [SALE, DYE, ['done'], 40],
  [{ kind: 'card_confirm', playerId: PLAYERS.asa }, { setup_intent_id: 'seti_asa_checked' }, ['done'], 40],
  [{ kind: 'payment_link', playerId: PLAYERS.asa }, { usd_amount: '1.00' }, ['done', 'lapsed'], 10],
  [{ kind: 'payment_confirm', orderId: 'ORD_BREE_02' }, {}, ['done'], 40],
  [EVENT, LANTERN, ['done'], 40],
  [redemptionOf(REWARDS.unlocked), {}, ['done', 'not_done'], 9],
];

test.each(proofCases(2, FORMS))(
  'a press, or a turn of the worker, of %o that fails at any step is executed once at most, and what is stored claims nothing else',
  {
    timeout: 1_800_000,
  },
  async (target, typed, ends, every) => {
    const stride = proofSize(every, 1);
    const request = async (): Promise<number> => {
      testEnv.upstream.reset();
      await testEnv.control('POST', 'game', { rateLimit: false });
      await testEnv.control('POST', 'challenge', { order_id: 'ORD_BREE_02', outcome: 'done' });
      return await testEnv.ready(target, typed);
    };
    const whole = async (): Promise<string[]> => (await pressAndFail(await request(), { step: 0, way: 'cut_off' })).steps;
    // The first press of a player stores what later ones only read.
    await whole();
    const steps = await whole();
    const reached = new Set<string>();
    const broken: string[] = [];
    let [points, failures, executions] = [0, 0, 0];
    for (let index = 0; index < steps.length; index += stride) {
      for (let nth = 0; nth < WAYS_OF_A_STEP; nth++) {
        const way = WAYS[(index / stride + nth) % WAYS.length] ?? 'killed_before';
        const isExchange = /^(GET|POST) /.test(steps[index] ?? '');
        if (isExchange && way === 'answer_lost') continue;
        points++;
        const actionId = await request();
        const { hasFailed, wasShown } = await pressAndFail(actionId, { step: index + 1, way });
        if (hasFailed) failures++;
        const violations = await findViolations(testEnv, actionId, { wasShown });
        violations.push(...(await settleToRest(actionId, { wasShown })));
        executions += await countExecutions(testEnv, target.kind);
        const { state } = await testEnv.find(actionId);
        reached.add(state);
        if (!ends.includes(state)) violations.push(`ends as ${state}`);
        broken.push(...violations.map((violation) => `step ${index + 1} (${steps[index]}) ${way}: ${violation}`));
      }
    }
    expect(broken).toEqual([]);
    expect([...reached].toSorted()).toEqual(ends);
    expect(steps.length).toBeGreaterThan(30);
    expect(failures).toBeGreaterThan(points * 0.95);
    const findings = new Findings();
    await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
    expect(findings.violations).toEqual([]);
    recordFigure(
      `kills of ${target.kind}`,
      `${steps.length} steps, ${failures} failures, ${executions} executions, ${broken.length} violations; ends: ${[...reached].join(', ')}`,
    );
  },
);

/** Presses as a process of its own, which fails at a step, and waits until Invo has answered what it was sent. */
async function pressAndFail(actionId: number, failure: Failure): Promise<{ steps: string[]; hasFailed: boolean; wasShown: boolean }> {
  const owner = `web ${actionId}`;
  const isPressed = protocolOf((await testEnv.find(actionId)).kind).repeats !== 'worker';
  // The worker's one turn is for this action: the wallet readings after earlier ones wait until everything is due.
  await testEnv.pool.query(`update desk_action set next_look_at = next_look_at + interval '1 day' where state = 'done'`);
  const { result: sent, ...failed } = await failPress(testEnv, side, failure, async (context): Promise<SendResult | null> => {
    if (isPressed) return await pressAction(context, testEnv.people.sam, actionId, { ...SENDER, owner });
    await advanceAction(openActionPorts(context, { ...SENDER, owner }));
    return null;
  });
  if (failure.step === 0) expect((await testEnv.find(actionId)).state).toBe('done');
  return { ...failed, wasShown: sent?.ok === true && sent.passes !== null };
}

/** The worker settles, the person presses again where they may, and in the end all waits are over. */
async function settleToRest(actionId: number, { wasShown }: { wasShown: boolean }): Promise<string[]> {
  const settle = async (): Promise<void> => {
    await testEnv.pool.query(
      `update desk_action set next_look_at = clock_now() where action_id = $1 and next_look_at is not null
         and not (state = 'approved' and repeats <> 'worker' or state = 'checking' and kind = 'redeem')`,
      [actionId],
    );
    await testEnv.settle();
  };
  const look = async (): Promise<void> => {
    const { kind, state } = await testEnv.find(actionId);
    if (state === 'checking' && isReadAsPlayer(kind)) await testEnv.lookLater(actionId);
  };
  await settle();
  await look();
  const broken = await findViolations(testEnv, actionId, { wasShown });
  await testEnv.press(testEnv.people.sam, actionId);
  await settle();
  await look();
  return [...broken, ...(await findViolations(testEnv, actionId, { wasShown, isAtRest: true }))];
}
