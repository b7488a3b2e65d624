import { expect, test } from 'vitest';
import { playHistories } from './testing/play-histories.ts';

const SEEDS = Number(process.env['SIMULATED_SEEDS'] ?? 20_000);

test(`${SEEDS} histories: executed exactly once or not at all, never twice, never lost`, { timeout: 900_000 }, async () => {
  const { broken, ends, mishaps } = await playHistories(SEEDS);
  expect(broken).toEqual([]);
  // The histories are rough enough: every final state was reached, and many faults happened on the way.
  expect(ends).toEqual(expect.arrayContaining(['landed', 'not_landed', 'refused', 'rejected', 'withdrawn']));
  expect(mishaps).toBeGreaterThan(SEEDS / 2);
});
