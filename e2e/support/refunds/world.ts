import type { MemoryStore, StoredRefund } from './memory-store.ts';
import type { ModelInvo } from './model-invo.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The prices of the subscription's two periods, in USD. */
export const PRICES: Record<number, string> = { 1: '20.00', 2: '9.99' };

/** How rough a history is, each between 0 and 1. */
export interface Weather {
  kill: number;
  lose: number;
  mishap: number;
  readFails: number;
}

/** The outcome of a history. */
export interface History {
  seed: number;
  refunds: StoredRefund[];
  invo: ModelInvo;
  /** A hash over all events and their times; equal histories have equal ones. */
  trace: number;
  steps: number;
  mishaps: number;
}

/** Everything a history plays with. */
export interface World {
  chance: Chance;
  time: VirtualTime;
  invo: ModelInvo;
  store: MemoryStore;
  history: History;
  weather: Weather;
}

/** A process was killed at this point; what it did before remains. */
export class Killed {
  readonly at: string;

  constructor(instant: string) {
    this.at = instant;
  }
}

/** A seeded random source: the same seed gives the same history. */
export interface Chance {
  /** 0 up to 1. */
  next(): number;
  happens(probability: number): boolean;
  among<T>(values: readonly T[]): T;
}

/** Opens a random source (mulberry32). */
export function openChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    happens: (probability) => next() < probability,
    among: (values) => {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error('nothing to choose from');
      return value;
    },
  };
}

interface Sleeper {
  wakeAt: number;
  order: number;
  wake: () => void;
}

/** A clock that jumps from one sleeper to the next; nothing happens between. */
export class VirtualTime {
  now: number;
  #sleepers: Sleeper[] = [];
  #order = 0;

  constructor(now: number) {
    this.now = now;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ wakeAt: this.now + ms, order: this.#order++, wake });
    });
  }

  /** Advances the time to an instant, waking sleepers in order; the work of one sleeper ends before the next wakes. */
  async runUntil(end: number): Promise<void> {
    for (;;) {
      await settled();
      const next = this.#takeNext(end);
      if (next === null) break;
      this.now = next.wakeAt;
      next.wake();
    }
    this.now = end;
  }

  #takeNext(end: number): Sleeper | null {
    let best = -1;
    for (let index = 0; index < this.#sleepers.length; index++) {
      const [one, other] = [this.#sleepers[index], this.#sleepers[best]];
      if (one && (!other || one.wakeAt < other.wakeAt || (one.wakeAt === other.wakeAt && one.order < other.order))) best = index;
    }
    const chosen = this.#sleepers[best];
    if (chosen === undefined || chosen.wakeAt > end) return null;
    this.#sleepers.splice(best, 1);
    return chosen;
  }
}

// Every promise that needs no time has settled once the microtask queue is empty.
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
