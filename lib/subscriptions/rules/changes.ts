import { type Compared, compareField, isSameAmount, isSameMoment } from '#lib/core/comparison.ts';
import { laterOf } from '#lib/core/instant.ts';
import { compareMoney } from '#lib/core/money.ts';
import { maskEmailsIn, parseTypedAmount, type TypedAmountError } from '#lib/core/typed-input.ts';
import { isPaidAhead, isSubscriptionEnded, type PendingPrice, pendingPriceOf, type SubscriptionFacts } from './subscription.ts';

/** When a cancellation ends the subscription. */
export const CANCEL_TIMES = ['period_end', 'now'] as const;
export type CancelTime = (typeof CANCEL_TIMES)[number];

/**
 * What a cancellation will do. `already_ended`: nothing. `at_paid_through`: subscription and access end with the paid period. `at_once`:
 * the subscription ends now; access lasts until the paid period ends, else it ends now as well. `why` is `requested` when "now" was chosen.
 */
export type CancelPreview =
  | { kind: 'already_ended'; finalStatus: string }
  | { kind: 'at_paid_through'; accessUntil: string; isAlreadySet: boolean }
  | { kind: 'at_once'; why: 'requested' | 'nothing_paid' | 'paid_elapsed'; accessUntil: string };

/** Previews a cancellation of the subscription in its current state (document 2, States and transitions). */
export function previewCancel(facts: SubscriptionFacts, when: CancelTime, now: string): CancelPreview {
  const { status, paid_through, cancel_at_period_end } = facts;
  if (status !== null && isSubscriptionEnded(status)) return { kind: 'already_ended', finalStatus: status };
  if (when === 'now') return { kind: 'at_once', why: 'requested', accessUntil: laterOf(paid_through ?? now, now) };
  if (paid_through !== null && isPaidAhead(facts, now))
    return { kind: 'at_paid_through', accessUntil: paid_through, isAlreadySet: cancel_at_period_end === true };
  return { kind: 'at_once', why: paid_through === null ? 'nothing_paid' : 'paid_elapsed', accessUntil: now };
}

/** Invo's answer to a cancellation (document 2, Cancel body). */
export interface CancelAnswer {
  already_canceled: boolean | null;
  cancel_at_period_end: boolean | null;
  effective_at: string | null;
  access_until: string | null;
  paid_through: string | null;
  terminated_immediately: boolean | null;
}

export type CancelField = 'access_until' | 'effective_at' | 'paid_through' | 'cancel_at_period_end' | 'terminated_immediately';

/** Compares Invo's answer with the preview. Instants may differ by up to a quarter of an hour. */
export function compareCancel(
  preview: Exclude<CancelPreview, { kind: 'already_ended' }>,
  before: { paid_through: string | null },
  answer: CancelAnswer,
  requestedAt: string,
): Compared<CancelField>[] {
  const isLater = preview.kind === 'at_paid_through';
  const isDowngrade = preview.kind === 'at_once' && preview.why !== 'requested';
  const rules = { isSame: isSameMoment };
  return [
    compareField('access_until', preview.accessUntil, answer.access_until, rules),
    compareField('effective_at', isLater ? preview.accessUntil : requestedAt, answer.effective_at, rules),
    // A cancellation pays for nothing: what was null stays null.
    compareField('paid_through', before.paid_through, answer.paid_through, { ...rules, isNullKnown: before.paid_through === null }),
    compareField('cancel_at_period_end', isLater, answer.cancel_at_period_end),
    // Invo sends this field only when it is true.
    compareField('terminated_immediately', isDowngrade, answer.terminated_immediately ?? false),
  ];
}

/** What a price change depends on. */
export type PricedFacts = Pick<SubscriptionFacts, 'status' | 'cancel_at_period_end' | 'amount_usd' | 'pending_amount_usd' | 'funding_rail'>;

/**
 * What a new price will do. `nothing`: it is the current price and none is pending. `clears`: it removes the pending price. `refused`:
 * an increase that needs the player's consent in the store. `pending`: it waits for a renewal, and `applies` shows whether it ever applies.
 */
export type PricePreview =
  | { kind: 'nothing' }
  | { kind: 'clears'; pending: string }
  | { kind: 'refused' }
  | { kind: 'pending'; applies: PendingPrice; replaces: string | null };

export type PriceError = Exclude<TypedAmountError, 'more_than_left'>;

/** Parses a typed price in USD: above zero, and in whole cents unless it is the current price. */
export function parseNewPrice(text: string, current: string): { amount_usd: string } | { error: PriceError } {
  return parseTypedAmount(text, { known_usd: current });
}

/** Previews a new price (document 2, Amount body). Invo doesn't report the price last agreed to, so the current price is used. */
export function previewPrice(facts: PricedFacts & { amount_usd: string }, amount_usd: string): PricePreview {
  const { amount_usd: current, pending_amount_usd: pending, funding_rail } = facts;
  const applies = pendingPriceOf({ ...facts, pending_amount_usd: amount_usd }) ?? 'applies';
  const order = compareMoney(amount_usd, current);
  if (order === 0) return pending === null ? { kind: 'nothing' } : { kind: 'clears', pending };
  if (order > 0 && funding_rail === 'pcstore') return { kind: 'refused' };
  return { kind: 'pending', applies, replaces: pending };
}

