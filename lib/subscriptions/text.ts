import type { Tone } from '#lib/core/strings.ts';
import type { CardBlocker, ChangeVerdict, PriceBlocker, PriceError } from './rules/changes.ts';
import type { PeriodState } from './rules/subscription.ts';
import { isSubscriptionEnded, type PendingPrice } from './rules/subscription.ts';

/** Shown instead of a form: the situation, then what to do. */
export interface BlockerText {
  title: string;
  sentence: string;
}

export interface SubscriptionStatusText {
  label: string;
  tone: Tone;
  /** What `next_charge_at` means in this status: the next action, a retry or a deadline (document 2, Subscription object). */
  nextCharge: string;
  /** What it means when `next_charge_at` is null. */
  noCharge: string;
}

const DUNNING: SubscriptionStatusText = {
  label: 'Payment failed, retrying',
  tone: 'bad',
  nextCharge: 'Next payment retry',
  noCharge: 'no retry scheduled',
};

// The contract names no status for dunning, so the likely ones are listed; any other status is shown as Invo sends it.
const STATUS_TEXT: Record<string, SubscriptionStatusText> = {
  active: { label: 'Active', tone: 'good', nextCharge: 'Next charge', noCharge: 'no charge scheduled' },
  awaiting_authentication: {
    label: 'Awaiting bank authentication',
    tone: 'wait',
    nextCharge: 'Authentication deadline',
    noCharge: 'no deadline set',
  },
  pending_pcstore_authorization: {
    label: 'Awaiting game store authorization',
    tone: 'wait',
    nextCharge: 'Next action by Invo',
    noCharge: 'none until the game store authorizes it',
  },
  canceled: { label: 'Canceled', tone: 'quiet', nextCharge: 'Next action by Invo', noCharge: 'none, canceled' },
  expired: { label: 'Expired', tone: 'quiet', nextCharge: 'Next action by Invo', noCharge: 'none, expired' },
  retrying: DUNNING,
  dunning: DUNNING,
  past_due: DUNNING,
};

/** The text of a subscription's status; a status Sharebook doesn't know is shown as Invo sends it. */
export function subscriptionStatusText(status: string | null): SubscriptionStatusText {
  const known = status !== null && Object.hasOwn(STATUS_TEXT, status) ? STATUS_TEXT[status] : undefined;
  const label = status === null ? 'Status not reported' : `Unknown status: ${status}`;
  return known ?? { label, tone: 'wait', nextCharge: 'Next action by Invo', noCharge: 'none scheduled' };
}

/** The label of `next_charge_at` and, where there is none, why. */
export function nextChargeText(status: string | null, willEnd: boolean): { label: string; none: string } {
  const text = subscriptionStatusText(status);
  // The bank's deadline applies even when the subscription is set to end.
  if (willEnd && !isSubscriptionEnded(status) && status !== 'awaiting_authentication')
    return { label: 'Ends without another charge', none: 'none, set to end with the paid period' };
  return { label: text.nextCharge, none: text.noCharge };
}

export const PENDING_PRICE_TEXT: Record<PendingPrice, string> = {
  applies: 'applies at the next successful renewal, which first bills the current period at the old price',
  may_not_apply: 'may not take effect: it is more than twice the last agreed price, or over $500.00',
  never_renews: 'will never apply: the subscription doesn’t renew again',
};

export interface PeriodStateText {
  label: string;
  tone: Tone;
  sentence: string;
}

export const PERIOD_STATE_TEXT: Record<PeriodState, PeriodStateText> = {
  pending: { label: 'Pending payment', tone: 'wait', sentence: 'Nothing has been collected yet.' },
  failed: { label: 'Payment failed', tone: 'bad', sentence: 'The payment failed, so nothing was collected.' },
  forgiven: { label: 'Forgiven', tone: 'quiet', sentence: 'Nothing was collected, and nothing will be.' },
  never_paid: { label: 'Not paid', tone: 'quiet', sentence: 'Nothing was collected.' },
  paid: { label: 'Paid', tone: 'good', sentence: 'Collected. Nothing was refunded.' },
  partly_refunded: {
    label: 'Partially refunded',
    tone: 'wait',
    sentence: 'Part of the charge was refunded. The period is still billed and still counts toward access.',
  },
  refunded: {
    label: 'Refunded in full',
    tone: 'bad',
    sentence: 'The full charge was refunded. The period no longer counts toward access.',
  },
};

/** For a paid period whose refunds Invo doesn't report. */
export const REFUNDS_NOT_REPORTED = 'Collected. Invo doesn’t report whether anything was refunded.';

