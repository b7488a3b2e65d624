import { fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { type Window, windowLength } from '#lib/core/window.ts';

/** Lines Invo shows inline per recipient and kind (document 2, limits). */
export const INLINE_LINES_MAX = 500;

/** How full a part is meant to be when lines are spread: parts a little too full would cost another round. */
const PART_LINES = 440;

/** One cut list: the instants of the lines shown, in the order shown, and how many there are in truth. */
export interface CutList {
  shown: string[];
  count: number;
}

/**
 * Where to read next so that the lines not shown come: from what the shown lines suggest about their order.
 * Newest first: up to the oldest shown. Oldest first: from the newest shown. Anything else, or a guess that did not hold: parts of even size.
 * Parts never leave the window and each is shorter than it; an empty list means the window cannot be cut further in time.
 * Unit: the finest step of time the service expresses, in microseconds; a cut re-reads its own instant whole, so lines that share it are not lost.
 */
export function cutWindow(window: Window, lists: CutList[], unit_us: 1 | 1000, mayGuess: boolean): Window[] {
  const unit = BigInt(unit_us);
  if (windowLength(window) <= unit) return [];
  const shown = lists.map((list) => list.shown.map(toMicroseconds));
  if (mayGuess) {
    const guess = guessPart(window, shown, unit);
    if (guess) return [guess];
  }
  return splitEvenly(window, shown.flat(), Math.max(2, ...lists.map((list) => Math.ceil(list.count / PART_LINES))), unit);
}

function guessPart(window: Window, shown: bigint[][], unit: bigint): Window | null {
  const [start, end] = [toMicroseconds(window.start), toMicroseconds(window.end)];
  const filled = shown.filter((times) => times.length > 0 && times[0] !== times.at(-1));
  if (filled.length === 0 || filled.length < shown.length) return null;
  if (filled.every((times) => isSorted(times, -1))) {
    const edge = floorTo(filled.map((times) => times.at(-1) ?? end).reduce(max), unit) + unit;
    return edge < end && edge > start ? { start: window.start, end: fromMicroseconds(edge) } : null;
  }
  if (filled.every((times) => isSorted(times, 1))) {
    const edge = floorTo(filled.map((times) => times.at(-1) ?? start).reduce(min), unit);
    return edge > start && edge < end ? { start: fromMicroseconds(edge), end: window.end } : null;
  }
  return null;
}

/** Cuts at the quantiles of the sample, and around an instant that crowds it; without a sample in the middle. */
function splitEvenly(window: Window, sample: bigint[], parts: number, unit: bigint): Window[] {
  const [start, end] = [toMicroseconds(window.start), toMicroseconds(window.end)];
  const sorted = sample.filter((at) => at >= start && at < end).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const cuts = new Set<bigint>();
  for (let part = 1; part < parts; part += 1) {
    const at = sorted[Math.floor((sorted.length * part) / parts)];
    if (at === undefined) continue;
    cuts.add(floorTo(at, unit));
    const isCrowded =
      sorted[Math.floor((sorted.length * (part - 1)) / parts)] === at ||
      sorted[Math.floor((sorted.length * (part + 1)) / parts) - 1] === at;
    if (isCrowded) cuts.add(floorTo(at, unit) + unit);
  }
  let inside = [...cuts].filter((cut) => cut > start && cut < end);
  if (inside.length === 0) inside = [max(floorTo((start + end) / 2n, unit), floorTo(start, unit) + unit)].filter((cut) => cut < end);
  const edges = [start, ...inside.toSorted((a, b) => (a < b ? -1 : 1)), end];
  return edges.slice(1).map((edge, at) => ({ start: fromMicroseconds(edges[at] ?? start), end: fromMicroseconds(edge) }));
}

function isSorted(times: bigint[], direction: 1 | -1): boolean {
  return times.every((at, index) => index === 0 || (direction === 1 ? at >= (times[index - 1] ?? at) : at <= (times[index - 1] ?? at)));
}

function floorTo(at: bigint, unit: bigint): bigint {
  return (at / unit) * unit;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
