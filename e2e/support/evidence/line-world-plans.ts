import type { WorldLine } from './line-world.ts';

export const FROM = Date.UTC(2026, 9, 1);
export const UNTIL = Date.UTC(2026, 10, 1);
const DAY = 86_400_000;

interface Block {
  lines: number;
  recipients: number;
  first?: number;
  refunded?: number;
  refundedAgain?: number;
  earlier?: boolean;
  crowding?: number;
}

/** Lays out a world by its name: lines of October 2026, and of September where they are refunded in October. The same name always gives the same lines. */
export function createWorld(name: string): WorldLine[] {
  const next = randomOf(name);
  const blocks: Record<string, Block[]> = {
    maximal: [
      { lines: 3500, recipients: 5, refunded: 0.3 },
      { lines: 16_500, recipients: 1995, first: 5, refunded: 0.5 },
      { lines: 9000, recipients: 1995, first: 5, refunded: 1, earlier: true },
    ],
    'one large': [
      { lines: 19_000, recipients: 1 },
      { lines: 900, recipients: 60, first: 1 },
    ],
    'two of many': [
      { lines: 2000, recipients: 2 },
      { lines: 8000, recipients: 400, first: 2 },
    ],
    'renewals 39': [{ lines: 39 * 512, recipients: 39 }],
    'both 39': [
      { lines: 39 * 512, recipients: 39 },
      { lines: 39 * 512, recipients: 39, first: 39, refunded: 1, earlier: true },
    ],
    'refunded 39': [{ lines: 39 * 512, recipients: 39, refunded: 1, refundedAgain: 0.3 }],
    'refunded 20 of many': [
      { lines: 14_000, recipients: 20, refunded: 0.6, refundedAgain: 0.2 },
      { lines: 5900, recipients: 700, first: 20 },
    ],
  };
  const plan = blocks[name] ?? randomPlan(next, name.startsWith('small') ? 5000 : 19_500);
  const lines: WorldLine[] = [];
  for (const block of plan) {
    for (let index = 0; index < block.lines; index += 1) {
      const from = block.earlier ? FROM - 31 * DAY : FROM;
      const startMs = from + Math.floor(next() ** (block.crowding ?? 1) * 31 * DAY * 0.999);
      const end = block.earlier ? FROM : UNTIL;
      const atMs = Math.min(end - 1, startMs + (next() < 0.04 ? Math.floor(next() * 3 * DAY) : Math.floor(next() * 60_000)));
      const refundsMs: number[] = [];
      if (next() < (block.refunded ?? 0.02)) {
        const first = Math.max(atMs + 1, FROM);
        refundsMs.push(first + Math.floor(next() * (UNTIL - first)));
        if (next() < (block.refundedAgain ?? 0.05)) refundsMs.push((refundsMs[0] ?? 0) + 1 + Math.floor(next() * 25 * DAY));
      }
      lines.push({
        id: lines.length + 1,
        recipient: 1000 + (block.first ?? 0) + (index % block.recipients),
        atMs,
        startMs,
        cents: 499 + (index % 7) * 100,
        refundsMs,
      });
    }
  }
  return lines;
}

function randomPlan(next: () => number, lines_max: number): Block[] {
  const blocks: Block[] = [];
  let first = 0;
  let left = lines_max;
  while (left > 500 && blocks.length < 6) {
    const lines = Math.min(left, 500 + Math.floor(next() * 8000));
    const recipients = 1 + Math.floor(next() ** 4 * 400);
    blocks.push({ lines, recipients, first, refunded: next() * 0.6, refundedAgain: next() * 0.15, crowding: 1 });
    first += recipients;
    left -= lines;
  }
  return blocks;
}

function randomOf(seed: string): () => number {
  let state = [...seed].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619), 2_166_136_261) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
