import { maskEmailsIn } from '#lib/core/typed-text.ts';
import { isSubscriptionEnded } from './subscription.ts';

/** Why no card can be set. `no_cards`: the player has none that is good. `player_unknown`: no e-mail of who holds the subscription is known. */
export type CardBlocker = 'ended' | 'pcstore' | 'player_unknown' | 'no_cards';

/** What stands in the way of a change of card (document 2, payment-method route); null: nothing. `cardCount` null: cards could not be asked for. */
export function findCardBlocker(
  { status, funding_rail }: { status: string | null; funding_rail: string | null },
  cardCount: number | null,
): CardBlocker | null {
  // Invo tells the rail first, and a store subscription never had a card to change.
  if (funding_rail === 'pcstore') return 'pcstore';
  if (isSubscriptionEnded(status)) return 'ended';
  if (cardCount === null) return 'player_unknown';
  return cardCount === 0 ? 'no_cards' : null;
}

// Twelve digits or more, in whatever script, parted as card numbers are (a time of day has colons): what a whole card number looks like.
const CARD_NUMBER = /\p{Nd}(?:[\s\p{Pd}\p{Cf}.]{0,3}\p{Nd}){11,}/gu;

/** A text with the last four digits alone of whatever may be the number of a card. */
export function coverCardNumbers(text: string): string {
  return text.replaceAll(CARD_NUMBER, (number) => `•••• ${(number.match(/\p{Nd}/gu) ?? []).slice(-4).join('')}`);
}

/** Free words fit to be kept on record: e-mails masked, and of what may be the number of a card the last four digits. */
export function coverPersonal(text: string): string {
  return coverCardNumbers(maskEmailsIn(text));
}
