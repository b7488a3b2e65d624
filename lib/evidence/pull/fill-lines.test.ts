import { describe, expect, test } from 'vitest';
import { bisectionCalls, lowerBound } from '#e2e/support/evidence/call-bounds.ts';
import { type ListOrder, readWorld, type WorldLine } from '#e2e/support/evidence/line-world.ts';
import { createWorld, FROM, UNTIL } from '#e2e/support/evidence/line-world-plans.ts';
import { proofSize } from '#e2e/support/proof.ts';

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
const DAY_MS = 86_400_000;
/** Lines by a time within the window, roughly or to the day, and by a field that follows it: none of them is what a plan was written for. */
const TIMED: Record<string, (line: WorldLine, atMs: number) => number> = {
  'by the day alone': (line, atMs) => Math.floor(atMs / DAY_MS) * DAY_MS + (scatter(line.id) % DAY_MS),
  'within an hour': (line, atMs) => atMs + (scatter(line.id) % 3_600_000),
  'by time': (_, atMs) => atMs,
  'by the start of their period': (line) => line.startMs,
};
/** Lines in groups, or by what has nothing to do with time. */
const GROUPED: Record<string, (line: WorldLine, atMs: number) => number | null> = {
  'by price, then time': (line, atMs) => line.cents * 1e13 + atMs,
  'refunded ones last, then time': (line, atMs) => (line.refundsMs.length > 0 ? 1e14 : 0) + atMs,
  'by latest refund, others last': (line) => line.refundsMs.at(-1) ?? null,
  'by id': (line) => line.id,
  'in no order': (line) => scatter(line.id),
};

function orderBy(key: (line: WorldLine, atMs: number) => number | null, direction: 1 | -1): ListOrder {
  return { renewals: (line) => key(line, line.atMs), reversals: (line, events) => key(line, events.at(-1) ?? 0), direction };
}

const SETTLEMENT: ListOrder = { renewals: (line) => line.atMs, reversals: (line) => line.atMs, direction: -1 };
const UNORDERED: ListOrder = { renewals: (line) => scatter(line.id), reversals: (line) => scatter(line.id), direction: 1 };

const SMALL = ['small random 1'];
const LARGE = ['both 39', 'small random 2', 'small random 3', 'maximal', 'one large', 'renewals 39', 'random 1', 'random 2', 'random 3'];

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

const BOTH_WAYS = [1, -1] as const;
const UNSEEN = proofSize(
  ['small random 5'],
  ['small random 5', 'small random 15', 'random 7', 'refunded 39', 'refunded 20 of many', 'both 39', 'maximal'],
);

describe.each(UNSEEN)('a world laid out as "%s", in an order of lines that no plan was written for', (name) => {
  const world = createWorld(name);

  test.each(Object.entries(TIMED))('is read whole within its bound of calls when lines are listed %s', async (_, key) => {
    for (const direction of BOTH_WAYS) {
      const { calls, missing, lines } = await readWorld(world, orderBy(key, direction), OCTOBER);
      expect(missing).toEqual([]);
      expect(calls).toBeLessThanOrEqual(1.25 * lowerBound(lines, 31) + 3);
    }
  });

  test.each(Object.entries(GROUPED))('is read whole in no more calls than halving takes when lines are listed %s', async (_, key) => {
    for (const direction of BOTH_WAYS) {
      const { calls, missing, lines } = await readWorld(world, orderBy(key, direction), OCTOBER);
      expect(missing).toEqual([]);
      expect(calls).toBeLessThanOrEqual(bisectionCalls(lines, FROM, UNTIL));
    }
  });
});

test.each(proofSize(['renewals 39'], ['maximal', 'renewals 39', 'both 39', 'refunded 39']))(
  'a maximal month laid out as "%s" takes at most four calls above the fewest, in any order of lines',
  async (name) => {
    const world = createWorld(name);
    const keys = Object.values({ ...TIMED, ...GROUPED }).slice(proofSize(-1, 0));
    for (const order of keys.flatMap((key) => BOTH_WAYS.map((direction) => orderBy(key, direction)))) {
      const { calls, missing, lines } = await readWorld(world, order, OCTOBER);
      expect(missing).toEqual([]);
      expect(calls).toBeLessThanOrEqual(lowerBound(lines, 31) + 4);
    }
  },
  120_000,
);

test('a few recipients among many are read again without the lines of the others', async () => {
  const { calls, lines, filledLines } = await readWorld(createWorld('two of many'), NEWEST, OCTOBER);
  expect(calls).toBeLessThanOrEqual(1.25 * lowerBound(lines, 31) + 3);
  expect(filledLines).toBeLessThan(2 * 1500);
});

function scatter(id: number): number {
  return Math.imul(id, 2_654_435_761) >>> 0;
}
