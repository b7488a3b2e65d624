import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  MINTED_COINS,
  openRefundEnvironment,
  PERIOD_ID,
  type RefundEnvironment,
  type RefundGame,
} from '#e2e/support/refunds/refund-environment.ts';
import { readPeriodReport } from '../invo/routes/period-report.ts';
import { readSubscription } from '../invo/routes/support-reads.ts';
import { assignRefund } from './approve-refund.ts';
import { findRefundToApprove } from './reads/find-refund.ts';
import { REFUND_ACTIONS } from './rules/audit-actions.ts';
import { riskKey, riskOf } from './rules/estimate.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  game = await testEnv.newGame();
});
afterAll(() => testEnv.close());

/** Says what the wallet holds from which a completing refund takes coins. */
async function wallet(coins: string): Promise<void> {
  const { period } = (await readPeriodReport(game.invo, PERIOD_ID)).value;
  const { subscription } = (await readSubscription(game.invo, period.subscription_id)).value;
  await testEnv.control('POST', 'wallet', { player_id: subscription.player_id, coins });
}
async function risk(): Promise<string | null> {
  const waiting = await findRefundToApprove(game.db, game.gameId, (await game.row()).refund_id);
  return waiting === null ? null : riskKey(riskOf(waiting.facts.period, waiting.estimate));
}

/** Requests the last 4.00, as a part at first: 16.00 are refunded elsewhere before it is sent, so it must be approved again. */
async function askForWhatBecomesTheRest(): Promise<number> {
  await wallet('12.00');
  const refundId = await game.ask(testEnv.people.support, { amountText: '4.00' });
  await testEnv.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '16.00' });
  await wallet('12.00');
  await game.settleToRest();
  expect(await game.row()).toMatchObject({ state: 'awaiting_approval', last_error_code: 'period_changed' });
  return refundId;
}

test('new facts that may put the wallet below zero must be confirmed by the approver', async () => {
  const refundId = await askForWhatBecomesTheRest();
  expect(await risk()).toBe(MINTED_COINS);
  expect(await game.approve(testEnv.people.support, refundId, { confirmedRisk: null })).toEqual({ ok: false, reason: 'risk' });
  expect(await game.approve(testEnv.people.finance, refundId, { confirmedRisk: 'wallet -1.00' })).toEqual({ ok: false, reason: 'risk' });
  expect(await game.approve(testEnv.people.support, refundId, { confirmedRisk: MINTED_COINS })).toEqual({ ok: true });
  await game.settleToRest();
  expect(await game.row()).toMatchObject({ state: 'landed', receipt: { card_refunded_usd: '20.00', new_balance: '-148.00' } });
});

test('a refund that is no longer possible can be approved by nobody, and the reason is returned', async () => {
  await game.pool.query(`insert into refund_limit (game_id, name, limit_usd, set_by) values ($1, 'support', 0, 'ada')`, [game.gameId]);
  const refundId = await game.ask(testEnv.people.support, { amountText: '20.00' });
  await testEnv.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '5.00' });
  expect(await game.approve(testEnv.people.finance, refundId)).toEqual({ ok: false, reason: 'impossible' });
  expect(await game.row()).toMatchObject({ state: 'awaiting_approval', last_error_code: 'period_changed' });
});

test('changed access is shown before anything is approved', async () => {
  await game.pool.query(`insert into refund_limit (game_id, name, limit_usd, set_by) values ($1, 'support', 0, 'ada')`, [game.gameId]);
  const refundId = await game.ask(testEnv.people.support, { amountText: '20.00' });
  const { access } = (await game.row()).estimate;
  await game.tamper(`estimate = jsonb_set(estimate, '{access,until_after}', '"2031-01-01T00:00:00Z"')`);
  expect(await game.approve(testEnv.people.finance, refundId)).toEqual({ ok: false, reason: 'changed' });
  expect((await game.row()).estimate.access).toEqual(access);
  expect(await game.approve(testEnv.people.finance, refundId)).toEqual({ ok: true });
});

test("nothing is approved while Invo can't be read", async () => {
  const refundId = await askForWhatBecomesTheRest();
  await testEnv.control('POST', 'faults', { kind: '503', times: 2, match: { route: 'period' } });
  const answer = await game.approve(testEnv.people.support, refundId);
  expect(answer).toMatchObject({ ok: false, reason: 'no_answer', sentence: expect.stringMatching(/Invo/) });
  expect((await game.row()).state).toBe('awaiting_approval');
});

test('a refund that exceeded the limit when requested still needs another person after the limit changed', async () => {
  const limit = (usd: number): Promise<unknown> =>
    game.pool.query(
      `insert into refund_limit (game_id, name, limit_usd, set_by) values ($1, 'support', $2, 'ada') on conflict (game_id, name) do update set limit_usd = $2`,
      [game.gameId, usd],
    );
  await limit(1);
  const refundId = await game.ask(testEnv.people.support);
  expect(await game.approve(testEnv.people.finance, refundId)).toEqual({ ok: true });
  await testEnv.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '1.00' });
  await game.settleToRest();
  expect(await game.row()).toMatchObject({ state: 'awaiting_approval', approval: null });
  await limit(1_000);
  expect(await game.approve(testEnv.people.support, refundId)).toEqual({ ok: false, reason: 'own_request' });
  await expect(game.tamper(`approval = 'policy'`)).rejects.toThrow(/check constraint/);
  expect(await game.approve(testEnv.people.otherFinance, refundId)).toEqual({ ok: true });
});

test("an ended refund can't be assigned", async () => {
  const refundId = await game.ask(testEnv.people.support);
  expect(await assignRefund(game, testEnv.people.finance, refundId)).toEqual({ ok: true });
  expect(await assignRefund(game, testEnv.people.finance, refundId)).toEqual({ ok: false, reason: 'moved_on' });
  await game.settleToRest();
  expect(await assignRefund(game, testEnv.people.support, refundId)).toEqual({ ok: false, reason: 'moved_on' });
  const taken = await game.db
    .selectFrom('audit')
    .select('actor')
    .where('game_id', '=', game.gameId)
    .where('act', '=', REFUND_ACTIONS.assigned)
    .execute();
  expect(taken).toHaveLength(1);
});
