import { expect, test } from 'vitest';
import { GOAL_IDS, type Work } from './goal.ts';
import { GOALS, UNMEASURED } from './goals.ts';
import { judge } from './judge.ts';
import { type MeasuredWork, printTable } from './table.ts';

const WORK: Work = { work: 'months page', unit: 'ms', beside: 'frame', goal: { most: 1.25 } };

function measured(work: Work, figure: number, limit?: number): MeasuredWork {
  const reading = limit === undefined ? { figure } : { figure, limit };
  return { id: 'G8', ...work, judged: judge(work, [{ key: reading }], 'key'), hasMoved: false, runs: [] };
}

test('a work is printed with its limit, its ratio, its goal and its verdict', () => {
  const [, , row] = printTable([measured(WORK, 130, 100)], []).split('\n');
  expect(row).toBe('| G8 | months page | 130 ms | 100 ms (frame) | 1.3 × | 1.3–1.3 | ≤ 1.25 × | misses |');
});

test('a work without a limit is printed without a ratio', () => {
  const pages: Work = { ...WORK, unit: 'requests/s', beside: null, goal: { least: 60 } };
  const [, , row] = printTable([measured(pages, 72)], []).split('\n');
  expect(row).toBe('| G8 | months page | 72 requests/s | – | – | 72–72 | ≥ 60 | holds |');
});

test('what is not measured is printed below, with its goal and why', () => {
  const [, , , row] = printTable([measured(WORK, 1, 1)], [{ id: 'G22', work: 'tests', goal: '≤ 6 min', why: 'measured apart' }]).split(
    '\n',
  );
  expect(row).toBe('| G22 | tests | – | – | – | – | ≤ 6 min | measured apart |');
});

test('every goal is measured, or its part that is not is named', () => {
  const named = new Set([...Object.keys(GOALS), ...UNMEASURED.map(({ id }) => id)]);
  expect(GOAL_IDS.filter((id) => !named.has(id))).toEqual([]);
});
