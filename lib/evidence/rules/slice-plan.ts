import { compareInstants, earlierOf, fromMicroseconds, laterOf, toMicroseconds } from '#lib/core/instant.ts';
import { addMonths, monthOf, monthWindow } from '#lib/core/month.ts';
import { containsWindow, type Window, windowLength } from '#lib/core/window.ts';
import { max, min } from './cut-window.ts';

export interface SlicePlan<Slice extends Window> {
  /** Slices stored already that are used, in order of time, without overlap. */
  stored: Slice[];
  /** What is missing, in order of time; no gap straddles a month edge. */
  gaps: Window[];
}

/**
 * Finds how a window is covered: the slices stored that lie inside it and cover the most time without overlapping, and the gaps between them.
 * Units: gaps are cut at the month edges of the game's reporting time zone.
 */
export function planSlices<Slice extends Window>(window: Window, slices: Slice[], timeZone: string): SlicePlan<Slice> {
  const stored = coverMost(slices.filter((slice) => containsWindow(window, slice)));
  const gaps: Window[] = [];
  let cursor = window.start;
  for (const slice of [...stored, { start: window.end, end: window.end }]) {
    if (compareInstants(cursor, slice.start) < 0) gaps.push(...cutAtMonths({ start: cursor, end: slice.start }, timeZone));
    cursor = laterOf(cursor, slice.end);
  }
  return { stored, gaps };
}

/** Whether windows in order cover a window exactly: no gap, no overlap, nothing outside. */
export function tilesExactly(window: Window, tiles: Window[]): boolean {
  if (tiles.length === 0) return false;
  return (
    tiles.every((tile, index) => compareInstants(tile.start, index === 0 ? window.start : (tiles[index - 1]?.end ?? '')) === 0) &&
    compareInstants(tiles.at(-1)?.end ?? '', window.end) === 0
  );
}

/** Cuts a window at the month edges of a time zone, in order. */
export function cutAtMonths(window: Window, timeZone: string): Window[] {
  const parts: Window[] = [];
  let start = window.start;
  for (let month = monthOf(start, timeZone); compareInstants(start, window.end) < 0; month = addMonths(month, 1)) {
    const end = earlierOf(monthWindow(month, timeZone).end, window.end);
    if (compareInstants(start, end) < 0) parts.push({ start, end });
    start = laterOf(start, end);
  }
  return parts;
}

/** The non-overlapping choice that covers the most time; of two that cover the same, the one with fewer slices. */
function coverMost<Slice extends Window>(slices: Slice[]): Slice[] {
  const ordered = slices.toSorted((a, b) => compareInstants(a.end, b.end));
  const best: { covered: bigint; chosen: Slice[] }[] = [{ covered: 0n, chosen: [] }];
  for (const [position, slice] of ordered.entries()) {
    const before = ordered.findLastIndex((other, index) => index < position && compareInstants(other.end, slice.start) <= 0);
    const base = best[before + 1] ?? { covered: 0n, chosen: [] };
    const taken = { covered: base.covered + windowLength(slice), chosen: [...base.chosen, slice] };
    const skipped = best[position] ?? taken;
    const isBetter = taken.covered > skipped.covered || (taken.covered === skipped.covered && taken.chosen.length < skipped.chosen.length);
    best.push(isBetter ? taken : skipped);
  }
  return best.at(-1)?.chosen ?? [];
}

/** Renewals or refunded renewals Invo reports on at most in one window (document 2, limits). */
export const REPORT_LINES_MAX = 20_000;

/** How full of a cap a planned window is meant to be: a cut that misses a little must not cost another call. */
const FULL = 0.97;

type Kind = 'renewals' | 'reversals';

/** What is known of how many lines settled up to an instant, counted from the start of a gap. */
export interface Density {
  points: Record<Kind, { at: bigint; count: number }[]>;
}

/** A density that knows nothing yet about a gap beginning at this instant. */
export function startDensity(start: string): Density {
  const origin = { at: toMicroseconds(start), count: 0 };
  return { points: { renewals: [origin], reversals: [origin] } };
}

/** Learns that a window beginning at a known point holds so many lines of a kind. */
export function learnCount(density: Density, kind: Kind, window: Window, count: number): void {
  const points = density.points[kind];
  const before = countAt(points, toMicroseconds(window.start));
  const end = toMicroseconds(window.end);
  density.points[kind] = [...points.filter((point) => point.at !== end), { at: end, count: before + count }].toSorted((a, b) =>
    a.at < b.at ? -1 : 1,
  );
}

/**
 * Chooses where the next window of a gap ends, so that what is left needs the fewest windows and they share it evenly.
 * Returns the gap's end when all that is left fits, and null when the window cannot be made shorter: one instant holds too much.
 * Units: cuts fall on whole milliseconds.
 */
export function chooseEnd(density: Density, gap: Window, mustBeBefore: string | null): string | null {
  const start = toMicroseconds(gap.start);
  let end = toMicroseconds(gap.end);
  for (const points of Object.values(density.points)) {
    const done = countAt(points, start);
    const left = countAt(points, end) - done;
    const windows = left <= REPORT_LINES_MAX ? 1 : Math.ceil(left / (REPORT_LINES_MAX * FULL));
    if (windows > 1) end = min(end, instantOf(points, done + left / windows));
  }
  if (mustBeBefore !== null) {
    const limit = toMicroseconds(mustBeBefore);
    // The curve may be flat or wrong near a crowd; halving always ends.
    if (end >= limit) end = start + (limit - start) / 2n;
  }
  if (end === toMicroseconds(gap.end)) return end > start ? gap.end : null;
  const first = (start / 1000n + 1n) * 1000n;
  const cut = max((end / 1000n) * 1000n, first);
  if (cut < toMicroseconds(mustBeBefore ?? gap.end)) return fromMicroseconds(cut);
  // What the curve only guesses to be too much was not refused yet: ask before giving up.
  return mustBeBefore === null ? gap.end : null;
}

function countAt(points: { at: bigint; count: number }[], instant: bigint): number {
  const after = points.findIndex((point) => point.at >= instant);
  const [low, high] = [points[after - 1], points[after]];
  if (!high) return points.at(-1)?.count ?? 0;
  if (!low || high.at === instant) return high.count;
  return low.count + (Number(instant - low.at) / Number(high.at - low.at)) * (high.count - low.count);
}

function instantOf(points: { at: bigint; count: number }[], count: number): bigint {
  const after = points.findIndex((point) => point.count >= count);
  const [low, high] = [points[after - 1], points[after]];
  if (!high) return points.at(-1)?.at ?? 0n;
  if (!low || high.count === low.count) return high.at;
  return low.at + BigInt(Math.floor((Number(high.at - low.at) * (count - low.count)) / (high.count - low.count)));
}
