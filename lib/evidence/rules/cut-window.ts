import { fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { type Window, windowLength } from '#lib/core/window.ts';
import { guessOrder, type OrderGuess } from './line-order.ts';

/** Lines Invo shows inline per recipient and kind (document 2, limits). */
export const INLINE_LINES_MAX = 500;

/** How full a part is meant to be when lines are spread: parts a little too full would cost another round. */
const PART_LINES = 440;

/** One cut list: the lines shown, in the order shown, and how many there are in truth. */
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

/** A part that is guessed to hold every line not shown, and what it leaves of the window, which is read when the counts say otherwise. */
export interface GuessedPart {
  part: Window;
  rest: Window;
}

/**
 * Where the lines not shown are likely to lie, from the order of the lines shown: hidden lines of all lists lie before an instant, or after one.
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
 * Cuts a window into parts of about even size, by the lines shown. Parts tile the window, and each is shorter than it;
 * an empty list means the window can't be cut further in time. With `parts_min` 1, a window whose lines fit one answer stays whole.
 */
export function cutEvenly(window: Window, lists: CutList[], unit_us: 1 | 1000, parts_min: 1 | 2 = 2): Window[] {
  const parts = Math.max(parts_min, ...lists.map((list) => Math.ceil(list.count / PART_LINES)));
  if (parts === 1) return [window];
  if (windowLength(window) <= BigInt(unit_us)) return [];
  return splitEvenly(window, lists.flatMap((list) => list.shown).map(toMicroseconds), parts, BigInt(unit_us));
}

/** Cuts into spans of equal length where the sample is even or shows one end only, else at its quantiles and around an instant that crowds it. */
function splitEvenly(window: Window, sample: bigint[], parts: number, unit: bigint): Window[] {
  const [start, end] = [toMicroseconds(window.start), toMicroseconds(window.end)];
  const sorted = sample.filter((at) => at >= start && at < end).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const cuts = isEven(sorted, start, end) || isOneSided(sorted, start, end) ? [] : cutAtQuantiles(sorted, parts, unit);
  let inside = cuts.filter((cut) => cut > start && cut < end);
  if (inside.length === 0) inside = cutByLength(start, end, parts, unit);
  const edges = [start, ...inside.toSorted((a, b) => (a < b ? -1 : 1)), end];
  return edges.slice(1).map((edge, at) => ({ start: fromMicroseconds(edges[at] ?? start), end: fromMicroseconds(edge) }));
}

function cutAtQuantiles(sorted: bigint[], parts: number, unit: bigint): bigint[] {
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
  return [...cuts];
}

function cutByLength(start: bigint, end: bigint, parts: number, unit: bigint): bigint[] {
  const cuts = new Set<bigint>();
  for (let part = 1n; part < BigInt(parts); part += 1n) cuts.add(floorTo(start + ((end - start) * part) / BigInt(parts), unit));
  const inside = [...cuts].filter((cut) => cut > start && cut < end);
  return inside.length > 0 ? inside : [max(floorTo((start + end) / 2n, unit), floorTo(start, unit) + unit)].filter((cut) => cut < end);
}

/** Lines looked at before a sample says anything of the whole. */
const SAMPLE_MIN = 50;

/** Whether a sample could come from lines spread evenly (Kolmogorov's test at one in a hundred): its quantiles would then add noise only. */
function isEven(sorted: bigint[], start: bigint, end: bigint): boolean {
  if (sorted.length < SAMPLE_MIN) return false;
  const length = Number(end - start);
  const distance = Math.max(...sorted.map((at, index) => Math.abs(Number(at - start) / length - (index + 0.5) / sorted.length)));
  return distance < 1.63 / Math.sqrt(sorted.length);
}

/** Whether a sample comes from one end of the window, so that it says nothing of the rest. */
function isOneSided(sorted: bigint[], start: bigint, end: bigint): boolean {
  const [low, high] = [sorted[Math.floor(sorted.length * 0.02)], sorted[Math.floor(sorted.length * 0.98)]];
  if (sorted.length < SAMPLE_MIN || low === undefined || high === undefined) return false;
  const isAtEnd = (low - start) * 10n < end - start !== (end - high) * 10n < end - start;
  return isAtEnd && (high - low) * 2n < end - start && high !== low;
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
