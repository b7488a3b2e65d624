import type { IncomingMessage } from 'node:http';
import { parseUsd, type Usd } from '../money.ts';
import type { Json } from './answer.ts';
import { Refusal } from './answer.ts';

const BYTES_MAX = 256 * 1024;

/** Reads a whole request body; null when it is too large or cut off. */
export async function readRequestBody(request: IncomingMessage, bytes_max = BYTES_MAX): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += (chunk as Buffer).length;
      if (size > bytes_max) return null;
      chunks.push(chunk as Buffer);
    }
  } catch {
    return null;
  }
  return request.complete ? Buffer.concat(chunks) : null;
}

const KEY_NAMES = ['client_request_id', 'purchase_reference', 'setup_reference', 'event_id'];

/** The idempotency key in a body, for the log and for matching faults; null: none. */
export function keyIn(bytes: Buffer): string | null {
  const body = parseObject(bytes) ?? {};
  return KEY_NAMES.map((name) => body[name]).find((value): value is string => typeof value === 'string') ?? null;
}

/** Parses a body that is a JSON object; null for anything else. */
export function parseObject(bytes: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

const REASON_LENGTH_MAX = 500;

/** Reads a body that must be a JSON object. An absent one is an empty object if the route allows it. */
export function readObject(bytes: Buffer, isOptional = false): Json {
  if (bytes.length === 0 && isOptional) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    throw notAnObject();
  }
  throw notAnObject();
}

/** Reads an optional reason of at most 500 characters. */
export function readReason(body: Json): string | null {
  const reason = body['reason'] ?? null;
  if (reason === null) return null;
  if (typeof reason !== 'string' || [...reason].length > REASON_LENGTH_MAX)
    throw new Refusal(400, 'INVALID_FIELD_VALUE', `reason must be a string of at most ${REASON_LENGTH_MAX} characters.`);
  return reason;
}

/** Reads a decimal string above zero with at most as many decimals as the price; null for anything else. */
export function readAmount(value: unknown, places: 2 | 4): Usd | null {
  const amount = typeof value === 'string' ? parseUsd(value) : null;
  return amount === null || amount === 0n || (places === 2 && amount % 100n !== 0n) ? null : amount;
}

function notAnObject(): Refusal {
  return new Refusal(400, 'INVALID_BODY', 'The body must be a JSON object.');
}

const EMAIL_LENGTH_MAX = 254;

export interface Paging {
  limit: number;
  offset: number;
}

/** The query with one value per name. Refuses unknown and repeated names. */
export function readQuery(search: URLSearchParams, known: readonly string[]): Map<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of search) {
    if (!known.includes(name)) throw new Refusal(400, 'INVALID_FIELD_VALUE', `Unknown parameter ${name.slice(0, 40)}.`);
    if (query.has(name)) throw new Refusal(400, 'INVALID_FIELD_VALUE', `Parameter ${name} is given twice.`);
    query.set(name, value);
  }
  return query;
}

/** Reads limit (default 50) and offset (0 to 100000). A limit above 100 is clamped if the route says so, else refused. */
export function readPaging(query: Map<string, string>, pastMaximum: 'clamp' | 'refuse'): Paging {
  const limit = readCount(query.get('limit') ?? '50');
  const offset = readCount(query.get('offset') ?? '0');
  if (limit === null || limit < 1 || (limit > 100 && pastMaximum === 'refuse'))
    throw new Refusal(400, 'PAGINATION_INVALID', 'limit must be a whole number from 1 to 100.');
  if (offset === null || offset > 100_000) throw new Refusal(400, 'PAGINATION_INVALID', 'offset must be a whole number from 0 to 100000.');
  return { limit: Math.min(limit, 100), offset };
}

/** Reads a comma-separated list of statuses; null when none is given. */
export function readStatuses(
  query: Map<string, string>,
  known: readonly string[],
  words: Record<string, readonly string[]> = {},
): Set<string> | null {
  const text = query.get('status');
  if (text === undefined) return null;
  const requested = text.split(',').map((word) => word.trim());
  const unknown = requested.find((word) => !known.includes(word) && words[word] === undefined);
  if (unknown !== undefined) throw new Refusal(400, 'STATUS_INVALID', 'Unknown status value.');
  return new Set(requested.flatMap((word) => words[word] ?? [word]));
}

/** Reads the required player_email, as given. */
export function readEmail(query: Map<string, string>): string {
  const email = query.get('player_email')?.trim() ?? '';
  if (email === '') throw new Refusal(400, 'PLAYER_EMAIL_REQUIRED', 'player_email is required.');
  if (email.length > EMAIL_LENGTH_MAX)
    throw new Refusal(400, 'PLAYER_EMAIL_TOO_LONG', `player_email is at most ${EMAIL_LENGTH_MAX} characters.`);
  return email;
}

/** Reads `true` or `false`; false when absent. */
export function readFlag(query: Map<string, string>, name: string): boolean {
  const text = query.get(name)?.toLowerCase() ?? 'false';
  if (text !== 'true' && text !== 'false') throw new Refusal(400, 'INVALID_FIELD_VALUE', `${name} must be true or false.`);
  return text === 'true';
}

/** Parses a whole number of at most 15 digits; null for anything else. */
export function readCount(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
