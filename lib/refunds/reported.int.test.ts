import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openRefundEnvironment,
  PERIOD_ID,
  type RefundEnvironment,
  type RefundGame,
  SECOND_PERIOD_ID,
} from '#e2e/support/refunds/refund-environment.ts';
import { verifyGame } from '../evidence/verify/verify-game.ts';
import { confirmOutcome, recordOutcome } from './record-outcome.ts';
import { flagReported, matchReversals } from './writes/match-reversals.ts';

const NOVEMBER = { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' };
const AFTERWARDS = '2026-12-02T12:00:00Z';
let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
  game = await testEnv.newGame('demo');
});
afterAll(() => testEnv.close());

/** Requests 5.00 of a period, gets no answer, and two people record it as not refunded. */
async function askInVain(periodId: number): Promise<number> {
  const refundId = await game.ask(testEnv.people.support, { periodId });
  await testEnv.spoil('drop_before', '404');
  await game.settleToRest();
  await recordOutcome(game, testEnv.people.support, refundId, 'not_landed', 'seen at Invo');
  expect(await confirmOutcome(game, testEnv.people.finance, refundId, 1)).toEqual({ ok: true });
  return refundId;
}

const findState = async (refundId: number): Promise<unknown> => {
  const { rows } = await game.pool.query(
    `select state, attention_reason, proposal, ended_at is null as "isOpen" from refund where game_id = $1 and refund_id = $2`,
    [game.gameId, refundId],
  );
  return rows[0];
};

const foundByVerify = async (): Promise<string[]> => (await verifyGame(game.db, game.gameId)).violations.map(({ name }) => name);

test('a refund recorded as not refunded needs attention again when Invo reports it after all', async () => {
  const inVain = await askInVain(PERIOD_ID);
  // Of this period the same amount was refunded twice: once in vain, once for good. One report is accounted for by the other.
  const explained = await askInVain(SECOND_PERIOD_ID);
  const landed = await game.ask(testEnv.people.support, { periodId: SECOND_PERIOD_ID });
  await game.settleToRest();
  await testEnv.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '5.00' });
  // Invo's clock is fixed and the database's isn't: the refunds are moved to Invo's time.
  await game.tamper(`first_sent_at = '2026-11-21T11:59:00Z', ended_at = '2026-11-21T12:40:00Z'`);
  expect(await flagReported(game.db, game.gameId)).toBe(0);

  await testEnv.control('POST', 'clock', { now: AFTERWARDS });
  expect((await testEnv.pull(NOVEMBER, { now: AFTERWARDS })).run).toMatchObject({ ended: 'done' });
  expect(await foundByVerify()).toEqual(['not_reported']);
  const another = await game.ask(testEnv.people.support, { periodId: PERIOD_ID, amountText: '1.00' });
  expect(await flagReported(game.db, game.gameId), 'while another refund of the period is open').toBe(0);
  await game.settleToRest();
  expect(await findState(another)).toMatchObject({ state: 'landed' });

  expect(await flagReported(game.db, game.gameId)).toBe(1);
  expect(await flagReported(game.db, game.gameId)).toBe(0);
  expect(await findState(inVain)).toEqual({ state: 'attention', attention_reason: 'reported_after_all', proposal: 'landed', isOpen: true });
  expect(await findState(explained)).toMatchObject({ state: 'not_landed' });
  expect(await findState(landed)).toMatchObject({ state: 'landed' });
  expect(await foundByVerify()).toEqual([]);
  expect(await game.request(testEnv.people.support, { periodId: PERIOD_ID })).toMatchObject({ ok: false, reason: 'another_open' });

  await recordOutcome(game, testEnv.people.support, inVain, 'landed', 'November reports it');
  expect(await confirmOutcome(game, testEnv.people.finance, inVain, 2)).toEqual({ ok: true });
  await game.settleToRest();
  expect(await findState(inVain)).toMatchObject({ state: 'landed' });
  expect(await matchReversals(game.db, game.gameId)).toBe(1);
  expect(await foundByVerify()).toEqual([]);
});
