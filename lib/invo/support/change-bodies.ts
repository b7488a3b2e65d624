import * as z from 'zod';
import { count, flag, ifFits, instant, maybe, money, words } from '../shapes/fields.ts';
import { savedCard } from './player-shapes.ts';
import { subscriptionObject } from './subscription-object.ts';

/**
 * What a cancel did (document 2, Cancel body). Access ends at `access_until`. `terminated_immediately` and `downgrade_reason` come when there
 * was no paid period to end with; `final_status` when it had ended before.
 */
export const canceled = z.object({
  status: words,
  already_canceled: flag,
  cancel_at_period_end: flag,
  effective_at: ifFits(instant),
  current_period_end: ifFits(instant),
  access_until: ifFits(instant),
  paid_through: ifFits(instant),
  terminated_immediately: flag,
  downgrade_reason: words,
  message: words,
  final_status: words,
  pcstore_agreement_status: words,
  pcstore_agreement_canceled: flag,
  subscription: ifFits(subscriptionObject),
});

/** What a change of price did (document 2, Amount body): staged for a renewal to come, or a staged one cleared (`change_queued` false). */
export const amountChanged = z.object({
  status: words,
  old_amount_usd: maybe(money),
  new_amount_usd: maybe(money),
  pending_amount_usd: maybe(money),
  change_queued: flag,
  applies_from: ifFits(instant),
  applies_from_period_seq: ifFits(count),
  paid_through: ifFits(instant),
  current_period_end: ifFits(instant),
  prorated: flag,
  subscription: ifFits(subscriptionObject),
});

/** What a change of card did (document 2, Payment-method body): the card that pays from the next charge on. */
export const cardChanged = z.object({
  status: words,
  replaced: flag,
  wallet_only: flag,
  card: ifFits(savedCard),
  subscription: ifFits(subscriptionObject),
});

export type Canceled = z.infer<typeof canceled>;
export type AmountChanged = z.infer<typeof amountChanged>;
export type CardChanged = z.infer<typeof cardChanged>;
