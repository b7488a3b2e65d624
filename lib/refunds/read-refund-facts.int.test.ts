import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { seedApproved, seedRefund } from '#e2e/support/db/refund-seed.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { Actor } from '../core/roles.ts';
import { readFreshFacts } from './read-refund-facts.ts';
import { listRefundTimeline } from './reads/refund-history.ts';
import { rereadPeriod } from './record-outcome.ts';
import { requestRefund } from './request-refund.ts';

const PERIOD = 2024128001;
let testEnv: TestEnvironment;
let sami: Actor;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  const email = 'sami@studio.example';
  sami = { id: await seedPerson(testEnv.db, email, 'support'), email, roles: ['support'] };
});
afterAll(() => testEnv.close());
beforeEach(async () => void (await testEnv.control('DELETE', 'faults')));

async function context(): Promise<Parameters<typeof readFreshFacts>[0]> {
  return { game: await testEnv.game(), config: testEnv.config };
}

async function breakPeriod(): Promise<void> {
  await testEnv.control('POST', 'faults', { kind: '500', match: { route: 'period' }, times: 9 });
}

test('fresh facts come from Invo, never from storage', async () => {
  expect(await readFreshFacts(await context(), PERIOD)).toMatchObject({
    period: { period_id: PERIOD, amount_usd: '60.00', refunded_to_date_usd: '0.00' },
  });
  await breakPeriod();
  expect(await readFreshFacts(await context(), PERIOD)).toEqual({
    code: 'upstream_fault',
    sentence: expect.stringContaining('Invo failed'),
    errorId: expect.stringMatching(/^err_/),
  });
});

test('an unknown period returns its own message', async () => {
  expect(await readFreshFacts(await context(), 999)).toMatchObject({ sentence: expect.stringContaining('doesn’t know this period') });
});

test("a refund that can't be compared with Invo is not stored", async () => {
  await breakPeriod();
  const form = {
    draftId: crypto.randomUUID(),
    periodId: PERIOD,
    amountText: '1.00',
    reason_code: 'goodwill' as const,
    reason_text: null,
    baseline: '00',
    confirmedRisk: null,
  };
  expect(await requestRefund(await context(), sami, form)).toMatchObject({
    ok: false,
    reason: 'no_answer',
    sentence: expect.stringContaining('Invo failed'),
  });
  expect((await testEnv.pool.query('select 1 from refund')).rowCount).toBe(0);
});

test('only a refund that needs attention has its period read again and stored', async () => {
  const { gameId } = await testEnv.game();
  const refundId = await seedRefund(testEnv.db, gameId, { requested_by: sami.id, period_id: PERIOD, ...seedApproved('attention') });
  const reported = async (): Promise<string[]> =>
    (await listRefundTimeline(testEnv.db, gameId, refundId, { canSeeEmails: true })).entries.map((entry) =>
      entry.kind === 'reading' ? `${entry.purpose} ${entry.read_no} of ${entry.period.amount_usd}` : entry.kind,
    );
  expect(await rereadPeriod(await context(), sami, refundId)).toEqual({ ok: true });
  expect(await rereadPeriod(await context(), sami, refundId)).toEqual({ ok: true });
  expect((await reported()).toSorted()).toEqual(['act', 'act', 'verify 1 of 60.00', 'verify 2 of 60.00']);
  expect(await rereadPeriod(await context(), { ...sami, roles: ['auditor'] }, refundId)).toEqual({ ok: false, reason: 'not_allowed' });
  await breakPeriod();
  expect(await rereadPeriod(await context(), sami, refundId)).toMatchObject({ ok: false, reason: 'no_answer' });
  const waiting = await seedRefund(testEnv.db, gameId, { requested_by: sami.id, period_id: 2024128002 });
  expect(await rereadPeriod(await context(), sami, waiting)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await reported()).toHaveLength(4);
});
