import type { Remembered } from '../game-view.ts';
import type { Refund } from '../model.ts';
import type { Json } from '../wire/answer.ts';

export interface KeptRefund extends Refund {
  periodId: number;
  /** Of a refund made by the refund route. */
  clientRequestId?: string;
}

export interface RefundStore extends Remembered {
  add(refund: KeptRefund): void;
  all(): KeptRefund[];
  clear(): void;
}

/** The refunds made in the service since its world was written. */
export function createRefundStore(): RefundStore {
  let byPeriod = new Map<number, KeptRefund[]>();
  let changes = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    get version(): number {
      return changes;
    },
    get lastRefundMs(): number {
      return lastMs;
    },
    refundsOf: (periodId) => byPeriod.get(periodId) ?? [],
    refundedIds: () => byPeriod.keys(),
    add(refund): void {
      byPeriod.set(refund.periodId, [...(byPeriod.get(refund.periodId) ?? []), refund]);
      lastMs = Math.max(lastMs, refund.atMs);
      changes += 1;
    },
    all: () => [...byPeriod.values()].flat(),
    clear(): void {
      byPeriod = new Map();
      lastMs = Number.NEGATIVE_INFINITY;
      changes += 1;
    },
  };
}

/** What is kept of an executed refund: `lost` says that repeats find no receipt, or not even that. */
export interface KeptReceipt {
  clientRequestId: string;
  subscriptionId: string;
  periodId: number;
  transactionId: string;
  orderId: string;
  receipt: Json;
  lost: 'receipt' | 'reference' | null;
}

/** What was asked of a subscription since its world was written. */
interface SubscriptionChange {
  updatedMs: number;
  cancel?: { requestedMs: number; endsMs: number; reason: string | null };
  /** Staged prices in ten-thousandths of a dollar, each for cycles from `fromSeq` on; oldest first. */
  prices?: { fromSeq: number; amount: string; isApplicable: boolean }[];
  cardId?: number;
}

export interface WrittenDesk {
  receipts: KeptReceipt[];
  cardRefunds: [clientRequestId: string, reference: string][];
  /** Hundredths of a coin. */
  coins: [playerId: number, coins: string][];
  changes: [subscriptionId: string, change: SubscriptionChange][];
}

export interface DeskStore {
  readonly version: number;
  receipt(clientRequestId: string): KeptReceipt | null;
  receipts(): KeptReceipt[];
  keep(receipt: KeptReceipt): void;
  /** The card refund an earlier failed attempt of this key left at the processor. */
  cardRefund(clientRequestId: string): string | null;
  keepCardRefund(clientRequestId: string, reference: string): void;
  /** A player's coins in hundredths, null while nobody touched them. */
  coins(playerId: number): bigint | null;
  setCoins(playerId: number, coins: bigint): void;
  changeOf(subscriptionId: string): SubscriptionChange | null;
  change(subscriptionId: string, change: SubscriptionChange): void;
  written(): WrittenDesk;
  clear(): void;
}

/** What support's routes did in one game; nothing is written to disk here. */
export function createDeskStore(written: WrittenDesk | undefined): DeskStore {
  const receipts = new Map((written?.receipts ?? []).map((kept) => [kept.clientRequestId, kept]));
  const cardRefunds = new Map(written?.cardRefunds);
  const coins = new Map((written?.coins ?? []).map(([playerId, text]) => [playerId, BigInt(text)]));
  const changes = new Map(written?.changes);
  let version = written === undefined ? 0 : 1;
  function put<K, V>(map: Map<K, V>, key: K, value: V): void {
    map.set(key, value);
    version += 1;
  }
  return {
    get version(): number {
      return version;
    },
    receipt: (key) => receipts.get(key) ?? null,
    receipts: () => [...receipts.values()],
    keep: (receipt) => put(receipts, receipt.clientRequestId, receipt),
    cardRefund: (key) => cardRefunds.get(key) ?? null,
    keepCardRefund: (key, reference) => put(cardRefunds, key, reference),
    coins: (playerId) => coins.get(playerId) ?? null,
    setCoins: (playerId, amount) => put(coins, playerId, amount),
    changeOf: (id) => changes.get(id) ?? null,
    change: (id, change) => put(changes, id, change),
    written: () => ({
      receipts: [...receipts.values()],
      cardRefunds: [...cardRefunds],
      coins: [...coins].map(([playerId, amount]) => [playerId, amount.toString()]),
      changes: [...changes],
    }),
    clear(): void {
      for (const map of [receipts, cardRefunds, coins, changes]) map.clear();
      version += 1;
    },
  };
}
