import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { containsInstant, containsWindow, type Window, windowLength } from '#lib/core/window.ts';
import { type CutList, cutEvenly, guessPart, INLINE_LINES_MAX } from './cut-window.ts';

const DAY = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
const START = toMicroseconds(DAY.start);

describe('a window guessed from the order of the lines shown', () => {
  test('newest first: up to the oldest shown, that instant included', () => {
    const shown = ['2026-10-01T20:00:00Z', '2026-10-01T12:00:00Z'];
    expect(cutWindow(DAY, [{ shown, count: 900 }], 1000, true)).toEqual([{ start: DAY.start, end: '2026-10-01T12:00:00.001Z' }]);
  });

  test('oldest first: from the newest shown, that instant included', () => {
    const shown = ['2026-10-01T03:00:00Z', '2026-10-01T12:00:00.000500Z'];
    expect(cutWindow(DAY, [{ shown, count: 900 }], 1, true)).toEqual([{ start: '2026-10-01T12:00:00.000500Z', end: DAY.end }]);
  });

  test('two lists newest first: the part holds what is hidden of both', () => {
    const lists = [
      ['2026-10-01T20:00:00Z', '2026-10-01T12:00:00Z'],
      ['2026-10-01T21:00:00Z', '2026-10-01T15:00:00Z'],
    ];
    expect(
      cutWindow(
        DAY,
        lists.map((shown) => ({ shown, count: 900 })),
        1000,
        true,
      ),
    ).toEqual([{ start: DAY.start, end: '2026-10-01T15:00:00.001Z' }]);
  });

  test('lists in opposite orders are split into equal parts', () => {
    const lists = [
      ['2026-10-01T20:00:00Z', '2026-10-01T12:00:00Z'],
      ['2026-10-01T04:00:00Z', '2026-10-01T15:00:00Z'],
    ];
    expect(
      cutWindow(
        DAY,
        lists.map((shown) => ({ shown, count: 600 })),
        1000,
        true,
      ).length,
    ).toBeGreaterThan(1);
  });
});

describe('equal parts', () => {
  test('an unordered list is cut at its own quantiles, one part for every 440 lines', () => {
    const shown = hours(20, 3, 11, 7, 15, 1, 22, 9);
    const parts = cutWindow(DAY, [{ shown, count: 1300 }], 1000, true);
    expect(parts).toHaveLength(3);
    expect(parts.map((part) => shown.filter((instant) => containsInstant(part, instant)).length)).toEqual([3, 2, 3]);
  });

  test('a crowded instant gets its own part', () => {
    const shown = [...hours(1, 2), ...Array.from({ length: 20 }, () => '2026-10-01T12:00:00Z'), ...hours(23, 22)];
    const parts = cutWindow(DAY, [{ shown, count: 1300 }], 1000, false);
    expect(parts).toContainEqual({ start: '2026-10-01T12:00:00Z', end: '2026-10-01T12:00:00.001Z' });
  });

  test('without any line shown, the window is cut in the middle', () => {
    expect(cutWindow(DAY, [{ shown: [], count: 3 }], 1000, true)).toEqual([
      { start: DAY.start, end: '2026-10-01T12:00:00Z' },
      { start: '2026-10-01T12:00:00Z', end: DAY.end },
    ]);
  });

  test('a window that begins between two steps of time is still cut into shorter ones', () => {
    const window = { start: '2026-10-01T00:00:00.000001Z', end: '2026-10-01T00:00:00.001002Z' };
    for (const part of cutWindow(window, [{ shown: [], count: 600 }], 1000, false))
      expect(windowLength(part)).toBeLessThan(windowLength(window));
  });
});

test.each([
  [1000, '2026-10-01T00:00:00.001Z'],
  [1, '2026-10-01T00:00:00.000001Z'],
] as const)('a window of one step of %i microseconds cannot be cut', (unit, end) => {
  expect(cutWindow({ start: DAY.start, end }, [{ shown: [], count: 900 }], unit, true)).toEqual([]);
});

