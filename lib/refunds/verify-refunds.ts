import { createHash } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { listAttemptsOf, listRefundsToVerify, type RefundToVerify } from '#db/refunds/reads/list-refunds-to-verify.ts';
import { compareMoney, sumMoney } from '../core/money.ts';
import type { Findings } from '../evidence/verify/findings.ts';
import { inflate } from '../evidence/verify/rebuild.ts';
import { digestContent } from './rules/refund-request.ts';

/**
 * Holds every refund against what it must be: the bytes are those of the intent, an approval fits its content, each attempt sent the very
 * same bytes, answers are the ones that came, a receipt adds up, and no slice reports what is said not to have happened. Answers how many.
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
  about.same('request_bytes', askedOf(refund), saidIn(refund.request_bytes));
  about.same('content_digest', hex(refund.content_digest), hex(digestContent(refund, refund)));
  if (refund.approved_digest !== null) about.same('approved_content', hex(refund.content_digest), hex(refund.approved_digest));
  about.must('attempts_counted', refund.attempt_count === refund.attempts, `${refund.attempt_count} attempts`, `${refund.attempts} rows`);
}

function verifyEnd(refund: RefundToVerify, about: Findings): void {
  const isSafe = refund.state !== 'not_landed' || refund.confirmed_decisions > 0;
  about.must('closed_by_two', isSafe, 'two people', `${refund.confirmed_decisions} confirmed statements`);
  const isContradicted = refund.is_reported && refund.state !== 'landed';
  about.must('not_reported', !isContradicted, 'no refund like it in any slice', 'a slice reports one');
  const { receipt, amount_usd } = refund;
  if (receipt === null || receipt.refunded_amount_usd === null) return;
  about.must('receipt_amount', compareMoney(receipt.refunded_amount_usd, amount_usd) === 0, amount_usd, receipt.refunded_amount_usd);
  const { total_refunded_amount_usd: total, remaining_refundable_usd: left } = receipt;
  const price = refund.facts.period.amount_usd;
  if (total === null || left === null || price === null) return;
  about.must('receipt_adds_up', compareMoney(sumMoney([total, left]), price) === 0, price, `${total} + ${left}`);
}

function askedOf({ client_request_id, period_seq, amount_usd }: RefundToVerify): string {
  return JSON.stringify([client_request_id, period_seq, amount_usd]);
}

function saidIn(bytes: Buffer): string {
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
