import { expect, test } from 'vitest';
import { limitConcurrency } from './concurrency-limit.ts';

test('at most two tasks run at once, in order, and a failed task frees its place', async () => {
  const takeTurn = limitConcurrency(2);
  const begun: number[] = [];
  let [running, runningMax] = [0, 0];
  const work = (number: number) => async (): Promise<number> => {
    begun.push(number);
    runningMax = Math.max(runningMax, (running += 1));
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (number === 2) throw new Error('two fails');
    return number;
  };
  const ends = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((number) => takeTurn(work(number))));
  expect(runningMax).toBe(2);
  expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
  expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(await takeTurn(() => Promise.resolve(7))).toBe(7);
});
