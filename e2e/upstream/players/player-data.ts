import type { Book } from '../game-view.ts';
import type { Player, SavedCard } from '../model.ts';
import { between, pick, seeded } from '../seeded.ts';
import type { DeskStore } from '../state/stores.ts';
import { DESK_CARDS, DESK_COINS } from '../world/support-people.ts';

/** Recipients joined before anybody nominated them. */
const RECIPIENTS_JOINED_MS = Date.UTC(2023, 10, 6, 15, 30);

export interface KnownPlayer {
  player: Player;
  joinedMs: number;
}

/** The player of the game behind an e-mail: who subscribes, who is paid to, or whom the world lists; null when never seen. */
export function findPlayer(book: Book, email: string): KnownPlayer | null {
  const begun = book.world.subscriptionsOf(email).filter(({ createdMs }) => createdMs <= book.nowMs);
  const first = begun.sort((a, b) => a.createdMs - b.createdMs)[0];
  if (first !== undefined) return { player: first.player, joinedMs: first.createdMs - 3_600_000 };
  const listed = book.world.player(email);
  if (listed !== null) return { player: listed, joinedMs: RECIPIENTS_JOINED_MS };
  const recipientId = Number(/(\d{4,9})@creators\.example$/.exec(email)?.[1] ?? '0');
  const identity = recipientId === 0 ? null : book.world.recipient(recipientId).identity;
  return identity?.email === email ? { player: { playerId: recipientId, ...identity }, joinedMs: RECIPIENTS_JOINED_MS } : null;
}

export interface Wallet {
  /** Hundredths of a coin; below zero when more was taken back than was left. */
  available: bigint;
  reserved: bigint;
}

/** A player's coins: what the world gives everybody, or what the desk made of it since. */
export function walletOf(desk: DeskStore, playerId: number): Wallet {
  const next = seeded(`wallet|${playerId}`);
  const table = DESK_COINS[playerId];
  const available = BigInt(Math.floor(next() * 400) * 500);
  const reserved = next() < 0.1 ? BigInt(Math.floor(next() * 20) * 500) : 0n;
  return { available: desk.coins(playerId) ?? table ?? available, reserved: table === undefined ? reserved : 0n };
}

/** Gives or takes coins and says what is available then. */
export function changeCoins(desk: DeskStore, playerId: number, delta: bigint): bigint {
  const after = walletOf(desk, playerId).available + delta;
  desk.setCoins(playerId, after);
  return after;
}

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
