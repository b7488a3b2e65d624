import { decidingRouteCode, is403AboutGame, isPlayerLimit, type RouteFamily, routeCode } from './route-codes.ts';

/** Everything that can go wrong between Sharebook and Invo, whatever Invo says; `text.ts` has the sentence of each. */
export const INVO_ERROR_CODES = [
  'unreachable',
  'timeout',
  'unauthorized',
  'not_live',
  'rate_limited',
  'not_found',
  'rejected',
  'window_too_large',
  'upstream_fault',
  'malformed',
  'redirected',
  'too_large',
  'aborted',
] as const;
export type InvoErrorCode = (typeof INVO_ERROR_CODES)[number];

/** What was requested when an error came. Changes are cancel, price and card; reads are reports and support's reads. */
export type RequestKind = 'refund' | 'change' | 'read';

/** Refund errors that say that this call moved nothing (document 2, Refund errors). */
export const REFUND_REFUSALS = [
  'CLIENT_REQUEST_ID_REQUIRED',
  'CLIENT_REQUEST_ID_INVALID',
  'CLIENT_REQUEST_ID_TOO_LONG',
  'CLIENT_REQUEST_ID_RESERVED',
  'INVALID_PERIOD_SEQ',
  'PERIOD_NOT_FOUND',
  'INVALID_AMOUNT',
  'AMOUNT_EXCEEDS_REMAINING',
  'INVALID_BODY',
  'SUBSCRIPTION_NOT_FOUND',
  'NO_PAID_PERIOD',
  'PERIOD_NOT_REFUNDABLE',
  'ALREADY_REFUNDED',
  'PCSTORE_REFUND_NOT_SUPPORTED',
  'MINT_ORDER_MISSING',
  'NO_PAYMENT_REFERENCE',
] as const;

/** Errors of the other tables that refuse a request (document 2, Subscription errors, Reporting errors, Purchase and card errors). */
const OTHER_REFUSALS = [
  'INVALID_FIELD_VALUE',
  'PLAYER_EMAIL_REQUIRED',
  'PLAYER_EMAIL_TOO_LONG',
  'STATUS_INVALID',
  'PAGINATION_INVALID',
  'SUBSCRIPTION_TERMINAL',
  'PCSTORE_REAUTHORIZATION_REQUIRED',
  'PAYMENT_METHOD_NOT_FOUND',
  'PAYMENT_METHOD_EXPIRED',
  'PAYMENT_METHOD_INVALID',
  'PAYMENT_METHOD_REQUIRED',
  'WALLET_ONLY_SUBSCRIPTION',
  'WALLET_ONLY_CONFLICT',
  'NOT_A_CARD_SUBSCRIPTION',
  'PAYMENT_METHOD_UNAVAILABLE',
  'WINDOW_INVALID',
  'WINDOW_TOO_LONG',
  'WINDOW_TOO_LARGE',
  'RECIPIENT_INVALID',
  'SUBSCRIPTION_ID_INVALID',
  'PLAYER_NOT_FOUND',
] as const;

/**
 * What a code says about the request. `refused`, `wait` and `no_access`: it was not executed. `retry`, `paused` and `attention`: the outcome
 * is open; a retry with the same key settles it, or a pause has to end first, or a person has to check.
 */
export type ErrorClass = 'attention' | 'retry' | 'paused' | 'no_access' | 'wait' | 'refused';

/** Of two codes the one that promises less decides: a person before a retry, a retry before a refusal. */
const PRECEDENCE: readonly ErrorClass[] = ['attention', 'retry', 'paused', 'no_access', 'wait', 'refused'];
const OPEN_CLASSES: ReadonlySet<ErrorClass> = new Set(['attention', 'retry', 'paused']);

// `paused` is the status of the 503 while changes of price and card are paused, to which the contract gives no code.
const OTHER_CLASSES = {
  RATE_LIMITED: 'wait',
  rate_limit_exceeded: 'wait',
  INVALID_GAME_SECRET: 'no_access',
  PROCESSOR_ERROR: 'retry',
  INTERNAL_ERROR: 'retry',
  service_unavailable: 'retry',
  PAYMENT_OUTCOME_UNKNOWN: 'retry',
  FLOW_PAUSED: 'paused',
  PROCESSOR_UNAVAILABLE: 'paused',
  paused: 'paused',
  PROCESSOR_NOT_CONFIGURED: 'attention',
  REFUND_LOOKUP_FAILED: 'attention',
  REFUND_MISMATCH: 'attention',
} as const satisfies Record<string, ErrorClass>;

type RefusalCode = (typeof REFUND_REFUSALS)[number] | (typeof OTHER_REFUSALS)[number];
type OtherCode = keyof typeof OTHER_CLASSES;
export type DocumentedCode = RefusalCode | OtherCode;

/** Codes that leave the outcome of the request open. */
export type OpenCode = { [Code in OtherCode]: (typeof OTHER_CLASSES)[Code] extends 'wait' | 'no_access' ? never : Code }[OtherCode];

const CLASSES: ReadonlyMap<string, ErrorClass> = new Map<string, ErrorClass>([
  ...[...REFUND_REFUSALS, ...OTHER_REFUSALS].map((code): [string, ErrorClass] => [code, 'refused']),
  ...Object.entries(OTHER_CLASSES),
]);

// On a refund only a refund error refuses: a code of another table is treated as undocumented.
const REFUND_CLASSES: ReadonlyMap<string, ErrorClass> = new Map<string, ErrorClass>([
  ...[...CLASSES].filter(([code]) => !(OTHER_REFUSALS as readonly string[]).includes(code) && code !== 'paused'),
  // A write that Invo is still executing (document 2, Purchase result bodies).
  ['pending', 'retry'],
]);

