import type { Usd } from './money.ts';

/** A game of the service: two in production, distinguished by their secrets, and one in the sandbox. */
export type Environment = 'production' | 'sandbox' | 'emberfall';
export type UnattributedReason =
  | 'no_revenue_share_configured'
  | 'spend_order_not_found'
  | 'attribution_not_recorded'
  | 'attribution_malformed';
export type ReversalBasis = 'refund_receipts' | 'period_row';
export type PartnerBasis = 'clawback' | 'sale_fee_row_reversed' | 'none';
export type PeriodStatus = 'pending' | 'paid' | 'failed' | 'forgiven' | 'refunded';

export interface Identity {
  email: string;
  name: string;
  identityId: string;
}

/** A recipient of attributed amounts. `identity` null: the player record can't be found. */
export interface Recipient {
  playerId: number;
  identity: Identity | null;
}

export type Player = Identity & { playerId: number };

export interface Subscription {
  id: string;
  player: Player;
  itemId: string;
  itemName: string;
  amount: Usd;
  intervalCount: number;
  createdMs: number;
  /** Null: no revenue share configured. Each rate applies from its instant on; oldest first. */
  share: { recipientId: number; rates: { fromMs: number; percentBp: number }[] } | null;
  rail: 'card' | 'pcstore';
  walletOnly: boolean;
  /** When and how it ends; null: it doesn't. */
  ends: { atMs: number; status: 'canceled' | 'expired' } | null;
  /** A live status that the periods do not imply, with the next attempt as seen from a clock. */
  liveStatus?: {
    fromMs: number;
    status: 'retrying' | 'awaiting_authentication' | 'pending_pcstore_authorization';
    nextAttemptMs(nowMs: number): number | null;
  };
  /** A price that is staged and not applied. */
  stagedPrice?: Usd;
  /** When its cancellation was requested. */
  canceledMs?: number;
  metadata?: Record<string, unknown>;
}

export interface Refund {
  atMs: number;
  amount: Usd;
  basis: ReversalBasis;
  partnerBasis: PartnerBasis;
  /** Absent: derived from the period and the refund's number. */
  transactionId?: string;
}

/** A period with the figures recorded when it settled. */
export interface Period {
  id: number;
  subscription: Subscription;
  seq: number;
  startMs: number;
  endMs: number;
  /** Null: never paid, for the reason in `unpaidStatus`. */
  paidMs: number | null;
  /** The instant as written in answers, when not UTC with milliseconds. */
  paidText?: string;
  unpaidStatus?: 'failed' | 'forgiven';
  amount: Usd;
  fee: Usd;
  partner: Usd;
  /** Decimal places to which derived amounts are rounded. */
  places: 2 | 4;
  attribution: { recipientId: number; percentBp: number; isPercentNumber?: boolean; base: Usd; attributed: Usd } | null;
  reason: UnattributedReason | null;
  rail: 'card' | 'pcstore';
  coins: string;
  balanceCoins: string;
  isWalletCovered: boolean;
  fees?: { passThrough: Usd; chargeback: Usd; held: Usd };
  attempts: number;
  refunds: readonly Refund[];
  /** The error of every refund of the period; nothing is moved. Absent: refunds succeed. */
  refundError?: { status: number; code: string };
}

export interface SavedCard {
  id: number;
  lastFour: string;
  brand: string;
  expMonth: number;
  expYear: number;
  createdMs: number;
}

/** Everything one game sold, at any time. Spans are half-open, in milliseconds. */
export interface World {
  gameId: string;
  /** Nothing happens after this instant; Infinity: no end. */
  quietAfterMs: number;
  paidBetween(startMs: number, endMs: number): Period[];
  refundedBetween(startMs: number, endMs: number): Period[];
  period(id: number): Period | null;
  subscription(id: string): Subscription | null;
  periodsOf(subscription: Subscription): Period[];
  subscriptionsOf(email: string): Subscription[];
  /** Every player of the game, each once; absent: the world lists none. */
  players?(nowMs: number): Iterable<Player>;
  /** A player by email, with or without a subscription. */
  player(email: string): Player | null;
  recipient(id: number): Recipient;
}
