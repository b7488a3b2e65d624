import type { Environment } from '../model.ts';
import type { SecretSlot } from './games.ts';

const CALLS_MAX = 20_000;

export interface LoggedCall {
  at: string;
  environment: Environment;
  method: string;
  /** Path and query as received, including the environment's prefix. */
  path: string;
  route: string | null;
  /** 0: not answered yet, or the connection was cut before an answer. */
  status: number;
  /** Which headers it had: the game secret, a player token, both or none. */
  credential: 'secret' | 'token' | 'both' | 'none';
  secretSlot: SecretSlot;
  fault: string | null;
  /** For a call with a body: its SHA-256, its key and the outcome (null: the route didn't run). */
  bodySha256?: string;
  clientRequestId?: string | null;
  outcome?: string | null;
}

export interface CallLog {
  add(call: LoggedCall): LoggedCall;
  all(): LoggedCall[];
  clear(): void;
}

/** Every call, oldest first; at most the latest twenty thousand. */
export function createCallLog(): CallLog {
  let calls: LoggedCall[] = [];
  return {
    add(call): LoggedCall {
      calls.push(call);
      if (calls.length > CALLS_MAX) calls = calls.slice(-CALLS_MAX / 2);
      return call;
    },
    all: () => calls,
    clear(): void {
      calls = [];
    },
  };
}

export interface HeldCalls {
  /** Holds a call. Resolves with true when released, false when cut off. */
  keep(): Promise<boolean>;
  /** Releases all held calls and returns how many there were. */
  release(): number;
  /** Cuts off all held calls. */
  cut(): void;
  count(): number;
}

/** The calls that wait until control releases them. */
export function createHeldCalls(): HeldCalls {
  let held: ((mayGoOn: boolean) => void)[] = [];
  function end(mayGoOn: boolean): number {
    const ended = held;
    held = [];
    for (const goOn of ended) goOn(mayGoOn);
    return ended.length;
  }
  return {
    keep: () => new Promise((resolve) => void held.push(resolve)),
    release: () => end(true),
    cut: () => void end(false),
    count: () => held.length,
  };
}

const MINUTE_MS = 60_000;

export interface RateLimiter {
  /** Null: the call may pass and is counted; else the seconds until it may. */
  take(meters: { key: string; max: number }[]): number | null;
  clear(): void;
}

/** Rate limits over a sliding minute of real time, whatever the simulated clock. A refused call isn't counted. */
export function createRateLimiter(nowMs: () => number): RateLimiter {
  let taken = new Map<string, number[]>();
  return {
    take(meters): number | null {
      const now = nowMs();
      const recent = meters.map(({ key, max }) => ({ key, max, times: (taken.get(key) ?? []).filter((time) => time > now - MINUTE_MS) }));
      const waits = recent
        .filter(({ times, max }) => times.length >= max)
        .map(({ times, max }) => (times[times.length - max] ?? now) + MINUTE_MS - now);
      if (waits.length > 0) return Math.max(1, Math.ceil(Math.max(...waits) / 1000));
      for (const { key, times } of recent) taken.set(key, [...times, now]);
      return null;
    },
    clear(): void {
      taken = new Map();
    },
  };
}
