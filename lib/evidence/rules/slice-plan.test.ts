import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareInstants, fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { monthOf } from '#lib/core/month.ts';
import { containsWindow, type Window, windowLength } from '#lib/core/window.ts';
import { chooseEnd, cutAtMonths, learnCount, planSlices, REPORT_LINES_MAX, startDensity, tilesExactly } from './slice-plan.ts';

const OCTOBER = day(1, 32);

describe('the plan of a window', () => {
  test.each<[string, Window[], Window[], Window[]]>([
    ['nothing is stored', [], [], [OCTOBER]],
    ['the whole window is stored', [OCTOBER], [OCTOBER], []],
    ['the middle is stored', [day(10, 20)], [day(10, 20)], [day(1, 10), day(20, 32)]],
    ['two that touch are stored', [day(10, 20), day(1, 10)], [day(1, 10), day(10, 20)], [day(20, 32)]],
    ['one reaches out of the window', [day(-5, 10)], [], [OCTOBER]],
    ['one larger than the window is stored', [day(-5, 40)], [], [OCTOBER]],
    ['two overlap: the longer one is used', [day(1, 12), day(8, 31)], [day(8, 31)], [day(1, 8), day(31, 32)]],
    ['one overlaps two that cover more together', [day(1, 10), day(8, 20), day(10, 22)], [day(1, 10), day(10, 22)], [day(22, 32)]],
    ['one covers what many small ones cover', [day(1, 5), day(5, 9), day(1, 9)], [day(1, 9)], [day(9, 32)]],
    ['the same is stored twice', [day(1, 9), day(1, 9)], [day(1, 9)], [day(9, 32)]],
    ['one lies in another', [day(3, 5), day(2, 8)], [day(2, 8)], [day(1, 2), day(8, 32)]],
  ])('when %s', (_, slices, stored, gaps) => {
    expect(planSlices(OCTOBER, slices, 'UTC')).toEqual({ stored, gaps });
  });

  test('gaps are cut at the month edges of the reporting zone', () => {
    const gaps = planSlices({ start: '2026-09-30T00:00:00Z', end: '2026-12-02T00:00:00Z' }, [], 'Europe/Berlin').gaps;
    expect(gaps.map((gap) => gap.end)).toEqual([
      '2026-09-30T22:00:00Z',
      '2026-10-31T23:00:00Z',
      '2026-11-30T23:00:00Z',
      '2026-12-02T00:00:00Z',
    ]);
  });

  test('stored slices and gaps tile the window exactly, each gap lies in one month, and no better slice is dropped', () => {
    const zones = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Pacific/Honolulu', 'Europe/Berlin', 'Australia/Lord_Howe');
    fc.assert(
      fc.property(anyWindow(), fc.array(anyWindow(), { maxLength: 12 }), zones, (window, slices, zone) => {
        const { stored, gaps } = planSlices(window, slices, zone);
        const tiles = [...stored, ...gaps].toSorted((a, b) => (a.start < b.start ? -1 : 1));
        expect(tilesExactly(window, tiles)).toBe(true);
        for (const gap of gaps) expect(monthOf(fromMicroseconds(toMicroseconds(gap.end) - 1n), zone)).toBe(monthOf(gap.start, zone));
        for (const slice of stored) expect(slices).toContain(slice);
        const inside = slices.filter((slice) => containsWindow(window, slice)).map(windowLength);
        expect(stored.map(windowLength).reduce(add, 0n)).toBeGreaterThanOrEqual(inside.reduce((a, b) => (a > b ? a : b), 0n));
      }),
    );
  });

  test('no other choice of non-overlapping slices covers more time', () => {
    fc.assert(
      fc.property(anyWindow(), fc.array(anyWindow(), { maxLength: 8 }), (window, slices) => {
        const inside = slices.filter((slice) => containsWindow(window, slice));
        const covered = planSlices(window, slices, 'UTC').stored.map(windowLength).reduce(add, 0n);
        expect(covered).toBe(bestByTrial(inside));
      }),
      { numRuns: 50 },
    );
  });
});

describe('tiles', () => {
  test.each<[string, Window[], boolean]>([
    ['one that is the window', [OCTOBER], true],
    ['two that touch', [day(1, 9), day(9, 32)], true],
    ['none', [], false],
    ['a gap at the start', [day(2, 32)], false],
    ['a gap at the end', [day(1, 31)], false],
    ['a gap between', [day(1, 9), day(10, 32)], false],
    ['an overlap', [day(1, 9), day(8, 32)], false],
    ['one that reaches beyond', [day(1, 33)], false],
    ['wrong order', [day(9, 32), day(1, 9)], false],
  ])('%s: %s', (_, tiles, isWhole) => {
    expect(tilesExactly(OCTOBER, tiles)).toBe(isWhole);
  });

  test('edges are compared as instants, however their fraction is written', () => {
    expect(tilesExactly(OCTOBER, [{ start: '2026-10-01T00:00:00.000Z', end: '2026-11-01T00:00:00.000Z' }])).toBe(true);
  });
});

