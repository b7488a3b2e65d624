import type { GameView } from '../game-view.ts';
import type { Player, SavedCard } from '../model.ts';
import { between, pick, seeded } from '../seeded.ts';
import { nextNumber } from '../state/desk.ts';
import type { SupportStore } from '../state/stores.ts';
import { SUPPORT_CARDS, SUPPORT_COINS, SUPPORT_RESERVED } from '../world/support-people.ts';
import { loadCoins } from '../world/wallet-world.ts';

/** Recipients joined before any subscription named them. */
const RECIPIENTS_JOINED_MS = Date.UTC(2023, 10, 6, 15, 30);

export interface KnownPlayer {
  player: Player;
  joinedMs: number;
}

/** The player of an email: a subscriber, a recipient, a player the world lists, or one whom the desk knows. Null: unknown. */
export function findPlayer(view: GameView, email: string): KnownPlayer | null {
  const moved = view.desk.players.get(email);
  if (moved !== undefined) return { player: moved, joinedMs: RECIPIENTS_JOINED_MS };
  const started = view.world.subscriptionsOf(email).filter(({ createdMs }) => createdMs <= view.nowMs);
  const first = started.sort((a, b) => a.createdMs - b.createdMs)[0];
  if (first !== undefined) return { player: first.player, joinedMs: first.createdMs - 3_600_000 };
  const listed = view.world.player(email);
  if (listed !== null) return { player: listed, joinedMs: RECIPIENTS_JOINED_MS };
  const recipientId = Number(/(\d{4,9})@creators\.example$/.exec(email)?.[1] ?? '0');
  const identity = recipientId === 0 ? null : view.world.recipient(recipientId).identity;
  return identity?.email === email ? { player: { playerId: recipientId, ...identity }, joinedMs: RECIPIENTS_JOINED_MS } : null;
}

/** Creates the player of an email that the game doesn't know, without any coins. */
export function createPlayer({ view: { desk, world }, support }: { view: GameView; support: SupportStore }, email: string): Player {
  const playerId = 930_000 + nextNumber(desk, 'players');
  const player = { playerId, name: email.split('@')[0] ?? email, email, identityId: `idn_new_${world.gameId}_${playerId}` };
  desk.players.set(email, player);
  support.setCoins(playerId, 0n);
  support.setReserved(playerId, 0n);
  return player;
}

export interface Wallet {
  /** Hundredths of a coin; negative when a refund took more than was left. */
  available: bigint;
  reserved: bigint;
}

/** A player's coins: as changed since, else as the world has them. */
export function walletOf(support: SupportStore, playerId: number): Wallet {
  const next = seeded(`wallet|${playerId}`);
  const table = SUPPORT_COINS[playerId] ?? loadCoins(playerId);
  const available = BigInt(Math.floor(next() * 400) * 500);
  const reserved = next() < 0.1 ? BigInt(Math.floor(next() * 20) * 500) : 0n;
  return {
    available: support.coins(playerId) ?? table ?? available,
    reserved: support.reserved(playerId) ?? (table === undefined ? reserved : (SUPPORT_RESERVED[playerId] ?? 0n)),
  };
}

/** Adds coins, or takes them when negative, and returns what is available afterwards. */
export function changeCoins(support: SupportStore, playerId: number, delta: bigint): bigint {
  const after = walletOf(support, playerId).available + delta;
  support.setCoins(playerId, after);
  return after;
}

const BRANDS = ['visa', 'mastercard', 'amex', 'discover'];

/** The saved cards of a player, newest first, expired ones included. Every known player has a valid card; some have an expired one too. */
export function cardsOf(view: GameView, player: Player): SavedCard[] {
  const joinedMs = findPlayer(view, player.email)?.joinedMs ?? Number.POSITIVE_INFINITY;
  const cards = SUPPORT_CARDS[player.playerId] ?? seededCards(player.playerId, joinedMs);
  const saved = [...cards, ...(view.desk.cards.get(String(player.playerId)) ?? [])];
  return saved.filter(({ createdMs }) => createdMs <= view.nowMs).sort((a, b) => b.createdMs - a.createdMs || b.id - a.id);
}

/** Whether the card's last month has ended. */
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