/** Every code the contract names for the routes Sharebook calls. */
export const DOCUMENTED_CODES = [...CLASSES.keys()] as DocumentedCode[];

/** Whether the contract names a code for the routes Sharebook calls. */
export function isDocumentedCode(code: string): code is DocumentedCode {
  return CLASSES.has(code);
}

/** Whether a code leaves open whether the request was executed. */
export function isOpenCode(code: string): code is OpenCode {
  const known = CLASSES.get(code);
  return known !== undefined && OPEN_CLASSES.has(known);
}

/** What a code says about a refund, a change or a read; null for a code the contract does not name there. */
export function classOf(code: string, kind: RequestKind): ErrorClass | null {
  return (kind === 'refund' ? REFUND_CLASSES : CLASSES).get(code) ?? null;
}

/**
 * The codes of an error as it was read: the first of them, the older `error_code` among the facts where that is another, and on a read the rest,
 * in `other_codes` with a space between them.
 */
export interface ErrorCodes {
  errorCode: string | null;
  facts: Readonly<Record<string, unknown>>;
}

/** The code that says what an error means: of several the one that promises least, a documented one before any other. Null: there is none. */
export function decidingCode(codes: ErrorCodes, kind: RequestKind = 'refund', family?: RouteFamily): string | null {
  const all = codesOf(codes);
  if (family !== undefined) return decidingRouteCode(family, all);
  return all.toSorted((a, b) => rankOf(a, kind) - rankOf(b, kind))[0] ?? null;
}

function codesOf({ errorCode, facts }: ErrorCodes): string[] {
  const { error_code: older, other_codes: others } = facts;
  const more = typeof others === 'string' ? others.split(' ') : [];
  return [errorCode, older, ...more].filter((code): code is string => typeof code === 'string' && code !== '');
}

function rankOf(code: string, kind: RequestKind): number {
  const known = classOf(code, kind);
  return known === null ? PRECEDENCE.length : PRECEDENCE.indexOf(known);
}

/** Whether a refused change was certainly not executed: a status that ends a request early, or a documented code that says so. */
export function isCertainRefusal({ status, ...codes }: ErrorCodes & { status: number }): boolean {
  const code = decidingCode(codes, 'change');
  if (code !== null && isOpenCode(code)) return false;
  return [401, 403, 429].includes(status) || (code !== null && isDocumentedCode(code));
}

/**
 * The error that the status and the codes of a response mean. A 403 says that the game isn't live only without a code, and where the route has
 * no other 403; a limit of one player is a refusal, not a wait for the whole game.
 */
export function errorOfStatus(status: number, codes: ErrorCodes, family?: RouteFamily): InvoErrorCode {
  if (status >= 500) return 'upstream_fault';
  if (status === 401) return 'unauthorized';
  if (status === 403) return codesOf(codes).length === 0 && is403AboutGame(family) ? 'not_live' : 'rejected';
  if (status === 404) return 'not_found';
  if (status === 429) return codesOf(codes).some(isPlayerLimit) ? 'rejected' : 'rate_limited';
  return decidingCode(codes, 'read') === 'WINDOW_TOO_LARGE' ? 'window_too_large' : 'rejected';
}

/**
 * The codes of an error body, the one to match on first (document 2, Errors): the public code, then the older one; where there is neither,
 * `status` or `error` where they are codes. That is the whole of a refund or a change, and never changes, because stored answers are read again.
 */
export function codesOfBody({ error_code_public, error_code, status, error }: Record<string, unknown>): string[] {
  const codes = [codeOf(error_code_public), codeOf(error_code)].filter((code) => code !== null);
  if (codes.length > 0) return [...new Set(codes)];
  const standIn = status === 'pending' ? status : (standInOf(status) ?? standInOf(error));
  return standIn === null ? [] : [standIn];
}

/**
 * The codes of an error body in every field that may hold one (document 3, Errors: some refusals carry `code`, others `error_code`, a few only
 * `error`). `code` counts outside 2xx, and on a 202 where the route's table has it: the answer to a redemption has the reward there, so on that route
 * only its own refusals count, and never on a 2xx.
 */
export function codesOfAnswer(httpStatus: number, body: Record<string, unknown>, family?: RouteFamily): string[] {
  const { error_code_public, error_code, code, status, error, reason } = body;
  const isFailure = httpStatus < 200 || httpStatus > 299;
  const isOpenToAny = isFailure && family !== 'redeem';
  const isOpenToNamed = family === 'redeem' ? isFailure : httpStatus === 202;
  const counts = isOpenToAny || (isOpenToNamed && isNamedOn(family, code));
  const named = [error_code_public, error_code, counts ? code : null].map(codeOf);
  const standIns = [status, error, reason].map((value) => (isNamedOn(family, value) ? codeOf(value) : standInOf(value)));
  // Digits alone are no code of an error but one that is texted to a player.
  return [...new Set([...named, ...standIns].filter((each) => each !== null).filter((each) => /[A-Za-z]/.test(each)))];
}

// A code without an underscore, such as `failed` on a purchase, is one only where the route's table has it.
function isNamedOn(family: RouteFamily | undefined, value: unknown): boolean {
  return family !== undefined && typeof value === 'string' && routeCode(family, value) !== null;
}

// These fields hold words too (`success` beside a 409, `Conflict`): only a documented code, or what can be nothing but a code, is one.
function standInOf(value: unknown): string | null {
  const code = codeOf(value);
  return code !== null && (isDocumentedCode(code) || /^(?:[a-z0-9]+(?:_[a-z0-9]+)+|[A-Z0-9]+(?:_[A-Z0-9]+)+)$/.test(code)) ? code : null;
}

function codeOf(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z0-9_]{1,80}$/.test(value) ? value : null;
}
