import { createHash } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { listAttemptsOf, listRefundsToVerify, type RefundToVerify } from '#db/refunds/reads/refund-history.ts';
import { compareMoney, sumMoney } from '../core/money.ts';
import type { Findings } from '../evidence/verify/findings.ts';
import { inflate } from '../evidence/verify/rebuild.ts';
import { digestContent } from './content-digest.ts';
import type { RefundFacts } from './rules/period.ts';
import type { KeptReceipt } from './rules/receipt.ts';
import { parseStoredFacts, parseStoredReceipt } from './rules/stored.ts';

/**
 * Verifies every refund: its bytes are those of the request, its approval covers its content, each attempt sent the same bytes, answers match
 * their digests, a receipt adds up, and no slice reports a refund that was recorded as not refunded. Returns how many were verified.
 */
export async function verifyRefunds(db: Db, gameId: number, findings: Findings): Promise<number> {
  const refunds = await listRefundsToVerify(db, gameId);
  for (const refund of refunds) {
    const about = findings.about(`refund ${refund.refund_id}`);
    verifyContent(refund, about);
    verifyEnd(refund, about);
    for (const attempt of await listAttemptsOf(db, gameId, refund.refund_id)) {
      const ofAttempt = findings.about(`refund ${refund.refund_id}, attempt ${attempt.attempt_no}`);
      ofAttempt.same('attempt_bytes', hex(refund.request_digest), hex(attempt.request_digest));
      if (attempt.body === null || attempt.sha256 === null) continue;
      const inflated = inflate(attempt.body);
      ofAttempt.same('attempt_answer_digest', hex(attempt.sha256), inflated === null ? 'no gzip' : digestHex(inflated));
    }
  }
  return refunds.length;
}

function verifyContent(refund: RefundToVerify, about: Findings): void {
  about.same('request_digest', hex(refund.request_digest), digestHex(refund.request_bytes));
  about.same('request_bytes', requestedOf(refund), sentIn(refund.request_bytes));
  about.same('content_digest', hex(refund.content_digest), hex(digestContent(refund)));
  if (refund.approved_digest !== null) about.same('approved_content', hex(refund.content_digest), hex(refund.approved_digest));
  about.must('attempts_counted', refund.attempt_count === refund.attempts, `${refund.attempt_count} attempts`, `${refund.attempts} rows`);
}

function verifyEnd(refund: RefundToVerify, about: Findings): void {
  const isSafe = refund.state !== 'not_landed' || refund.confirmed_decisions > 0;
  about.must('closed_by_two', isSafe, 'two people', `${refund.confirmed_decisions} confirmed statements`);
  const isContradicted = refund.is_reported && refund.state !== 'landed';
  about.must('not_reported', !isContradicted, 'no refund like it in any slice', 'a slice reports one');
  const stored = parseStored(refund);
  about.must('stored_json', stored !== null, 'facts and receipt of a known version', 'JSON of another shape');
  if (stored === null) return;
  const { receipt, facts } = stored;
  const { amount_usd } = refund;
  if (receipt === null || receipt.refunded_amount_usd === null) return;
  about.must('receipt_amount', compareMoney(receipt.refunded_amount_usd, amount_usd) === 0, amount_usd, receipt.refunded_amount_usd);
  const { total_refunded_amount_usd: total, remaining_refundable_usd: left } = receipt;
  const price = facts.period.amount_usd;
  if (total === null || left === null || price === null) return;
  about.must('receipt_adds_up', compareMoney(sumMoney([total, left]), price) === 0, price, `${total} + ${left}`);
}

function parseStored({ facts, receipt }: RefundToVerify): { facts: RefundFacts; receipt: KeptReceipt | null } | null {
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
  return createHash('sha256').update(bytes).digest('hex');
}
