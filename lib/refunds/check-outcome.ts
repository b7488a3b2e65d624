import { compareMoney } from '../core/money.ts';
import { REFUND_ACTIONS } from './rules/audit-actions.ts';
import { READ_AGAIN_MS, SETTLES_AFTER_MS } from './rules/next-step.ts';
import { listNewRefunds } from './rules/period.ts';
import type { RefundChange, RefundJob, RefundPorts } from './rules/ports.ts';
import { hasRisenBy, judgeReading } from './rules/reading.ts';
import { coarseReceiptOf, receiptOf } from './rules/receipt.ts';
import type { AttentionReason } from './rules/state.ts';
import type { PeriodFacts, PeriodRefund, StoredReceipt } from './rules/stored.ts';

/** Failed readings are repeated for this long; then the refund needs attention. */
const READS_FOR_MS = 45 * 60_000;

/**
 * Reads the period to find out whether a refund was made. Two people decide on the suggested outcome, unless an answer without amounts already
 * stated the same: then the refund was made. Sends nothing.
 */
export async function checkOutcome(ports: RefundPorts, job: RefundJob): Promise<void> {
  const { store, wire } = ports;
  const read = await wire.readPeriod(job.period_id);
  const now = await store.now();
  if ('error' in read) {
    const isOverdue = now - job.stateSince >= READS_FOR_MS;
    const { error: code, errorId } = read;
    if (isOverdue) return flagForAttention(ports, job, 'cannot_be_read', { last_error_code: code, last_error_id: errorId });
    return store.postpone(job, now + READ_AGAIN_MS.verify, { code, errorId });
  }
  await store.storeReading(job, 'verify', read.period);
  if (read.period.subscription_id !== job.subscription_id) return flagForAttention(ports, job, 'other_subscription');
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
      return store.postpone(job, job.lastClass === 'reduced' ? now + READ_AGAIN_MS.rebuild : settledAt(ports, job, now, judgement.checkAt));
    case 'landed':
      if (isAnother(job, judgement.refund)) return flagForAttention(ports, job, 'period_unclear');
      if (job.lastClass === 'reduced')
        return land(ports, job, judgement.refund.refund_transaction_id, receiptOf(judgement.refund, read.period));
      return flagForAttention(ports, job, 'looks_landed', {
        proposal: 'landed',
        transaction_id: job.transaction_id ?? judgement.refund.refund_transaction_id,
      });
    case 'risen':
      // Invo named the transaction of this very key, and the sum confirms it. Without that word the sum may have risen for another reason.
      if (job.lastClass === 'reduced' && job.transaction_id !== null && !(await store.hasRival(job)))
        return land(ports, job, null, coarseReceiptOf(read.period));
      return flagForAttention(ports, job, 'period_unclear');
    case 'not_landed':
      if (job.lastClass === 'reduced') return flagForAttention(ports, job, 'not_shown');
      if (job.unanswered_count > 0) return flagForAttention(ports, job, 'looks_not_landed', { proposal: 'not_landed' });
      if (job.lastClass !== 'refused') return voidLapsedApproval(ports, job);
      await store.move(job, REFUND_ACTIONS.refusalConfirmed, { state: 'refused', checkAt: null });
      return;
    case 'unclear':
      return flagForAttention(ports, job, 'period_unclear');
  }
}

/** Returns a refund that was not executed within a day to approval, with the same key. */
export async function voidLapsedApproval({ store }: RefundPorts, job: RefundJob): Promise<void> {
  const lapsed = { state: 'awaiting_approval', checkAt: null, isApprovalVoid: true, last_error_code: 'approval_lapsed' } as const;
  await store.move(job, REFUND_ACTIONS.approvalLapsed, lapsed);
}

async function flagForAttention(
  { store }: RefundPorts,
  job: RefundJob,
  attention_reason: AttentionReason,
  change: RefundChange = {},
): Promise<void> {
  await store.move(job, REFUND_ACTIONS.needsAttention, { state: 'attention', checkAt: null, attention_reason, ...change });
}

