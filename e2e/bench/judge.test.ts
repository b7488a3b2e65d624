import { expect, test } from 'vitest';
import { NOT_BUILT, type Reading, type Work } from './goal.ts';
import { hasMovedLimit, judge, judgeRuns, takeSteadyRun } from './judge.ts';

const WORK: Work = { work: 'export', unit: 'ms', beside: 'COPY', goal: { most: 1.5 } };
const rounds = (...readings: [number, number][]): Record<string, Reading>[] =>
  readings.map(([figure, limit]) => ({ key: { figure, limit } }));

test('a ratio is that of the medians, and its range that of the rounds', () => {
  expect(judge(WORK, rounds([100, 100], [140, 100], [120, 110]), 'key')).toEqual({
    figure: 120,
    limit: 100,
    ratio: 1.2,
    range: [1, 1.4],
    verdict: 'holds',
    holds: true,
  });
});

test('a goal outside the range of the rounds is missed, and one inside the range lies within noise', () => {
  expect(judge(WORK, rounds([160, 100], [170, 100], [180, 100]), 'key')).toMatchObject({ verdict: 'misses', holds: false });
  expect(judge(WORK, rounds([140, 100], [160, 100], [170, 100]), 'key')).toMatchObject({ verdict: 'within noise', holds: false });
  expect(judge(WORK, rounds([140, 100], [145, 100], [170, 100]), 'key')).toMatchObject({ verdict: 'within noise', holds: true });
});

test('of three runs the one with the median ratio decides, beside the range of them all', () => {
  const runs = [rounds([140, 100]), rounds([170, 100]), rounds([160, 100])];
  expect(judgeRuns(WORK, runs, 'key')).toMatchObject({ ratio: 1.6, range: [1.4, 1.7], verdict: 'within noise', holds: false });
});

test('a least is held from above, and a figure without a limit is judged itself', () => {
  const least: Work = { ...WORK, goal: { least: 0.1 } };
  expect(judge(least, rounds([20, 100]), 'key')).toMatchObject({ verdict: 'holds' });
  expect(judge(least, rounds([9, 100]), 'key')).toMatchObject({ verdict: 'misses' });
  expect(judge({ ...WORK, beside: null, goal: { most: 50 } }, [{ key: { figure: 51 } }], 'key')).toMatchObject({
    ratio: 51,
    limit: null,
    verdict: 'misses',
  });
});

test('what is not built in one round is a miss without figures', () => {
  expect(judge(WORK, [...rounds([100, 100]), { key: NOT_BUILT }], 'key')).toMatchObject({ ratio: null, verdict: 'misses' });
});

test('a limit that moves by more than 30 % from the first round to the last is noticed', () => {
  expect(hasMovedLimit(rounds([1, 100], [1, 500], [1, 129]), 'key')).toBe(false);
  expect(hasMovedLimit(rounds([1, 100], [1, 131]), 'key')).toBe(true);
  expect(hasMovedLimit(rounds([1, 100], [1, 69]), 'key')).toBe(true);
});

test('a run whose limit moved is taken again, and the steady one is used', async () => {
  const runs = [rounds([1, 100], [1, 131]), rounds([2, 100], [2, 129]), rounds([3, 100])];
  const moved: string[][] = [];
  const taken = await takeSteadyRun(
    async () => runs.shift() ?? [],
    ['key'],
    (keys) => moved.push(keys),
  );
  expect(taken).toEqual(rounds([2, 100], [2, 129]));
  expect(moved).toEqual([['key']]);
});

test('a run is taken again twice at most', async () => {
  let count = 0;
  const takeRun = async (): Promise<Record<string, Reading>[]> => rounds([(count += 1), 100], [1, 200]);
  expect(await takeSteadyRun(takeRun, ['key'], () => undefined)).toEqual(rounds([3, 100], [1, 200]));
});

test('figures without a limit never cause another run', async () => {
  let count = 0;
  const takeRun = async (): Promise<Record<string, Reading>[]> => [{ key: { figure: (count += 1) } }, { key: { figure: 100 } }];
  await takeSteadyRun(takeRun, ['key'], () => undefined);
  expect(count).toBe(1);
});

test('a least without a limit is held by the figure itself', () => {
  const pages: Work = { ...WORK, unit: 'requests/s', beside: null, goal: { least: 60 } };
  expect(judge(pages, [{ key: { figure: 60 } }], 'key')).toMatchObject({ ratio: 60, limit: null, verdict: 'holds' });
  expect(judge(pages, [{ key: { figure: 59 } }], 'key')).toMatchObject({ verdict: 'misses' });
  expect(judge(pages, [{ key: { figure: 70 } }, { key: { figure: 59 } }, { key: { figure: 61 } }], 'key')).toMatchObject({
    ratio: 61,
    range: [59, 70],
    verdict: 'within noise',
    holds: true,
  });
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('a limit of %d is refused', (limit) => {
  expect(() => judge(WORK, rounds([100, limit]), 'key')).toThrow(`export: a limit of ${limit}`);
});
