import { digestOf } from '#lib/core/canonical-digest.ts';
import { compareInstants } from '#lib/core/instant.ts';

/** A refund of a period as Invo's period report tells it. */
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

/** What a refund depends on, of the period it is about, in Invo's names. Amounts are decimal text; null is not recorded, never zero. */
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
  rail: string | null;
  card_charged_usd: string | null;
  pcstore_charged_usd: string | null;
  balance_applied_coins: string | null;
  /** False: Invo said nothing of refunds, so that the figure beneath is a default and no fact. */
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
  /** Why Invo attributes nothing; null where it attributes, or gives no reason. */
  attribution_unavailable_reason: string | null;
}

/** What surrounds the period: access and wallet. Null where Invo could not be asked, or does not say. */
export interface RefundFacts {
  period: PeriodFacts;
  subscription: { status: string | null; paid_through: string | null; player_id: number | null } | null;
  /** The latest end of another paid period that still counts for access; null when there is none. Left out of account when not known. */
  otherPaidUntil: { instant: string | null } | null;
  wallets: { currency_name: string | null; available_balance: string }[] | null;
  read_at: string;
}

/** SHA-256 over what a refund of the period rests on: when it changes, what somebody decided on earlier facts no longer stands. */
export function digestBaseline(period: PeriodFacts): Buffer {
  const { subscription_id, period_id, period_seq, status, paid_at, amount_usd, refunded_to_date_usd, refund_count, latest_refund_at } =
    period;
  const { rail, card_charged_usd, pcstore_charged_usd, balance_applied_coins } = period;
  return digestOf([
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
  ]);
}

/** The refunds of a period that the facts taken before do not hold, oldest first. */
export function listNewRefunds(before: PeriodFacts, now: PeriodFacts): PeriodRefund[] {
  const known = new Set(before.events.map(nameOf));
  return now.events.filter((event) => !known.has(nameOf(event))).toSorted((a, b) => compareInstants(a.refunded_at, b.refunded_at));
}

function nameOf(event: PeriodRefund): string {
  return JSON.stringify([event.refunded_at, event.refunded_amount_usd, event.cumulative_refunded_after_usd]);
}
