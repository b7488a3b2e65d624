import { parseMoney } from '#lib/core/money.ts';
import { storableText } from '#lib/core/typed-input.ts';
import { type Evidence, InvoError } from '../invo-error.ts';
import { parseRetryAfter } from '../retry.ts';
import { codesOfBody, errorOfStatus, isDocumentedCode } from '../rules/error-codes.ts';
import { repeatsSecret } from '../settings.ts';
import { isJsonType } from './body.ts';
import type { Answer } from './send-request.ts';

const NAMED = new Set(['error', 'error_code', 'error_code_public', 'error_id', 'timestamp']);
const TEXT_MAX = 200;
const FACTS_MAX = 50;
// An email, plain or URL-encoded.
const NAMES_PERSON = /@|%40/i;

/** An error response: its code, the reference to quote, how long to wait, and its other short values. Never a secret, never an email. */
export interface ErrorBody {
  errorCode: string | null;
  errorId: string | null;
  retryAfterMs: number | null;
  facts: Record<string, string | number | boolean>;
}

/** Turns a 4xx or 5xx into an InvoError; a body that repeats one of the `secrets` is not kept as evidence. */
export function errorOfResponse(answer: Answer, body: Buffer, evidence: Evidence, secrets: readonly string[], nowMs: number): InvoError {
  const isSafe = !repeatsSecret(body, secrets);
  const envelope = isJsonType(answer.contentType) ? readEnvelope(body) : {};
  const said = readErrorBody(answer, envelope, isSafe, nowMs);
  const { errorCode } = said;
  return new InvoError(errorOfStatus(answer.status, said), `status ${answer.status}${errorCode === null ? '' : `, ${errorCode}`}`, {
    status: answer.status,
    ...said,
    isOwnWord: isInvosEnvelope(envelope),
    evidence: isSafe ? evidence : null,
  });
}

/**
 * Reads the error envelope (document 2): the public code first, an older one that differs among the facts; else
 * `status` or `error` where they are codes. From a body that repeats a secret only a documented code is kept.
 */
export function readErrorBody(
  answer: Pick<Answer, 'retryAfter'>,
  envelope: Record<string, unknown>,
  isSafe: boolean,
  nowMs: number,
): ErrorBody {
  const said = isSafe ? envelope : {};
  const [code = null, older = null] = codesOfBody(envelope);
  return {
    errorCode: isSafe || (code !== null && isDocumentedCode(code)) ? code : null,
    errorId: shortText(said.error_id),
    retryAfterMs: parseRetryAfter(answer.retryAfter, said.retry_after, nowMs),
    facts: { ...(older !== null && isSafe ? { error_code: older } : {}), ...factsOf(said) },
  };
}

function readEnvelope(body: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body.subarray(0, 1024 * 1024).toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

// Document 2, General conventions; some refusals carry only status or error. A status that is a number is a web server's own.
function isInvosEnvelope({ error, error_code, error_code_public, status }: Record<string, unknown>): boolean {
  if (typeof status === 'number') return false;
  return [error, error_code, error_code_public, status].some((field) => typeof field === 'string' && field !== '');
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value) && !NAMES_PERSON.test(value) ? value : null;
}

function factsOf(said: Record<string, unknown>): ErrorBody['facts'] {
  const facts: ErrorBody['facts'] = {};
  for (const [key, value] of Object.entries(said)) {
    if (NAMED.has(key) || key.length > TEXT_MAX || NAMES_PERSON.test(key) || !isFact(value)) continue;
    facts[key] = value;
    if (Object.keys(facts).length === FACTS_MAX) break;
  }
  return facts;
}

function isFact(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= TEXT_MAX && !NAMES_PERSON.test(value);
  return typeof value === 'boolean' || Number.isFinite(value);
}

/** The facts beside an answer as text. What is called an amount and is no plain decimal text is left out: a JSON number may have lost digits. */
export function textFacts(facts: ErrorBody['facts']): Record<string, string> {
  const kept = Object.entries(facts).filter(([name, value]) => !/_(usd|coins)$/.test(name) || parseMoney(value) !== null);
  return Object.fromEntries(kept.map(([name, value]) => [storableText(name), storableText(String(value))]));
}
