import { sha256Of } from '../core/canonical-digest.ts';
import { normalizeMoney } from '../core/money.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import { inflate } from '../evidence/verify/rebuild.ts';
import { type RereadAnswer, rereadRefundAnswer } from '../invo/routes/send-refund.ts';
import { decidingCode } from '../invo/rules/error-codes.ts';
import type { StoredAttempt, StoredOutcome } from './reads/refund-verification.ts';
import { pickReceipt } from './refund-wire.ts';
import { type AttemptClass, classifyAttempt, type RequestedRefund } from './rules/attempt.ts';
import { coarseReceiptOf, receiptOf } from './rules/receipt.ts';
import { NOTHING_REPORTED, type PeriodFacts, parseStoredAnswer, type StoredReceipt } from './rules/stored.ts';
import { digestAnswer } from './writes/answer-digest.ts';

/** What follows from the stored bytes of an attempt alone: its class, the receipt in it, and the transaction it names. */
export interface DerivedAttempt {
  class: AttemptClass;
  receipt: StoredReceipt | null;
  transaction_id: string | null;
}

/** A body of this length was cut off when it was stored, so it can't be read. */
const CUT_OFF_BYTES = 64 * 1024;

/**
 * Derives an attempt from the bytes of its answer again and compares it with what is stored. Null when it has no answer yet, or bytes that
 * can't be read again: they weren't stored because they repeated a secret, or they were cut off.
 */
export function verifyAttempt(attempt: StoredAttempt, requested: RequestedRefund, findings: Findings): DerivedAttempt | null {
  const bytes = attempt.body === null ? null : inflate(attempt.body);
  const stored = attempt.sha256?.toString('hex') ?? 'none';
  const digest = bytes === null ? 'no gzip' : sha256Of(bytes).toString('hex');
  findings.same('attempt_answer_digest', stored, attempt.body === null ? 'none' : digest);
  if (attempt.recorded_answer !== null) findings.same('attempt_answer_in_audit', attempt.recorded_answer, digestAnswer(attempt));
  if (attempt.class === null || attempt.phase === null) {
    findings.must(
      'attempt_is_open',
      [attempt.class, attempt.phase, attempt.status, attempt.body].every((each) => each === null),
      'no answer',
      'parts of one',
    );
    return null;
  }
  if (attempt.phase !== 'answered') {
    const kind = attempt.phase === 'not_sent' ? 'not_sent' : 'no_answer';
    findings.same('attempt_class', kind, attempt.class);
    return { class: kind, receipt: null, transaction_id: null };
  }
  if (bytes === null || attempt.status === null) return null;
  const read = rereadRefundAnswer(requested.subscription_id, attempt.status, bytes);
  if (read === null) {
    findings.must('attempt_answer_reads', bytes.length >= CUT_OFF_BYTES, 'a JSON object', `${bytes.length} bytes of something else`);
    return null;
  }
  return compareAttempt(attempt, requested, read, findings);
}

function compareAttempt(attempt: StoredAttempt, requested: RequestedRefund, read: RereadAnswer, findings: Findings): DerivedAttempt {
  const kind = classifyAttempt({ ...read, phase: 'answered', status: attempt.status }, requested);
  findings.same('attempt_class', kind, attempt.class ?? 'none');
  const code = decidingCode(read) ?? (read.unreadable === null ? null : 'malformed');
  findings.same('attempt_error_code', code ?? 'none', attempt.error_code ?? 'none');
  findings.same('attempt_error_id', read.errorId ?? 'none', attempt.error_id ?? 'none');
  findings.same('attempt_facts', writeFacts(read.facts), writeFacts(parseStoredAnswer(attempt.answer_facts)));
  return {
    class: kind,
    receipt: read.receipt === null ? null : pickReceipt(read.receipt),
    transaction_id: read.receipt?.transaction_id ?? read.reduced?.transaction_id ?? read.facts['transaction_id'] ?? null,
  };
}

/** What a landed refund must follow from, by how it is known to have landed. */
const CLASS_OF_SOURCE: Readonly<Record<string, AttemptClass>> = { receipt: 'landed', replay: 'replayed', reduced: 'reduced' };

/**
 * Compares the end of a refund with what its attempts and readings say: it landed by an answer of that kind, and its receipt, total and
 * transaction are those of the answer, or, where no answer has amounts, of a reading of the period.
 */
export function verifyOutcome(
  refund: StoredOutcome & { receipt: StoredReceipt | null },
  attempts: (DerivedAttempt | null)[],
  readings: PeriodFacts[],
  findings: Findings,
): void {
  const derived = attempts.filter((attempt) => attempt !== null);
  const isUnreadable = derived.length < attempts.length;
  const classes = derived.map((attempt) => attempt.class);
  const needed = refund.state === 'refused' ? 'refused' : CLASS_OF_SOURCE[refund.outcome_source ?? ''];
  if (needed !== undefined)
    findings.must(
      'outcome_answered',
      isUnreadable || classes.includes(needed),
      `an answer of class ${needed}`,
      classes.join(', ') || 'none',
    );
  if (refund.state !== 'landed') {
    findings.must('receipt_of_a_landing', refund.receipt === null, 'no receipt', 'a receipt');
    return;
  }
  const isByAnswer = refund.outcome_source === 'receipt' || refund.outcome_source === 'replay';
  const receipts = isByAnswer ? derived.flatMap(({ receipt }) => receipt ?? []) : readings.flatMap(receiptsOf);
  const isOpen = (refund.outcome_source === 'people' && refund.receipt === null) || (isByAnswer && isUnreadable && receipts.length === 0);
  if (!isOpen) compareReceipt(refund.receipt, receipts, findings);
  const total = refund.receipt?.total_refunded_amount_usd ?? null;
  findings.same('total_of_receipt', writeAmount(total), writeAmount(refund.total_refunded_amount_usd));
  const named = [
    ...derived.flatMap((attempt) => attempt.transaction_id ?? []),
    ...readings.flatMap(({ events }) => events.flatMap((event) => event.refund_transaction_id ?? [])),
  ];
  const isNamed = refund.transaction_id === null ? !isByAnswer : isUnreadable || named.includes(refund.transaction_id);
  findings.must('transaction_of_answer', isNamed, named.join(' or ') || 'a transaction', refund.transaction_id ?? 'none');
}

function receiptsOf(period: PeriodFacts): StoredReceipt[] {
  return [...period.events.map((event) => receiptOf(event, period)), coarseReceiptOf(period)];
}

function compareReceipt(stored: StoredReceipt | null, derived: StoredReceipt[], findings: Findings): void {
  const differences = derived.map((receipt) => listDifferences(receipt, stored));
  if (differences.some((fields) => fields.length === 0)) return;
  const nearest = differences.toSorted((a, b) => a.length - b.length)[0];
  findings.must(
    'receipt_of_answer',
    false,
    'the receipt of an answer or a reading',
    nearest ? `another ${nearest.join(', ')}` : 'a receipt of nothing',
  );
}

function listDifferences(one: StoredReceipt, other: StoredReceipt | null): string[] {
  return (Object.keys(NOTHING_REPORTED) as (keyof StoredReceipt)[]).filter(
    (field) => writeField(one[field]) !== writeField(other?.[field] ?? null),
  );
}

function writeField(value: StoredReceipt[keyof StoredReceipt]): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return writeFacts(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)])));
}

function writeFacts(facts: Record<string, string>): string {
  return Object.entries(facts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function writeAmount(amount: string | null): string {
  return amount === null ? 'none' : normalizeMoney(amount);
}
