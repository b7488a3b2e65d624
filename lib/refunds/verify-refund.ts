import { receiptOf } from './complete-receipt.ts';
import type { AttentionReason } from './rules/attention-reasons.ts';
import { judgeReading } from './rules/judge-reading.ts';
import type { PeriodFacts, PeriodRefund } from './rules/period-facts.ts';
import type { RefundJob } from './rules/refund-job.ts';
import type { RefundChange, RefundPorts } from './rules/refund-ports.ts';
import { READ_AGAIN_MS } from './rules/retry-schedule.ts';

/** Reading goes on this long; then people look. */
const READS_FOR_MS = 45 * 60_000;

/**
 * Reads the period to find out whether a refund was carried out. What it suggests goes before two people, unless Invo said the same without
 * amounts: then it has landed. Sends nothing.
 */
export async function verifyRefund(ports: RefundPorts, job: RefundJob): Promise<void> {
  const { store, wire } = ports;
  const read = await wire.readPeriod(job.period_id);
  const now = await store.now();
  if ('trouble' in read) {
    const isTooLong = now - job.stateSince >= READS_FOR_MS;
    const { trouble: code, errorId } = read;
    if (isTooLong) await attention(ports, job, 'cannot_be_read', { last_error_code: code, last_error_id: errorId });
    else await store.postpone(job, now + READ_AGAIN_MS.verify, { code, errorId });
    return;
  }
  await store.keepRead(job, 'verify', read.period);
  const judgement = judgeReading(
    {
      amount_usd: job.amount_usd,
      firstSentAt: toInvoTime(ports, now, job.firstSentAt ?? now),
      lastSentAt: toInvoTime(ports, now, job.lastSentAt ?? now),
      before: job.facts.period,
      claimed: await store.listClaimed(job),
    },
    { period: read.period, at: toInvoTime(ports, now, now) },
  );
  switch (judgement.kind) {
    case 'too_early':
      await store.postpone(job, job.lastClass === 'reduced' ? now + READ_AGAIN_MS.rebuild : settledAt(ports, job, now, judgement.lookAt));
      return;
    case 'landed':
      if (job.lastClass === 'reduced') {
        if (isAnother(job, judgement.refund)) await attention(ports, job, 'period_unclear');
        else await land(ports, job, judgement.refund, read.period);
        return;
      }
      await attention(ports, job, 'looks_landed', { proposal: 'landed', transaction_id: judgement.refund.refund_transaction_id });
      return;
    case 'not_landed':
      if (job.unanswered_count === 0 && job.lastClass === 'refused') {
        await store.move(job, 'found the refusal borne out', { state: 'refused', lookAt: null });
        return;
      }
      if (job.unanswered_count === 0) {
        await letApprovalLapse(ports, job);
        return;
      }
      await attention(ports, job, 'looks_not_landed', { proposal: 'not_landed' });
      return;
    case 'unclear':
      await attention(ports, job, 'period_unclear');
  }
}

/** Puts a refund of which nothing was carried out in a day before people again; it keeps its key. */
export async function letApprovalLapse({ store }: RefundPorts, job: RefundJob): Promise<void> {
  const lapsed = { state: 'awaiting_approval', lookAt: null, isApprovalVoid: true, last_error_code: 'approval_lapsed' } as const;
  await store.move(job, 'let the approval lapse', lapsed);
}

async function attention(
  { store }: RefundPorts,
  job: RefundJob,
  attention_reason: AttentionReason,
  change: RefundChange = {},
): Promise<void> {
  await store.move(job, 'asked for two people', { state: 'attention', lookAt: null, attention_reason, ...change });
}

// Invo named one transaction and the period shows another: one of the two is not of this refund.
function isAnother(job: RefundJob, { refund_transaction_id: shown }: PeriodRefund): boolean {
  return job.transaction_id !== null && shown !== null && job.transaction_id !== shown;
}

/** Invo said so, without amounts, and the period shows it: two sources that agree. */
async function land({ store }: RefundPorts, job: RefundJob, refund: PeriodRefund, period: PeriodFacts): Promise<void> {
  await store.move(job, 'found in the period what Invo said without amounts', {
    state: 'landed',
    lookAt: null,
    unanswered_count: 0,
    outcome_source: 'reduced',
    transaction_id: job.transaction_id ?? refund.refund_transaction_id,
    receipt: receiptOf(refund, period),
    total_refunded_amount_usd: refund.cumulative_refunded_after_usd,
  });
}

function settledAt(ports: RefundPorts, job: RefundJob, now: number, lookAt: number): number {
  const sentAt = job.lastSentAt ?? now;
  return sentAt + (lookAt - toInvoTime(ports, now, sentAt));
}

/** A time of the store by the game's clock, which is the one Invo's refunds are dated by. */
function toInvoTime(ports: RefundPorts, storeNow: number, at: number): number {
  return at + (Date.parse(ports.businessNow()) - storeNow);
}
