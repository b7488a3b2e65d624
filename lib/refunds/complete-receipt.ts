import { compareInstants } from '../core/instant.ts';
import { compareMoney, subtractMoney, sumMoney } from '../core/money.ts';
import type { KeptReceipt } from './rules/compare-receipt.ts';
import { listNewRefunds, type PeriodFacts, type PeriodRefund } from './rules/period-facts.ts';
import type { RefundJob } from './rules/refund-job.ts';
import type { RefundPorts } from './rules/refund-ports.ts';
import { READ_AGAIN_MS } from './rules/retry-schedule.ts';

/** After this it is looked for once a day: until the period shows it, the register asks a person to look. */
const READS_OFTEN_FOR_MS = 36 * 60 * 60_000;
const READ_DAILY_MS = 24 * 60 * 60_000;

/** Fills the receipt of a refund that two people said was carried out, from the period, which shows it. It has landed either way. */
export async function completeReceipt(ports: RefundPorts, job: RefundJob): Promise<void> {
  const { store, wire } = ports;
  const read = await wire.readPeriod(job.period_id);
  const now = await store.now();
  const found = 'trouble' in read ? null : await findRefund(ports, job, read.period);
  if ('trouble' in read || found === null) {
    const isTooLong = job.endedAt !== null && now - job.endedAt >= READS_OFTEN_FOR_MS;
    return store.postpone(job, now + (isTooLong ? READ_DAILY_MS : READ_AGAIN_MS.rebuild));
  }
  await store.keepRead(job, 'rebuild', read.period);
  await store.move(job, 'completed the receipt from the period', {
    state: 'landed',
    lookAt: null,
    receipt: receiptOf(found, read.period),
    total_refunded_amount_usd: found.cumulative_refunded_after_usd,
    ...(job.transaction_id === null ? { transaction_id: found.refund_transaction_id } : {}),
  });
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

/** What a period says of one of its refunds, as far as it stands for a receipt. */
export function receiptOf(refund: PeriodRefund, period: PeriodFacts): KeptReceipt {
  const { attribution, amount_usd } = period;
  const after = refund.cumulative_refunded_after_usd;
  const reversed = reversedUpTo(refund, period);
  return {
    refunded_amount_usd: refund.refunded_amount_usd,
    total_refunded_amount_usd: after,
    remaining_refundable_usd: after === null || amount_usd === null ? null : subtractMoney(amount_usd, after),
    is_full_refund: refund.is_full_refund,
    funding_shape: null,
    balance_delta_coins: null,
    card_refunded_usd: null,
    processor_refund_reference: null,
    processor_refund_adopted: null,
    invo_fee_retained: null,
    partner_revenue_reversed_usd: refund.partner_revenue_reversed_usd,
    partner_revenue_reversal_mode: null,
    card_fee_charged_to_partner_usd: null,
    refunded_at: refund.refunded_at,
    new_balance: null,
    revenue_share_attribution:
      attribution === null
        ? null
        : {
            recipient_player_id: attribution.recipient_player_id,
            original_attributed_amount_usd: attribution.attributed_amount_usd,
            refunded_attributed_amount_usd: reversed,
            net_attributed_amount_usd: reversed === null ? null : subtractMoney(attribution.attributed_amount_usd, reversed),
          },
  };
}

// A receipt tells what was taken back so far when it was written: later refunds of the period are not in it.
function reversedUpTo({ refunded_at }: PeriodRefund, { events }: PeriodFacts): string | null {
  const parts = events
    .filter((event) => compareInstants(event.refunded_at, refunded_at) <= 0)
    .map((event) => event.reversed_attributed_usd);
  return parts.every((part) => part !== null) ? sumMoney(parts) : null;
}
