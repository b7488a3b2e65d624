import type { ComparedRow } from '#app/[game]/_subscriptions/compared-table.tsx';
import { sayCard } from '#app/[game]/_subscriptions/say-card.ts';
import type { CardOutcome } from '#lib/subscriptions/change-card.ts';
import type { CardHindrance } from '#lib/subscriptions/rules/find-card-hindrance.ts';
import { nextChargeWords } from '#lib/subscriptions/rules/subscription-status.ts';
import type { ChangeField } from '../_change/change-state.ts';
import { sayFlag, sayInstant } from '../_change/say.ts';

type CardDone = Extract<CardOutcome, { kind: 'done' }>;
type CardChanged = CardDone['answer'];
type SavedCard = CardDone['card'];

export const CARD_HINDRANCES: Record<CardHindrance, { title: string; sentence: string }> = {
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
  return `${sayCard(card)}, ${until}`;
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
  const { label } = nextChargeWords(status, cancel_at_period_end === true);
  const next = next_charge_at === null ? 'No charge is planned now.' : `${label}: ${sayInstant(next_charge_at, timeZone)}.`;
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
      told: sayFlag(wallet_only),
      agrees: wallet_only === null ? null : !wallet_only,
    },
    {
      label: 'Took the place of another',
      field: 'replaced',
      expected: isConversion ? 'no' : null,
      told: sayFlag(replaced),
      agrees: isConversion && replaced !== null ? !replaced : null,
    },
  ];
}

/** Where a refusal of that code belongs. */
export function placeOfCardRefusal(errorCode: string | null): ChangeField {
  if (errorCode?.startsWith('WALLET_ONLY') === true) return 'conversion';
  return errorCode?.startsWith('PAYMENT_METHOD') === true ? 'card' : 'button';
}
