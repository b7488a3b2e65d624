import type { Usd } from './money.ts';

export type Environment = 'production' | 'sandbox';
export type UnattributedReason =
  | 'no_revenue_share_configured'
  | 'spend_order_not_found'
  | 'attribution_not_recorded'
  | 'attribution_malformed';
export type ReversalBasis = 'refund_receipts' | 'period_row';
export type PartnerBasis = 'clawback' | 'sale_fee_row_reversed' | 'none';
export type CycleStatus = 'pending' | 'paid' | 'failed' | 'forgiven' | 'refunded';

export interface Identity {
  email: string;
  name: string;
  identityId: string;
}

/** Somebody an amount is attributed to; `identity` null is the player record that cannot be found. */
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
  /** Null: no revenue share configured. Rates in force from an instant on, oldest first. */
  share: { recipientId: number; rates: { fromMs: number; percentBp: number }[] } | null;
  rail: 'card' | 'pcstore';
  walletOnly: boolean;
  /** When and how it ends; null while it goes on. */
  ends: { atMs: number; status: 'canceled' | 'expired' } | null;
  /** A live state of its own that the cycles do not tell, with the instant of the next touch as seen from a clock. */
  standing?: {
    fromMs: number;
    status: 'retrying' | 'awaiting_authentication' | 'pending_pcstore_authorization';
    nextTouchMs(nowMs: number): number | null;
  };
  /** A price staged and not applied. */
  stagedPrice?: Usd;
  /** When somebody asked for its end. */
  canceledMs?: number;
  metadata?: Record<string, unknown>;
}

export interface Refund {
  atMs: number;
  amount: Usd;
  basis: ReversalBasis;
  partnerBasis: PartnerBasis;
  /** The refund's own; absent, it is made of the period and the refund's number. */
  transactionId?: string;
}

/** One billing cycle with the figures recorded when it settled. */
export interface Period {
  id: number;
  subscription: Subscription;
  seq: number;
  startMs: number;
  endMs: number;
  /** Null: never paid, for the reason in `unpaidStatus`. */
  paidMs: number | null;
  /** How the instant is written on the wire when not as UTC milliseconds. */
  paidText?: string;
  unpaidStatus?: 'failed' | 'forgiven';
  amount: Usd;
  fee: Usd;
  partner: Usd;
  /** Decimal places the amounts derived from this period are rounded to. */
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
  /** What every refund of it fails with, without moving anything; absent: refunds succeed. */
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

/** Everything one game sold, whatever the clock says; half-open spans in milliseconds. */
export interface World {
  gameId: string;
  /** Nothing happens after this instant; Infinity for a world without end. */
  quietAfterMs: number;
  paidBetween(startMs: number, endMs: number): Period[];
  refundedBetween(startMs: number, endMs: number): Period[];
  period(id: number): Period | null;
  subscription(id: string): Subscription | null;
  periodsOf(subscription: Subscription): Period[];
  subscriptionsOf(email: string): Subscription[];
  /** A player of the game who need not hold a subscription. */
  player(email: string): Player | null;
  recipient(id: number): Recipient;
}
