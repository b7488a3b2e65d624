import { ExactNumber } from '#lib/core/exact-json.ts';
import { isSecretName, maskPhonesIn } from '#lib/core/hidden-names.ts';
import { parseMoney } from '#lib/core/money.ts';
import { storableText } from '#lib/core/typed-input.ts';
import type { ErrorBody } from '../invo.ts';
import { type Evidence, InvoError } from '../invo-error.ts';
import { parseRetryAfter } from '../retry.ts';
import { codesOfAnswer, codesOfBody, errorOfStatus, isDocumentedCode } from '../rules/error-codes.ts';
import { byPromise, ROUTE_TABLE_CODES, type RouteFamily, routeCode } from '../rules/route-codes.ts';
import { type Limits, repeatsSecret } from '../settings.ts';
import { evidenceOf, inflateBody, isJsonType } from './body.ts';
import type { Answer } from './exchange.ts';

const NAMED = new Set(['error', 'error_code', 'error_code_public', 'error_id', 'timestamp']);
const TEXT_MAX = 200;
const FACTS_MAX = 50;
const HIDDEN = '•';
// An email, plain or URL-encoded.
const NAMES_PERSON = /@|%40/i;
// An address may carry a token.
const ADDRESS = /:\/\//;
// What Invo may put beside a code and Sharebook never stores (document 3, phone-share; documents 1 and 3, credentials).
const PRIVATE_NAME = /player_name|phone|email|hints|token|secret|_code$|^code$|^otp|pin$|_url$|^url$|_key$/i;
const PUBLIC_NAMES = new Set(['error_code', 'error_code_public', 'failure_code', 'decline_code']);

/** What is known of a refusal besides its body. A body that repeats one of the `secrets` is not stored as evidence. */
interface Refusal {
  secrets: readonly string[];
  receivedAtMs: number;
  /** Whose codes it has; absent: reports and subscriptions. */
  family?: RouteFamily | undefined;
}

interface RefusedRead extends Refusal {
  /** The request as evidence names it. */
  shown: string;
  limits: Limits;
  /** False: nothing of the answer may be stored. */
  isStored?: boolean;
}

/** Turns the 4xx or 5xx of a read or a stream into an InvoError. */
export async function refusalOf(answer: Answer, refusal: RefusedRead): Promise<InvoError> {
  const body = await inflateBody(answer, refusal.limits).catch((error: unknown) => {
    // A refusal is known by its status: a broken body takes away its details, not its meaning.
    if (error instanceof InvoError) return Buffer.alloc(0);
    throw error;
  });
  const evidence = refusal.isStored === false ? null : evidenceOf(refusal.shown, answer, body, refusal.receivedAtMs);
  return errorOfResponse(answer, body, evidence, refusal);
}

/** Turns a 4xx or 5xx of a read into an InvoError. */
export function errorOfResponse(
  answer: Pick<Answer, 'status' | 'contentType' | 'retryAfter'>,
  body: Buffer,
  evidence: Evidence | null,
  { secrets, receivedAtMs, family }: Refusal,
): InvoError {
  const { status } = answer;
  const isSafe = !repeatsSecret(body, secrets);
  const envelope = isJsonType(answer.contentType) ? readEnvelope(body) : {};
  const shown = isSafe ? envelope : {};
  const codes = codesOfAnswer(status, envelope, family).filter((code) => isSafe || isDocumentedCode(code) || ROUTE_TABLE_CODES.has(code));
  const reported = { ...readReadError(codes, shown), retryAfterMs: parseRetryAfter(answer.retryAfter, shown, receivedAtMs) };
  const { errorCode } = reported;
  // A setting at Invo doesn't pass by itself, whatever the status.
  const isSetting = family !== undefined && errorCode !== null && routeCode(family, errorCode)?.meaning === 'not_enabled';
  return new InvoError(errorOfStatus(status, reported, family), `status ${status}${errorCode === null ? '' : `, ${errorCode}`}`, {
    status,
    ...reported,
    isOwnWord: isInvosEnvelope(envelope),
    evidence: isSafe ? evidence : null,
    prose: isSafe ? proseOf(envelope) : null,
    family: family ?? null,
    ...(isSetting ? { isRetryable: false } : {}),
  });
}

/**
 * Reads the error envelope of a refund or a change (document 2): the public code first, an older one that differs among the facts; else
 * `status` or `error` where they are codes. Of a body that repeats a secret only a documented code is used.
 */
