import { DAY_MS } from '../instant.ts';
import type { Period, Recipient, Subscription, World } from '../model.ts';
import { percentOf } from '../money.ts';
import { seeded } from '../seeded.ts';
import type { Block } from './volume-plans.ts';

const IDS_FROM = 5_000_000_000;
const RECIPIENTS_FROM = 600_000;
const EPOCH = 1_750_000_000;

/** A world with many lines, one subscription per line. Stored in columns on first use; periods are created only for lines that are read. */
export function createVolumeWorld(plan: readonly Block[]): World {
  let laidOut: VolumeLines | null = null;
  function lines(): VolumeLines {
    laidOut ??= layOut(plan);
    return laidOut;
  }
  function period(index: number): Period | null {
    return index >= 0 && index < lines().paidMs.length ? lineAt(lines(), index) : null;
  }
  return {
    gameId: '41207',
    get quietAfterMs(): number {
      return lines().quietAfterMs;
    },
    paidBetween(startMs, endMs): Period[] {
      const { paidMs } = lines();
      const from = countBelow(startMs, paidMs.length, (index) => paidMs[index] ?? 0);
      const to = countBelow(endMs, paidMs.length, (index) => paidMs[index] ?? 0);
      return Array.from({ length: Math.max(0, to - from) }, (_, index) => lineAt(lines(), from + index));
    },
    refundedBetween(startMs, endMs): Period[] {
      const { refundOrder, refundMs } = lines();
      const valueAt = (index: number): number => refundMs[refundOrder[index] ?? 0] ?? 0;
      const from = countBelow(startMs, refundOrder.length, valueAt);
      const to = countBelow(endMs, refundOrder.length, valueAt);
      return Array.from(refundOrder.subarray(from, Math.max(from, to)), (index) => lineAt(lines(), index));
    },
    period: (id) => period(id - IDS_FROM),
    subscription(id): Subscription | null {
      const index = /^SUB_1750000000_([0-9A-Z]{8})$/.exec(id)?.[1];
      return index === undefined ? null : (period(Number.parseInt(index, 36))?.subscription ?? null);
    },
    periodsOf(subscription): Period[] {
      return [period(Number.parseInt(subscription.id.slice(-8), 36))].filter((found) => found !== null);
    },
    subscriptionsOf(email): Subscription[] {
      const index = /^member-(\d{1,9})@players\.example$/.exec(email)?.[1];
      return index === undefined ? [] : [period(Number(index))?.subscription].filter((found) => found !== undefined);
    },
    player: () => null,
    recipient(playerId): Recipient {
      const name = `Guild ${String(playerId - RECIPIENTS_FROM).padStart(5, '0')}`;
      return { playerId, identity: { name, email: `guild-${playerId}@creators.example`, identityId: `idn_volume_${playerId}` } };
    },
  };
}

function lineAt(lines: VolumeLines, index: number): Period {
  const paidMs = lines.paidMs[index] ?? 0;
  const refundMs = lines.refundMs[index] ?? 0;
  const recipientId = RECIPIENTS_FROM + (lines.recipient[index] ?? 0);
  const percentBp = 500 + ((recipientId * 7) % 11) * 250;
  const amount = BigInt(499 + ((index * 37) % 46) * 100) * 100n;
  const fee = percentOf(amount, 1000, 2);
  const base = amount - fee;
  return {
    id: IDS_FROM + index,
    subscription: subscriptionAt(index, recipientId, percentBp, amount),
    seq: 1,
    startMs: paidMs,
    endMs: paidMs + 30 * DAY_MS,
    paidMs,
    amount,
    fee,
    partner: base,
    places: 2,
    attribution: { recipientId, percentBp, base, attributed: percentOf(base, percentBp, 2) },
    reason: null,
    rail: 'card',
    coins: `${amount / 100n}.00`,
    balanceCoins: '0.00',
    isWalletCovered: false,
    attempts: 1,
    refunds:
      refundMs === 0
        ? []
        : [
            {
              atMs: refundMs,
              amount: index % 3 === 0 ? amount / 2n - ((amount / 2n) % 100n) : amount,
              basis: 'refund_receipts',
              partnerBasis: 'clawback',
            },
          ],
  };
}

function subscriptionAt(index: number, recipientId: number, percentBp: number, amount: bigint): Subscription {
  return {
    id: `SUB_${EPOCH}_${index.toString(36).toUpperCase().padStart(8, '0')}`,
    player: {
      playerId: 50_000_000 + index,
      name: `Member ${index}`,
      email: `member-${index}@players.example`,
      identityId: `idn_member_${index}`,
    },
    itemId: 'season-pass',
    itemName: 'Season pass',
    amount,
    intervalCount: 1,
    createdMs: EPOCH * 1000,
    share: { recipientId, rates: [{ fromMs: 0, percentBp }] },
    rail: 'card',
    walletOnly: false,
    ends: null,
  };
}

/** The lines of a volume world in columns, ordered by settlement. */
interface VolumeLines {
  paidMs: Float64Array;
  recipient: Int32Array;
  /** 0: never refunded. */
  refundMs: Float64Array;
  /** Line numbers ordered by refund. */
  refundOrder: Int32Array;
  quietAfterMs: number;
}

/** Creates the lines of a plan. The same plan always gives the same lines. */
function layOut(plan: readonly Block[]): VolumeLines {
  const count = plan.reduce((total, block) => total + block.lines, 0);
  const paid = new Float64Array(count);
  const who = new Int32Array(count);
  const refund = new Float64Array(count);
  let line = 0;
  for (const [number, block] of plan.entries()) {
    const next = seeded(`volume|${number}|${block.lines}|${block.recipients}`);
    for (let index = 0; index < block.lines; index += 1, line += 1) {
      const instantMs = block.startMs + Math.floor(next() ** block.crowding * (block.endMs - block.startMs));
      paid[line] = instantMs;
      who[line] = block.firstRecipient + (index % block.recipients);
      refund[line] = isRefunded(block, index) ? refundInstant(block, instantMs, next()) : 0;
    }
  }
  const order = Int32Array.from({ length: count }, (_, index) => index).sort((a, b) => (paid[a] ?? 0) - (paid[b] ?? 0) || a - b);
  const sorted = {
    paidMs: reorder(paid, order),
    recipient: Int32Array.from(order, (index) => who[index] ?? 0),
    refundMs: reorder(refund, order),
  };
  const refundOrder = Int32Array.from(sorted.refundMs.keys())
    .filter((index) => sorted.refundMs[index] !== 0)
    .sort((a, b) => (sorted.refundMs[a] ?? 0) - (sorted.refundMs[b] ?? 0) || a - b);
  return { ...sorted, refundOrder, quietAfterMs: Math.max(...plan.flatMap(({ endMs, refundEndMs }) => [endMs, refundEndMs])) };
}

/** The number of entries below a bound in an ascending column. */
function countBelow(bound: number, length: number, valueAt: (index: number) => number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isRefunded(block: Block, index: number): boolean {
  return Math.floor(((index + 1) * block.refunded) / block.lines) > Math.floor((index * block.refunded) / block.lines);
}

function refundInstant(block: Block, paidMs: number, chance: number): number {
  const from = Math.max(paidMs + 1, block.refundStartMs);
  return Math.min(block.refundEndMs - 1, from + Math.floor(chance * (block.refundEndMs - from)));
}

function reorder(column: Float64Array, order: Int32Array): Float64Array {
  return Float64Array.from(order, (index) => column[index] ?? 0);
}
