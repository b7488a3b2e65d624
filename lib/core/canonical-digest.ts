import { createHash } from 'node:crypto';

/**
 * SHA-256 over a value of JSON, the same whatever the order of its keys: what it covers can come back from the database as `jsonb`.
 * Input: text, integers, booleans, null, lists and objects of these; `undefined` is left out.
 */
export function digestOf(value: unknown): Buffer {
  return sha256Of(canonicalText(value));
}

/** SHA-256 over a text, in UTF-8, or over bytes. */
export function sha256Of(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}

/** A value of JSON as one text, the same whatever the order of its keys. Input: as of `digestOf`. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{${pairs
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => `${JSON.stringify(key)}:${canonicalText(each)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