describe('laws', () => {
  test('every part lies in the window and is shorter; even parts tile it; in any order, what is not shown falls into a part', () => {
    fc.assert(
      fc.property(
        anyWindow(),
        fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 40 }),
        order(),
        fc.boolean(),
        fc.constantFrom(1 as const, 1000 as const),
        (window, positions, limit, sort, mayGuess, unit) => {
          const lines = sort(positions.map((position) => toMicroseconds(window.start) + (BigInt(position) % windowLength(window))));
          const shown = lines.slice(0, limit).map(fromMicroseconds);
          const parts = cutWindow(window, [{ shown, count: lines.length }], unit, mayGuess);
          if (parts.length === 0) {
            expect(windowLength(window)).toBeLessThanOrEqual(BigInt(unit));
            return;
          }
          for (const part of parts) {
            expect(containsWindow(window, part)).toBe(true);
            expect(windowLength(part)).toBeGreaterThan(0n);
            expect(windowLength(part)).toBeLessThan(windowLength(window));
          }
          if (parts.length > 1) expect(parts.map(windowLength).reduce((a, b) => a + b)).toBe(windowLength(window));
          const isOrdered = sort === newestFirst || sort === oldestFirst;
          if (parts.length > 1 || isOrdered)
            for (const instant of lines.slice(limit))
              expect(parts.some((part) => containsInstant(part, fromMicroseconds(instant)))).toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('repeated cutting finds every line, unless one millisecond has more lines than an answer shows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 86_399_999 }), fc.integer({ min: 1, max: 700 })), { minLength: 1, maxLength: 6 }),
        order(),
        (crowds, sort) => {
          const lines = sort(crowds.flatMap(([index, count]) => Array.from({ length: count }, () => START + BigInt(index) * 1000n)));
          const found = new Set<bigint>();
          const calls = read(DAY, lines, found);
          for (const [instant, crowd] of Map.groupBy(lines, (line) => line))
            expect(found.has(instant) || crowd.length > INLINE_LINES_MAX).toBe(true);
          expect(calls).toBeLessThan(400);
        },
      ),
      { numRuns: 30 },
    );
  });
});

/** Reads a window as the fill does: a guess first, then, when instants are missing, even parts. Returns the calls it took. */
function read(window: Window, lines: bigint[], found: Set<bigint>): number {
  const here = lines.filter((instant) => containsInstant(window, fromMicroseconds(instant)));
  const shown = here.slice(0, INLINE_LINES_MAX);
  for (const instant of shown) found.add(instant);
  if (here.length <= INLINE_LINES_MAX) return 1;
  let calls = 1;
  for (const mayGuess of [true, false]) {
    if (here.every((instant) => found.has(instant))) break;
    for (const part of cutWindow(window, [{ shown: shown.map(fromMicroseconds), count: here.length }], 1000, mayGuess))
      calls += read(part, lines, found);
  }
  return calls;
}

function hours(...list: number[]): string[] {
  return list.map((hour) => `2026-10-01T${String(hour).padStart(2, '0')}:00:00Z`);
}

function anyWindow(): fc.Arbitrary<Window> {
  return fc
    .tuple(fc.bigInt(0n, 10_000n), fc.oneof(fc.bigInt(1n, 3_000n), fc.bigInt(1n, 90_000_000n)))
    .map(([from, length]) => ({ start: fromMicroseconds(START + from), end: fromMicroseconds(START + from + length) }));
}

function order(): fc.Arbitrary<(lines: bigint[]) => bigint[]> {
  return fc.constantFrom(newestFirst, oldestFirst, byLastDigits);
}

function newestFirst(lines: bigint[]): bigint[] {
  return lines.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0));
}

function oldestFirst(lines: bigint[]): bigint[] {
  return newestFirst(lines).toReversed();
}

function byLastDigits(lines: bigint[]): bigint[] {
  return lines.toSorted((a, b) => Number(((a / 1000n) % 997n) - ((b / 1000n) % 997n)));
}

/** A guess first, when it is wanted and there is one; else parts of even size. */
function cutWindow(window: Window, lists: CutList[], unit: 1 | 1000, mayGuess: boolean): Window[] {
  const guess = mayGuess ? guessPart(window, lists, unit) : null;
  return guess ? [guess.part] : cutEvenly(window, lists, unit);
}
