import { parseUsd, type Usd } from '../money.ts';
import type { Json } from './json.ts';
import { Refusal } from './refusal.ts';

const REASON_LENGTH_MAX = 500;

/** Reads a body that must be a JSON object; an absent one is an empty object where the route allows it. */
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

/** Reads an optional text of at most 500 characters. */
export function readReason(body: Json): string | null {
  const reason = body['reason'] ?? null;
  if (reason === null) return null;
  if (typeof reason !== 'string' || [...reason].length > REASON_LENGTH_MAX)
    throw new Refusal(400, 'INVALID_FIELD_VALUE', `reason must be a string of at most ${REASON_LENGTH_MAX} characters.`);
  return reason;
}

/** Reads a decimal string above zero of at most as many places as the price has; null when it is anything else. */
export function readAmount(value: unknown, places: 2 | 4): Usd | null {
  const amount = typeof value === 'string' ? parseUsd(value) : null;
  return amount === null || amount === 0n || (places === 2 && amount % 100n !== 0n) ? null : amount;
}

function notAnObject(): Refusal {
  return new Refusal(400, 'INVALID_BODY', 'The body must be a JSON object.');
}
