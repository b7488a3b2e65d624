import type { InvoAccess } from './access/access.ts';
import type { Budget, Route } from './budget.ts';
import type { InvoErrorCode } from './invo-error.ts';
import type { Sleep } from './retry/wait.ts';
import type { Limits } from './transport/limits.ts';

/** `now` is milliseconds since 1970. `onPreviousSecretUsed` is told when the previous secret had to stand in for the current one. */
export interface InvoSettings {
  access: InvoAccess;
  budget: Budget;
  sleep?: Sleep;
  now?: () => number;
  random?: () => number;
  onPreviousSecretUsed?: () => void;
  log?: (event: CallEvent) => void;
  limits?: Partial<Limits>;
}

/** One try as the log sees it: no secret, no body. `waitMs` is the wait before the next try, null when there is none. */
export interface CallEvent {
  route: Route;
  request: string;
  tries: number;
  outcome: 'answered' | InvoErrorCode;
  status: number | null;
  errorId: string | null;
  errorCode: string | null;
  tookMs: number;
  receivedBytes: number | null;
  inflatedBytes: number | null;
  waitMs: number | null;
}
