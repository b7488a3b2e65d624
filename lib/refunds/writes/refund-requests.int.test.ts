import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedColleague } from '#e2e/support/db/refund-seed.ts';
import { seedGame } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { sampleFacts } from '#e2e/support/refunds/sample-refund.ts';
import { writeRefundRequest } from '../content-digest.ts';
import { estimateRefund } from '../rules/estimate.ts';
import { insertRefund, type NewRefund } from './refund-requests.ts';

let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

test('a key is used once in a game: a second refund with it is an error after a few tries, never an endless loop', async () => {
  const [one, other] = [await seedGame(testDb.db, 'one'), await seedGame(testDb.db, 'other')];
  const id = await seedColleague(testDb.db, 'Sami');
  const facts = sampleFacts();
  const estimate = estimateRefund(facts, '5.00', { now: '2026-11-21T12:00:00Z', timeZone: 'UTC' });
  const { subscription_id, period_id, period_seq } = facts.period;
  const uuid = randomUUID();
  const refundOf = (period: number): NewRefund => ({
    request: writeRefundRequest(
      {
        subscription_id,
        period_id: period,
        period_seq: (period_seq ?? 1) + period - period_id,
        amount_usd: '5.00',
        reason_code: 'goodwill',
        reason_text: null,
      },
      { environment: 'production', uuid, facts, estimate },
    ),
    facts,
    estimate,
    draftId: randomUUID(),
    actor: { id, email: 'sami@studio.example' },
    isPolicyEnough: true,
  });
  expect(await insertRefund(testDb.db, one, refundOf(period_id))).toMatchObject({ isNew: true });
  await expect(insertRefund(testDb.db, one, refundOf(period_id + 1))).rejects.toThrow('neither be stored nor found, after 5 tries');
  expect(await insertRefund(testDb.db, other, refundOf(period_id))).toMatchObject({ isNew: true });
});
