import type { Actor } from '../core/roles.ts';
import type { GameContext } from '../games/game-context.ts';
import type { CardChanged } from '../invo/routes/subscription-changes.ts';
import { sendCardChange } from '../invo/routes/subscription-changes.ts';
import type { SavedCard } from '../invo/routes/support-reads.ts';
import { readCardFacts } from './read-change-facts.ts';
import { type CardBlocker, findCardBlocker, maskCardNumbers } from './rules/changes.ts';
import { type ChangeDeadlines, type ChangeForm, type ChangeNotStarted, type SentChange, sendChange, startChange } from './send-change.ts';

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
