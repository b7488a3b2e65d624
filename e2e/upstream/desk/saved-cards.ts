import type { Player, SavedCard } from '../model.ts';
import type { Book } from '../report/book.ts';
import { between, pick, seeded } from '../seeded.ts';
import { DESK_CARDS } from '../world/desk-people.ts';
import { findPlayer } from './find-player.ts';

const BRANDS = ['visa', 'mastercard', 'amex', 'discover'];

/** The cards of a player saved by now, newest first, the expired ones too. Everybody seen has a good one; some have one that ran out. */
export function cardsOf(book: Book, player: Player): SavedCard[] {
  const joinedMs = findPlayer(book, player.email)?.joinedMs ?? Number.POSITIVE_INFINITY;
  const cards = DESK_CARDS[player.playerId] ?? seededCards(player.playerId, joinedMs);
  return cards.filter(({ createdMs }) => createdMs <= book.nowMs).sort((a, b) => b.createdMs - a.createdMs || b.id - a.id);
}

/** Whether the last day of the card's month is past. */
export function isExpired(card: SavedCard, nowMs: number): boolean {
  return nowMs >= Date.UTC(card.expYear, card.expMonth, 1);
}

function seededCards(playerId: number, joinedMs: number): SavedCard[] {
  const next = seeded(`cards|${playerId}`);
  const good = seededCard(next, { id: playerId * 10 + 2, createdMs: joinedMs + 600_000, expYear: 2035, expMonth: between(next, 1, 12) });
  if (next() >= 0.3 || !Number.isFinite(joinedMs)) return [good];
  const joined = new Date(joinedMs);
  const spent = { expYear: joined.getUTCFullYear(), expMonth: joined.getUTCMonth() + 1 };
  return [good, seededCard(next, { id: playerId * 10 + 1, createdMs: joinedMs + 300_000, ...spent })];
}

function seededCard(next: () => number, card: Omit<SavedCard, 'lastFour' | 'brand'>): SavedCard {
  return { ...card, lastFour: String(between(next, 0, 9999)).padStart(4, '0'), brand: pick(next, BRANDS) };
}
