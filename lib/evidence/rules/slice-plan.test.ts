import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { monthOf } from '#lib/core/month.ts';
import { containsWindow, type Window, windowLength } from '#lib/core/window.ts';
import { cutAtMonths, planSlices, tilesExactly } from './slice-plan.ts';

const OCTOBER = day(1, 32);

describe('the plan of a window', () => {
  test.each<[string, Window[], Window[], Window[]]>([
    ['nothing is held', [], [], [OCTOBER]],
    ['all of it is held', [OCTOBER], [OCTOBER], []],
    ['the middle is held', [day(10, 20)], [day(10, 20)], [day(1, 10), day(20, 32)]],
    ['two that touch are held', [day(10, 20), day(1, 10)], [day(1, 10), day(10, 20)], [day(20, 32)]],
    ['one reaches out of the window', [day(-5, 10)], [], [OCTOBER]],
    ['one larger than the window is held', [day(-5, 40)], [], [OCTOBER]],
    ['two overlap: the longer one is used', [day(1, 12), day(8, 31)], [day(8, 31)], [day(1, 8), day(31, 32)]],
    ['one overlaps two that cover more together', [day(1, 10), day(8, 20), day(10, 22)], [day(1, 10), day(10, 22)], [day(22, 32)]],
    ['one covers what many small ones cover', [day(1, 5), day(5, 9), day(1, 9)], [day(1, 9)], [day(9, 32)]],
    ['the same is held twice', [day(1, 9), day(1, 9)], [day(1, 9)], [day(9, 32)]],
    ['one lies in another', [day(3, 5), day(2, 8)], [day(2, 8)], [day(1, 2), day(8, 32)]],
  ])('when %s', (_, slices, held, gaps) => {
    expect(planSlices(OCTOBER, slices, 'UTC')).toEqual({ held, gaps });
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

  test('what is held and what is missing tile the window exactly; a gap lies in one month; nothing better is thrown away', () => {
    const zones = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Pacific/Honolulu', 'Europe/Berlin', 'Australia/Lord_Howe');
    fc.assert(
      fc.property(anyWindow(), fc.array(anyWindow(), { maxLength: 12 }), zones, (window, slices, zone) => {
        const { held, gaps } = planSlices(window, slices, zone);
        const tiles = [...held, ...gaps].toSorted((a, b) => (a.start < b.start ? -1 : 1));
        expect(tilesExactly(window, tiles)).toBe(true);
        for (const gap of gaps) expect(monthOf(fromMicroseconds(toMicroseconds(gap.end) - 1n), zone)).toBe(monthOf(gap.start, zone));
        for (const slice of held) expect(slices).toContain(slice);
        const inside = slices.filter((slice) => containsWindow(window, slice)).map(windowLength);
        expect(held.map(windowLength).reduce(add, 0n)).toBeGreaterThanOrEqual(inside.reduce((a, b) => (a > b ? a : b), 0n));
      }),
    );
  });

  test('no choice of non-overlapping slices covers more, tried against all choices', () => {
    fc.assert(
      fc.property(anyWindow(), fc.array(anyWindow(), { maxLength: 8 }), (window, slices) => {
        const inside = slices.filter((slice) => containsWindow(window, slice));
        const covered = planSlices(window, slices, 'UTC').held.map(windowLength).reduce(add, 0n);
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

  test('edges compare as instants, however their fraction is written', () => {
    expect(tilesExactly(OCTOBER, [{ start: '2026-10-01T00:00:00.000Z', end: '2026-11-01T00:00:00.000Z' }])).toBe(true);
  });
});

test('a window within one month is not cut; one of a year is cut into its months', () => {
  expect(cutAtMonths(day(3, 4), 'UTC')).toEqual([day(3, 4)]);
  expect(cutAtMonths({ start: '2026-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z' }, 'UTC')).toHaveLength(12);
  expect(cutAtMonths({ start: OCTOBER.start, end: OCTOBER.start }, 'UTC')).toEqual([]);
});

/** Days of October 2026, counted on beyond its edges; the end is not included. */
function day(from: number, to: number): Window {
  const [start, end] = [from, to].map((at) => new Date(Date.UTC(2026, 9, at)).toISOString().replace('.000', ''));
  return { start: start ?? '', end: end ?? '' };
}

function anyWindow(): fc.Arbitrary<Window> {
  const hour = fc.integer({ min: 0, max: 24 * 120 });
  return fc
    .tuple(hour, hour)
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => {
      const [start, end] = [Math.min(a, b), Math.max(a, b)].map((at) =>
        new Date(Date.UTC(2026, 8, 1, at)).toISOString().replace('.000', ''),
      );
      return { start: start ?? '', end: end ?? '' };
    });
}

function bestByTrial(slices: Window[]): bigint {
  let best = 0n;
  for (let choice = 0; choice < 1 << slices.length; choice += 1) {
    const chosen = slices.filter((_, at) => choice & (1 << at)).toSorted((a, b) => (a.start < b.start ? -1 : 1));
    const isApart = chosen.every((slice, at) => at === 0 || (chosen[at - 1]?.end ?? '') <= slice.start);
    const covered = chosen.map(windowLength).reduce(add, 0n);
    if (isApart && covered > best) best = covered;
  }
  return best;
}

function add(a: bigint, b: bigint): bigint {
  return a + b;
}
