import { seeded } from '../seeded.ts';
import type { Block } from './volume-plans.ts';

/** A volume world's lines in columns, in the order they settle. */
export interface VolumeLines {
  paidMs: Float64Array;
  recipient: Int32Array;
  /** 0 = never refunded. */
  refundMs: Float64Array;
  /** Line numbers in the order of their refunds. */
  refundOrder: Int32Array;
  quietAfterMs: number;
}

/** Lays a plan's lines out; the same plan always gives the same lines. */
export function layOut(plan: readonly Block[]): VolumeLines {
  const count = plan.reduce((total, block) => total + block.lines, 0);
  const paid = new Float64Array(count);
  const who = new Int32Array(count);
  const refund = new Float64Array(count);
  let line = 0;
  for (const [number, block] of plan.entries()) {
    const next = seeded(`volume|${number}|${block.lines}|${block.recipients}`);
    for (let index = 0; index < block.lines; index += 1, line += 1) {
      const at = block.startMs + Math.floor(next() ** block.crowding * (block.endMs - block.startMs));
      paid[line] = at;
      who[line] = block.firstRecipient + (index % block.recipients);
      refund[line] = isRefunded(block, index) ? refundInstant(block, at, next()) : 0;
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

/** The number of leading entries whose value is below a bound, in a column that rises. */
export function countBelow(bound: number, length: number, valueAt: (index: number) => number): number {
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
