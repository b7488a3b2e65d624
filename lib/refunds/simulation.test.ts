import { expect, test } from 'vitest';
import { playHistories } from './testing/play-histories.ts';
import { runHistory } from './testing/run-history.ts';

/** A quick check; `simulation.int.test.ts` plays ten times as many. */
const SEEDS = 2_000;

test(`${SEEDS} histories: executed exactly once or not at all, never twice, never lost`, async () => {
  const { broken, ends, mishaps } = await playHistories(SEEDS);
  expect(broken).toEqual([]);
  // The histories are rough enough: every final state was reached, and many faults happened on the way.
  expect(ends).toEqual(expect.arrayContaining(['landed', 'not_landed', 'refused', 'rejected', 'withdrawn']));
  expect(mishaps).toBeGreaterThan(SEEDS / 2);
});

test('the same seed gives the same history', async () => {
  const [first, second] = [await runHistory(7), await runHistory(7)];
  expect([first.trace, first.steps]).toEqual([second.trace, second.steps]);
  expect(first.trace).not.toBe((await runHistory(8)).trace);
});
