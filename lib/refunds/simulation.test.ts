import { expect, test } from 'vitest';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { playHistories } from '#e2e/support/refunds/play-histories.ts';
import { runHistory } from '#e2e/support/refunds/run-history.ts';

const SEEDS = proofSize(200, Number(process.env['SIMULATED_SEEDS'] ?? 20_000));

test(`${SEEDS} histories: executed exactly once or not at all, never twice, never lost`, { timeout: SEEDS * 60 }, async () => {
  const { broken, ends, mishaps } = await playHistories(SEEDS);
  expect(broken).toEqual([]);
  // The histories are rough enough: every final state was reached, and many faults happened on the way.
  expect(ends).toEqual(expect.arrayContaining(['landed', 'not_landed', 'refused', 'rejected', 'withdrawn']));
  expect(mishaps).toBeGreaterThan(SEEDS / 2);
  recordFigure('histories of refunds', `${SEEDS} histories, ${mishaps} mishaps, ${broken.length} broken rules; ends: ${ends.join(', ')}`);
});

test('the same seed gives the same history', async () => {
  const [first, second] = [await runHistory(7), await runHistory(7)];
  expect([first.trace, first.steps]).toEqual([second.trace, second.steps]);
  expect(first.trace).not.toBe((await runHistory(8)).trace);
});
