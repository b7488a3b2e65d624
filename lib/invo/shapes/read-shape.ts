import type * as z from 'zod';

/** The first place where a response answers another request than the one sent. */
export interface Mismatch {
  path: string;
  reason: string;
}

/** Reads parsed JSON as one of Invo's shapes, or names the first field that does not fit. */
export type Reader<T> = (json: unknown) => { isSound: true; value: T } | ({ isSound: false } & Mismatch);

/** Makes a reader from a shape and a check that the response answers the request. */
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

/** A response whose page or length is not what was requested. Null when it fits. */
export function findPageMismatch(offset: number, page: Page, length: number): Mismatch | null {
  if (page.offset !== offset) return otherThanAsked('pagination.offset');
  if (page.limit !== null && (page.limit < 1 || page.limit > 100)) return { path: 'pagination.limit', reason: 'expected 1 to 100' };
  if (page.limit !== null && length > page.limit) return { path: 'pagination.limit', reason: 'more entries than the page holds' };
  return null;
}

interface Page {
  offset: number;
  limit: number | null;
}

/** A field that does not repeat what was requested. */
export function otherThanAsked(path: string): Mismatch {
  return { path, reason: 'not what was asked' };
}
