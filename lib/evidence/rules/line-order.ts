/** Which end of the time hidden lines lie at, from one order in which the shown lines are listed. Instants in microseconds. */
export interface OrderGuess {
  /** -1: hidden lines lie before `edge`, that instant included; 1: at or after it. */
  direction: -1 | 1;
  edge: bigint;
  /** The share of the shown lines that a part up to the edge leaves out. */
  progress: number;
}

/** Lines shown, in the order shown: when each first and last counts in the window, and other fields they may be listed by. */
export interface ShownLines {
  first: bigint[];
  last: bigint[];
  keys: (bigint | null)[][];
  /** Whether a line may count at several times: it is then counted in a part that holds only one of them. */
  mayRepeat: boolean;
}

/** The end of a list decides where the hidden lines follow: its beginning may be another group of lines. */
const TAIL_SHARE = 3;
const TAIL_MIN = 20;

/** Lines out of order that don't end a guess, as a share of the lines inspected. */
const INVERTED_MAX = 0.05;

/** Lines that a part up to the edge must leave out, as a share of the shown ones: a part with nearly all of them brings too few new ones. */
const PROGRESS_MIN = 0.3;
const PROGRESS_GOOD = 0.6;

/**
 * Guesses by which field and in which direction lines are listed: the time in the window itself, then the other fields given.
 * A field that isn't the time in the window moves the edge by the largest distance seen between the two.
 * null: no field gives a useful order. Only a guess: the counts decide whether the hidden lines were there.
 */
export function guessOrder({ first, last, keys, mayRepeat }: ShownLines): OrderGuess | null {
  let best: OrderGuess | null = null;
  for (const key of [last, first, ...keys]) {
    const direction = directionOf(key);
    if (direction === null || (mayRepeat && !isBound(last, key, direction))) continue;
    const guess = placeEdge({ first, last }, key, direction);
    if (guess.progress >= PROGRESS_GOOD) return guess;
    if (guess.progress >= PROGRESS_MIN && guess.progress > (best?.progress ?? 0)) best = guess;
  }
  return best;
}

/** How the end of a list is ordered, a few lines out of order left aside. */
function directionOf(key: (bigint | null)[]): -1 | 1 | null {
  const tail = tailOf(key);
  if (tail.length < 2 || tail[0] === tail.at(-1)) return null;
  for (const direction of [-1, 1] as const) {
    const run = longestRun(tail, direction);
    if (tail.length - run.length <= Math.floor(tail.length * INVERTED_MAX)) return direction;
  }
  return null;
}

/** Whether lines are listed, the newest first and none out of order, by a field that none of their times is later than: every time of a hidden line then lies before the edge. */
function isBound(last: bigint[], key: (bigint | null)[], direction: -1 | 1): boolean {
  const tail = tailOf(key);
  const isBelow = key.every((value, index) => value !== null && (last[index] ?? 0n) <= value);
  return direction === -1 && isBelow && longestRun(tail, direction).length === tail.length;
}

function placeEdge({ first, last }: Pick<ShownLines, 'first' | 'last'>, key: (bigint | null)[], direction: -1 | 1): OrderGuess {
  const tail = tailOf(key);
  const run = longestRun(tail, direction);
  // Where some lines are out of order, the hidden ones may begin a little before the last shown.
  const anchor = run.length === tail.length ? run.length - 1 : Math.max(0, run.length - 6);
  const times = direction === -1 ? last : first;
  const distances = key.flatMap((value, index) => (value === null ? [] : [-direction * Number((times[index] ?? value) - value)]));
  const distance = distances.reduce((most, each) => Math.max(most, each), -Infinity);
  const edge = (run[anchor] ?? 0n) - BigInt(direction * distance);
  const outside = direction === -1 ? first.filter((time) => time > edge) : last.filter((time) => time < edge);
  return { direction, edge, progress: first.length === 0 ? 0 : outside.length / first.length };
}

/** The end of a list; empty when not every line there has the field. */
function tailOf(key: (bigint | null)[]): bigint[] {
  const tail = key.slice(-Math.max(TAIL_MIN, Math.ceil(key.length / TAIL_SHARE)));
  return tail.every((value) => value !== null) ? tail : [];
}

/** The longest part of a list that is in order, equal ones included. */
function longestRun(list: bigint[], direction: -1 | 1): bigint[] {
  const signed = direction === 1 ? list : list.map((value) => -value);
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, value] of signed.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((signed[ends[middle] ?? 0] ?? 0n) <= value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = index;
  }
  const run: bigint[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) run.push(list[index] ?? 0n);
  return run.toReversed();
}
