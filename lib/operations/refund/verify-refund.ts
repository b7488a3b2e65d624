import { judgeReading } from '../../domain/refund/judge-reading.ts';
import type { RefundJob } from '../../domain/refund/refund-job.ts';
import type { RefundGround } from './settle-refund.ts';

const READ_AGAIN_MS = 60_000;
/** Reading goes on this long; then people look. */
const READS_FOR_MS = 45 * 60_000;

/** Reads the period to find out whether a refund was carried out, and puts what it suggests before two people. Sends nothing. */
export async function verifyRefund(ground: RefundGround, job: RefundJob): Promise<void> {
  const { store, wire } = ground;
  const read = await wire.readPeriod(job.period_id);
  const now = await store.now();
  if ('trouble' in read) {
    const isTooLong = now - job.stateSince >= READS_FOR_MS;
    const seen = { last_error_code: read.trouble, last_error_id: read.errorId };
    if (isTooLong) await attention(ground, job, { attention_reason: 'cannot_be_read', ...seen });
    else await store.move(job, 'could not read the period', { lookAt: now + READ_AGAIN_MS, ...seen });
    return;
  }
  await store.keepRead(job, 'verify', read.period);
  const judgement = judgeReading(
    {
      amount_usd: job.amount_usd,
      firstSentAt: toInvoTime(ground, now, job.firstSentAt ?? now),
      lastSentAt: toInvoTime(ground, now, job.lastSentAt ?? now),
      before: job.facts.period,
      claimed: await store.listClaimed(job),
    },
    { period: read.period, at: toInvoTime(ground, now, now) },
  );
  switch (judgement.kind) {
    case 'too_early':
      await store.move(job, 'read the period too early to tell', {
        lookAt: (job.lastSentAt ?? now) + (judgement.lookAt - toInvoTime(ground, now, job.lastSentAt ?? now)),
      });
      return;
    case 'landed':
      await attention(ground, job, {
        attention_reason: 'looks_landed',
        proposal: 'landed',
        transaction_id: judgement.refund.refund_transaction_id,
      });
      return;
    case 'not_landed':
      if (job.unanswered_count === 0 && job.lastClass === 'refused') {
        await store.move(job, 'found the refusal borne out', { state: 'refused', lookAt: null });
        return;
      }
      if (job.unanswered_count === 0) {
        await letApprovalLapse(ground, job);
        return;
      }
      await attention(ground, job, { attention_reason: 'looks_not_landed', proposal: 'not_landed' });
      return;
    case 'unclear':
      await attention(ground, job, { attention_reason: 'period_unclear' });
  }
}

/** Puts a refund of which nothing was carried out in a day before people again; it keeps its key. */
export async function letApprovalLapse({ store }: RefundGround, job: RefundJob): Promise<void> {
  const lapsed = { state: 'awaiting_approval', lookAt: null, isApprovalVoid: true, last_error_code: 'approval_lapsed' } as const;
  await store.move(job, 'let the approval lapse', lapsed);
}

async function attention(ground: RefundGround, job: RefundJob, change: Parameters<RefundGround['store']['move']>[2]): Promise<void> {
  await ground.store.move(job, 'asked for two people', { state: 'attention', lookAt: null, ...change });
}

/** A time of the store by the game's clock, which is the one Invo's refunds are dated by. */
function toInvoTime(ground: RefundGround, storeNow: number, at: number): number {
  return at + (Date.parse(ground.businessNow()) - storeNow);
}
