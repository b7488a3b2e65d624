import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedApproved, seedColleague, seedRefund } from '#e2e/support/db/refund-seed.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { flagReported, matchReversals } from './match-reversals.ts';

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const SENT = { attempt_count: 1, first_sent_at: '2026-10-20T10:00:00Z', ended_at: '2026-10-20T10:05:00Z' };
let testDb: TestDb;
let sami: string;

beforeAll(async () => {
  testDb = await createTestDb();
  sami = await seedColleague(testDb.db, 'Sami');
});
afterAll(() => testDb.close());

/** A game with one refund of 4.00 on period 7, and an October in which Invo reports the period without receipts. */
async function withCoarseLine(
  refund: Parameters<typeof seedRefund>[2],
  line: { refunded_to_date_usd: string; latest_refund_at: string },
): Promise<number> {
  const gameId = await seedGame(testDb.db, `coarse-${Math.random().toString(36).slice(2)}`);
  await seedRefund(testDb.db, gameId, { ...refund });
  const reversal = { period_id: 7, recipient_player_id: 1, paid_at: '2026-09-01T00:00:00Z', reversal_basis: 'period_row', ...line };
  await seedSnapshot(testDb.db, gameId, { ...OCTOBER, slices: [{ ...OCTOBER, reversals: [reversal] }] });
  return gameId;
}

const refund = (state: string, more: Record<string, unknown> = {}): Parameters<typeof seedRefund>[2] => ({
  ...seedApproved(state),
  ...SENT,
  requested_by: sami,
  amount_usd: '4.00',
  period_id: 7,
  ...more,
});

test.each([
  ['what it comes to is the total of the receipt', { total_refunded_amount_usd: '6.00' }, '6.00', 1],
  ['it comes to more by now', { total_refunded_amount_usd: '6.00' }, '9.00', 1],
  ['it comes to less than the receipt said', { total_refunded_amount_usd: '6.00' }, '2.00', 0],
  ['without a total the time decides', {}, '4.00', 1],
] as const)('a line without receipts is the reversal of what landed: %s', async (_, more, toDate, found) => {
  const gameId = await withCoarseLine(refund('landed', more), { refunded_to_date_usd: toDate, latest_refund_at: '2026-10-20T10:03:00Z' });
  expect(await matchReversals(testDb.db, gameId)).toBe(found);
});

test.each([
  ['2026-10-20T10:03:00Z', 1],
  ['2026-10-20T09:40:00Z', 0],
  ['2026-10-22T10:03:00Z', 0],
] as const)(
  'what two people said did not happen is questioned by a line without receipts of its time: %s',
  async (latest_refund_at, found) => {
    const gameId = await withCoarseLine(refund('not_landed'), { refunded_to_date_usd: '4.00', latest_refund_at });
    expect(await flagReported(testDb.db, gameId)).toBe(found);
  },
);

test('two refunds of one period recorded as not refunded are flagged one at a time', async () => {
  const inVain = refund('not_landed', { subscription_id: 'SUB_1_TWICE' });
  const gameId = await withCoarseLine(inVain, { refunded_to_date_usd: '4.00', latest_refund_at: '2026-10-20T10:03:00Z' });
  await seedRefund(testDb.db, gameId, inVain);
  expect(await flagReported(testDb.db, gameId)).toBe(1);
  expect(await flagReported(testDb.db, gameId)).toBe(0);
  await testDb.pool.query(`update refund set state = 'not_landed' where game_id = $1 and state = 'attention'`, [gameId]);
  expect(await flagReported(testDb.db, gameId)).toBe(1);
});
