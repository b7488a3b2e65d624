import { formatInstant, formatUtc } from '#app/_ui/figures/format.ts';
import { formatCardWithExpiry, formatPrice } from '#app/[game]/_subscriptions/format-names.ts';
import type { ComparedRow } from '#app/[game]/_subscriptions/invo-fields.tsx';
import type { Compared } from '#lib/core/comparison.ts';
import { compareInstants } from '#lib/core/instant.ts';
import type { CancelOutcome, CardOutcome, PriceOutcome } from '#lib/subscriptions/change-subscription.ts';
import type { CancelField, CancelPreview, PriceField, PricePreview } from '#lib/subscriptions/rules/changes.ts';
import { isSubscriptionEnded, type PendingPrice } from '#lib/subscriptions/rules/subscription.ts';
import { nextChargeText, PENDING_PRICE_TEXT, PRICE_ERRORS, subscriptionStatusText } from '#lib/subscriptions/text.ts';
import type { ClosedView } from './change-state.ts';

interface DoneText {
  title: string;
  sentences: string[];
}

/** An instant in UTC and, where the game reports in another zone, in that zone. */
export function formatInZone(instant: string, timeZone: string): string {
  const utc = formatUtc(instant);
  return timeZone === 'UTC' ? utc : `${utc} (${formatInstant(instant, timeZone)} ${timeZone})`;
}

type Canceled = Extract<CancelOutcome, { kind: 'done' }>['answer'];

/** What a way to cancel does, with its dates, and the label of its button. */
export function formatCancelPreview(
  preview: CancelPreview,
  paid_through: string | null,
  timeZone: string,
): { effect: string; word: string; isMoot: boolean } {
  if (preview.kind === 'already_ended') return { effect: 'The subscription has already ended.', word: 'Cancel', isMoot: true };
  const until = formatInZone(preview.accessUntil, timeZone);
  if (preview.kind === 'at_paid_through') {
    const effect = preview.isAlreadySet
      ? `Already set to end on ${until}. Canceling again changes nothing.`
      : `The subscription and access end on ${until}. There are no more charges, and no second notification is sent.`;
    return { effect, word: 'Cancel at the end of the paid period', isMoot: preview.isAlreadySet };
  }
  if (preview.why === 'nothing_paid')
    return { effect: 'Nothing is paid for, so the subscription and access end immediately.', word: 'Cancel immediately', isMoot: false };
  if (preview.why === 'paid_elapsed') {
    const ended = formatInZone(paid_through ?? preview.accessUntil, timeZone);
    const effect = `The paid period ended on ${ended}, so the subscription and access end immediately.`;
    return { effect, word: 'Cancel immediately', isMoot: false };
  }
  const access =
    paid_through === preview.accessUntil
      ? `Access continues until ${until}, which is already paid for.`
      : 'Access ends now, because nothing is paid ahead.';
  return { effect: `The subscription ends now, with no more charges. ${access}`, word: 'Cancel now', isMoot: false };
}

/** Why an ended subscription has no form; null while it hasn't ended. */
export function endedView(
  { status, paid_through }: { status: string | null; paid_through: string | null },
  timeZone: string,
  now: string,
): ClosedView | null {
  if (status === null || !isSubscriptionEnded(status)) return null;
  return { kind: 'closed', title: 'The subscription has already ended', sentence: formatEnded(status, paid_through, timeZone, now) };
}

/** How a subscription ended, and until when the player has access. */
export function formatEnded(finalStatus: string, accessUntil: string | null, timeZone: string, now: string): string {
  const isOver = accessUntil !== null && compareInstants(accessUntil, now) <= 0;
  const access =
    accessUntil === null ? 'Nothing is paid for.' : `Access ${isOver ? 'ended' : 'until'} ${formatInZone(accessUntil, timeZone)}.`;
  return `Final status: ${subscriptionStatusText(finalStatus).label}. ${access} There is nothing to cancel.`;
}

/** The result of a cancellation. */
export function formatCanceled(answer: Canceled, timeZone: string): DoneText {
  const until = answer.access_until === null ? null : formatInZone(answer.access_until, timeZone);
  return {
    title: titleOf(answer),
    sentences: [
      ...(answer.terminated_immediately === true
        ? [`Invo ended it immediately (${answer.downgrade_reason ?? 'no reason reported'}) because nothing is paid ahead.`]
        : []),
      ...(answer.message === null ? [] : [`Message from Invo: “${answer.message}”`]),
      until === null ? 'Invo didn’t report until when access lasts.' : `Revoke access at ${until}.`,
      ...agreementOf(answer),
      'Canceling doesn’t refund anything.',
    ],
  };
}