/** Why a price can't be changed at all. */
export type PriceBlocker = 'ended' | 'price_unknown';

/** Finds what blocks a price change; null when nothing does. */
export function findPriceBlocker({ status, amount_usd }: PricedFacts): PriceBlocker | null {
  if (isSubscriptionEnded(status)) return 'ended';
  return amount_usd === null ? 'price_unknown' : null;
}

/** Invo's answer to a price change (document 2, Amount body). */
export interface PriceAnswer {
  old_amount_usd: string | null;
  new_amount_usd: string | null;
  pending_amount_usd: string | null;
  change_queued: boolean | null;
  prorated: boolean | null;
}

export type PriceField = 'old_amount_usd' | 'new_amount_usd' | 'pending_amount_usd' | 'change_queued' | 'prorated';

/** Compares Invo's answer with the preview. The date it applies from is taken from the answer alone. */
export function comparePrice(
  preview: Extract<PricePreview, { kind: 'pending' | 'clears' | 'nothing' }>,
  requested: { current: string; amount_usd: string },
  answer: PriceAnswer,
): Compared<PriceField>[] {
  const isPending = preview.kind === 'pending';
  const rules = { isSame: isSameAmount };
  return [
    compareField('old_amount_usd', requested.current, answer.old_amount_usd, rules),
    compareField('new_amount_usd', requested.amount_usd, answer.new_amount_usd, rules),
    compareField('pending_amount_usd', isPending ? requested.amount_usd : null, answer.pending_amount_usd, { ...rules, isNullKnown: true }),
    compareField('change_queued', isPending, answer.change_queued),
    compareField('prorated', false, answer.prorated),
  ];
}

/** Why no card can be set. `no_cards`: the player has no valid saved card. `player_unknown`: no email is known to list the cards by. */
export type CardBlocker = 'ended' | 'pcstore' | 'player_unknown' | 'no_cards';

/** Finds what blocks a card change (document 2, Payment-method body); null when nothing does. `cardCount` is null when the cards can't be listed. */
export function findCardBlocker(
  { status, funding_rail }: { status: string | null; funding_rail: string | null },
  cardCount: number | null,
): CardBlocker | null {
  // Same order as Invo: the rail first, since a store subscription never had a card to change.
  if (funding_rail === 'pcstore') return 'pcstore';
  if (isSubscriptionEnded(status)) return 'ended';
  if (cardCount === null) return 'player_unknown';
  return cardCount === 0 ? 'no_cards' : null;
}

// Twelve digits or more in any script, separated as card numbers are; the colons of a time of day don't count as separators.
const CARD_NUMBER = /\p{Nd}(?:[\s\p{Pd}\p{Cf}.]{0,3}\p{Nd}){11,}/gu;

/** Masks everything that may be a card number, except its last four digits. */
export function maskCardNumbers(text: string): string {
  return text.replaceAll(CARD_NUMBER, (number) => `•••• ${(number.match(/\p{Nd}/gu) ?? []).slice(-4).join('')}`);
}

/** Masks emails and possible card numbers in free text, so that the audit log may contain it. */
export function maskPersonal(text: string): string {
  return maskCardNumbers(maskEmailsIn(text));
}

/** A change that was sent and whose outcome is unknown. */
export type RequestedChange =
  | { what: 'cancel'; when: CancelTime }
  | { what: 'price'; amount_usd: string; isClearing: boolean }
  | { what: 'card'; isConversion: boolean };

/** `there`: the subscription shows the change. `not_there`: not yet. `cannot_tell`: Invo doesn't report which card is attached. */
export type ChangeVerdict = 'there' | 'not_there' | 'cannot_tell';

/** The part of a subscription that shows whether a change was made. */
export type ReadFacts = Pick<SubscriptionFacts, 'status' | 'amount_usd' | 'pending_amount_usd' | 'cancel_at_period_end' | 'wallet_only'>;

/** Decides from a new reading whether a change of unknown outcome was made. */
export function verifyChange(requested: RequestedChange, facts: ReadFacts): ChangeVerdict {
  switch (requested.what) {
    case 'cancel':
      return isSubscriptionEnded(facts.status) || (requested.when === 'period_end' && facts.cancel_at_period_end === true)
        ? 'there'
        : 'not_there';
    case 'price':
      return isPriced(requested, facts) ? 'there' : 'not_there';
    case 'card':
      return requested.isConversion ? (facts.wallet_only === false ? 'there' : 'not_there') : 'cannot_tell';
  }
}

function isPriced({ amount_usd, isClearing }: { amount_usd: string; isClearing: boolean }, facts: ReadFacts): boolean {
  if (isClearing) return facts.pending_amount_usd === null;
  return [facts.pending_amount_usd, facts.amount_usd].some((each) => each !== null && compareMoney(each, amount_usd) === 0);
}
