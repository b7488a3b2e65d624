import { compareInstants, earlierOf, laterOf } from '#lib/core/instant.ts';
import { addMonths, monthOf, monthWindow } from '#lib/core/month.ts';
import { containsWindow, type Window, windowLength } from '#lib/core/window.ts';

export interface SlicePlan<Slice extends Window> {
  /** Slices held already that are used, in order of time, without overlap. */
  held: Slice[];
  /** What is missing, in order of time; no gap straddles a month edge. */
  gaps: Window[];
}

/**
 * Finds how a window is covered: the slices held that lie inside it and cover the most time without overlapping, and the gaps between them.
 * Units: gaps are cut at the month edges of the game's reporting time zone.
 */
export function planSlices<Slice extends Window>(window: Window, slices: Slice[], timeZone: string): SlicePlan<Slice> {
  const held = coverMost(slices.filter((slice) => containsWindow(window, slice)));
  const gaps: Window[] = [];
  let cursor = window.start;
  for (const slice of [...held, { start: window.end, end: window.end }]) {
    if (compareInstants(cursor, slice.start) < 0) gaps.push(...cutAtMonths({ start: cursor, end: slice.start }, timeZone));
    cursor = laterOf(cursor, slice.end);
  }
  return { held, gaps };
}

/** Whether windows in order cover a window exactly: no gap, no overlap, nothing outside. */
export function tilesExactly(window: Window, tiles: Window[]): boolean {
  if (tiles.length === 0) return false;
  return (
    tiles.every((tile, at) => compareInstants(tile.start, at === 0 ? window.start : (tiles[at - 1]?.end ?? '')) === 0) &&
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
  for (const [at, slice] of ordered.entries()) {
    const before = ordered.findLastIndex((other, index) => index < at && compareInstants(other.end, slice.start) <= 0);
    const base = best[before + 1] ?? { covered: 0n, chosen: [] };
    const taken = { covered: base.covered + windowLength(slice), chosen: [...base.chosen, slice] };
    const skipped = best[at] ?? taken;
    const isBetter = taken.covered > skipped.covered || (taken.covered === skipped.covered && taken.chosen.length < skipped.chosen.length);
    best.push(isBetter ? taken : skipped);
  }
  return best.at(-1)?.chosen ?? [];
}
