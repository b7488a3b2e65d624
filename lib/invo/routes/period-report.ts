import * as z from 'zod';
import { compareMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import type { PeriodFacts } from '#lib/refunds/rules/stored.ts';
import type { Exchange, Invo } from '../invo.ts';
import { periodSegment, REPORTING_PATH } from '../request-path.ts';
import {
  count,
  flag,
  ifFits,
  instant,
  type Mismatch,
  maybe,
  money,
  optionalText,
  otherThanRequested,
  percent,
  prose,
  readerOf,
} from '../shapes/fields.ts';
import { attributionNotice, cycle, periodRefunds } from '../shapes/report-parts.ts';
import { currentRevenueShare, subscriptionHead } from './subscription-report.ts';

/** The two revenue legs of one period and the fees beside them. Null means not recorded, never zero; `partner_revenue_after_fees_usd` may be negative. */
const feeLegs = z.object({
  invo_fee_usd: maybe(money),
  invo_fee_percent: ifFits(percent),
  partner_revenue_usd: maybe(money),
  partner_revenue_settled_usd: maybe(money),
  partner_revenue_reversed_usd: maybe(money),
  partner_revenue_percent: ifFits(percent),
  partner_leg_reversed: flag,
  pass_through_fees_usd: maybe(money),
  chargeback_fees_usd: maybe(money),
  disputed_amount_held_usd: maybe(money),
  card_fee_charged_to_partner_usd: maybe(money),
  partner_revenue_after_fees_usd: maybe(money),
  source: optionalText,
  note: optionalText,
});

/** One billing period with its legs, refunds and charge (document 2, GET /api/subscriptions/reporting/periods/{period_id}). */
export const periodReport = z.object({
  status: optionalText,
  attribution_notice: attributionNotice,
  subscription: ifFits(subscriptionHead),
  period: cycle,
  fee_legs: maybe(feeLegs),
  refunds: maybe(periodRefunds),
  charge: ifFits(
    z.object({ attempts_for_period: ifFits(count), paid_attempt_no: ifFits(count), paid_attempt_at: ifFits(instant), outcome: prose }),
  ),
  current_revenue_share: maybe(currentRevenueShare),
});

export type PeriodReport = z.infer<typeof periodReport>;

/**
 * What a refund depends on, out of a period report. What was refunded so far is the report's own sum; where Invo gives none it is the
 * most any refund ended at, or what the line says, or nothing.
 */
export function reshapePeriodFacts({ period, fee_legs, refunds }: PeriodReport): PeriodFacts {
  const { funding, attribution } = period;
  const events = (refunds?.events ?? []).map(({ settled_by_invo: _, partner_revenue_reversal_basis: __, ...event }) => event);
  const reported = refunds?.refunded_to_date_usd ?? highest(events) ?? period.refund?.refunded_amount_usd ?? null;
  return {
    period_id: period.period_id,
    subscription_id: period.subscription_id,
    period_seq: period.period_seq,
    item_name: period.item_name,
    status: period.status,
    period_start: period.period_start,
    period_end: period.period_end,
    paid_at: period.paid_at,
    amount_usd: period.amount_usd,
    invo_fee_usd: period.invo_fee_usd,
    partner_revenue_settled_usd: period.partner_revenue_settled_usd ?? fee_legs?.partner_revenue_settled_usd ?? null,
    partner_revenue_reversed_usd: period.partner_revenue_reversed_usd ?? fee_legs?.partner_revenue_reversed_usd ?? null,
    chargeback_fees_usd: fee_legs?.chargeback_fees_usd ?? null,
    disputed_amount_held_usd: fee_legs?.disputed_amount_held_usd ?? null,
    rail: funding?.rail ?? null,
    card_charged_usd: funding?.card_charged_usd ?? null,
    pcstore_charged_usd: funding?.pcstore_charged_usd ?? null,
    balance_applied_coins: funding?.balance_applied_coins ?? null,
    refunds_told:
      reported === null ? isReportedAsNone(refunds) : !isContradicted(reported, refunds?.refund_count, period.refund?.refunded_amount_usd),
    refunded_to_date_usd: reported ?? '0.00',
    refund_count: refunds?.refund_count ?? null,
    latest_refund_at: refunds?.latest_refund_at ?? null,
    refund_basis: refunds?.basis ?? null,
    events,
    attribution:
      attribution === null
        ? null
        : {
            recipient_player_id: attribution.recipient_player_id,
            percent_at_renewal: attribution.percent_at_renewal,
            attributed_amount_usd: attribution.attributed_amount_usd,
            reversed_attributed_usd: reversedOf(events),
          },
    attribution_unavailable_reason: period.attribution_unavailable_reason,
  };
}

// Events come in whatever order: the most that was ever refunded is the newest.
function highest(events: { cumulative_refunded_after_usd: string | null }[]): string | undefined {
  return events
    .map((event) => event.cumulative_refunded_after_usd)
    .filter((after) => after !== null)
    .toSorted(compareMoney)
    .at(-1);
}

// A report without refunds does not prove that there were none, nor does one that counts refunds and lists none.
function isReportedAsNone(refunds: PeriodReport['refunds']): boolean {
  return refunds !== null && refunds.events.length === 0 && (refunds.refund_count ?? 0) === 0;
}

// A sum below what the line says, or of refunds that are counted and come to nothing, is no fact to refund on.
function isContradicted(reported: string, count: number | null | undefined, line: string | null | undefined): boolean {
  const isBelowLine = line !== null && line !== undefined && compareMoney(reported, line) < 0;
  return isBelowLine || ((count ?? 0) > 0 && signOfMoney(reported) === 0);
}

function reversedOf(events: { reversed_attributed_usd: string | null }[]): string | null {
  const parts = events.map((event) => event.reversed_attributed_usd);
  return parts.every((part) => part !== null) ? sumMoney(parts) : null;
}

/** Reads one billing period. */
export function readPeriodReport({ ask }: Invo, periodId: number, signal?: AbortSignal): Promise<Exchange<PeriodReport>> {
  const read = readerOf(periodReport, (value) => findPeriodMismatch(periodId, value));
  return ask({ route: { kind: 'detail' }, path: `${REPORTING_PATH}/periods/${periodSegment(periodId)}`, read, signal });
}

/** Whether a period's page is another period's. */
export function findPeriodMismatch(periodId: number, answered: PeriodReport): Mismatch | null {
  return answered.period.period_id === periodId ? null : otherThanRequested('period.period_id');
}
