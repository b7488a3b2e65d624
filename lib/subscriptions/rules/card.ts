import { maskEmailsIn } from '#lib/core/typed-text.ts';
import { isSubscriptionEnded } from './subscription.ts';

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

/** Masks emails and possible card numbers in free text, so that it can be kept in the audit log. */
export function maskPersonal(text: string): string {
  return maskCardNumbers(maskEmailsIn(text));
}
