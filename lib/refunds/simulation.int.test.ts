import { expect, test } from 'vitest';
import { playHistories } from './testing/play-histories.ts';

const SEEDS = Number(process.env['SIMULATED_SEEDS'] ?? 20_000);

test(`${SEEDS} histories: executed exactly once or not at all, never twice, never lost`, { timeout: 900_000 }, async () => {
  const { broken, ends, mishaps } = await playHistories(SEEDS);
  expect(broken).toEqual([]);
  // The histories are rough enough to mean something: every way a refund can end was seen, and many things went wrong on the way.
  expect(ends).toEqual(expect.arrayContaining(['landed', 'not_landed', 'refused', 'rejected', 'withdrawn']));
  expect(mishaps).toBeGreaterThan(SEEDS / 2);
});
