// @module-tag no-retry
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proofSize } from '#e2e/support/proof.ts';
import { readSheet } from '#e2e/support/read-sheet.ts';
import { openTestEnvironment, type Pulled, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { listMonths, monthWindow } from '#lib/core/month.ts';
import { verifyGame } from '../verify/verify-game.ts';

const MONTHS = proofSize(['2025-10', '2026-03', '2026-10', '2026-11'], listMonths('2025-10', '2026-11'));
const pulled = new Map<string, Pulled & { seenCalls: number }>();
let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  for (const month of MONTHS) {
    await testEnv.forgetCalls();
    const outcome = await testEnv.pull(monthWindow(month, 'UTC'));
    pulled.set(month, { ...outcome, seenCalls: (await testEnv.calls()).length });
  }
});
afterAll(() => testEnv.close());

describe.each(MONTHS)('%s of the demo world', (month) => {
  test('reconciles, stores every attributed renewal as a line, and counts its calls', async () => {
    const { run, job, snapshot, seenCalls } = pulled.get(month) ?? never();
    expect(run.ended).toBe('done');
    expect(snapshot?.status).toBe(month === '2026-11' ? 'open' : 'complete');
    expect(snapshot?.checks.filter((check) => !check.ok)).toEqual([]);
    expect(snapshot?.checks.length).toBeGreaterThan(30);
    expect(snapshot?.renewalLineCount).toBe(snapshot?.totals.renewals_with_attribution);
    expect(job.calls).toBe(seenCalls);
  });
});

test('October is complete although 506 of its lines settled in one millisecond', async () => {
  const { text } = await readSheet(testEnv, monthWindow('2026-10', 'UTC'), 'renewals');
  const aurora = text.split('\r\n').filter((line) => line.split(',')[5] === '500001');
  expect(aurora).toHaveLength(900);
  expect(aurora.filter((line) => line.includes('2026-10-17T09:30:00.123Z'))).toHaveLength(506);
  expect(new Set(aurora.map((line) => line.split(',')[6])).size).toBe(900);
});

test('the open month is covered up to the settle lag, and only as an incomplete file', async () => {
  expect(pulled.get('2026-11')?.snapshot?.coveredUntil).toBe('2026-11-21T11:45:00Z');
  await expect(readSheet(testEnv, monthWindow('2026-11', 'UTC'), 'recipients')).rejects.toThrow(
    /incomplete.*covered until 2026-11-21T11:45:00Z/,
  );
  const file = await readSheet(testEnv, monthWindow('2026-11', 'UTC'), 'recipients', true);
  expect(file.fileName).toBe('demo-recipients-2026-11-01-2026-12-01.incomplete.csv');
  expect(file.manifest.complete).toBe(false);
});

test('verification recomputes every figure from the raw bytes', { tags: 'proof' }, async () => {
  const { gameId } = await testEnv.game();
  const { violations, slices, snapshots } = await verifyGame(testEnv.db, gameId);
  expect(violations).toEqual([]);
  expect([slices, snapshots]).toEqual([MONTHS.length, MONTHS.length]);
});

test.each(['newest', 'oldest', 'shuffled'])(
  'October pulled with lines %s first has the same figures',
  { tags: 'proof' },
  async (lineOrder) => {
    await testEnv.control('POST', 'game', { lineOrder });
    const again = await testEnv.pull(monthWindow('2026-10', 'UTC'), { isFresh: true });
    await testEnv.control('POST', 'game', { lineOrder: 'newest' });
    expect(again.snapshot?.status).toBe('complete');
    expect(again.snapshot?.totals).toEqual(pulled.get('2026-10')?.snapshot?.totals);
    expect(again.snapshot?.renewalLineCount).toBe(pulled.get('2026-10')?.snapshot?.renewalLineCount);
  },
);

function never(): never {
  throw new Error('the month was not pulled');
}