// An answer that shows neither that the subscription ended nor that it will is titled as neither.
function titleOf({ terminated_immediately, cancel_at_period_end, subscription }: Canceled): string {
  const isShownAsEnded = isSubscriptionEnded(subscription?.status ?? null);
  if (terminated_immediately === true || cancel_at_period_end === false || isShownAsEnded) return 'The subscription has ended';
  const isSetToEnd = cancel_at_period_end === true || subscription?.cancel_at_period_end === true;
  return isSetToEnd ? 'The subscription is set to end' : 'The cancellation was accepted';
}

function agreementOf({ pcstore_agreement_canceled }: Canceled): string[] {
  if (pcstore_agreement_canceled === null) return [];
  return pcstore_agreement_canceled
    ? ['The game store agreement has ended.']
    : ['The game store agreement hasn’t ended yet. Invo keeps trying and won’t charge again. No action is needed.'];
}

const CANCEL_LABELS: Record<CancelField, string> = {
  access_until: 'Access until',
  effective_at: 'Takes effect',
  paid_through: 'Paid until',
  cancel_at_period_end: 'Ends with the paid period',
  terminated_immediately: 'Ended immediately instead',
};

/** The receipt of a cancellation, one row per field. */
export function cancelRows(receipt: Compared<CancelField>[], timeZone: string): ComparedRow[] {
  const format = (value: string | boolean | null): string =>
    typeof value === 'string' ? formatInZone(value, timeZone) : formatFlag(value);
  return receipt.map(({ field, expected, reported, agrees }) => ({
    label: CANCEL_LABELS[field],
    field,
    expected: expected === null ? 'none' : format(expected),
    reported: field === 'paid_through' && reported === null ? 'none' : format(reported),
    agrees,
  }));
}

type PriceDone = Extract<PriceOutcome, { kind: 'done' }>;

/** What a new price will do; `periodEnd` is null while nothing is paid. */
export function formatPricePreview(
  preview: PricePreview,
  prices: { current: string; requested: string },
  periodEnd: string | null,
): string {
  const { current, requested } = prices;
  switch (preview.kind) {
    case 'nothing':
      return PRICE_ERRORS.nothing;
    case 'refused':
      return PRICE_ERRORS.store_increase;
    case 'clears':
      return `This is the current price. The pending ${formatPrice(preview.pending)} is cleared and the price stays ${formatPrice(current)}. Nothing is charged now.`;
    case 'pending': {
      const replaces = preview.replaces === null ? '' : ` It replaces the pending ${formatPrice(preview.replaces)}.`;
      if (preview.applies !== 'applies') return `${formatDoubt(preview.applies, current)}${replaces}`;
      const period = periodEnd === null ? 'No date is set until a payment succeeds.' : `The current period ends on ${periodEnd}.`;
      return `${formatPrice(requested)} applies at the next successful renewal, which first bills the current period at ${formatPrice(current)}. ${period} Nothing is prorated or charged now.${replaces}`;
    }
  }
}

/** Why a price that is pending may never be billed. */
function formatDoubt(applies: Exclude<PendingPrice, 'applies'>, current: string | null): string {
  return applies === 'never_renews'
    ? 'This price will never take effect: the subscription is set to end and doesn’t renew again.'
    : `This price ${PENDING_PRICE_TEXT.may_not_apply}. Until it does, the price stays ${formatPrice(current)}.`;
}

/** The result of a price change; a price that may never apply gets no date. */
export function formatPriceChanged(
  { answer, preview, requested }: Pick<PriceDone, 'answer' | 'preview' | 'requested'>,
  timeZone: string,
): DoneText {
  if (requested.isClearing)
    return {
      title: answer.change_queued === true ? 'A price is still pending' : 'The pending price is cleared',
      sentences: [`The price stays ${formatPrice(answer.old_amount_usd)}.`],
    };
  if (answer.change_queued === false)
    return { title: 'No price change is pending', sentences: ['Invo reports that no change was queued.'] };
  const title = `${formatPrice(answer.pending_amount_usd)} is pending`;
  if (preview.kind === 'pending' && preview.applies !== 'applies') {
    const doubt = formatDoubt(preview.applies, answer.old_amount_usd);
    return { title, sentences: answer.applies_from === null ? [doubt] : [doubt, 'Invo’s answer includes a date anyway.'] };
  }
  const period = answer.applies_from_period_seq === null ? '' : `, with period ${answer.applies_from_period_seq}`;
  const startText =
    answer.applies_from === null
      ? 'No date is set until a payment succeeds'
      : `Applies from ${formatInZone(answer.applies_from, timeZone)}`;
  return { title, sentences: [`${startText}${period}. Until then, the current price is billed.`] };
}

