import type { Db } from '#db/kit/open.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { compareMoney, sumMoney } from '../core/money.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import { digestContent } from './content-digest.ts';
import {
  listAttemptsOf,
  listAuditViolations,
  listOutcomeReadings,
  type RefundToVerify,
  streamRefundsToVerify,
} from './reads/refund-verification.ts';
import type { Refund } from './rules/refund.ts';
import { parseStoredFacts, parseStoredReceipt, type RefundFacts } from './rules/stored.ts';
import { type DerivedAttempt, verifyAttempt, verifyOutcome } from './verify-answers.ts';

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
  about.same('request_digest', hex(refund.request_digest), digestHex(refund.request_bytes));
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

function requestedOf({ client_request_id, period_seq, amount_usd }: RefundToVerify): string {
  return JSON.stringify([client_request_id, period_seq, amount_usd]);
}

function sentIn(bytes: Buffer): string {
  try {
    const { client_request_id, period_seq, amount_usd } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    return JSON.stringify([client_request_id, period_seq, amount_usd]);
  } catch {
    return 'no JSON';
  }
}

function hex(digest: Buffer): string {
  return digest.toString('hex');
}

function digestHex(bytes: Buffer): string {
  return sha256Of(bytes).toString('hex');
}
