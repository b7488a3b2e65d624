import { REFUSAL_CODES } from '#lib/refunds/rules/attempt.ts';

/** The codes of document 2, Subscription errors. */
export const subscriptionCodes = [
  'SUBSCRIPTION_NOT_FOUND',
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
] as const;

/** The codes of document 2, Refund errors. */
export const refundCodes = [
  ...REFUSAL_CODES,
  'REFUND_LOOKUP_FAILED',
  'REFUND_MISMATCH',
  'PROCESSOR_ERROR',
  'service_unavailable',
  'FLOW_PAUSED',
  'INTERNAL_ERROR',
  'RATE_LIMITED',
] as const;

/** The codes of document 2, Reporting errors. */
export const reportingCodes = [
  'WINDOW_INVALID',
  'WINDOW_TOO_LONG',
  'WINDOW_TOO_LARGE',
  'PAGINATION_INVALID',
  'RECIPIENT_INVALID',
  'SUBSCRIPTION_ID_INVALID',
  'STATUS_INVALID',
  'INVALID_FIELD_VALUE',
  'SUBSCRIPTION_NOT_FOUND',
  'PERIOD_NOT_FOUND',
  'rate_limit_exceeded',
  'INTERNAL_ERROR',
] as const;

/**
 * What these routes may answer with too: codes of other tables of document 2 (authentication, players, the processor), and the status of
 * the 503 while changes are paused, to which its table gives no code.
 */
export const sharedCodes = [
  'paused',
  'INVALID_GAME_SECRET',
  'PLAYER_NOT_FOUND',
  'PROCESSOR_UNAVAILABLE',
  'PROCESSOR_NOT_CONFIGURED',
  'PAYMENT_OUTCOME_UNKNOWN',
] as const;

/** Codes after which nobody can say whether what was asked for was carried out; the processor's own are among them. */
export const unknownOutcomeCodes = [
  'REFUND_LOOKUP_FAILED',
  'REFUND_MISMATCH',
  'PROCESSOR_ERROR',
  'PROCESSOR_UNAVAILABLE',
  'PROCESSOR_NOT_CONFIGURED',
  'PAYMENT_OUTCOME_UNKNOWN',
  'service_unavailable',
  'FLOW_PAUSED',
  'paused',
  'INTERNAL_ERROR',
] as const satisfies DocumentedCode[];

export type UnknownOutcomeCode = (typeof unknownOutcomeCodes)[number];

export type DocumentedCode =
  | (typeof subscriptionCodes)[number]
  | (typeof refundCodes)[number]
  | (typeof reportingCodes)[number]
  | (typeof sharedCodes)[number];

const documented: ReadonlySet<string> = new Set([...subscriptionCodes, ...refundCodes, ...reportingCodes, ...sharedCodes]);

/** Whether a code is one the contract names for these routes. */
export function isDocumentedCode(code: string): code is DocumentedCode {
  return documented.has(code);
}

/** Whether a code leaves it open whether what was asked for was carried out. */
export function leavesUnknown(code: string): code is UnknownOutcomeCode {
  return (unknownOutcomeCodes as readonly string[]).includes(code);
}
