import { compareInstants } from '#lib/core/instant.ts';
import { compareMoney, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import { BENIGN_REASON } from '#lib/evidence/rules/evidence.ts';

/** One refund event of a period, as Invo's period report returns it. */
export interface PeriodRefund {
  refunded_at: string;
  refunded_amount_usd: string;
  cumulative_refunded_before_usd: string | null;
  cumulative_refunded_after_usd: string | null;
  is_full_refund: boolean | null;
  refund_transaction_id: string | null;
  reversed_attributed_usd: string | null;
  partner_revenue_reversed_usd: string | null;
}

/** The facts of a period that a refund depends on, in Invo's names. Amounts are decimal text; null means not recorded, never zero. */
export interface PeriodFacts {
  period_id: number;
  subscription_id: string;
  period_seq: number | null;
  item_name: string | null;
  status: string | null;
  period_start: string | null;
  period_end: string | null;
  paid_at: string | null;
  amount_usd: string | null;
  invo_fee_usd: string | null;
  partner_revenue_settled_usd: string | null;
  partner_revenue_reversed_usd: string | null;
  /** Of a chargeback: its fees, and what is held while the charge is disputed. */
  chargeback_fees_usd: string | null;
  disputed_amount_held_usd: string | null;
  rail: string | null;
  card_charged_usd: string | null;
  pcstore_charged_usd: string | null;
  balance_applied_coins: string | null;
  /** False: Invo reported no refund fields, so `refunded_to_date_usd` is a default and not a fact. */
  refunds_told: boolean;
  refunded_to_date_usd: string;
  refund_count: number | null;
  latest_refund_at: string | null;
  refund_basis: string | null;
  events: PeriodRefund[];
  attribution: {
    recipient_player_id: number;
    percent_at_renewal: string | null;
    attributed_amount_usd: string;
    reversed_attributed_usd: string | null;
  } | null;
  /** Why the period has no attribution; null when it has one, or Invo gives no reason. */
  attribution_unavailable_reason: string | null;
}

/** A period with the player's access and wallet. Null where Invo couldn't be read or doesn't report it. */
export interface RefundFacts {
  period: PeriodFacts;
  subscription: { status: string | null; paid_through: string | null; player_id: number | null } | null;
  /** The latest end of another paid period that still grants access; `instant` is null when there is none, the whole value when unknown. */
  otherPaidUntil: { instant: string | null } | null;
  wallets: { currency_name: string | null; available_balance: string }[] | null;
  read_at: string;
}

/**
 * The facts of a period that a refund decision rests on; verbs digest this value. When any of them changes, a decision made on the
 * earlier facts is void.
 */
export function baselineOf(period: PeriodFacts): unknown[] {
  const { subscription_id, period_id, period_seq, status, paid_at, amount_usd, refunded_to_date_usd, refund_count, latest_refund_at } =
    period;
  const { rail, card_charged_usd, pcstore_charged_usd, balance_applied_coins } = period;
  return [
    subscription_id,
    period_id,
    period_seq,
    status,
    paid_at,
    amount_usd,
    refunded_to_date_usd,
    refund_count,
    latest_refund_at,
    rail,
    card_charged_usd,
    pcstore_charged_usd,
    balance_applied_coins,
    // Only where there is something to know, so that the digests of all other periods stay as they were.
    ...(disputeOf(period) ?? []).flat(),
  ];
}

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

/** The time of a refund and the amount refunded before it, where reported. */
interface Ordered {
  refunded_at: string;
  cumulative_refunded_before_usd: string | null;
}

/** Refunds of one period, oldest first; refunds of the same instant are ordered by the amount refunded before them. */
export function orderRefunds<Refund extends Ordered>(refunds: readonly Refund[]): Refund[] {
  return refunds.toSorted(
    (a, b) =>
      compareInstants(a.refunded_at, b.refunded_at) ||
      compareMoney(a.cumulative_refunded_before_usd ?? '0', b.cumulative_refunded_before_usd ?? '0'),
  );
}
