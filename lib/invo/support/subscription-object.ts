import * as z from 'zod';
import { count, flag, instant, maybe, money, numericId, percent, prose, settledByInvo, textId, words } from '../shapes/fields.ts';

/** Who a player is, as support's routes name them (document 2, player balance). */
export const player = z.object({
  player_id: numericId,
  player_name: words,
  player_email: words,
  identity_id: maybe(textId),
  date_joined: maybe(instant),
});

/**
 * A subscription as it stands now (document 2, Subscription object). `amount_usd` is the current price, `pending_amount_usd` one that is
 * staged; `paid_through` is the entitlement, the period's edges are billing only. Statuses the contract does not name are kept.
 */
export const subscriptionObject = z.object({
  subscription_id: textId,
  game_id: maybe(textId),
  player_id: numericId,
  client_request_id: words,
  status: words,
  amount_usd: maybe(money),
  pending_amount_usd: maybe(money),
  interval: words,
  interval_count: maybe(count),
  item_id: maybe(textId),
  item_name: words,
  current_period_start: maybe(instant),
  current_period_end: maybe(instant),
  period_seq: maybe(count),
  next_charge_at: maybe(instant),
  cancel_at_period_end: flag,
  trial_end: maybe(instant),
  canceled_at: maybe(instant),
  ended_at: maybe(instant),
  wallet_only: flag,
  has_payment_method: flag,
  funding_rail: words,
  pcstore_agreement_status: words,
  metadata: prose,
  consent: prose,
  created_at: maybe(instant),
  updated_at: maybe(instant),
  revenue_share: maybe(z.object({ recipient_player_id: numericId, percent: maybe(percent), settled_by_invo: settledByInvo })),
  paid_through: maybe(instant),
});

/** One subscription with the player who holds it; the block is read inside the subscription or beside it, null when Invo gave none. */
export const subscriptionRead = z
  .object({ subscription: subscriptionObject.extend({ player: maybe(player) }), player: maybe(player) })
  .transform(({ subscription: { player: inside, ...subscription }, player: outside }) => ({ subscription, player: inside ?? outside }));

export type Subscription = z.infer<typeof subscriptionObject>;
export type Player = z.infer<typeof player>;
export type SubscriptionRead = z.infer<typeof subscriptionRead>;
