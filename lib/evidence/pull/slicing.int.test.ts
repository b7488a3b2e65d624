// @module-tag no-retry
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSheet, withoutSnapshot } from '#e2e/support/read-sheet.ts';
import { OCTOBER, openTestEnvironment, type Pulled, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { monthOf, monthWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { SHEETS, type SheetName } from '../rules/sheets.ts';
import { verifyGame } from '../verify/verify-game.ts';

/** Days of October a slice begins and ends on: single days where the witnesses and the crowd lie, longer ones between. */
const CUTS = [
  [1, 2],
  [2, 3],
  [3, 9],
  [9, 17],
  [17, 18],
  [18, 25],
  [25, 32],
] as const;
let whole: TestEnvironment;
let daily: TestEnvironment;
let oneSlice: Pulled;
let manySlices: Pulled;

beforeAll(async () => {
  [whole, daily] = await Promise.all([openTestEnvironment(), openTestEnvironment()]);
  oneSlice = await whole.pull(OCTOBER);
  for (const [from, until] of CUTS) await daily.pull(daysOf(from, until));
  await daily.forgetCalls();
  manySlices = await daily.pull(OCTOBER);
});
afterAll(() => Promise.all([whole.close(), daily.close()]));

test('a month already stored in slices costs one call for its control totals', async () => {
  expect(manySlices.job.calls).toBe(1);
  expect((await daily.calls()).map((call) => new URL(call.path, 'http://x').searchParams.get('limit'))).toEqual(['1']);
  expect([oneSlice.snapshot?.sliceCount, manySlices.snapshot?.sliceCount]).toEqual([1, CUTS.length]);
  expect(manySlices.snapshot?.status).toBe('complete');
  expect(manySlices.snapshot?.checks.filter((check) => !check.ok)).toEqual([]);
});

test('totals and reconciliation are the same however the month is cut', () => {
  expect(manySlices.snapshot?.totals).toEqual(oneSlice.snapshot?.totals);
  const control = (pulled: Pulled): unknown => pulled.snapshot?.checks.filter((check) => check.name.startsWith('control_'));
  expect(control(manySlices)).toEqual(control(oneSlice));
});

test.each(SHEETS)('the %s sheet is the same byte for byte except for the snapshot ID', async (sheet: SheetName) => {
  const [one, many] = await Promise.all([readSheet(whole, OCTOBER, sheet), readSheet(daily, OCTOBER, sheet)]);
  const bytes = (text: string): string[] => withoutSnapshot(sheet === 'recipients' ? withoutZeros(text) : text).split('\r\n');
  expect(bytes(many.text)).toEqual(bytes(one.text));
  expect(many.manifest.sums).toEqual(one.manifest.sums);
  expect(many.manifest.rows).toBe(one.manifest.rows);
  expect(one.manifest.rows).toBeGreaterThan(20);
});

test('a period paid on one day and refunded on another nets to zero in the month and not in either day', async () => {
  const { db } = daily;
  const split = await db
    .selectFrom('reversal_line')
    .innerJoin('refund_event', (join) =>
      join
        .onRef('refund_event.game_id', '=', 'reversal_line.game_id')
        .onRef('refund_event.slice_id', '=', 'reversal_line.slice_id')
        .onRef('refund_event.period_id', '=', 'reversal_line.period_id'),
    )
    .select(['reversal_line.period_id', 'reversal_line.nets_to_zero_in_window as said', 'reversal_line.settled_in_this_window as settled'])
    .where('reversal_line.paid_at', '>=', OCTOBER.start)
    .where('refund_event.is_full_refund', '=', true)
    .where('reversal_line.settled_in_this_window', '=', false)
    .execute();
  expect(split.length).toBeGreaterThan(0);
  const { text } = await readSheet(daily, OCTOBER, 'reversals');
  const rows = text.split('\r\n').map((row) => row.split(','));
  for (const { period_id, said } of split) {
    const row = rows.find((cells) => cells[6] === String(period_id)) ?? [];
    expect([said, row[10], row.at(-1)]).toEqual([false, 'true', 'true']);
  }
});

test('a custom window contains exactly what settled in it, to the millisecond', async () => {
  const window = { start: '2026-10-01T00:00:00.001Z', end: '2026-10-01T23:59:59.999Z' };
  const { snapshot } = await whole.pull(window);
  expect(snapshot?.status).toBe('complete');
  const { text } = await readSheet(whole, window, 'renewals');
  const periods = new Set(
    text
      .split('\r\n')
      .slice(1, -1)
      .map((row) => row.split(',')[6]),
  );
  expect([periods.has('2026100001'), periods.has('2026100002'), periods.has('2026100004')]).toEqual([false, false, true]);
});

test('a quarter is cut at the month edges and reuses the stored month', { tags: 'proof' }, async () => {
  const quarter = { start: '2026-08-15T00:00:00Z', end: '2026-11-10T00:00:00Z' };
  await whole.forgetCalls();
  const { snapshot, job } = await whole.pull(quarter);
  expect(snapshot?.status).toBe('complete');
  expect(await slicesOf(whole, job.snapshotId)).toEqual([
    '2026-08-15T00:00:00Z',
    '2026-09-01T00:00:00Z',
    '2026-10-01T00:00:00Z',
    '2026-11-01T00:00:00Z',
  ]);
  expect(job.calls).toBe((await whole.calls()).length);
});

test('verification recomputes every figure of both databases from the raw bytes', { tags: ['proof'] }, async () => {
  for (const testEnv of [whole, daily]) expect((await verifyGame(testEnv.db, (await testEnv.game()).gameId)).violations).toEqual([]);
});

test.each(['Pacific/Kiritimati', 'Pacific/Honolulu', 'America/New_York'])(
  'months of %s are cut at its own midnights',
  { tags: ['proof'] },
  async (timeZone) => {
    const testEnv = await openTestEnvironment({ timeZone });
    try {
      const window = monthWindow('2026-10', timeZone);
      const { snapshot, job } = await testEnv.pull({ start: monthWindow('2026-09', timeZone).start, end: window.end });
      const month = await testEnv.pull(window);
      expect([snapshot?.status, month.snapshot?.status]).toEqual(['complete', 'complete']);
      expect(month.job.calls).toBe(1);
      const edges = await slicesOf(testEnv, job.snapshotId);
      expect(edges).toEqual([monthWindow('2026-09', timeZone).start, window.start]);
      const { text } = await readSheet(testEnv, window, 'renewals');
      const paid = text
        .split('\r\n')
        .slice(1, -1)
        .map((row) => monthOf(row.split(',')[14] ?? '', timeZone));
      expect(paid.length).toBeGreaterThan(300);
      expect(new Set(paid)).toEqual(new Set(['2026-10']));
    } finally {
      await testEnv.close();
    }
  },
);

function daysOf(from: number, until: number): Window {
  const midnight = (date: number): string => new Date(Date.UTC(2026, 9, date)).toISOString().replace('.000Z', 'Z');
  return { start: midnight(from), end: midnight(until) };
}

/** Amounts we add ourselves have the decimals of their most precise part; Invo may write the same amount with fewer. */
function withoutZeros(text: string): string {
  return text.replaceAll(/(\.\d\d)(\d*?)0+(?=,)/g, '$1$2');
}

async function slicesOf({ db }: TestEnvironment, snapshotId: number | null): Promise<string[]> {
  const rows = await db
    .selectFrom('snapshot_slice')
    .innerJoin('slice', (join) =>
      join.onRef('slice.game_id', '=', 'snapshot_slice.game_id').onRef('slice.slice_id', '=', 'snapshot_slice.slice_id'),
    )
    .select('slice.window_start')
    .where('snapshot_slice.snapshot_id', '=', snapshotId ?? 0)
    .orderBy('slice_no')
    .execute();
  return rows.map((row) => row.window_start);
}