export function readErrorBody(
  answer: Pick<Answer, 'retryAfter'>,
  envelope: Record<string, unknown>,
  isSafe: boolean,
  nowMs: number,
): ErrorBody {
  const reported = isSafe ? envelope : {};
  const [code = null, older = null] = codesOfBody(envelope);
  return {
    errorCode: isSafe || (code !== null && isDocumentedCode(code)) ? code : null,
    errorId: shortText(reported['error_id']),
    retryAfterMs: parseRetryAfter(answer.retryAfter, reported, nowMs),
    facts: { ...(older !== null && isSafe ? { error_code: older } : {}), ...factsOf(reported) },
  };
}

/** What the answer to a desk action says beside the fields its kind picks; facts and prose only outside 2xx, where they explain a refusal. */
type ActionAnswer = ErrorBody & { codes: string[]; prose: string | null };

/** Reads that. Of an answer that repeats a secret only documented codes are used. */
export function readActionAnswer(
  answer: Pick<Answer, 'status' | 'retryAfter'>,
  envelope: Record<string, unknown>,
  { isSafe, family, nowMs }: { isSafe: boolean; family: RouteFamily; nowMs: number },
): ActionAnswer {
  const reported = isSafe ? envelope : {};
  const all = codesOfAnswer(answer.status, envelope, family).filter((code) => isSafe || routeCode(family, code) !== null);
  const codes = byPromise(family, all);
  const { errorId, facts } = readReadError(codes, reported);
  const isRefusal = answer.status < 200 || answer.status > 299;
  return {
    codes,
    errorCode: codes[0] ?? null,
    errorId,
    retryAfterMs: parseRetryAfter(answer.retryAfter, reported, nowMs),
    facts: isRefusal ? facts : {},
    prose: isRefusal ? proseOf(reported) : null,
  };
}

/** Reads the error envelope of a read: its codes, the first of which decides, `error_ref` where there is no `error_id`, no phone, and no private prose. */
function readReadError(codes: string[], envelope: Record<string, unknown>): Omit<ErrorBody, 'retryAfterMs'> {
  const [code = null, older = null, ...others] = codes;
  return {
    errorCode: code,
    errorId: shortText(envelope['error_id']) ?? shortText(envelope['error_ref']),
    facts: {
      ...(older === null ? {} : { error_code: older }),
      ...(others.length === 0 ? {} : { other_codes: others.join(' ') }),
      ...withoutPrivate(factsOf(envelope)),
    },
  };
}

function withoutPrivate(facts: ErrorBody['facts']): ErrorBody['facts'] {
  const entries = Object.entries(facts).filter(([name]) => !isPrivate(name));
  const shown = entries.map(([name, value]): [string, typeof value] => [name, typeof value === 'string' ? scrubText(value, name) : value]);
  return Object.fromEntries(shown.filter(([, value]) => value !== HIDDEN));
}

function isPrivate(name: string): boolean {
  return (PRIVATE_NAME.test(name) || isSecretName(name)) && !PUBLIC_NAMES.has(name);
}

/** Text of Invo without emails, links and phone numbers; `name` is the field that holds it. */
export function scrubText(text: string, name = ''): string {
  const withoutWords = text.replaceAll(/\S+/g, (word) => (NAMES_PERSON.test(word) || ADDRESS.test(word) ? HIDDEN : word));
  return maskPhonesIn(withoutWords, () => HIDDEN, name);
}

// Shown to a person where a refusal has no code; it decides nothing. Cut last: half an email is still a name.
function proseOf({ message, error }: Record<string, unknown>): string | null {
  const text = [message, error].find((value): value is string => typeof value === 'string' && /\s/.test(value));
  return text === undefined ? null : storableText(scrubText(text).slice(0, TEXT_MAX));
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
function isInvosEnvelope({ error, error_code, error_code_public, status, code }: Record<string, unknown>): boolean {
  if (typeof status === 'number') return false;
  // Gateways have a `code` of their own, so only one of the documents counts.
  if (typeof code === 'string' && ROUTE_TABLE_CODES.has(code)) return true;
  return [error, error_code, error_code_public, status].some((field) => typeof field === 'string' && field !== '');
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value) && !NAMES_PERSON.test(value) ? value : null;
}

function factsOf(reported: Record<string, unknown>): ErrorBody['facts'] {
  const facts: ErrorBody['facts'] = {};
  for (const [key, given] of Object.entries(reported)) {
    const value = given instanceof ExactNumber ? given.digits : given;
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
  const entries = Object.entries(facts).filter(([name, value]) => !/_(usd|coins)$/.test(name) || parseMoney(value) !== null);
  return Object.fromEntries(entries.map(([name, value]) => [storableText(name), storableText(String(value))]));
}