const PRICE_LABELS: Record<PriceField, string> = {
  old_amount_usd: 'Current price',
  new_amount_usd: 'New price',
  pending_amount_usd: 'Pending price',
  change_queued: 'Change queued',
  prorated: 'Prorated',
};

/** The receipt of a price change, one row per field; the date it applies from is shown as answered. */
export function priceRows(receipt: Compared<PriceField>[], answer: PriceDone['answer'], timeZone: string): ComparedRow[] {
  const { applies_from, applies_from_period_seq } = answer;
  const format = (field: PriceField, value: string | boolean | null): string => {
    if (field === 'pending_amount_usd' && value === null) return 'none';
    return typeof value === 'string' ? formatPrice(value) : formatFlag(value);
  };
  const asAnswered = { expected: null, agrees: null };
  return [
    ...receipt.map(({ field, expected, reported, agrees }) => ({
      label: PRICE_LABELS[field],
      field,
      expected: format(field, expected),
      reported: format(field, reported),
      agrees,
    })),
    {
      label: 'Applies from',
      field: 'applies_from',
      reported: applies_from === null ? 'no date' : formatInZone(applies_from, timeZone),
      ...asAnswered,
    },
    { label: 'From period', field: 'applies_from_period_seq', reported: String(applies_from_period_seq ?? 'none'), ...asAnswered },
  ];
}

type CardDone = Extract<CardOutcome, { kind: 'done' }>;

interface ChargedFacts {
  status: string | null;
  next_charge_at: string | null;
  cancel_at_period_end: boolean | null;
}

/** When a new card is first used; a subscription that is set to end promises no charge. */
export function formatCardPreview({ status, next_charge_at, cancel_at_period_end }: ChargedFacts, timeZone: string): string {
  if (cancel_at_period_end === true && status !== 'awaiting_authentication')
    return 'The card is attached, but the subscription is set to end and won’t be charged again. Nothing is charged now.';
  const { label } = nextChargeText(status, cancel_at_period_end === true);
  const next = next_charge_at === null ? 'No charge is scheduled.' : `${label}: ${formatInZone(next_charge_at, timeZone)}.`;
  return `The card is used from the next charge on, including a pending retry. ${next} Nothing is charged now.`;
}

/** The result of a card change. */
export function formatCardChanged({ card, wallet_only }: CardDone['answer'], isConversion: boolean): DoneText {
  return {
    title: card === null ? 'The card was changed' : `${formatCardWithExpiry(card)}, is used for all charges from now on`,
    sentences: [
      ...(isConversion && wallet_only === false ? ['The subscription is no longer wallet-only. The card is charged from now on.'] : []),
      ...(wallet_only === true ? ['Invo reports that the subscription is still wallet-only.'] : []),
    ],
  };
}

/** The receipt of a card change, one row per field. */
export function cardRows(answer: CardDone['answer'], requested: CardDone['card'], isConversion: boolean): ComparedRow[] {
  const { card, wallet_only, replaced } = answer;
  return [
    {
      label: 'Card',
      field: 'card',
      expected: formatCardWithExpiry(requested),
      reported: card === null ? 'not reported' : formatCardWithExpiry(card),
      agrees: card === null ? null : card.id === requested.id,
    },
    {
      label: 'Wallet only',
      field: 'wallet_only',
      expected: 'no',
      reported: formatFlag(wallet_only),
      agrees: wallet_only === null ? null : !wallet_only,
    },
    {
      label: 'Replaced another card',
      field: 'replaced',
      expected: isConversion ? 'no' : null,
      reported: formatFlag(replaced),
      agrees: isConversion && replaced !== null ? !replaced : null,
    },
  ];
}

function formatFlag(flag: boolean | null): string {
  if (flag === null) return 'not reported';
  return flag ? 'yes' : 'no';
}
