import { isSubscriptionEnded } from './subscription-status.ts';

/** Why no card can be set. `no_cards`: the player has none that is good. `player_unknown`: no e-mail of who holds the subscription is known. */
export type CardHindrance = 'ended' | 'pcstore' | 'player_unknown' | 'no_cards';

/** What stands in the way of a change of card (document 2, payment-method route); null: nothing. `cardCount` null: cards could not be asked for. */
export function findCardHindrance(
  { status, funding_rail }: { status: string | null; funding_rail: string | null },
  cardCount: number | null,
): CardHindrance | null {
  // Invo tells the rail first, and a store subscription never had a card to change.
  if (funding_rail === 'pcstore') return 'pcstore';
  if (isSubscriptionEnded(status)) return 'ended';
  if (cardCount === null) return 'player_unknown';
  return cardCount === 0 ? 'no_cards' : null;
}
