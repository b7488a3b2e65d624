import type { Budget, Route } from '../budget.ts';
import { InvoError } from '../invo-error.ts';
import { decideRetry } from './decide-retry.ts';
import { type Sleep, waitOrAbort } from './wait.ts';

export interface Deadline {
  budget: Budget;
  sleep: Sleep;
  now: () => number;
  random: () => number;
  triesMax: number;
  /** Told of every failed try; `waitMs` is null when it was the last. */
  onFailure: (error: InvoError, waitMs: number | null, tries: number) => void;
}

/**
 * Tries a read until it is answered, cannot be helped, or was tried often enough; then throws the last InvoError.
 * A 429 is told to the budget each time, so that every process waits. The signal ends every wait at once.
 */
export async function tryCall<T>(
  patience: Deadline,
  route: Route,
  signal: AbortSignal | undefined,
  call: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call(tries);
    } catch (error) {
      if (!(error instanceof InvoError)) throw error;
      const decision = decideRetry({
        code: error.code,
        isRetryable: error.isRetryable,
        retryAfterMs: error.retryAfterMs,
        tries,
        triesMax: patience.triesMax,
        jitter: patience.random(),
      });
      if (error.code === 'rate_limited') await block(patience, route, error);
      patience.onFailure(error, decision.kind === 'wait' ? decision.waitMs : null, tries);
      if (decision.kind === 'stop') throw error;
      await waitOrAbort(signal, () => patience.sleep(decision.waitMs, signal));
    }
  }
}

async function block({ budget, now }: Deadline, route: Route, error: InvoError): Promise<void> {
  await budget.blockUntil(route, now() + (error.retryAfterMs ?? 1_000));
}
