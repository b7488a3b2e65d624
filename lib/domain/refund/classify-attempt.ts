import { compareMoney } from '../money.ts';

/** What an answer to a refund call can mean; the SQL check of `refund_attempt.class` repeats the list. */
export const ATTEMPT_CLASSES = [
  'landed',
  'replayed',
  'reduced',
  'refused',
  'wait',
  'no_access',
  'not_sent',
  'retry',
  'paused',
  'no_answer',
  'attention',
  'contradiction',
] as const;
export type AttemptClass = (typeof ATTEMPT_CLASSES)[number];

/** Classes after which the call may have been executed without our knowing. A refusal is none, but proves nothing about earlier calls. */
export const UNANSWERED_CLASSES: ReadonlySet<AttemptClass> = new Set(['retry', 'paused', 'no_answer', 'attention', 'contradiction']);

/** One exchange as it was observed. `phase` is `not_sent` only when no byte can have reached Invo. */
export interface Observed {
  phase: 'not_sent' | 'sent' | 'answered';
  status: number | null;
  errorCode: string | null;
  facts: Record<string, string>;
  receipt: ObservedReceipt | null;
  /** A 200 that names the transaction and no amounts. */
  reduced: { transaction_id: string | null } | null;
}

/** What of a receipt says whose it is. */
export interface ObservedReceipt {
  idempotent_replay: boolean | null;
  client_request_id: string | null;
  subscription_id: string;
  period_seq: number;
  refunded_amount_usd: string;
}

/** What was asked for. */
export interface AskedRefund {
  client_request_id: string;
  subscription_id: string;
  period_seq: number;
  amount_usd: string;
}

/** Codes by which Invo says that this call moved nothing (document 2, refund errors). */
export const REFUSAL_CODES = [
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

const CODE_CLASSES: ReadonlyMap<string, AttemptClass> = new Map<string, AttemptClass>([
  ...REFUSAL_CODES.map((code): [string, AttemptClass] => [code, 'refused']),
  ['RATE_LIMITED', 'wait'],
  ['rate_limit_exceeded', 'wait'],
  ['INVALID_GAME_SECRET', 'no_access'],
  ['PROCESSOR_ERROR', 'retry'],
  ['INTERNAL_ERROR', 'retry'],
  ['service_unavailable', 'retry'],
  ['PAYMENT_OUTCOME_UNKNOWN', 'retry'],
  ['FLOW_PAUSED', 'paused'],
  ['PROCESSOR_UNAVAILABLE', 'paused'],
  ['PROCESSOR_NOT_CONFIGURED', 'attention'],
  ['REFUND_LOOKUP_FAILED', 'attention'],
  ['REFUND_MISMATCH', 'attention'],
]);

/**
 * Says what one exchange means for the refund that was asked for: by Invo's code, never by the status alone.
 * Anything sent that has no whole, readable answer may have been executed. Source: document 2 (refund receipt, refund errors, idempotency).
 */
export function classifyAttempt(observed: Observed, asked: AskedRefund): AttemptClass {
  const { phase, status, errorCode, facts, receipt, reduced } = observed;
  if (phase === 'not_sent') return 'not_sent';
  if (phase === 'sent' || status === null) return 'no_answer';
  if (status < 300) return classifySuccess(receipt, reduced, asked);
  const known = errorCode === null ? undefined : CODE_CLASSES.get(errorCode);
  if (known !== undefined) return known;
  if (status === 401 || status === 403) return 'no_access';
  if (status === 429) return 'wait';
  if (status >= 500) return 'retry';
  // The convention of all writing routes: a repeated key is a 409 that names the original transaction or order.
  if (status === 409 && (facts['transaction_id'] !== undefined || facts['order_id'] !== undefined)) return 'reduced';
  return 'attention';
}

function classifySuccess(receipt: ObservedReceipt | null, reduced: Observed['reduced'], asked: AskedRefund): AttemptClass {
  if (receipt !== null) {
    if (!isReceiptOf(receipt, asked)) return 'contradiction';
    return receipt.idempotent_replay === true ? 'replayed' : 'landed';
  }
  return reduced === null ? 'no_answer' : 'reduced';
}

function isReceiptOf(receipt: ObservedReceipt, asked: AskedRefund): boolean {
  return (
    receipt.subscription_id === asked.subscription_id &&
    receipt.period_seq === asked.period_seq &&
    (receipt.client_request_id === null || receipt.client_request_id === asked.client_request_id) &&
    compareMoney(receipt.refunded_amount_usd, asked.amount_usd) === 0
  );
}
