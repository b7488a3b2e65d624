import { describe, expect, test } from 'vitest';
import { proofSize } from '#lib/testing/proof.ts';
import { bisectionCalls, lowerBound } from '../testing/call-bounds.ts';
import { type ListOrder, readWorld } from '../testing/line-world.ts';
import { createWorld, FROM, UNTIL } from '../testing/line-world-plans.ts';

const OCTOBER = { start: new Date(FROM).toISOString(), end: new Date(UNTIL).toISOString() };

const NEWEST: ListOrder = { renewals: (line) => line.atMs, reversals: (_, events) => events.at(-1) ?? null, direction: -1 };
const ORDERS: Record<string, ListOrder> = {
  'newest first': NEWEST,
  'oldest first': { renewals: (line) => line.atMs, reversals: (_, events) => events.at(-1) ?? null, direction: 1 },
  'latest refund first': { renewals: (line) => line.atMs, reversals: (line) => line.refundsMs.at(-1) ?? null, direction: -1 },
  'latest refund last': { renewals: (line) => line.atMs, reversals: (line) => line.refundsMs.at(-1) ?? null, direction: 1 },
  'refunded lines first': {
    renewals: (line) => line.refundsMs.at(-1) ?? null,
    reversals: (line) => line.refundsMs.at(-1) ?? null,
    direction: -1,
  },
};
const SETTLEMENT: ListOrder = { renewals: (line) => line.atMs, reversals: (line) => line.atMs, direction: -1 };
const UNORDERED: ListOrder = { renewals: (line) => scatter(line.id), reversals: (line) => scatter(line.id), direction: 1 };

const SMALL = ['both 39', 'small random 1', 'small random 2', 'small random 3'];
const LARGE = ['maximal', 'one large', 'renewals 39', 'random 1', 'random 2', 'random 3'];

describe.each(proofSize(SMALL, [...SMALL, ...LARGE]))('a world laid out as "%s"', (name) => {
  const world = createWorld(name);

  test.each(Object.entries(ORDERS))('is read whole within its bound of calls when lines are listed %s', async (_, order) => {
    const { calls, missing, lines } = await readWorld(world, order, OCTOBER);
    expect(missing).toEqual([]);
    expect(calls).toBeLessThanOrEqual(1.25 * lowerBound(lines, 31) + 3);
  });

  test.each(Object.entries({ settlement: SETTLEMENT, 'nothing useful': UNORDERED }))(
    'is read whole in no more calls than halving takes when lines are listed by %s',
    async (_, order) => {
      const { calls, missing, lines } = await readWorld(world, order, OCTOBER);
      expect(missing).toEqual([]);
      expect(calls).toBeLessThanOrEqual(bisectionCalls(lines, FROM, UNTIL));
    },
  );
});

test('a few recipients among many are read again without the lines of the others', async () => {
  const { calls, lines, filledLines } = await readWorld(createWorld('two of many'), NEWEST, OCTOBER);
  expect(calls).toBeLessThanOrEqual(1.25 * lowerBound(lines, 31) + 3);
  expect(filledLines).toBeLessThan(2 * 1500);
});

function scatter(id: number): number {
  return Math.imul(id, 2_654_435_761) >>> 0;
}
