import type { Db } from '#db/kit/open.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { compareMoney, normalizeMoney, sumMoney } from '../core/money.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import { inflate } from '../evidence/verify/rebuild.ts';
import { type RereadAnswer, rereadRefundAnswer } from '../invo/routes/send-refund.ts';
import { decidingCode } from '../invo/rules/error-codes.ts';
import { digestContent } from './content-digest.ts';
import {
  listAttemptsOf,
  listAuditViolations,
  listOutcomeReadings,
  type RefundToVerify,
  type StoredAttempt,
  type StoredOutcome,
  streamRefundsToVerify,
} from './reads/refund-verification.ts';
import { pickReceipt } from './refund-wire.ts';
import { type AttemptClass, classifyAttempt, type RequestedRefund } from './rules/attempt.ts';
import { coarseReceiptOf, receiptOf } from './rules/receipt.ts';
import type { Refund } from './rules/refund.ts';
import {
  NOTHING_REPORTED,
  type PeriodFacts,
  parseStoredAnswer,
  parseStoredFacts,
  parseStoredReceipt,
  type RefundFacts,
  type StoredReceipt,
} from './rules/stored.ts';
import { digestAnswer } from './writes/refund-rows.ts';

/**
 * Verifies every refund: its bytes are those of the request, its approval covers its content, each attempt sent the same bytes, what each
 * answer means follows from its stored bytes, the receipt is that of an answer or a reading and adds up, two people are behind every outcome
 * that people recorded, and no slice reports a refund that was recorded as not refunded. Returns how many were verified.
 */
export async function verifyRefunds(db: Db, gameId: number, findings: Findings): Promise<number> {
  let count = 0;
  for await (const refund of streamRefundsToVerify(db, gameId)) {
    count += 1;
    const about = findings.about(`refund ${refund.refund_id}`);
    verifyContent(refund, about);
    verifyDecisions(refund, about);
    const stored = parseStored(refund);
    about.must('stored_json', stored !== null, 'facts and receipt of a known version', 'JSON of another shape');
    if (stored === null) continue;
    verifySums(refund, stored, about);
    const attempts = await verifyAttempts(db, gameId, refund, stored.facts, findings);
    verifyOutcome({ ...refund, receipt: stored.receipt }, attempts, await listOutcomeReadings(db, gameId, refund.refund_id), about);
  }
  findings.add(await listAuditViolations(db, gameId));
  return count;
}

async function verifyAttempts(
  db: Db,
  gameId: number,
  refund: RefundToVerify,
  facts: RefundFacts,
  findings: Findings,
): Promise<(DerivedAttempt | null)[]> {
  const attempts: (DerivedAttempt | null)[] = [];
  for (const [index, attempt] of (await listAttemptsOf(db, gameId, refund.refund_id)).entries()) {
    const about = findings.about(`refund ${refund.refund_id}, attempt ${attempt.attempt_no}`);
    about.same('attempts_without_gap', String(index + 1), String(attempt.attempt_no));
    about.same('attempt_bytes', hex(refund.request_digest), hex(attempt.request_digest));
    attempts.push(verifyAttempt(attempt, { ...refund, period_amount_usd: facts.period.amount_usd }, about));
  }
  return attempts;
}

function verifyContent(refund: RefundToVerify, about: Findings): void {
  about.same('request_digest', hex(refund.request_digest), hex(sha256Of(refund.request_bytes)));
  about.same('request_bytes', requestedOf(refund), sentIn(refund.request_bytes));
  about.same('content_digest', hex(refund.content_digest), hex(digestContent(refund)));
  if (refund.approved_digest !== null) about.same('approved_content', hex(refund.content_digest), hex(refund.approved_digest));
  about.must('attempts_counted', refund.attempt_count === refund.attempts, `${refund.attempt_count} attempts`, `${refund.attempts} rows`);
}

/** Two people are behind every outcome that people recorded, by its kind, and the audit has each of them. */
function verifyDecisions(refund: RefundToVerify, about: Findings): void {
  const { decisions } = refund;
  for (const [kind, { decided, audited }] of Object.entries(decisions))
    about.same(`decisions_in_audit: ${kind}`, String(audited), String(decided));
  const needed = refund.state === 'not_landed' ? 'not_landed' : refund.outcome_source === 'people' ? 'landed' : null;
  const isByTwo = needed === null || decisions[needed].decided > 0;
  about.must('closed_by_two', isByTwo, `two people who recorded ${needed}`, 'none who did');
  if (refund.approval === 'person' && refund.approvals_audited !== null)
    about.must('approval_in_audit', refund.approvals_audited > 0, 'this approval by this person', 'no such row');
  const isContradicted = refund.is_reported && refund.state !== 'landed';
  about.must('not_reported', !isContradicted, 'no refund like it in any slice', 'a slice reports one');
}

function verifySums({ amount_usd }: RefundToVerify, { receipt, facts }: StoredFacts, about: Findings): void {
  if (receipt === null || receipt.refunded_amount_usd === null) return;
  about.must('receipt_amount', compareMoney(receipt.refunded_amount_usd, amount_usd) === 0, amount_usd, receipt.refunded_amount_usd);
  const { total_refunded_amount_usd: total, remaining_refundable_usd: left } = receipt;
  const price = facts.period.amount_usd;
  if (total === null || left === null || price === null) return;
  about.must('receipt_adds_up', compareMoney(sumMoney([total, left]), price) === 0, price, `${total} + ${left}`);
}

type StoredFacts = Pick<Refund, 'facts' | 'receipt'>;

function parseStored({ facts, receipt }: RefundToVerify): StoredFacts | null {
  try {
    return { facts: parseStoredFacts(facts), receipt: parseStoredReceipt(receipt) };
  } catch {
    return null;
  }
}

function requestedOf({ client_request_id, period_seq, amount_usd }: Partial<RefundToVerify>): string {
  return JSON.stringify([client_request_id, period_seq, amount_usd]);
}

function sentIn(bytes: Buffer): string {
  try {
    return requestedOf(JSON.parse(bytes.toString('utf8')) as Partial<RefundToVerify>);
  } catch {
    return 'no JSON';
  }
}

function hex(digest: Buffer): string {
  return digest.toString('hex');
}

/** What follows from the stored bytes of an attempt alone: its class, the receipt in it, and the transaction it names. */
interface DerivedAttempt {
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
function verifyAttempt(attempt: StoredAttempt, requested: RequestedRefund, findings: Findings): DerivedAttempt | null {
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
function verifyOutcome(
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
