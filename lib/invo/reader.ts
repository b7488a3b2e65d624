import type * as z from 'zod';
import type { Mismatch } from './reports/echo.ts';
import type { Reader } from './transport/exchange.ts';

/** Makes a reader of a shape and of a look at whether the answer answers the question asked. */
export function readerOf<T>(shape: z.ZodType<T>, findMismatch: (value: T) => Mismatch | null): Reader<T> {
  return (json) => {
    const reading = shape.safeParse(json);
    if (reading.success) {
      const mismatch = findMismatch(reading.data);
      return mismatch === null ? { isSound: true, value: reading.data } : { isSound: false, ...mismatch };
    }
    const [first] = reading.error.issues;
    return { isSound: false, path: first?.path.join('.') || 'body', reason: first?.message ?? 'refused' };
  };
}
