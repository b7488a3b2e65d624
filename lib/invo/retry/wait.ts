import { setTimeout as sleepFor } from 'node:timers/promises';
import { InvoError } from '../invo-error.ts';

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Sleeps by the real clock; the signal ends it at once and leaves no timer behind. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, signal ? { signal } : {});
}

/** Waits for something that may or may not know the signal; throws InvoError `aborted` as soon as the signal says so. */
export async function waitOrAbort(signal: AbortSignal | undefined, begin: () => Promise<void>): Promise<void> {
  if (!signal) return begin();
  if (signal.aborted) throw abortedError();
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(abortedError());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([begin(), stopped]);
  } catch (error) {
    throw signal.aborted ? abortedError() : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function abortedError(): InvoError {
  return new InvoError('aborted', 'stopped by the caller');
}
