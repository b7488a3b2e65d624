import * as z from 'zod';
import { count, flag, ifFits, instant, maybe, money, numericId, percent, prose, settledByInvo, textId, words } from '../shapes/fields.ts';

const identity = { player_name: words, player_email: words, identity_id: ifFits(textId), date_joined: ifFits(instant) };

/** Who a player is, as support's routes name them (document 2, player balance). */
export const player = z.object({ player_id: numericId, ...identity });

// The contract says only that a block is added: whatever its shape, it may not take the subscription with it.
const playerBlock = ifFits(z.object({ player_id: ifFits(textId), ...identity }));

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
  interval_count: ifFits(count),
  item_id: ifFits(textId),
  item_name: words,
  current_period_start: ifFits(instant),
  current_period_end: ifFits(instant),
  period_seq: ifFits(count),
  next_charge_at: ifFits(instant),
  cancel_at_period_end: flag,
  trial_end: ifFits(instant),
  canceled_at: ifFits(instant),
  ended_at: ifFits(instant),
  wallet_only: flag,
  has_payment_method: flag,
  funding_rail: words,
  pcstore_agreement_status: words,
  metadata: prose,
  consent: prose,
  created_at: ifFits(instant),
  updated_at: ifFits(instant),
  revenue_share: maybe(z.object({ recipient_player_id: ifFits(numericId), percent: ifFits(percent), settled_by_invo: settledByInvo })),
  paid_through: maybe(instant),
});

/**
 * One subscription with the player who holds it; the block is read inside the subscription or beside it, null when Invo gave none. One
 * that names no id is about the player the subscription names.
 */
export const subscriptionRead = z
  .object({ subscription: subscriptionObject.extend({ player: playerBlock }), player: playerBlock })
  .transform(({ subscription: { player: inside, ...subscription }, player: outside }) => {
    const block = inside ?? outside;
    return { subscription, player: block && { ...block, player_id: numberOf(block.player_id) ?? subscription.player_id } };
  });

function numberOf(id: string | null): number | null {
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null;
}

export type Subscription = z.infer<typeof subscriptionObject>;
export type Player = z.infer<typeof player>;
export type SubscriptionRead = z.infer<typeof subscriptionRead>;
