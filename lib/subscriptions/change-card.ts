import type { GameContext } from '../games/game-context.ts';
import type { CardChanged } from '../invo/routes/subscription-changes.ts';
import type { SavedCard } from '../invo/routes/support-reads.ts';
import type { Actor } from '../people/rules/person.ts';
import { beginChange, type ChangeForm, type ChangeNotBegun, type ChangePatience } from './begin-change.ts';
import { readCardFacts } from './read-change-facts.ts';
import { coverCardNumbers } from './rules/cover-personal.ts';
import { type CardHindrance, findCardHindrance } from './rules/find-card-hindrance.ts';
import { type SentChange, sendChange } from './send-change.ts';

/** The form of a change of card. `isConversionConfirmed`: the person ticked that a wallet-only subscription is charged to the card from now on. */
export interface CardForm extends ChangeForm {
  cardId: number;
  isConversionConfirmed: boolean;
}

export type CardOutcome =
  | ChangeNotBegun
  | { kind: 'hindered'; hindrance: CardHindrance }
  | { kind: 'card_gone' }
  | { kind: 'conversion_not_confirmed' }
  | (SentChange<CardChanged> & { card: SavedCard; isConversion: boolean });

/** Sets the card that pays from the next charge on, a pending retry included (document 2, Payment-method body). */
export async function changeCard(desk: GameContext, actor: Actor, form: CardForm, patience: ChangePatience = {}): Promise<CardOutcome> {
  const begun = await beginChange(desk, actor, form, readCardFacts, patience);
  if (begun.kind !== 'read') return begun;
  const { subscription, cards } = begun;
  const hindrance = findCardHindrance(subscription, cards?.length ?? null);
  if (hindrance !== null) return { kind: 'hindered', hindrance };
  const card = cards?.find(({ id }) => id === form.cardId);
  if (card === undefined) return { kind: 'card_gone' };
  const isConversion = subscription.wallet_only === true;
  if (isConversion && !form.isConversionConfirmed) return { kind: 'conversion_not_confirmed' };
  const { status, has_payment_method, next_charge_at } = subscription;
  const sent = await sendChange<CardChanged>(
    desk,
    actor,
    {
      act: 'change a card',
      subscriptionId: form.subscriptionId,
      content: { card: tellCard(card), isConversion, status, has_payment_method, next_charge_at },
      send: (changes, signal) => {
        const request = { player_card_id: card.id, ...(isConversion ? { wallet_only: false } : {}) };
        return changes.changeCard(form.subscriptionId, request, signal);
      },
      kept: ({ replaced, wallet_only, card: set }) => ({ replaced, wallet_only, card: set && tellCard(set) }),
    },
    patience.send_ms,
  );
  return { ...sent, card, isConversion };
}

function tellCard({ id, brand, last_four }: SavedCard): Record<string, unknown> {
  return { player_card_id: id, brand: brand === null ? null : coverCardNumbers(brand), last_four };
}
