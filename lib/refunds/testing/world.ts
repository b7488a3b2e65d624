import type { KeptRefund, MemoryStore } from './memory-store.ts';
import type { ModelInvo } from './model-invo.ts';
import type { Chance, VirtualTime } from './virtual-time.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** What the two periods of the one subscription cost, in USD. */
export const PRICES: Record<number, string> = { 1: '20.00', 2: '9.99' };

/** How rough a history is, each between 0 and 1. */
export interface Weather {
  kill: number;
  lose: number;
  mishap: number;
  readFails: number;
}

/** What is left of a history. */
export interface History {
  seed: number;
  refunds: KeptRefund[];
  invo: ModelInvo;
  /** What happened when, folded into one number; two equal histories have equal ones. */
  trace: number;
  steps: number;
  mishaps: number;
}

/** Everything a history is played in. */
export interface World {
  chance: Chance;
  time: VirtualTime;
  invo: ModelInvo;
  store: MemoryStore;
  history: History;
  weather: Weather;
}
