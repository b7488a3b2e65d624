import type { Player, SavedCard } from '../model.ts';
import type { Book } from '../report/book.ts';
import { between, pick, seeded } from '../seeded.ts';
import { DESK_CARDS } from '../world/desk-people.ts';

const BRANDS = ['visa', 'mastercard', 'amex', 'discover'];

/** The cards of a player saved by now, newest first, the expired ones too. Everybody has a good one; some have one that ran out. */
export function cardsOf(book: Book, player: Player): SavedCard[] {
  const cards = DESK_CARDS[player.playerId] ?? seededCards(player.playerId);
  return cards.filter(({ createdMs }) => createdMs <= book.nowMs).sort((a, b) => b.createdMs - a.createdMs || b.id - a.id);
}

/** Whether the last day of the card's month is past. */
export function isExpired(card: SavedCard, nowMs: number): boolean {
  return nowMs >= Date.UTC(card.expYear, card.expMonth, 1);
}

function seededCards(playerId: number): SavedCard[] {
  const next = seeded(`cards|${playerId}`);
  const good = seededCard(next, playerId * 10 + 2, 2022, 2035);
  return next() < 0.3 ? [good, seededCard(next, playerId * 10 + 1, 2019, 2022)] : [good];
}

function seededCard(next: () => number, id: number, createdYear: number, expYear: number): SavedCard {
  return {
    id,
    lastFour: String(between(next, 0, 9999)).padStart(4, '0'),
    brand: pick(next, BRANDS),
    expMonth: between(next, 1, 12),
    expYear,
    createdMs: Date.UTC(createdYear, between(next, 0, 11), between(next, 1, 28), between(next, 0, 23)),
  };
}
