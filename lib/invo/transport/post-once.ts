import { isUtf8 } from 'node:buffer';
import { InvoError } from '../invo-error.ts';
import type { InvoErrorCode } from '../rules/error-codes.ts';
import { repeatsSecret } from '../secrets.ts';
import { type Evidence, evidenceOf, inflateBody, isJsonType } from './body.ts';
import { readSaid, type Said } from './error-response.ts';
import { type Answer, type Road, sendRequest } from './send-request.ts';

/**
 * How far a write got. `not_sent`: no byte of the request was handed to a connection. `answered`: a whole answer came and is a JSON
 * object; `trouble` is null. `sent` is everything between: it may have been carried out.
 */
export interface Posted extends Said {
  phase: 'not_sent' | 'sent' | 'answered';
  trouble: InvoErrorCode | null;
  status: number | null;
  /** The object that was answered, without any text that repeats a secret; null unless `answered`. */
  json: Record<string, unknown> | null;
  /** Null when no whole answer came, or when it repeats a secret. */
  evidence: Evidence | null;
  /** What the answer measured, for the log. */
  receivedBytes: number | null;
  inflatedBytes: number | null;
}

export interface Posting {
  /** Path as sent, the prefix of the base URL included. */
  request: string;
  body: Buffer;
  totalMs: number;
  signal: AbortSignal | undefined;
}

// The longest answer kept whole; of a longer one this much is kept, beside the digest and the length of the whole.
const EVIDENCE_BYTES_MAX = 64 * 1024;

const NOTHING_SAID = { errorCode: null, errorId: null, retryAfterMs: null, facts: {} } as const;
const NOTHING_SEEN = { ...NOTHING_SAID, json: null, evidence: null, receivedBytes: null, inflatedBytes: null } as const;

/** Sends one POST once and says what was observed. Never throws for trouble with Invo or the road. */
export async function postOnce(
  road: Road,
  posting: Posting,
  secret: string,
  secrets: readonly string[],
  now: () => number,
): Promise<Posted> {
  const { request, body, totalMs, signal } = posting;
  let isHanded = false;
  const onFirstByte = (): void => {
    isHanded = true;
  };
  try {
    const answer = await sendRequest(road, { path: request, secret, totalMs, signal, post: { body, onFirstByte } });
    return await readAnswer(road, request, answer, secrets, now());
  } catch (error) {
    // Once a byte left us, even a bug of ours may not hide that the request may have been carried out.
    if (!isHanded && !(error instanceof InvoError)) throw error;
    const { code, status } = error instanceof InvoError ? error : { code: 'malformed' as const, status: null };
    return { ...NOTHING_SEEN, phase: isHanded ? 'sent' : 'not_sent', trouble: code, status };
  }
}

async function readAnswer(road: Road, request: string, answer: Answer, secrets: readonly string[], atMs: number): Promise<Posted> {
  const { status, received } = answer;
  const torn = (trouble: InvoErrorCode): Posted => ({
    ...NOTHING_SEEN,
    ...readSaid(answer, {}, false, atMs),
    phase: 'sent',
    trouble,
    status,
    receivedBytes: received.length,
  });
  const body = await inflateBody(answer, road.limits).catch((error: unknown) => (error instanceof InvoError ? error.code : 'malformed'));
  if (typeof body === 'string') return torn(body);
  const { json, isSafe } = readObject(answer, body, secrets);
  const whole = evidenceOf(request, answer, body, atMs);
  const kept = { ...whole, received: received.subarray(0, EVIDENCE_BYTES_MAX) };
  const seen = { evidence: isSafe ? kept : null, inflatedBytes: body.length };
  if (json === null) return { ...torn(status >= 500 ? 'upstream_fault' : 'malformed'), ...seen };
  return { ...torn('malformed'), ...seen, ...readSaid(answer, json, isSafe, atMs), phase: 'answered', trouble: null, json };
}

// A secret may hide behind escapes: it is looked for in the bytes, and in every name and text once parsed, where it is left out.
function readObject({ contentType }: Answer, body: Buffer, secrets: readonly string[]): { json: Posted['json']; isSafe: boolean } {
  let isSafe = !repeatsSecret(body, secrets);
  if (!isJsonType(contentType) || !isUtf8(body)) return { json: null, isSafe };
  const isSecret = (text: unknown): boolean => typeof text === 'string' && repeatsSecret(text, secrets);
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'), (name, value: unknown) => {
      if (!isSecret(name) && !isSecret(value)) return value;
      isSafe = false;
      return undefined;
    });
    return { json: typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null, isSafe };
  } catch {
    return { json: null, isSafe };
  }
}
