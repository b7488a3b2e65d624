import { fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { type Window, windowLength } from '#lib/core/window.ts';
import { guessOrder, type OrderGuess } from './line-order.ts';

/** Lines Invo shows inline per recipient and kind (document 2, limits). */
export const INLINE_LINES_MAX = 500;

/** How full a part is meant to be when lines are spread: parts a little too full would cost another round. */
const PART_LINES = 440;

/** One cut list: the lines shown, in the order shown, and the true number of lines. */
export interface CutList {
  /** When each line counts in the window; a reversal by its last refund there. */
  shown: string[];
  /** The same for its first refund there, when that may differ. */
  first?: string[];
  /** Other fields of each line that the service may list by; null where not reported. */
  keys?: (string | null)[][];
  /** Whether lines may count at several times in the window, as a reversal of several refunds does. */
  mayRepeat?: boolean;
  count: number;
}

/** A part that is guessed to contain every line not shown, and the rest of the window, which is read if the counts disagree. */
export interface GuessedPart {
  part: Window;
  rest: Window;
}

/**
 * The likely time of the lines not shown, from the order of the lines shown: hidden lines of all lists lie before an instant, or after one.
 * Listed newest first: up to the oldest shown. Oldest first: from the newest shown. null when the lists show no common order.
 * Unit: the finest step of time the service expresses, in microseconds; a cut re-reads its own instant whole, so lines that share it are not lost.
 */
export function guessPart(window: Window, lists: CutList[], unit_us: 1 | 1000): GuessedPart | null {
  const unit = BigInt(unit_us);
  const [start, end] = [toMicroseconds(window.start), toMicroseconds(window.end)];
  const guesses = lists.map(guessOf);
  const [any] = guesses;
  if (!any || !guesses.every((guess) => guess?.direction === any.direction)) return null;
  const edges = guesses.map((guess) => guess?.edge ?? start);
  const edge = any.direction === -1 ? floorTo(edges.reduce(max), unit) + unit : floorTo(edges.reduce(min), unit);
  if (edge <= start || edge >= end) return null;
  const [early, late] = [
    { start: window.start, end: fromMicroseconds(edge) },
    { start: fromMicroseconds(edge), end: window.end },
  ];
  return any.direction === -1 ? { part: early, rest: late } : { part: late, rest: early };
}

function guessOf({ shown, first = shown, keys = [], mayRepeat = false }: CutList): OrderGuess | null {
  const instants = keys.map((key) => key.map((instant) => (instant === null ? null : toMicroseconds(instant))));
  return guessOrder({ last: shown.map(toMicroseconds), first: first.map(toMicroseconds), keys: instants, mayRepeat });
}

/**
 * Cuts a window into parts with about as many lines of each list as one answer shows, by the lines shown. Parts tile the window, and each is shorter
 * than it; an empty list means the window can't be cut further in time. With `parts_min` 1, a window whose lines fit one answer stays whole.
 */
export function cutEvenly(window: Window, lists: CutList[], unit_us: 1 | 1000, parts_min: 1 | 2 = 2): Window[] {
  const length = Number(windowLength(window));
  const start = toMicroseconds(window.start);
  const spreads = lists.map((list) => spreadOf(list, start, length));
  const fewest = Math.max(parts_min, cutGreedily(spreads, PART_LINES, length).length + 1);
  if (fewest === 1) return [window];
  if (length <= unit_us) return [];
  const unit = BigInt(unit_us);
  const cuts = cutsOfParts(spreads, fewest, length).map((cut) => floorTo(start + BigInt(Math.floor(cut)), unit));
  const crowds = spreads.flatMap(({ crowded }) => crowded).flatMap((instant) => [floorTo(instant, unit), floorTo(instant, unit) + unit]);
  const end = toMicroseconds(window.end);
  let inside = [...new Set([...cuts, ...crowds])].filter((cut) => cut > start && cut < end);
  if (inside.length === 0) inside = [max(floorTo((start + end) / 2n, unit), floorTo(start, unit) + unit)];
  const edges = [start, ...inside.toSorted((a, b) => (a < b ? -1 : 1)), end];
  return edges.slice(1).map((edge, index) => ({ start: fromMicroseconds(edges[index] ?? start), end: fromMicroseconds(edge) }));
}

/**
 * The distribution of a list's lines in a window, as far as the shown ones reveal it: how many are before each of some offsets from its start, in
 * microseconds, and evenly between them.
 */
interface Spread {
  offsets: number[];
  before: number[];
  /** Instants with more lines than one answer shows. */
  crowded: bigint[];
}

/** Lines needed before a sample represents the whole. */
const SAMPLE_MIN = 50;

/**
 * The spread of a list. If its lines are listed by time, the hidden ones are assumed evenly after those shown, on the side where the list continues.
 * Otherwise the shown ones count as a sample of all.
 */
function spreadOf({ shown, count }: CutList, start: bigint, length: number): Spread {
  const listed = shown.map((instant) => Number(toMicroseconds(instant) - start)).filter((offset) => offset >= 0 && offset < length);
  const sorted = listed.toSorted((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  const even = { offsets: [0, length], before: [0, count], crowded: [] };
  if (first === undefined || last === undefined) return even;
  const hidden = Math.max(0, count - sorted.length);
  const trend = hidden > 0 && sorted.length >= SAMPLE_MIN ? trendOf(listed) : 0;
  const direction = trend > TREND_MIN ? 1 : trend < -TREND_MIN ? -1 : 0;
  const covered = direction === 1 ? last : length - first;
  // As many lines as that, so much closer together, are another group of lines rather than the rest of this one.
  if (direction !== 0 && hidden * covered <= DENSER_MAX * sorted.length * (length - covered))
    return spreadBy(sorted, { each: 1, below: direction === 1 ? 0 : hidden, above: direction === 1 ? hidden : 0 }, length, start);
  if (isEven(sorted, length) || isOneSided(sorted, length)) return even;
  return spreadBy(sorted, { each: count / sorted.length, below: 0, above: 0 }, length, start);
}

/** How strongly time follows the order of a list before it counts as listed by time, out of 1. */
const TREND_MIN = 0.8;
/** How much closer together the hidden lines of such a list may lie than the shown ones. */
const DENSER_MAX = 4;

/** Each shown line counts so many, with so many lines spread evenly before the first and after the last of them. */
function spreadBy(sorted: number[], lines: { each: number; below: number; above: number }, length: number, start: bigint): Spread {
  const offsets = [0];
  const before = [0];
  const crowded: bigint[] = [];
  for (let from = 0; from < sorted.length; ) {
    const offset = sorted[from] ?? 0;
    let until = from + 1;
    while (sorted[until] === offset) until += 1;
    if ((until - from) * lines.each > PART_LINES) crowded.push(start + BigInt(offset));
    offsets.push(offset);
    before.push(lines.below + ((from + until) / 2) * lines.each);
    from = until;
  }
  offsets.push(length);
  before.push(lines.below + sorted.length * lines.each + lines.above);
  return { offsets, before, crowded };
}

/** How time follows the order of a list: 1 always later, -1 always earlier, 0 not at all (Spearman's rank correlation). */
function trendOf(listed: number[]): number {
  const order = listed.map((_, index) => index).toSorted((a, b) => (listed[a] ?? 0) - (listed[b] ?? 0));
  const distance = order.reduce((sum, rankByTime, rank) => sum + (rankByTime - rank) ** 2, 0);
  return 1 - (6 * distance) / (listed.length * (listed.length ** 2 - 1));
}

/** The cuts of so many parts whose fullest list is as short as it can be. */
function cutsOfParts(spreads: Spread[], parts: number, length: number): number[] {
  const total = Math.max(1, ...spreads.map(({ before }) => before.at(-1) ?? 0));
  let [low, high] = [0, total];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (cutGreedily(spreads, middle, length, parts).length < parts) high = middle;
    else low = middle;
  }
  return cutGreedily(spreads, high, length, parts);
}

/** Cuts as soon as any list has so many lines since the cut before; at most `cuts_max` cuts. */
function cutGreedily(spreads: Spread[], lines: number, length: number, cuts_max = Infinity): number[] {
  const cuts: number[] = [];
  let counted = spreads.map(() => 0);
  while (cuts.length < cuts_max) {
    const cut = Math.min(...spreads.map((spread, index) => valueAt(spread.before, spread.offsets, (counted[index] ?? 0) + lines, length)));
    if (!(cut < length) || cut <= (cuts.at(-1) ?? -1)) break;
    cuts.push(cut);
    counted = spreads.map((spread, index) =>
      Math.max(counted[index] ?? 0, valueAt(spread.offsets, spread.before, cut, spread.before.at(-1) ?? 0)),
    );
  }
  return cuts;
}

/** The value at a position between the points of a rising line; `beyond` after its last point. */
function valueAt(indexes: number[], values: number[], index: number, beyond: number): number {
  let [low, high] = [0, indexes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((indexes[middle] ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  if (low === indexes.length) return beyond;
  if (low === 0) return values[0] ?? 0;
  const [from, until] = [indexes[low - 1] ?? 0, indexes[low] ?? 0];
  const [value, next] = [values[low - 1] ?? 0, values[low] ?? 0];
  return value + ((next - value) * (index - from)) / (until - from);
}

/** Whether a sample could come from lines spread evenly (Kolmogorov's test at one in a hundred): its quantiles would then add noise only. */
function isEven(sorted: number[], length: number): boolean {
  if (sorted.length < SAMPLE_MIN) return false;
  const distance = Math.max(...sorted.map((offset, index) => Math.abs(offset / length - (index + 0.5) / sorted.length)));
  return distance < 1.63 / Math.sqrt(sorted.length);
}

/** Whether a sample comes from one end of the window, so that it doesn't represent the rest. */
function isOneSided(sorted: number[], length: number): boolean {
  const [low, high] = [sorted[Math.floor(sorted.length * 0.02)], sorted[Math.floor(sorted.length * 0.98)]];
  if (sorted.length < SAMPLE_MIN || low === undefined || high === undefined) return false;
  const isAtEnd = low * 10 < length !== (length - high) * 10 < length;
  return isAtEnd && (high - low) * 2 < length && high !== low;
}

function floorTo(instant: bigint, unit: bigint): bigint {
  return (instant / unit) * unit;
}

/** The later of two instants, or the longer of two spans, in microseconds. */
export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** The earlier of two instants, or the shorter of two spans, in microseconds. */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
