// @module-tag no-retry
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLAYERS, SENDER } from '#e2e/support/actions/action-environment.ts';
import { findViolations } from '#e2e/support/actions/find-violations.ts';
import { DYE, openWorkerEnvironment, type WorkerEnvironment } from '#e2e/support/actions/worker-environment.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { pause, resume } from '../approvals/pause.ts';
import type { SessionActor } from '../core/roles.ts';
import { approveAction } from './approve-action.ts';
import { openActionPorts } from './press-action.ts';
import { digestShown, readActionFacts } from './read-action-facts.ts';
import { findActionControls } from './reads/action-controls.ts';
import { repeatAction } from './repeat-action.ts';
import { requestAction } from './request-action.ts';
import { ACTION_ACTS } from './rules/audit-acts.ts';
import { protocolOf } from './rules/protocols.ts';
import type { SendResult } from './send-approved.ts';

const ROUNDS = proofSize(2, 200);
const AT_ONCE = proofSize(10, 50);
const LINK = { kind: 'payment_link', playerId: PLAYERS.asa } as const;

let testEnv: WorkerEnvironment;
beforeAll(async () => {
  testEnv = await openWorkerEnvironment();
});
afterAll(() => testEnv.close());

const request = async (usd_amount: string): Promise<number> => {
  const requested = await testEnv.request(testEnv.people.sam, LINK, { typed: { usd_amount }, isAlikeConfirmed: true });
  if (!requested.ok) throw new Error(JSON.stringify(requested));
  return requested.actionId;
};
const callCount = async (): Promise<number> => (await testEnv.executed('checkout')).reduce((sum, { calls }) => sum + calls, 0);
const passedBy = (sent: SendResult[]): number => sent.filter((each) => each.ok && each.passes !== null).length;
const atOnce = async <T>(work: () => Promise<T>): Promise<T[]> => await Promise.all(Array.from({ length: AT_ONCE }, work));

test(`one form that is submitted and sent ${AT_ONCE} times at once, ${ROUNDS} rounds: one action and one call`, {
  timeout: 1_800_000,
}, async () => {
  const { sam } = testEnv.people;
  const facts = await readActionFacts(testEnv.context, LINK);
  if (facts.kind !== 'facts') throw new Error(facts.kind);
  for (let round = 1; round <= ROUNDS; round++) {
    testEnv.upstream.reset();
    await testEnv.control('POST', 'game', { rateLimit: false });
    const form = {
      target: LINK,
      draftId: randomUUID(),
      typed: { usd_amount: '1.00' },
      shown: digestShown(facts.facts, protocolOf(LINK.kind).decidingOf),
      reasonCode: 'test',
      reasonText: '',
      ticket: 'T-1',
      isAlikeConfirmed: true,
    } as const;
    const requested = await atOnce(async () => await requestAction(testEnv.context, sam, form, async () => facts));
    expect(requested.filter((each) => each.ok && each.isNew)).toHaveLength(1);
    const actionId = requested[0]?.ok === true ? requested[0].actionId : 0;
    expect(new Set(requested.map((each) => each.ok && each.actionId))).toEqual(new Set([actionId]));
    const sent = await atOnce(
      async () => await testEnv.press(sam, actionId, { owner: randomUUID(), beforeSending: async () => undefined }),
    );
    expect([passedBy(sent), sent.filter(({ ok }) => ok).length, await callCount()]).toEqual([1, 1, 1]);
    expect(await findViolations(testEnv, actionId, { isAtRest: true, wasShown: true })).toEqual([]);
  }
  recordFigure('races of desk actions: one form', `${ROUNDS} rounds of ${AT_ONCE} at once, one action and one call to Invo each`);
});

test('several workers that see one sale at once send it once', { timeout: 600_000 }, async () => {
  for (let round = 0; round < proofSize(1, 50); round++) {
    testEnv.upstream.reset();
    const actionId = await testEnv.sold({ ...DYE, item_quantity: '1' });
    const ports = Array.from({ length: 6 }, (_, index) => openActionPorts(testEnv.context, { ...SENDER, owner: `worker ${index}` }));
    const job = await ports[0]?.store.find(actionId);
    if (job === undefined || job === null) throw new Error(`no desk action ${actionId}`);
    // As late workers do, whose claim has ended: each has the same version.
    await Promise.all(ports.map(async (each) => await repeatAction(each, job)));
    expect(await testEnv.executed('item-sale')).toMatchObject([{ executions: 1, calls: 1 }]);
    expect(await findViolations(testEnv, actionId, { isAtRest: true })).toEqual([]);
  }
});

test('of several approvals at once one succeeds', { tags: 'proof' }, async () => {
  const { fiona, gus } = testEnv.people;
  for (let round = 0; round < proofSize(2, 50); round++) {
    const actionId = await request('500.00');
    const { contentDigest } = await testEnv.find(actionId);
    const approvers = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? fiona : gus));
    const decided = await Promise.all(approvers.map((actor) => approveAction(testEnv.context, actor, { actionId, contentDigest })));
    expect(decided.filter(({ ok }) => ok)).toHaveLength(1);
    const { rowCount } = await testEnv.pool.query('select 1 from audit where subject = $1 and act = $2', [
      `desk action ${actionId}`,
      ACTION_ACTS.approved,
    ]);
    expect(rowCount).toBe(1);
  }
});

test('a pause at the moment of a press: it is sent before the pause, or not at all', { tags: 'proof', timeout: 600_000 }, async () => {
  const { fiona, gus, sam } = testEnv.people;
  const { game } = testEnv.context;
  const outcomes = new Set<string>();
  for (let round = 0; round < proofSize(4, 200); round++) {
    const [actionId, callsBefore] = [await request('1.00'), await callCount()];
    const paused = async (): Promise<unknown> => {
      // The press reads the player first: the pause comes anywhere in it.
      await new Promise((resolve) => setTimeout(resolve, round % 40));
      return await pause(game, fiona as SessionActor, { what: 'desk actions', why: 'A look first.' });
    };
    const [sent] = await Promise.all([testEnv.press(sam, actionId), paused()]);
    outcomes.add(sent.ok ? 'sent' : sent.reason);
    expect((await callCount()) - callsBefore).toBe(sent.ok ? 1 : 0);
    const { rows } = await testEnv.pool.query(
      `select committed_at <= (select max(paused_at) from action_pause) as "isBefore" from desk_action_attempt where action_id = $1`,
      [actionId],
    );
    expect(rows).toEqual(sent.ok ? [{ isBefore: true }] : []);
    for (const actor of [fiona, gus] as SessionActor[])
      await resume(game, actor, { what: 'desk actions', version: (await findActionControls(testEnv.db, game)).pause?.version ?? '' });
    expect((await findActionControls(testEnv.db, game)).pause).toBeNull();
  }
  recordFigure('races of desk actions: pause against press', `no attempt after a pause; outcomes: ${[...outcomes].join(', ')}`);
});
