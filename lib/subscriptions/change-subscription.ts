import type { Compared } from '../core/comparison.ts';
import type { Actor } from '../core/roles.ts';
import { parseTypedText, REASON_LENGTH_MAX } from '../core/typed-input.ts';
import type { GameContext } from '../games/game-context.ts';
import {
  type AmountChanged,
  type Canceled,
  type CardChanged,
  sendAmountChange,
  sendCancellation,
  sendCardChange,
} from '../invo/routes/subscription-changes.ts';
import type { SavedCard } from '../invo/routes/support-reads.ts';
import { readCardFacts, readChangeFacts } from './read-change-facts.ts';
import {
  type CancelField,
  type CancelTime,
  type CardBlocker,
  compareCancel,
  comparePrice,
  findCardBlocker,
  findPriceBlocker,
  maskCardNumbers,
  maskPersonal,
  type PriceBlocker,
  type PriceError,
  type PriceField,
  type PricePreview,
  parseNewPrice,
  previewCancel,
  previewPrice,
} from './rules/changes.ts';
import { type ChangeDeadlines, type ChangeForm, type ChangeNotStarted, type SentChange, sendChange, startChange } from './send-change.ts';

/** The cancellation form; the reason is free text of at most 500 characters, null for none. */
export interface CancelForm extends ChangeForm {
  when: CancelTime;
  reason: string | null;
}

export type CancelOutcome =
  | ChangeNotStarted
  | { kind: 'reason_too_long' }
  | { kind: 'already_ended'; finalStatus: string; accessUntil: string | null }
  | (SentChange<Canceled> & { receipt: Compared<CancelField>[] });

/** Cancels a subscription at the end of the paid period or now (document 2, Cancel body). One that has already ended is reported as such. */
export async function cancelSubscription(
  context: GameContext,
  actor: Actor,
  form: CancelForm,
  deadlines: ChangeDeadlines = {},
): Promise<CancelOutcome> {
  const typed = parseTypedText(form.reason, REASON_LENGTH_MAX);
  if (typed === 'too_long') return { kind: 'reason_too_long' };
  const reason = typed.text;
  const started = await startChange(context, actor, form, readChangeFacts, deadlines);
  if (!('subscription' in started)) return started;
  const { subscription } = started;
  const requestedAt = context.game.now();
  const preview = previewCancel(subscription, form.when, requestedAt);
  if (preview.kind === 'already_ended')
    return { kind: 'already_ended', finalStatus: preview.finalStatus, accessUntil: subscription.paid_through };
  if (started.kind === 'changed') return started;
  const { status, paid_through, amount_usd } = subscription;
  const content = {
    at_period_end: form.when === 'period_end',
    reason: reason && maskPersonal(reason),
    preview,
    status,
    paid_through,
    amount_usd,
  };
  const sent = await sendChange<Canceled>(
    context,
    actor,
    {
      act: 'cancellation',
      subscriptionId: form.subscriptionId,
      content,
      send: (invo, signal) => {
        const request = { at_period_end: form.when === 'period_end', ...(reason === null ? {} : { reason }) };
        return sendCancellation(invo, form.subscriptionId, request, signal);
      },
      paid: ({ subscription: after, ...answer }) => ({ ...answer, subscription_status: after?.status ?? null }),
    },
    deadlines.send_ms,
  );
  if (sent.kind === 'done' && sent.answer.already_canceled === true) {
    const { final_status, subscription: after, access_until, paid_through: through } = sent.answer;
    return { kind: 'already_ended', finalStatus: final_status ?? after?.status ?? 'ended', accessUntil: access_until ?? through };
  }
  return { ...sent, receipt: sent.kind === 'done' ? compareCancel(preview, subscription, sent.answer, requestedAt) : [] };
}

/** The price form. `isNeverConfirmed`: the person confirmed that the price will stay pending and never apply. */
export interface PriceForm extends ChangeForm {
  amountText: string;
  isNeverConfirmed: boolean;
}

export type PriceOutcome =
  | ChangeNotStarted
  | { kind: 'blocked'; blocker: PriceBlocker }
  | { kind: 'amount'; error: PriceError | 'nothing' | 'store_increase' | 'never_not_confirmed' }
  | (SentChange<AmountChanged> & {
      requested: { amount_usd: string; isClearing: boolean };
      preview: PricePreview;
      receipt: Compared<PriceField>[];
    });