export const CARD_BLOCKERS: Record<CardBlocker, BlockerText> = {
  ended: {
    title: 'The card can’t be changed',
    sentence: 'This subscription has ended, so it won’t be charged again. The player can start a new one.',
  },
  pcstore: {
    title: 'No card to change',
    sentence: 'The game store charges this subscription. The player changes the payment method in the store.',
  },
  player_unknown: {
    title: 'Saved cards can’t be listed',
    sentence: 'Invo lists cards by email, and this player’s email isn’t known. Search for the player by email, then try again.',
  },
  no_cards: {
    title: 'No valid saved cards',
    sentence: 'Ask the player to save a card in the game, then reload this page. Expired cards aren’t listed.',
  },
};

export const CARD_GONE = 'This card is no longer saved for this player. Nothing was sent. Choose one of the cards listed now.';
export const CONVERSION_NEEDED = 'Confirm that the card is charged from now on. This subscription is currently paid from the wallet only.';

export const PRICE_BLOCKERS: Record<PriceBlocker, BlockerText> = {
  ended: {
    title: 'The price can’t be changed',
    sentence: 'This subscription has ended, and Invo doesn’t change the price of an ended subscription. The player can start a new one.',
  },
  price_unknown: {
    title: 'Current price not reported',
    sentence: 'Invo didn’t report the current price, so the effect of a new one can’t be determined. Ask Invo to correct the record.',
  },
};

export const PRICE_ERRORS: Record<PriceError | 'nothing' | 'store_increase' | 'never_not_confirmed', string> = {
  not_an_amount: 'Enter an amount in USD, such as 12.50.',
  separators: 'Enter the amount without thousands separators, such as 1234.50.',
  not_above_zero: 'The price must be greater than zero.',
  not_whole_cents: 'Use at most two decimal places.',
  nothing: 'This is already the current price, and no price change is pending.',
  store_increase: 'The game store charges this subscription. A price increase needs the player’s consent there; a lower price doesn’t.',
  never_not_confirmed: 'Confirm that the new price may not take effect, or enter another price.',
};

export const VERDICT_TEXT: Record<ChangeVerdict, BlockerText> = {
  there: { title: 'The change was made', sentence: 'Invo now shows the change. There is nothing more to do.' },
  not_there: {
    title: 'The change hasn’t been made yet',
    sentence: 'Invo still shows the subscription as before. You can safely try again, even if the first request arrives late.',
  },
  cannot_tell: {
    title: 'The outcome can’t be determined automatically',
    sentence: 'Invo doesn’t report which card is attached. You can safely choose the same card again; the answer names the card.',
  },
};

/** Why the refund button of a subscription is disabled. */
export const NO_REFUNDABLE_PERIOD = 'Refund: no period on this page was paid, has an amount left and wasn’t charged by the game store.';
export const PERIODS_NOT_READ = 'Refund: the periods couldn’t be read. Reload the page, or search for the period.';

export interface ReasonText {
  title: string;
  /** What it means and what to do. */
  advice: string;
  /** Whether paying must wait for an answer. */
  isBlocking: boolean;
}

/** Why renewals have no attribution, and what to do (document 2, unattributed_reasons). */
const REASON_TEXT: Record<string, ReasonText> = {
  no_revenue_share_configured: {
    title: 'No revenue share configured',
    advice: 'These renewals have no recipient. Nothing to do.',
    isBlocking: false,
  },
  spend_order_not_found: {
    title: 'Settlement record unreachable',
    advice:
      'Investigate before paying: Invo couldn’t reach the settlement record, so a recipient may have earned on these renewals. Ask Invo, then pull the month again.',
    isBlocking: true,
  },
  attribution_not_recorded: {
    title: 'Attribution not recorded',
    advice: 'A share was in force, but Invo holds no attribution. Ask Invo which renewals these are and whether a recipient is owed.',
    isBlocking: false,
  },
  attribution_malformed: {
    title: 'Attribution record malformed',
    advice: 'Invo holds an attribution it can’t read. Ask Invo to correct the record, then pull the month again.',
    isBlocking: false,
  },
};

/** The text of a reason; one Sharebook doesn't know is shown as Invo wrote it. */
export function reasonTextOf(reason: string): ReasonText {
  const known = Object.hasOwn(REASON_TEXT, reason) ? REASON_TEXT[reason] : undefined;
  return known ?? { title: reason, advice: 'Sharebook doesn’t know this reason. Ask Invo what it means before paying.', isBlocking: false };
}
