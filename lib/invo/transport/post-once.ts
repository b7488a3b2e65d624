import { isUtf8 } from 'node:buffer';
import type { PostResult } from '../invo.ts';
import { InvoError } from '../invo-error.ts';
import type { InvoErrorCode } from '../rules/error-codes.ts';
import { repeatsSecret } from '../settings.ts';
import { evidenceOf, inflateBody, isJsonType } from './body.ts';
import { readErrorBody } from './error-response.ts';
import { type Answer, sendRequest, type Transport } from './send-request.ts';

export interface PostRequest {
  /** Path as sent, the prefix of the base URL included. */
  request: string;
  body: Buffer;
  totalMs: number;
  signal: AbortSignal | undefined;
}

// A longer answer is cut to this size for evidence; digest and length are those of the whole.
const EVIDENCE_BYTES_MAX = 64 * 1024;

const NO_ERROR = { errorCode: null, errorId: null, retryAfterMs: null, facts: {} } as const;
const NO_ANSWER = { ...NO_ERROR, json: null, evidence: null, receivedBytes: null, inflatedBytes: null } as const;

/** Sends one POST once and returns what was observed. Never throws for an error of Invo or the transport. */
export async function postOnce(
  transport: Transport,
  posting: PostRequest,
  secret: string,
  secrets: readonly string[],
  now: () => number,
): Promise<PostResult> {
  const { request, body, totalMs, signal } = posting;
  let isHanded = false;
  const onFirstByte = (): void => {
    isHanded = true;
  };
  try {
    const answer = await sendRequest(transport, { path: request, secret, totalMs, signal, post: { body, onFirstByte } });
    return await readAnswer(transport, request, answer, secrets, now());
  } catch (error) {
    // After the first byte even a bug of ours must not hide that the request may have been executed.
    if (!isHanded && !(error instanceof InvoError)) throw error;
    const { code, status } = error instanceof InvoError ? error : { code: 'malformed' as const, status: null };
    return { ...NO_ANSWER, phase: isHanded ? 'sent' : 'not_sent', transportError: code, status };
  }
}

async function readAnswer(
  transport: Transport,
  request: string,
  answer: Answer,
  secrets: readonly string[],
  atMs: number,
): Promise<PostResult> {
  const { status, received } = answer;
  const torn = (transportError: InvoErrorCode): PostResult => ({
    ...NO_ANSWER,
    ...readErrorBody(answer, {}, false, atMs),
    phase: 'sent',
    transportError,
    status,
    receivedBytes: received.length,
  });
  const body = await inflateBody(answer, transport.limits).catch((error: unknown) =>
    error instanceof InvoError ? error.code : 'malformed',
  );
  if (typeof body === 'string') return torn(body);
  const { json, isSafe } = readObject(answer, body, secrets);
  const whole = evidenceOf(request, answer, body, atMs);
  const kept = { ...whole, received: received.subarray(0, EVIDENCE_BYTES_MAX) };
  const seen = { evidence: isSafe ? kept : null, inflatedBytes: body.length };
  if (json === null) return { ...torn(status >= 500 ? 'upstream_fault' : 'malformed'), ...seen };
  return { ...torn('malformed'), ...seen, ...readErrorBody(answer, json, isSafe, atMs), phase: 'answered', transportError: null, json };
}

// A secret may hide behind escapes: it is looked for in the bytes, and in every name and text once parsed, where it is left out.
function readObject({ contentType }: Answer, body: Buffer, secrets: readonly string[]): { json: PostResult['json']; isSafe: boolean } {
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