/** Sets a new price for the next renewal, or clears a pending one by sending the current price (document 2, Amount body). */
export async function changePrice(
  context: GameContext,
  actor: Actor,
  form: PriceForm,
  deadlines: ChangeDeadlines = {},
): Promise<PriceOutcome> {
  const started = await startChange(context, actor, form, readChangeFacts, deadlines);
  if (started.kind !== 'read') return started;
  const { subscription } = started;
  const { amount_usd: current, pending_amount_usd, status, paid_through } = subscription;
  const blocker = findPriceBlocker(subscription);
  if (blocker !== null || current === null) return { kind: 'blocked', blocker: blocker ?? 'price_unknown' };
  const parsed = parseNewPrice(form.amountText, current);
  if ('error' in parsed) return { kind: 'amount', error: parsed.error };
  const { amount_usd } = parsed;
  const preview = previewPrice({ ...subscription, amount_usd: current }, amount_usd);
  if (preview.kind === 'nothing') return { kind: 'amount', error: 'nothing' };
  if (preview.kind === 'refused') return { kind: 'amount', error: 'store_increase' };
  if (preview.kind === 'pending' && preview.applies !== 'applies' && !form.isNeverConfirmed)
    return { kind: 'amount', error: 'never_not_confirmed' };
  const sent = await sendChange<AmountChanged>(
    context,
    actor,
    {
      act: 'price change',
      subscriptionId: form.subscriptionId,
      content: { amount_usd, preview, before: { amount_usd: current, pending_amount_usd }, status, paid_through },
      send: (invo, signal) => sendAmountChange(invo, form.subscriptionId, amount_usd, signal),
      paid: ({ subscription: _, ...answer }) => answer,
    },
    deadlines.send_ms,
  );
  return {
    ...sent,
    requested: { amount_usd, isClearing: preview.kind === 'clears' },
    preview,
    receipt: sent.kind === 'done' ? comparePrice(preview, { current, amount_usd }, sent.answer) : [],
  };
}

/** The card form. `isConversionConfirmed`: the person confirmed that a wallet-only subscription is charged to the card from now on. */
export interface CardForm extends ChangeForm {
  cardId: number;
  isConversionConfirmed: boolean;
}

export type CardOutcome =
  | ChangeNotStarted
  | { kind: 'blocked'; blocker: CardBlocker }
  | { kind: 'card_gone' }
  | { kind: 'conversion_not_confirmed' }
  | (SentChange<CardChanged> & { card: SavedCard; isConversion: boolean });

/** Sets the card for all charges from now on, a pending retry included (document 2, Payment-method body). */
export async function changeCard(
  context: GameContext,
  actor: Actor,
  form: CardForm,
  deadlines: ChangeDeadlines = {},
): Promise<CardOutcome> {
  const started = await startChange(context, actor, form, readCardFacts, deadlines);
  if (started.kind !== 'read') return started;
  const { subscription, cards } = started;
  const blocker = findCardBlocker(subscription, cards?.length ?? null);
  if (blocker !== null) return { kind: 'blocked', blocker };
  const card = cards?.find(({ id }) => id === form.cardId);
  if (card === undefined) return { kind: 'card_gone' };
  const isConversion = subscription.wallet_only === true;
  if (isConversion && !form.isConversionConfirmed) return { kind: 'conversion_not_confirmed' };
  const { status, has_payment_method, next_charge_at } = subscription;
  const sent = await sendChange<CardChanged>(
    context,
    actor,
    {
      act: 'card change',
      subscriptionId: form.subscriptionId,
      content: { card: auditedCard(card), isConversion, status, has_payment_method, next_charge_at },
      send: (invo, signal) => {
        const request = { player_card_id: card.id, ...(isConversion ? { wallet_only: false } : {}) };
        return sendCardChange(invo, form.subscriptionId, request, signal);
      },
      paid: ({ replaced, wallet_only, card: set }) => ({ replaced, wallet_only, card: set && auditedCard(set) }),
    },
    deadlines.send_ms,
  );
  return { ...sent, card, isConversion };
}

function auditedCard({ id, brand, last_four }: SavedCard): Record<string, unknown> {
  return { player_card_id: id, brand: brand === null ? null : maskCardNumbers(brand), last_four };
}
