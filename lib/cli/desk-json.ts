import type { InvoFailure } from '../games/game-context.ts';

/** A reading of any kind, as far as printing it goes. */
type Reading = { kind: string; readAt?: string; error?: InvoFailure };

/** How a reading came out, as JSON: whether it is live, stored or missing, when it was read, and the error that stood in the way. */
export function readingJson(reading: Reading): {
  read: string;
  read_at: string | null;
  error: { code: string; message: string; error_id: string | null } | null;
} {
  const { kind, readAt = null, error } = reading;
  return {
    read: kind,
    read_at: readAt,
    error: error === undefined ? null : { code: error.code, message: error.sentence, error_id: error.errorId },
  };
}

/** The value of a reading, where it has one. */
export function valueOf<T>(reading: { kind: string; value?: T } | { kind: string }): T | null {
  return 'value' in reading && reading.value !== undefined ? reading.value : null;
}
