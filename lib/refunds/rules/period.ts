import { compareInstants } from '#lib/core/instant.ts';
import { signOfMoney, subtractMoney } from '#lib/core/money.ts';
import { BENIGN_REASON } from '#lib/evidence/rules/evidence.ts';
import type { PeriodFacts, PeriodRefund } from './stored.ts';

/**
 * The facts of a period that a refund decision rests on; verbs digest this value. When any of them changes, a decision made on the
 * earlier facts is void.
 */
export function baselineOf(period: PeriodFacts): unknown[] {
  // Disputes only where there is something to know, so that the digests of all other periods stay as they were.
  return [...BASELINE_FIELDS.map((field) => period[field]), ...(disputeOf(period) ?? []).flat()];
}

const BASELINE_FIELDS = [
  'subscription_id',
  'period_id',
  'period_seq',
  'status',
  'paid_at',
  'amount_usd',
  'refunded_to_date_usd',
  'refund_count',
  'latest_refund_at',
  'rail',
  'card_charged_usd',
  'pcstore_charged_usd',
  'balance_applied_coins',
] as const satisfies (keyof PeriodFacts)[];

/** What Invo reports of a chargeback. The card fee on refunds isn't part of that: every earlier refund of a card charge leaves one. */
const DISPUTE_FIGURES = ['chargeback_fees_usd', 'disputed_amount_held_usd'] as const;
export type DisputeFigure = [name: (typeof DISPUTE_FIGURES)[number], amount_usd: string];

/** Those that are above zero; null: none. A dispute may have paid the player back already. */
export function disputeOf(period: Pick<PeriodFacts, (typeof DISPUTE_FIGURES)[number]>): DisputeFigure[] | null {
  const figures = DISPUTE_FIGURES.flatMap((name): DisputeFigure[] => {
    const amount = period[name];
    return amount !== null && signOfMoney(amount) > 0 ? [[name, amount]] : [];
  });
  return figures.length === 0 ? null : figures;
}

/** The refund events of a period that are missing from the earlier facts, oldest first. */
export function listNewRefunds(before: PeriodFacts, now: PeriodFacts): PeriodRefund[] {
  const known = new Set(before.events.map(nameOf));
  return now.events.filter((event) => !known.has(nameOf(event))).toSorted((a, b) => compareInstants(a.refunded_at, b.refunded_at));
}

function nameOf(event: PeriodRefund): string {
  return JSON.stringify([event.refunded_at, event.refunded_amount_usd, event.cumulative_refunded_after_usd]);
}

/** USD of the period that can still be refunded; null when its price is not recorded. */
export function remainingOf(period: PeriodFacts): string | null {
  return period.amount_usd === null ? null : subtractMoney(period.amount_usd, period.refunded_to_date_usd);
}

/** Whether a recipient earns a share of a period. */
export type Share = 'attributed' | 'not_attributed' | 'unknown';

/** Whether a recipient has a share in a period. `unknown`: Invo reports no attribution, for any reason except that no recipient has one. */
export function shareOf({ attribution, attribution_unavailable_reason: reason }: PeriodShare): Share {
  if (attribution !== null) return 'attributed';
  return reason === BENIGN_REASON ? 'not_attributed' : 'unknown';
}

type PeriodShare = { attribution: object | null; attribution_unavailable_reason: string | null };
