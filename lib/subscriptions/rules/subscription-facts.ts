import { digestOf } from '#lib/core/canonical-digest.ts';
import { compareInstants } from '#lib/core/instant.ts';

/** What a cancel, a change of price and a change of card rest on, in Invo's words (document 2, Subscription object). */
export interface SubscriptionFacts {
  subscription_id: string;
  player_id: number;
  item_name: string | null;
  status: string | null;
  amount_usd: string | null;
  pending_amount_usd: string | null;
  period_seq: number | null;
  current_period_end: string | null;
  next_charge_at: string | null;
  cancel_at_period_end: boolean | null;
  wallet_only: boolean | null;
  has_payment_method: boolean | null;
  funding_rail: string | null;
  pcstore_agreement_status: string | null;
  paid_through: string | null;
}

/**
 * SHA-256 in hex over everything a form told of the subscription's future: who sends computes it again, so that nobody confirms one
 * effect and gets another. Time alone changes it when what is paid for runs out.
 */
export function digestFacts(facts: SubscriptionFacts, now: string): string {
  const { subscription_id, status, amount_usd, pending_amount_usd, period_seq, cancel_at_period_end } = facts;
  const { wallet_only, has_payment_method, funding_rail, paid_through } = facts;
  const price = { amount_usd, pending_amount_usd };
  const payer = { wallet_only, has_payment_method, funding_rail };
  const end = { status, period_seq, cancel_at_period_end, paid_through, isPaidAhead: isPaidAhead(facts, now) };
  return digestOf({ subscription_id, price, payer, end }).toString('hex');
}

/** Whether something that was paid for is still to come. */
export function isPaidAhead({ paid_through }: Pick<SubscriptionFacts, 'paid_through'>, now: string): boolean {
  return paid_through !== null && compareInstants(paid_through, now) > 0;
}
