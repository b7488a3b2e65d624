import * as z from 'zod';
import { parseInstant } from '#lib/core/instant.ts';
import { parseMoney } from '#lib/core/money.ts';
import { storableText } from '#lib/core/typed-input.ts';

/** An amount: decimal text that fits the grammar, with every digit; a JSON number is refused. */
export const money = z.custom<string>((value) => parseMoney(value) !== null, 'expected a plain decimal string');

/** Which of the named fields hold something that is no amount. A JSON number may have lost digits: it is not readable, and not absent. */
export function unreadableAmounts<Name extends string>(fields: Readonly<Record<string, unknown>>, names: readonly Name[]): Name[] {
  return names.filter((name) => (fields[name] ?? null) !== null && parseMoney(fields[name]) === null);
}

/** An instant in any ISO 8601 spelling, as canonical UTC text ending in Z with the fraction as reported. */
export const instant = z.transform<unknown, string>(
  (value, context) => readInstant(value) ?? refuse(context, 'expected an ISO 8601 instant'),
);

/** A number of things: a safe integer, never below zero. */
export const count = z.custom<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  'expected a whole number that is exact',
);

/** An id Invo gives as an integer (player_id, period_id); beyond 2^53-1 it would lose units and is refused. */
export const numericId = count;

/** An id Invo gives as a string or an integer (game_id, item_id, transaction_id, mint_order_id, identity_id), as text. */
export const textId = z.transform<unknown, string>(
  (value, context) => readTextId(value) ?? refuse(context, 'expected an id: text, or a whole number that is exact'),
);

/** A rate in percent: decimal text or a JSON number, as its text; it is no amount. */
export const percent = z.transform<unknown, string>((value, context) => {
  const text = typeof value === 'number' ? String(value) : value;
  return parseMoney(text) ?? refuse(context, 'expected a percentage');
});

/** Descriptive text (names, emails, statuses, bases, reasons): as reported; null when absent or not text. NUL and lone surrogates, which no text column holds, become U+FFFD. */
export const optionalText = z.transform<unknown, string | null>((value) => (typeof value === 'string' ? storableText(value) : null));

/** A statement that decides no money: null when absent or neither true nor false. */
export const flag = z.transform<unknown, boolean | null>((value) => (typeof value === 'boolean' ? value : null));

/** Prose for people, of no fixed shape (derivation, known_limits): as received, null when absent. */
export const prose = z.transform<unknown, unknown>((value) => value ?? null);

/** The repeated `settled_by_invo`: may be left out, may never be anything but false (document 2, attribution notice). */
export const settledByInvo = z.literal(false).nullish();

/** A documented field that may be absent or null, both read as null; what is there must still fit. */
export function maybe<T extends z.ZodType>(type: T): z.ZodDefault<z.ZodNullable<T>> {
  // The output of a nullable type takes null, which TypeScript cannot derive for a generic T.
  return z.nullable(type).default(null as never);
}

/** A field that decides nothing: null when absent or when it does not fit. */
export function ifFits<T extends z.ZodType>(type: T): z.ZodCatch<z.ZodDefault<z.ZodNullable<T>>> {
  // As in `maybe`.
  return maybe(type).catch(null as never);
}

/** A list of at most so many elements, read up to the first one that does not fit: a hostile list costs one complaint, not millions. */
export function list<T extends z.ZodType>(element: T, length_max: number): z.ZodTransform<z.infer<T>[], unknown> {
  return z.transform<unknown, z.infer<T>[]>((value, context) => {
    if (!Array.isArray(value)) return refuse(context, 'expected a list');
    if (value.length > length_max) return refuse(context, `expected at most ${length_max} entries`);
    const elements: z.infer<T>[] = [];
    for (const [index, entry] of value.entries()) {
      const reading = element.safeParse(entry);
      if (!reading.success) {
        const [first] = reading.error.issues;
        context.issues.push({ code: 'custom', input: null, path: [index, ...(first?.path ?? [])], message: first?.message ?? 'refused' });
        return z.NEVER;
      }
      elements.push(reading.data);
    }
    return elements;
  });
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.issues.push({ code: 'custom', input: null, message });
  return z.NEVER;
}

// A page carries 140,000 instants, nearly all canonical already; reading each in full cost twice the JSON itself. Only the day has to
// be looked up, and there are few of them.
const CANONICAL = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,12})?Z$/;
const knownDays = new Set<string>();

function readInstant(value: unknown): string | null {
  const day = typeof value === 'string' ? CANONICAL.exec(value)?.[1] : undefined;
  if (day !== undefined && knownDays.has(day)) return value as string;
  const instant = parseInstant(value);
  if (day !== undefined && instant !== null && knownDays.size < 10_000) knownDays.add(day);
  return instant;
}

function readTextId(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  return typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(value) ? value : null;
}

/** The first field by which a response answers another request than the one sent. */
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
export function findPageMismatch(offset: number, page: { offset: number; limit: number | null }, length: number): Mismatch | null {
  if (page.offset !== offset) return otherThanRequested('pagination.offset');
  if (page.limit !== null && (page.limit < 1 || page.limit > 100)) return { path: 'pagination.limit', reason: 'expected 1 to 100' };
  if (page.limit !== null && length > page.limit) return { path: 'pagination.limit', reason: 'more entries than the page holds' };
  return null;
}

/** A field that does not repeat what was requested. */
export function otherThanRequested(path: string): Mismatch {
  return { path, reason: 'not what was requested' };
}