// Invo named one transaction and the period shows another: one of them belongs to another refund.
function isAnother(job: RefundJob, { refund_transaction_id: shown }: PeriodRefund): boolean {
  return job.transaction_id !== null && shown !== null && job.transaction_id !== shown;
}

/** An answer without amounts and the period agree that the refund landed. */
async function land({ store }: RefundPorts, job: RefundJob, transactionShown: string | null, receipt: StoredReceipt): Promise<void> {
  await store.move(job, REFUND_ACTIONS.matchedPeriod, {
    state: 'landed',
    checkAt: null,
    unanswered_count: 0,
    outcome_source: 'reduced',
    transaction_id: job.transaction_id ?? transactionShown,
    receipt,
    total_refunded_amount_usd: receipt.total_refunded_amount_usd,
  });
}

function settledAt(ports: RefundPorts, job: RefundJob, now: number, checkAt: number): number {
  const sentAt = job.lastSentAt ?? now;
  return sentAt + (checkAt - toInvoTime(ports, now, sentAt));
}

/** Converts a time of the store to the game's clock, which dates Invo's refunds. */
function toInvoTime(ports: RefundPorts, storeNow: number, time: number): number {
  return time + (Date.parse(ports.businessNow()) - storeNow);
}

/** After this time the period is read once a day; the register shows that a person must check it. */
const READS_OFTEN_FOR_MS = 36 * 60 * 60_000;
const READ_DAILY_MS = 24 * 60 * 60_000;

/** Fills the receipt of a refund that two people recorded as refunded, from the period. The refund stays landed either way. */
export async function completeReceipt(ports: RefundPorts, job: RefundJob): Promise<void> {
  const { store, wire } = ports;
  const read = await wire.readPeriod(job.period_id);
  const now = await store.now();
  const receipt = 'error' in read ? null : await findReceipt(ports, job, read.period, now);
  if ('error' in read || receipt === null) {
    const isOverdue = job.endedAt !== null && now - job.endedAt >= READS_OFTEN_FOR_MS;
    return store.postpone(job, now + (isOverdue ? READ_DAILY_MS : READ_AGAIN_MS.rebuild));
  }
  await store.storeReading(job, 'rebuild', read.period);
  await store.move(job, REFUND_ACTIONS.completedReceipt, {
    state: 'landed',
    checkAt: null,
    receipt: receipt.receipt,
    total_refunded_amount_usd: receipt.receipt.total_refunded_amount_usd,
    ...(job.transaction_id === null ? { transaction_id: receipt.transaction_id } : {}),
  });
}

/** What the period shows of this refund; null when it doesn't show it, or it can't be distinguished from another one. */
async function findReceipt(
  ports: RefundPorts,
  job: RefundJob,
  period: PeriodFacts,
  now: number,
): Promise<{ receipt: StoredReceipt; transaction_id: string | null } | null> {
  if (period.subscription_id !== job.subscription_id) return null;
  const found = await findRefund(ports, job, period);
  if (found !== null) return { receipt: receiptOf(found, period), transaction_id: found.refund_transaction_id };
  // The refund may be listed soon, with all its figures.
  if (job.endedAt === null || now - job.endedAt < SETTLES_AFTER_MS) return null;
  const isAlone = hasRisenBy(job.amount_usd, job.facts.period, period) && !(await ports.store.hasRival(job));
  return isAlone ? { receipt: coarseReceiptOf(period), transaction_id: null } : null;
}

async function findRefund({ store }: RefundPorts, job: RefundJob, period: PeriodFacts): Promise<PeriodRefund | null> {
  const fresh = listNewRefunds(job.facts.period, period).filter((event) => compareMoney(event.refunded_amount_usd, job.amount_usd) === 0);
  const named = fresh.find((event) => event.refund_transaction_id !== null && event.refund_transaction_id === job.transaction_id);
  if (named) return named;
  if (await store.hasRival(job)) return null;
  const claimed = await store.listClaimed(job);
  const [only, ...others] = fresh.filter((event) => event.refund_transaction_id === null || !claimed.includes(event.refund_transaction_id));
  return only !== undefined && others.length === 0 ? only : null;
}
