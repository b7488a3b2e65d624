import { formatInstant, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { sayUsd } from '#app/_ui/figures/say-usd.ts';
import { formatCard } from '#app/[game]/_subscriptions/format-names.ts';
import type { ComparedRow } from '#app/[game]/_subscriptions/invo-fields.tsx';
import type { Compared } from '#lib/core/comparison.ts';
import type { CancelOutcome } from '#lib/subscriptions/cancel-subscription.ts';
import type { CardOutcome } from '#lib/subscriptions/change-card.ts';
import type { PriceOutcome } from '#lib/subscriptions/change-price.ts';
import type { CancelField, CancelPreview } from '#lib/subscriptions/rules/cancel.ts';
import type { CardBlocker } from '#lib/subscriptions/rules/card.ts';
import type { PriceBlocker, PriceError, PriceField, PricePreview } from '#lib/subscriptions/rules/price.ts';
import { isSubscriptionEnded, nextChargeText, type StagedPrice, subscriptionStatusText } from '#lib/subscriptions/rules/subscription.ts';
import type { ChangeField, ClosedView } from './change-state.ts';

/** An instant in words: UTC, and in the game's own zone where that is another. */
export function formatInZone(instant: string, timeZone: string): string {
  const utc = formatUtc(instant);
  return timeZone === 'UTC' ? utc : `${utc} (${formatInstant(instant, timeZone)} ${timeZone})`;
}

/** A statement of Invo's in a word; null was not said. */
export function formatFlag(flag: boolean | null): string {
  if (flag === null) return 'not said';
  return flag ? 'yes' : 'no';
}

type Canceled = Extract<CancelOutcome, { kind: 'done' }>['answer'];

/** What a choice does, in a sentence with its dates, and the word for its button. */
export function sayCancelEffect(
  forecast: CancelPreview,
  paid_through: string | null,
  timeZone: string,
): { effect: string; word: string; isMoot: boolean } {
  if (forecast.kind === 'already_ended') return { effect: 'It has ended already.', word: 'Cancel', isMoot: true };
  const until = formatInZone(forecast.accessUntil, timeZone);
  if (forecast.kind === 'at_paid_through') {
    const effect = forecast.isAlreadySo
      ? `It is set to end so already, on ${until}. Asking again changes nothing.`
      : `It ends on ${until}, and access with it. Nothing more is charged, and no second notice comes when it ends.`;
    return { effect, word: 'Cancel at the end of what is paid', isMoot: forecast.isAlreadySo };
  }
  if (forecast.why === 'nothing_paid')
    return {
      effect: 'Nothing is paid for, so Invo ends it at once, and access ends now.',
      word: 'Cancel, which ends it now',
      isMoot: false,
    };
  if (forecast.why === 'paid_elapsed') {
    const effect = `What was paid for ended on ${formatInZone(paid_through ?? forecast.accessUntil, timeZone)}, so Invo ends it at once, and access ends now.`;
    return { effect, word: 'Cancel, which ends it now', isMoot: false };
  }
  const access =
    paid_through === forecast.accessUntil
      ? `Access stays until ${until}, which is paid for.`
      : 'Access ends now, since nothing paid lies ahead.';
  return { effect: `It ends now, and nothing more is charged. ${access}`, word: 'Cancel now', isMoot: false };
}

/** Why there is no form for what has ended; null while it has not. */
export function sayEnded(
  { status, paid_through }: { status: string | null; paid_through: string | null },
  timeZone: string,
): ClosedView | null {
  if (status === null || !isSubscriptionEnded(status)) return null;
  return { kind: 'closed', title: 'It has ended already', sentence: sayFinal(status, paid_through, timeZone) };
}

/** How it ended, and what access the player has. */
export function sayFinal(finalStatus: string, accessUntil: string | null, timeZone: string): string {
  const access = accessUntil === null ? 'Nothing is paid for.' : `What was paid for reaches to ${formatInZone(accessUntil, timeZone)}.`;
  return `Its final state is “${subscriptionStatusText(finalStatus).label}” (${finalStatus}). ${access} There is nothing to cancel.`;
}

/** What a cancel that was made says for itself. */
export function sayCanceled(answer: Canceled, timeZone: string): { title: string; sentences: string[] } {
  const until = answer.access_until === null ? null : formatInZone(answer.access_until, timeZone);
  const access = until === null ? 'Invo did not say until when access lasts.' : `Revoke access at ${until}.`;
  return {
    title: titleOf(answer),
    sentences: [
      ...(answer.terminated_immediately === true
        ? [`Invo ended it at once (${answer.downgrade_reason ?? 'no reason given'}): nothing that was paid for lies ahead.`]
        : []),
      ...(answer.message === null ? [] : [`Invo says: “${answer.message}”`]),
      access,
      ...agreementOf(answer),
      'A cancel is not a refund: nothing was given back.',
    ],
  };
}

// An answer that does not say whether it ended or will end is not told as either.
function titleOf({ terminated_immediately, cancel_at_period_end, subscription }: Canceled): string {
  const isShownAsEnded = isSubscriptionEnded(subscription?.status ?? null);
  if (terminated_immediately === true || cancel_at_period_end === false || isShownAsEnded) return 'The subscription has ended';
  const isSetToEnd = cancel_at_period_end === true || subscription?.cancel_at_period_end === true;
  return isSetToEnd ? 'The subscription is set to end' : 'The cancel was made';
}

function agreementOf({ pcstore_agreement_canceled }: Canceled): string[] {
  if (pcstore_agreement_canceled === null) return [];
  return pcstore_agreement_canceled
    ? ['The agreement with the store has ended.']
    : ['The agreement with the store has not ended yet. Invo tries again by itself and never charges again; there is nothing to do.'];
}

const CANCEL_LABELS: Record<CancelField, string> = {
  access_until: 'Access until',
  effective_at: 'Takes effect',
  paid_through: 'Paid through',
  cancel_at_period_end: 'Ends with what is paid',
  terminated_immediately: 'Ended at once instead',
};

/** The receipt of a cancel, line by line. */
export function rowsOfCancel(receipt: Compared<CancelField>[], timeZone: string): ComparedRow[] {
  const say = (value: string | boolean | null): string =>
    typeof value === 'string' ? formatInZone(value, timeZone) : value === null ? 'not said' : formatFlag(value);
  return receipt.map(({ field, expected, told, agrees }) => ({
    label: CANCEL_LABELS[field],
    field,
    expected: expected === null ? 'nothing paid for' : say(expected),
    told: field === 'paid_through' && told === null ? 'nothing paid for' : say(told),
    agrees,
  }));
}

type PriceDone = Extract<PriceOutcome, { kind: 'done' }>;

export const PRICE_BLOCKERS: Record<PriceBlocker, { title: string; sentence: string }> = {
  ended: {
    title: 'Its price can no longer be changed',
    sentence: 'The subscription has ended, and Invo changes no price of what has ended. The player can take out a new one.',
  },
  price_unknown: {
    title: 'Its price is not known',
    sentence: 'Invo did not say what it costs now, so nobody can say what a new price would do. Ask Invo to mend the record.',
  },
};

export const AMOUNT_SENTENCES: Record<PriceError | 'nothing' | 'store_increase' | 'never_not_confirmed', string> = {
  not_an_amount: 'Write an amount in USD such as 12.50.',
  separators: 'Write it without separators of thousands, such as 1234.50.',
  not_above_zero: 'The price has to be above zero.',
  not_whole_cents: 'Whole cents only.',
  nothing: 'That is the price now, and none is staged: there is nothing to change.',
  store_increase:
    'The store charges this subscription, and there a price cannot be raised without the player agreeing again. A lower price can be staged.',
  never_not_confirmed: 'Tick that you know it will never be applied, or enter another price.',
};

/** What a new price will do, in sentences; `windowEnd` is null while nothing was paid. */
export function sayPriceEffect(forecast: PricePreview, prices: { current: string; asked: string }, windowEnd: string | null): string {
  switch (forecast.kind) {
    case 'nothing':
      return AMOUNT_SENTENCES.nothing;
    case 'refused':
      return AMOUNT_SENTENCES.store_increase;
    case 'clears':
      return `That is the price now: it clears the staged ${sayUsd(forecast.staged)}. The price stays ${sayUsd(prices.current)}, and nothing is charged now.`;
    case 'stages':
      return `${sayStaged(forecast, prices, windowEnd)}${forecast.replaces === null ? '' : ` It takes the place of the staged ${sayUsd(forecast.replaces)}.`}`;
  }
}

function sayStaged(
  { applies }: Extract<PricePreview, { kind: 'stages' }>,
  { current, asked }: { current: string; asked: string },
  windowEnd: string | null,
): string {
  if (applies !== 'applies') return `It would be staged and never applied, since ${sayWhyNever(applies, current)}`;
  const window = windowEnd === null ? 'There is no date for it until something was paid.' : `The current window ends on ${windowEnd}.`;
  return `${sayUsd(asked)} is staged. It applies at the next successful renewal, which first bills the current window at ${sayUsd(current)}. ${window} Nothing is prorated and nothing is charged now.`;
}

function sayWhyNever(applies: Exclude<StagedPrice, 'applies'>, current: string | null): string {
  const billing = `The old price of ${sayUsd(current)} keeps billing.`;
  switch (applies) {
    case 'never_doubled':
      return `it is more than double ${sayUsd(current)}. ${billing}`;
    case 'never_above_limit':
      return `it is an increase to above 500.00 USD. ${billing}`;
    case 'never_renews':
      return 'the subscription is set to end and does not renew any more.';
  }
}

/** What a change of price that was made says for itself; one foreseen never to apply is told no date. */
export function sayPriced(
  { answer, forecast, asked }: Pick<PriceDone, 'answer' | 'forecast' | 'asked'>,
  timeZone: string,
): { title: string; sentences: string[] } {
  if (asked.isClearing)
    return {
      title: answer.change_queued === true ? 'A price is still staged' : 'The staged price is cleared',
      sentences: [`The price stays ${sayUsd(answer.old_amount_usd)}.`],
    };
  if (answer.change_queued === false) return { title: 'Nothing is staged', sentences: ['Invo says that it queued no change.'] };
  const title = `${sayUsd(answer.pending_amount_usd)} is staged`;
  if (forecast.kind === 'stages' && forecast.applies !== 'applies') {
    const never = `It will never be applied, since ${sayWhyNever(forecast.applies, answer.old_amount_usd)}`;
    return { title, sentences: answer.applies_from === null ? [never] : [never, 'Invo’s answer names a date all the same.'] };
  }
  const from = answer.applies_from === null ? 'no date until something is paid' : formatInZone(answer.applies_from, timeZone);
  const seq = answer.applies_from_period_seq === null ? '' : `, with period ${answer.applies_from_period_seq}`;
  return { title, sentences: [`It applies from: ${from}${seq}. Until then the old price bills.`] };
}

const PRICE_LABELS: Record<PriceField, string> = {
  old_amount_usd: 'Price until then',
  new_amount_usd: 'New price',
  pending_amount_usd: 'Staged',
  change_queued: 'A change is queued',
  prorated: 'Prorated',
};

/** The receipt of a change of price, line by line; when it applies stands as answered. */
export function rowsOfPrice(receipt: Compared<PriceField>[], answer: PriceDone['answer'], timeZone: string): ComparedRow[] {
  const { applies_from, applies_from_period_seq } = answer;
  return [
    ...receipt.map(({ field, expected, told, agrees }) => ({
      label: PRICE_LABELS[field],
      field,
      expected: say(field, expected),
      told: say(field, told),
      agrees,
    })),
    {
      label: 'Applies from',
      field: 'applies_from',
      expected: null,
      told: applies_from === null ? 'no date' : formatInZone(applies_from, timeZone),
      agrees: null,
    },
    {
      label: 'With period',
      field: 'applies_from_period_seq',
      expected: null,
      told: String(applies_from_period_seq ?? 'none'),
      agrees: null,
    },
  ];
}

function say(field: PriceField, value: string | boolean | null): string {
  if (field === 'pending_amount_usd' && value === null) return 'none';
  return typeof value === 'boolean' ? formatFlag(value) : value === null ? 'not said' : sayUsd(value);
}

type CardDone = Extract<CardOutcome, { kind: 'done' }>;
type CardChanged = CardDone['answer'];
type SavedCard = CardDone['card'];

export const CARD_BLOCKERS: Record<CardBlocker, { title: string; sentence: string }> = {
  ended: {
    title: 'Its card can no longer be changed',
    sentence: 'The subscription has ended, and nothing is charged any more. The player can take out a new one.',
  },
  pcstore: {
    title: 'There is no card to change',
    sentence: 'The subscription is charged through the store, not by card. The player changes how it is paid in the store.',
  },
  player_unknown: {
    title: 'Whose cards these would be is not known',
    sentence:
      'No e-mail of who holds the subscription is known, so their cards cannot be listed. Look the player up by e-mail, and try again.',
  },
  no_cards: {
    title: 'The player has no saved card that is good',
    sentence: 'Ask the player to save a card in the game; cards that ran out are not listed. Then load this page again.',
  },
};

export const CARD_GONE = 'That card is no longer among the saved cards of this player. Nothing was sent. Choose one of those listed now.';
export const CONVERSION_NEEDED = 'Tick that the card is charged from now on; this subscription is paid from the wallet only.';

/** A saved card and until when it is good. */
export function sayCardUntil({ exp_month, exp_year, ...card }: Omit<SavedCard, 'id' | 'created_at'>): string {
  const until = exp_month === null || exp_year === null ? 'expiry not told' : `expires ${String(exp_month).padStart(2, '0')}/${exp_year}`;
  return `${formatCard(card)}, ${until}`;
}

interface ChargedFacts {
  status: string | null;
  next_charge_at: string | null;
  cancel_at_period_end: boolean | null;
}

/** From when a card is used; one of a subscription set to end is promised no charge. */
export function sayCardEffect({ status, next_charge_at, cancel_at_period_end }: ChargedFacts, timeZone: string): string {
  if (cancel_at_period_end === true && status !== 'awaiting_authentication')
    return 'It becomes the card of the subscription, which is set to end and charges nothing more. Nothing is charged by this.';
  const { label } = nextChargeText(status, cancel_at_period_end === true);
  const next = next_charge_at === null ? 'No charge is planned now.' : `${label}: ${formatInZone(next_charge_at, timeZone)}.`;
  return `It is used from the next charge on, a pending retry of a failed charge included. ${next} Nothing is charged by this.`;
}

/** What a change of card that was made says for itself. */
export function sayCardSet({ card, wallet_only }: CardChanged, isConversion: boolean): { title: string; sentences: string[] } {
  return {
    title: card === null ? 'The card is set' : `${sayCardUntil(card)}, pays whatever is charged from now on`,
    sentences: [
      ...(isConversion && wallet_only === false ? ['The subscription is no longer wallet-only: the card is charged from now on.'] : []),
      ...(wallet_only === true ? ['Invo says that it is still wallet-only.'] : []),
    ],
  };
}

/** The receipt of a change of card, line by line. */
export function rowsOfCard(answer: CardChanged, asked: SavedCard, isConversion: boolean): ComparedRow[] {
  const { card, wallet_only, replaced } = answer;
  return [
    {
      label: 'Card',
      field: 'card',
      expected: sayCardUntil(asked),
      told: card === null ? 'not said' : sayCardUntil(card),
      agrees: card === null ? null : card.id === asked.id,
    },
    {
      label: 'Wallet only',
      field: 'wallet_only',
      expected: 'no',
      told: formatFlag(wallet_only),
      agrees: wallet_only === null ? null : !wallet_only,
    },
    {
      label: 'Took the place of another',
      field: 'replaced',
      expected: isConversion ? 'no' : null,
      told: formatFlag(replaced),
      agrees: isConversion && replaced !== null ? !replaced : null,
    },
  ];
}

/** Where a refusal of that code belongs. */
export function placeOfCardRefusal(errorCode: string | null): ChangeField {
  if (errorCode?.startsWith('WALLET_ONLY') === true) return 'conversion';
  return errorCode?.startsWith('PAYMENT_METHOD') === true ? 'card' : 'button';
}
