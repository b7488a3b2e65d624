import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GameContext } from '#lib/games/game-context.ts';
import { readPeriodDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { openTestEnvironment, type TestEnvironment } from '#lib/testing/test-environment.ts';
import { verifyGame } from './verify-game.ts';

let testEnv: TestEnvironment;
let context: GameContext;
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  context = { game: await testEnv.game(), config: testEnv.config };
  // The refund makes the second reading differ; the third has the bytes of the second.
  await readPeriodDetail(context, 2026100002, { limit_ms: 60_000 });
  await testEnv.control('POST', 'refunds', { period_id: 2026100002, amount_usd: '10.00', refunded_at: '2026-11-20T10:00:00.123Z' });
  for (const _ of [2, 3]) await readPeriodDetail(context, 2026100002, { limit_ms: 60_000 });
});
afterAll(() => testEnv.close());

const verify = async (): Promise<string[]> => {
  const { violations } = await verifyGame(testEnv.db, context.game.gameId);
  return violations.map(({ name, subject }) => `${name} of ${subject}`);
};

test('readings of detail reports follow from their bytes', async () => {
  const { responses, violations } = await verifyGame(testEnv.db, context.game.gameId);
  expect([responses, violations]).toEqual([3, []]);
});

test('a figure or a byte that was changed is named with its reading', async () => {
  await testEnv.pool.query('alter table report_read disable trigger user');
  await testEnv.pool.query(`update report_read set chargeback_fees_usd = 14.99 where read_no = 3`);
  expect(await verify()).toEqual(['report_figures of period 2026100002, reading 3']);
  await testEnv.pool.query(`update report_read set body = (select body from report_read where read_no = 1) where read_no = 2`);
  expect(await verify(), 'reading 3 has the bytes of reading 2').toEqual([
    'report_digest of period 2026100002, reading 2',
    'report_digest of period 2026100002, reading 3',
  ]);
});