test('a window within one month is not cut, and a year is cut into its months', () => {
  expect(cutAtMonths(day(3, 4), 'UTC')).toEqual([day(3, 4)]);
  expect(cutAtMonths({ start: '2026-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z' }, 'UTC')).toHaveLength(12);
  expect(cutAtMonths({ start: OCTOBER.start, end: OCTOBER.start }, 'UTC')).toEqual([]);
});

/** Days of October 2026, counted on beyond its edges; the end is not included. */
function day(from: number, to: number): Window {
  const [start, end] = [from, to].map((date) => new Date(Date.UTC(2026, 9, date)).toISOString().replace('.000', ''));
  return { start: start ?? '', end: end ?? '' };
}

function anyWindow(): fc.Arbitrary<Window> {
  const hour = fc.integer({ min: 0, max: 24 * 120 });
  return fc
    .tuple(hour, hour)
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => {
      const [start, end] = [Math.min(a, b), Math.max(a, b)].map((hour) =>
        new Date(Date.UTC(2026, 8, 1, hour)).toISOString().replace('.000', ''),
      );
      return { start: start ?? '', end: end ?? '' };
    });
}

function bestByTrial(slices: Window[]): bigint {
  let best = 0n;
  for (let choice = 0; choice < 1 << slices.length; choice += 1) {
    const chosen = slices.filter((_, index) => choice & (1 << index)).toSorted((a, b) => (a.start < b.start ? -1 : 1));
    const isApart = chosen.every((slice, index) => index === 0 || (chosen[index - 1]?.end ?? '') <= slice.start);
    const covered = chosen.map(windowLength).reduce(add, 0n);
    if (isApart && covered > best) best = covered;
  }
  return best;
}

function add(a: bigint, b: bigint): bigint {
  return a + b;
}

const START = toMicroseconds('2026-10-01T00:00:00Z');
const MONTH_MS = 31 * 86_400_000;
const MONTH = { start: fromMicroseconds(START), end: fromMicroseconds(START + BigInt(MONTH_MS) * 1000n) };

describe('where the next window ends', () => {
  test('without known counts the window takes the whole gap', () => {
    expect(chooseEnd(startDensity(MONTH.start), MONTH, null)).toBe(MONTH.end);
  });

  test('a refused window without a count is halved', () => {
    expect(chooseEnd(startDensity(MONTH.start), MONTH, MONTH.end)).toBe('2026-10-16T12:00:00Z');
  });

  test.each([
    [20_001, 2],
    [38_000, 2],
    [38_801, 3],
    [200_000, 11],
  ])('%i lines are shared evenly by %i windows', (count, windows) => {
    const density = startDensity(MONTH.start);
    learnCount(density, 'renewals', MONTH, count);
    const end = chooseEnd(density, MONTH, MONTH.end) ?? '';
    const share = Number(toMicroseconds(end) - START) / (MONTH_MS * 1000);
    expect(share).toBeCloseTo(1 / windows, 6);
  });

  test('a rest that is known to fit is taken whole, and an estimate never ends the pull', () => {
    const rest = { start: fromMicroseconds(toMicroseconds(MONTH.end) - 1000n), end: MONTH.end };
    const density = startDensity(MONTH.start);
    learnCount(density, 'renewals', MONTH, 20_600);
    learnCount(density, 'renewals', { start: MONTH.start, end: rest.start }, 600);
    expect(chooseEnd(density, rest, null)).toBe(rest.end);
    learnCount(density, 'reversals', MONTH, 90_000);
    learnCount(density, 'reversals', { start: MONTH.start, end: rest.start }, 3);
    expect(chooseEnd(density, rest, null)).toBe(rest.end);
    expect(chooseEnd(density, rest, rest.end)).toBeNull();
  });

  test('the kind with more lines decides', () => {
    const density = startDensity(MONTH.start);
    learnCount(density, 'renewals', MONTH, 30_000);
    learnCount(density, 'reversals', MONTH, 70_000);
    expect(chooseEnd(density, MONTH, MONTH.end)).toBe('2026-10-08T18:00:00Z');
  });

  test('one millisecond with too many lines can’t be cut', () => {
    const instant = { start: MONTH.start, end: fromMicroseconds(START + 1000n) };
    const density = startDensity(MONTH.start);
    learnCount(density, 'renewals', instant, 20_001);
    expect(chooseEnd(density, instant, instant.end)).toBeNull();
  });

  test('a few crowded milliseconds are cut down to one before the pull gives up', () => {
    const crowd = { start: MONTH.start, end: fromMicroseconds(START + 3000n) };
    const density = startDensity(MONTH.start);
    learnCount(density, 'renewals', crowd, 70_000);
    expect(chooseEnd(density, crowd, crowd.end)).toBe(fromMicroseconds(START + 1000n));
  });
});

