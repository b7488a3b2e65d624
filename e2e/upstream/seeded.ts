/** A stream of numbers in [0, 1) that depends on its seed text alone. */
export function seeded(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  return function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An element of a list that isn't empty, chosen by the stream's next number. */
export function pick<T>(next: () => number, list: readonly T[]): T {
  const chosen = list[Math.floor(next() * list.length)];
  if (chosen === undefined) throw new Error('nothing to pick from');
  return chosen;
}

/** A whole number from `low` to `high`, inclusive. */
export function between(next: () => number, low: number, high: number): number {
  return low + Math.floor(next() * (high - low + 1));
}

/** Eight characters for the end of a subscription id. */
export function tail(next: () => number): string {
  return Array.from({ length: 8 }, () => pick(next, 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split(''))).join('');
}
