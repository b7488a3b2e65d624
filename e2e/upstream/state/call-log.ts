import type { Environment } from '../model.ts';
import type { SecretSlot } from './games.ts';

const CALLS_KEPT = 20_000;

export interface LoggedCall {
  at: string;
  environment: Environment;
  method: string;
  /** Path and query as received, with the environment's prefix. */
  path: string;
  route: string | null;
  /** 0 while unanswered, and for ever when the socket was cut before an answer. */
  status: number;
  secretSlot: SecretSlot;
  fault: string | null;
  /** Of a call with a body: its SHA-256, the key in it, and what the route made of it (null: it never got there). */
  bodySha256?: string;
  clientRequestId?: string | null;
  outcome?: string | null;
}

export interface CallLog {
  add(call: LoggedCall): LoggedCall;
  all(): LoggedCall[];
  clear(): void;
}

/** Every call received, oldest first; the earliest are dropped past twenty thousand. */
export function createCallLog(): CallLog {
  let calls: LoggedCall[] = [];
  return {
    add(call): LoggedCall {
      calls.push(call);
      if (calls.length > CALLS_KEPT) calls = calls.slice(-CALLS_KEPT / 2);
      return call;
    },
    all: () => calls,
    clear(): void {
      calls = [];
    },
  };
}
