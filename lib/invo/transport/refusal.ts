import { InvoError, type InvoErrorCode } from '../invo-error.ts';
import { parseRetryAfter } from '../retry/retry-after.ts';
import type { Answer } from './answer.ts';
import type { Evidence } from './evidence.ts';
import { isJsonType } from './read-body.ts';

const NAMED = new Set(['error', 'error_code', 'error_code_public', 'error_id', 'timestamp']);
const TEXT_MAX = 200;
const FACTS_MAX = 50;

/**
 * Reads a 4xx or 5xx (document 2, error envelope): the public code before the older one, else `status` or `error` where they are
 * codes. Extra facts are kept when they are short; a text that repeats one of the `secrets` is dropped, with the evidence holding it.
 */
export function refusalOf(answer: Answer, body: Buffer, evidence: Evidence, secrets: readonly string[], nowMs: number): InvoError {
  const isSafe = !secrets.some((secret) => body.includes(secret));
  const said = isSafe ? readEnvelope(answer, body) : {};
  const errorCode = codeOf(said.error_code_public) ?? codeOf(said.error_code) ?? codeOf(said.status) ?? codeOf(said.error);
  const code = classify(answer.status, errorCode);
  return new InvoError(code, `status ${answer.status}${errorCode === null ? '' : `, ${errorCode}`}`, {
    status: answer.status,
    errorCode,
    errorId: shortText(said.error_id),
    retryAfterMs: parseRetryAfter(answer.retryAfter, said.retry_after, nowMs),
    facts: factsOf(said),
    evidence: isSafe ? evidence : null,
  });
}

function classify(status: number, errorCode: string | null): InvoErrorCode {
  if (status >= 500) return 'upstream_fault';
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'not_live';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  return errorCode === 'WINDOW_TOO_LARGE' ? 'window_too_large' : 'rejected';
}

function readEnvelope(answer: Answer, body: Buffer): Record<string, unknown> {
  if (!isJsonType(answer.contentType)) return {};
  try {
    const parsed: unknown = JSON.parse(body.subarray(0, 1024 * 1024).toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function codeOf(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z0-9_]{1,80}$/.test(value) ? value : null;
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value) ? value : null;
}

function factsOf(said: Record<string, unknown>): Record<string, unknown> {
  const facts = Object.entries(said).filter(([key, value]) => !NAMED.has(key) && key.length <= TEXT_MAX && isFact(value));
  return Object.fromEntries(facts.slice(0, FACTS_MAX));
}

function isFact(value: unknown): boolean {
  return typeof value === 'boolean' || Number.isFinite(value) || (typeof value === 'string' && value.length <= TEXT_MAX);
}
