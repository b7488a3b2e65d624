import { compareMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import { classOf, decidingCode } from '#lib/invo/rules/error-codes.ts';
import type { Refund } from './refund.ts';

/** What the answer to a refund call can mean; the SQL check of `refund_attempt.class` repeats the list. */
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

/** Classes after which Invo may have executed the call. A refusal is not one of them, but proves nothing about earlier calls. */
export const UNANSWERED_CLASSES: ReadonlySet<AttemptClass> = new Set([
  'reduced',
  'retry',
  'paused',
  'no_answer',
  'attention',
  'contradiction',
]);

/** One exchange with Invo. `phase` is `not_sent` only when no byte can have reached Invo. */
export interface ObservedAnswer {
  phase: 'not_sent' | 'sent' | 'answered';
  status: number | null;
  errorCode: string | null;
  /** Fields beside the code; `error_code` where the public code differs. */
  facts: Record<string, string>;
  receipt: ObservedReceipt | null;
  /** A 200 with the transaction and no amounts. */
  reduced: { transaction_id: string | null; client_request_id: string | null; period_seq: number | null } | null;
}

/** The fields of a receipt that identify its refund. */
interface ObservedReceipt {
  idempotent_replay: boolean | null;
  client_request_id: string | null;
  subscription_id: string;
  period_seq: number;
  refunded_amount_usd: string;
  total_refunded_amount_usd: string | null;
  remaining_refundable_usd: string | null;
  is_full_refund: boolean | null;
}

/** The request; `period_amount_usd` is the price of its period, null: not recorded. */
export interface RequestedRefund extends Pick<Refund, 'client_request_id' | 'subscription_id' | 'period_seq' | 'amount_usd'> {
  period_amount_usd: string | null;
}

/**
 * Classifies one exchange by Invo's code, never by the status alone. A sent request without a complete, readable answer may have been
 * executed. Source: document 2 (refund receipt, refund errors, idempotency).
 */
export function classifyAttempt(observed: ObservedAnswer, requested: RequestedRefund): AttemptClass {
  const { phase, status, errorCode, facts, receipt, reduced } = observed;
  if (phase === 'not_sent') return 'not_sent';
  if (phase === 'sent' || status === null) return 'no_answer';
  if (status < 300) return classifySuccess(receipt, reduced, requested);
  const known = classOf(decidingCode(observed, 'refund') ?? '', 'refund');
  // A refusal code under a 5xx status contradicts itself: it doesn't prove that nothing moved.
  if (known === 'refused' && status >= 500) return 'retry';
  if (known !== null) return known;
  if (status === 401 || status === 403) return 'no_access';
  if (status === 429) return 'wait';
  if (status >= 500) return 'retry';
  // All writing routes answer a repeated key with a 409 that names the original transaction or order.
  if (status === 409 && isReplay(errorCode, facts)) return isOfAnother(facts, requested) ? 'contradiction' : 'reduced';
  return 'attention';
}

function classifySuccess(receipt: ObservedReceipt | null, reduced: ObservedAnswer['reduced'], requested: RequestedRefund): AttemptClass {
  if (receipt !== null) {
    if (!isReceiptOf(receipt, requested)) return 'contradiction';
    return receipt.idempotent_replay === true ? 'replayed' : 'landed';
  }
  if (reduced === null) return 'no_answer';
  const isOther =
    (reduced.client_request_id !== null && reduced.client_request_id !== requested.client_request_id) ||
    (reduced.period_seq !== null && reduced.period_seq !== requested.period_seq);
  return isOther ? 'contradiction' : 'reduced';
}

const REPLAY_CODE = /^(\w*duplicate\w*|\w*already_processed|\w*idempotent\w*|conflict|success|refunded)$/i;

// Only codes of a repeated key, or none. Any other code beside a transaction id is left to a person.
function isReplay(errorCode: string | null, facts: ObservedAnswer['facts']): boolean {
  const isReplayCode = [errorCode, facts['error_code'] ?? null].every((code) => code === null || REPLAY_CODE.test(code));
  const status = facts['status'] ?? 'success';
  return (
    isReplayCode && facts['transaction_id'] !== undefined && /^(success|refunded|duplicate|already_processed|error|conflict)$/i.test(status)
  );
}

function isOfAnother(facts: ObservedAnswer['facts'], requested: RequestedRefund): boolean {
  const named: [string | undefined, string][] = [
    [facts['client_request_id'], requested.client_request_id],
    [facts['subscription_id'], requested.subscription_id],
    [facts['period_seq'], String(requested.period_seq)],
  ];
  return named.some(([actual, expected]) => actual !== undefined && actual !== expected);
}

function isReceiptOf(receipt: ObservedReceipt, requested: RequestedRefund): boolean {
  return (
    receipt.subscription_id === requested.subscription_id &&
    receipt.period_seq === requested.period_seq &&
    (receipt.client_request_id === null || receipt.client_request_id === requested.client_request_id) &&
    compareMoney(receipt.refunded_amount_usd, requested.amount_usd) === 0 &&
    addsUp(receipt, requested)
  );
}

// The refunded total and the remaining amount add up to the price. The contract doesn't define `is_full_refund` for a completing part.
function addsUp(receipt: ObservedReceipt, { amount_usd, period_amount_usd: price }: RequestedRefund): boolean {
  const { total_refunded_amount_usd: total, remaining_refundable_usd: left, is_full_refund: isFull } = receipt;
  if (total !== null && (compareMoney(total, amount_usd) < 0 || (price !== null && compareMoney(total, price) > 0))) return false;
  if (left !== null && (signOfMoney(left) < 0 || (isFull === true && signOfMoney(left) > 0))) return false;
  return total === null || left === null || price === null || compareMoney(sumMoney([total, left]), price) === 0;
}