describe('pulling a gap by the counts of refusals', () => {
  const even = (share: number): number => share * MONTH_MS;
  test.each<[string, number, (share: number) => number, number]>([
    ['200,000 spread evenly', 200_000, even, 1],
    ['200,000 that grow through the month', 200_000, (share) => Math.sqrt(share) * MONTH_MS, 5],
    [
      '200,000 most of which fall on the first day',
      200_000,
      (share) => (share < 0.9 ? share / 0.9 / 31 : 1 / 31 + ((share - 0.9) / 0.1) * (30 / 31)) * MONTH_MS,
      9,
    ],
    ['200,000 in bursts of one hour a day', 200_000, (share) => (Math.floor(share * 31) + ((share * 31) % 1) / 24) * 86_400_000, 3],
    ['20,000, which is the cap', 20_000, even, 0],
    ['20,001', 20_001, even, 1],
    ['none', 0, even, 0],
  ])('%s need %i lines in windows and few refusals', (_, count, positionOf, refusalsMax) => {
    const lines = Array.from({ length: count }, (__, index) => Math.floor(positionOf(index / count)));
    const { windows, refusals } = pullGap(lines, true);
    expect(windows.length).toBeLessThanOrEqual(Math.max(1, Math.ceil(count / REPORT_LINES_MAX)) + 7);
    expect(refusals).toBeLessThanOrEqual(refusalsMax);
  });

  test('pulling always ends, every window advances and fits, and the windows tile the gap, with or without counts', () => {
    const crowds = fc.array(fc.record({ at: fc.integer({ min: 0, max: MONTH_MS - 1 }), lines: fc.integer({ min: 1, max: 20_000 }) }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(crowds, fc.boolean(), (list, tells) => {
        const lines = list.flatMap(({ at, lines: count }) => Array.from({ length: count }, () => at)).toSorted((a, b) => a - b);
        const { windows, stoppedAt } = pullGap(lines, tells);
        if (stoppedAt !== null) {
          const crowd = lines.filter((instant) => instant === stoppedAt).length;
          expect(crowd).toBeGreaterThan(REPORT_LINES_MAX);
          return;
        }
        expect(windows.at(-1)?.end).toBe(MONTH.end);
        for (const [index, window] of windows.entries()) expect(window.start).toBe(index === 0 ? MONTH.start : windows[index - 1]?.end);
      }),
      {
        numRuns: 60,
        examples: [
          [
            [
              { at: MONTH_MS - 1, lines: 19_401 },
              { at: 0, lines: 600 },
            ],
            true,
          ],
        ],
      },
    );
  });
});

/** Pulls the month as the pull does, against lines that settled at these milliseconds, in order. */
function pullGap(lines: number[], tells: boolean): { windows: Window[]; refusals: number; stoppedAt: number | null } {
  const density = startDensity(MONTH.start);
  const windows: Window[] = [];
  let [start, refusedEnd, refusals]: [string, string | null, number] = [MONTH.start, null, 0];
  while (start !== MONTH.end) {
    const end = chooseEnd(density, { start, end: MONTH.end }, refusedEnd);
    if (end === null) return { windows, refusals, stoppedAt: Number((toMicroseconds(start) - START) / 1000n) };
    expect(compareInstants(start, end)).toBe(-1);
    expect(compareInstants(end, MONTH.end)).toBeLessThanOrEqual(0);
    if (refusedEnd !== null) expect(compareInstants(end, refusedEnd)).toBe(-1);
    const count = countBefore(lines, end) - countBefore(lines, start);
    if (count <= REPORT_LINES_MAX || tells) learnCount(density, 'renewals', { start, end }, count);
    if (count <= REPORT_LINES_MAX) {
      windows.push({ start, end });
      [start, refusedEnd] = [end, null];
    } else {
      refusals += 1;
      refusedEnd = end;
    }
    if (windows.length + refusals > 2000) throw new Error('it does not end');
  }
  return { windows, refusals, stoppedAt: null };
}

function countBefore(lines: number[], instant: string): number {
  const ms = Number(toMicroseconds(instant) - START) / 1000;
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
