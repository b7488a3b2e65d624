import type { Environment, Player, SavedCard } from '../model.ts';
import type { Json } from '../wire/answer.ts';

export type Book = 'currency' | 'items';

/** An order of currency or items, with its fields as the contract names them elsewhere. */
export interface Order {
  orderId: string;
  transactionId: string | null;
  reference: string;
  player: Player;
  fields: Json;
}

/** A checkout session. */
export interface Session {
  sessionId: string;
  token: string;
  email: string;
  usd: string;
  rail: string;
  metadata: Json | null;
  expiresMs: number;
  state: 'minted' | 'opened' | 'paid' | 'failed' | 'cancelled';
  /** Of the payment; null: none was tried. */
  orderId: string | null;
}

/** A card set-up. */
export interface SetUp {
  setupId: string;
  reference: string;
  playerId: number;
  status: 'succeeded' | 'requires_action' | 'requires_confirmation' | 'requires_payment_method';
  card: SavedCard | null;
  isAlreadySaved: boolean;
  clientSecret: string;
}

/** A purchase by its reference, until time ends what its first call didn't. */
export interface Purchase {
  orderId: string;
  method: string;
  calls: number;
  becomes: 'completed' | 'failed' | 'cancelled';
  /** Null: time changes nothing any more. */
  settlesMs: number | null;
}

/** A personal link to the page of rewards. */
interface RewardsLink {
  playerId: number;
  expiresMs: number;
}

/** A player token. */
export interface Token {
  token: string;
  player: Player;
  expiresMs: number;
}

/** A gameplay event, recorded once under its id. */
interface GameEvent {
  playerId: number;
  source: 'server' | 'client';
  type: string;
  /** The milestone or registered event; null: another type. */
  name: string | null;
  /** The next call with its id is answered 409, as if nothing had been recorded. */
  isDenied: boolean;
}

/** What became of a reward. */
export interface VaultState {
  state: 'unlocked' | 'reserved' | 'redeemed' | 'expired' | 'revoked';
  redeemedMs: number | null;
  code: string | null;
}

/** An item sale under its key. */
export interface ItemSale {
  transactionId: string;
  orderId: string;
  soldMs: number;
}

/** A send of coins to another person, or a transfer of one's own to another game. Transfers between the games of production are stored once. */
export interface Transfer {
  transactionId: string;
  orderId: string;
  kind: 'send' | 'transfer';
  /** Null: the world's. */
  key: string | null;
  fromGame: string;
  toGame: string;
  sender: Player;
  /** Null: not given. */
  toEmail: string | null;
  toPhone: string;
  /** Null: the number belongs to several players, or to none. */
  toIdentityId: string | null;
  amount: string;
  netAmount: string;
  transactionStatus: 'pending_approval' | 'pending_claim' | 'completed' | 'claim_expired' | 'refunded' | 'failed';
  verification: 'awaiting' | 'approved' | 'completed' | 'expired' | 'failed';
  createdMs: number;
  /** Null: the window starts when a guardian agrees. */
  approveUntilMs: number | null;
  claimCode: string | null;
  /** Null: not collectable. */
  claimUntilMs: number | null;
  guardian: Guardian | null;
  /** The owner of the receiver's number has to agree before the start is answered with success. */
  isHeld: boolean;
  isReserved: boolean;
}

/** The answer of a guardian to a minor's transfer. */
export interface Guardian {
  approvalId: string;
  state: 'pending' | 'approved' | 'rejected' | 'expired';
  expiresMs: number;
}

/** A request that a player’s phone approves or denies. */
export interface Grant {
  deviceCode: string;
  userCode: string;
  transactionId: string;
  flow: string;
  /** Of the game that started it. */
  environment: Environment;
  playerId: number;
  token: string;
  state: 'pending' | 'approved' | 'denied' | 'superseded';
  expiresMs: number;
  approvedMs: number | null;
  intervalSeconds: number;
  /** By the clock of the rate limits; null: not polled yet. */
  polledMs: number | null;
  /** A phone that has to be set up first; null: a known phone. */
  enrolment: { state: 'awaiting_screen' | 'confirmed'; deviceLabel: string; matchCode: string } | null;
}

/** What the owner of a number says about another email that gives it. */
export interface PhoneShare {
  approvalId: string;
  phone: string;
  email: string;
  state: 'pending' | 'approved' | 'rejected';
  textedMs: number;
  expiresMs: number;
}

/** What one game's players and partners changed since the world was created, by table and key. Every record is JSON. */
interface Tables {
  /** Orders that are new or no longer as the world has them, by book and id. */
  orders: Order & { book: Book };
  /** The bank's check of a payment or a card set-up, by its intent. */
  challenges: 'done' | 'failed';
  /** Cards saved since, by player id. */
  cards: SavedCard[];
  /** Checkout sessions, by id. */
  sessions: Session;
  /** Card set-ups that are new or no longer as the world has them, by id. */
  setUps: SetUp;
  /** Purchases, by reference. */
  purchases: Purchase;
  /** Links to the page of rewards, by token. */
  rewardsLinks: RewardsLink;
  /** Item sales, by idempotency key. */
  itemSales: ItemSale;
  /** Gameplay events, by event id. */
  events: GameEvent;
  /** Rewards that changed, by vault entry id. */
  vault: VaultState;
  /** Player tokens, by token. */
  tokens: Token;
  /** Whose email it is now, by email: moved to another player, or a player that a purchase created. */
  players: Player;
  /** Sends and transfers, by transaction. */
  transfers: Transfer;
  /** Device grants, by device code. */
  grants: Grant;
  /** Phone-share approvals, by id. */
  shares: PhoneShare;
  /** When codes were texted to a number within the last hour, by number. */
  texts: number[];
  /** Counters, by name. */
  counters: number;
}

export type Desk = { readonly [T in keyof Tables]: Map<string, Tables[T]> };
export type StoredDesk = { [T in keyof Tables]?: [string, Tables[T]][] };

/** The tables of one game, with what an earlier run stored. Writes nothing to disk. */
export function createDesk(stored: StoredDesk = {}): Desk {
  return {
    orders: new Map(stored.orders),
    challenges: new Map(stored.challenges),
    cards: new Map(stored.cards),
    sessions: new Map(stored.sessions),
    setUps: new Map(stored.setUps),
    purchases: new Map(stored.purchases),
    rewardsLinks: new Map(stored.rewardsLinks),
    itemSales: new Map(stored.itemSales),
    events: new Map(stored.events),
    vault: new Map(stored.vault),
    tokens: new Map(stored.tokens),
    players: new Map(stored.players),
    transfers: new Map(stored.transfers),
    grants: new Map(stored.grants),
    shares: new Map(stored.shares),
    texts: new Map(stored.texts),
    counters: new Map(stored.counters),
  };
}

/** The tables as JSON. */
export function storedDesk(desk: Desk): StoredDesk {
  return Object.fromEntries(Object.entries(desk).map(([table, rows]) => [table, [...rows]]));
}

/** Empties every table. */
export function clearDesk(desk: Desk): void {
  for (const rows of Object.values(desk)) rows.clear();
}

/** The next number of a counter, from 1. */
export function nextNumber(desk: Desk, counter: string): number {
  const number = (desk.counters.get(counter) ?? 0) + 1;
  desk.counters.set(counter, number);
  return number;
}
