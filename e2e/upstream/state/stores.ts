import type { RecordedRefunds } from '../game-view.ts';
import type { Refund } from '../model.ts';
import type { Json } from '../wire/answer.ts';

export interface RecordedRefund extends Refund {
  periodId: number;
  /** Set for refunds made by the refund route. */
  clientRequestId?: string;
}

export interface RefundStore extends RecordedRefunds {
  add(refund: RecordedRefund): void;
  all(): RecordedRefund[];
  clear(): void;
}

/** The refunds made since the world was created. */
export function createRefundStore(): RefundStore {
  let byPeriod = new Map<number, RecordedRefund[]>();
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

/** What is stored of an executed refund. `lost`: repeats get a reduced body, or only a reference. */
export interface StoredReceipt {
  clientRequestId: string;
  subscriptionId: string;
  periodId: number;
  transactionId: string;
  orderId: string;
  receipt: Json;
  lost: 'receipt' | 'reference' | null;
}

/** The changes made to a subscription since the world was created. */
interface SubscriptionChange {
  updatedMs: number;
  cancel?: { requestedMs: number; endsMs: number; reason: string | null };
  /** Staged prices in ten-thousandths of a dollar, each for periods from `fromSeq` on; oldest first. */
  prices?: { fromSeq: number; amount: string; isApplicable: boolean }[];
  cardId?: number;
}

export interface StoredSupport {
  receipts: StoredReceipt[];
  cardRefunds: [clientRequestId: string, reference: string][];
  /** Hundredths of a coin. */
  coins: [playerId: number, coins: string][];
  /** Hundredths of a coin. Absent in files written before coins could be reserved. */
  reserved?: [playerId: number, coins: string][];
  changes: [subscriptionId: string, change: SubscriptionChange][];
}

export interface SupportStore {
  readonly version: number;
  receipt(clientRequestId: string): StoredReceipt | null;
  receipts(): StoredReceipt[];
  keep(receipt: StoredReceipt): void;
  /** The card refund that a failed attempt with this key left at the processor. */
  cardRefund(clientRequestId: string): string | null;
  keepCardRefund(clientRequestId: string, reference: string): void;
  /** A player's coins in hundredths; null: unchanged. */
  coins(playerId: number): bigint | null;
  setCoins(playerId: number, coins: bigint): void;
  /** A player's reserved coins in hundredths; null: unchanged. */
  reserved(playerId: number): bigint | null;
  setReserved(playerId: number, coins: bigint): void;
  changeOf(subscriptionId: string): SubscriptionChange | null;
  change(subscriptionId: string, change: SubscriptionChange): void;
  stored(): StoredSupport;
  clear(): void;
}

/** What the write routes changed in one game. Writes nothing to disk. */
export function createSupportStore(stored: StoredSupport | undefined): SupportStore {
  const receipts = new Map((stored?.receipts ?? []).map((receipt) => [receipt.clientRequestId, receipt]));
  const cardRefunds = new Map(stored?.cardRefunds);
  const coins = new Map((stored?.coins ?? []).map(([playerId, text]) => [playerId, BigInt(text)]));
  const reserved = new Map((stored?.reserved ?? []).map(([playerId, text]) => [playerId, BigInt(text)]));
  const changes = new Map(stored?.changes);
  let version = stored === undefined ? 0 : 1;
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
    reserved: (playerId) => reserved.get(playerId) ?? null,
    setReserved: (playerId, amount) => put(reserved, playerId, amount),
    changeOf: (id) => changes.get(id) ?? null,
    change: (id, change) => put(changes, id, change),
    stored: () => ({
      receipts: [...receipts.values()],
      cardRefunds: [...cardRefunds],
      coins: [...coins].map(([playerId, amount]) => [playerId, amount.toString()]),
      reserved: [...reserved].map(([playerId, amount]) => [playerId, amount.toString()]),
      changes: [...changes],
    }),
    clear(): void {
      for (const map of [receipts, cardRefunds, coins, reserved, changes]) map.clear();
      version += 1;
    },
  };
}
