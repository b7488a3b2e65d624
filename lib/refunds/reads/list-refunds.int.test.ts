import { afterAll, beforeAll, expect, test } from 'vitest';
import { sortsOf } from '#db/kit/list.ts';
import { CursorError, type RowTotal } from '#db/kit/paging.ts';
import { seedApproved, seedColleague, seedRefund } from '#e2e/support/db/refund-seed.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { listTasks } from '#lib/tasks/reads.ts';
import { countBadges } from '#lib/tasks/rules/task.ts';
import { listRefunds, REFUNDS, type RefundFilter } from './list-refunds.ts';
import { findOpenRefund } from './refund-preconditions.ts';
import { findRegister, type RefundNeedingAction } from './refunds-needing-action.ts';

let testDb: TestDb;
let gameId: number;
let ids: Record<'landed' | 'waiting' | 'unknown' | 'attention' | 'refused', number>;

beforeAll(async () => {
  testDb = await createTestDb();
  gameId = await seedGame(testDb.db);
  const other = await seedGame(testDb.db, 'other');
  const [sami, fiona] = [await seedColleague(testDb.db, 'Sami'), await seedColleague(testDb.db, 'Fiona', 'finance')];
  const add = (given: Parameters<typeof seedRefund>[2]): Promise<number> => seedRefund(testDb.db, gameId, given);
  ids = {
    landed: await add({ requested_by: sami, amount_usd: '12.50', period_id: 11, ...seedApproved('landed') }),
    waiting: await add({ requested_by: sami, amount_usd: '60.00', period_id: 4_711_012, state_since: '2026-11-21T09:00:00Z' }),
    unknown: await add({ requested_by: fiona, amount_usd: '5.00', period_id: 13, ...seedApproved('unknown') }),
    attention: await add({
      requested_by: sami,
      assignee_id: fiona,
      amount_usd: '7.00',
      period_id: 14,
      ...seedApproved('attention'),
      state_since: '2026-11-20T09:00:00Z',
    }),
    refused: await add({
      requested_by: sami,
      amount_usd: '1.0050',
      period_id: 15,
      subscription_id: 'SUB_9_100%',
      ...seedApproved('refused'),
    }),
  };
  await seedRefund(testDb.db, other, { requested_by: sami, amount_usd: '999.00', period_id: 4_711_012 });
});
afterAll(() => testDb.close());

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const ALL: RefundFilter = { chip: 'all', find: '', personId: 'fiona' };

async function found(filter: Partial<RefundFilter>): Promise<number[]> {
  const page = await listRefunds(testDb.db, gameId, { ...ALL, ...filter }, { sort: 'refund_id', dir: 'desc', after: null, limit: 50 });
  return page.rows.map((row) => row.refund_id);
}

async function totalOf(filter: RefundFilter): Promise<RowTotal | null> {
  const request = { sort: 'refund_id', dir: 'desc', after: null, limit: 1, withTotal: true } as const;
  return (await listRefunds(testDb.db, gameId, filter, request)).total;
}

async function waitingIn(game: number, waitingMax: number): Promise<RefundNeedingAction[]> {
  return (await findRegister(testDb.db, game, { waitingMax })).waiting;
}

test('the register lists the refunds of one game, newest first', async () => {
  expect(await found({})).toEqual([ids.refused, ids.attention, ids.unknown, ids.waiting, ids.landed]);
});

test.each([
  ['for_people', ['attention', 'waiting']],
  ['under_way', ['unknown']],
  ['landed', ['landed']],
  ['not_carried_out', ['refused']],
  ['mine', ['attention', 'unknown']],
] as const)('the choice %s leaves %j', async (chip, names) => {
  expect(await found({ chip })).toEqual(names.map((name) => ids[name]));
});

test.each([
  ['Fiona', ['attention', 'unknown']],
  ['sub_9_100%', ['refused']],
  ['%', []],
  ['supporter', ['refused', 'attention', 'unknown', 'waiting', 'landed']],
  // Long enough that no random key holds it by chance.
  ['4711012', ['waiting']],
  ['nothing like that', []],
] as const)('“%s” finds %j', async (find, names) => {
  expect(await found({ find })).toEqual(names.map((name) => ids[name]));
});

test('the total counts all refunds and sums exactly those that landed', async () => {
  expect(await totalOf(ALL)).toEqual({ count: 5, sums: { landed_usd: '12.50' } });
  expect(await totalOf({ ...ALL, chip: 'not_carried_out' })).toEqual({ count: 1, sums: { landed_usd: '0.00' } });
});

test.each(Object.keys(sortsOf(REFUNDS)))('sorted by %s, pages of two join up, also in reverse', async (sort) => {
  const read = async (dir: 'asc' | 'desc'): Promise<number[]> => {
    const seen: number[] = [];
    for (let after: string | null = null; ; ) {
      const page = await listRefunds(testDb.db, gameId, ALL, { sort, dir, after, limit: 2 });
      seen.push(...page.rows.map((row) => row.refund_id));
      if (page.next === null) return seen;
      after = page.next;
    }
  };
  const down = await read('desc');
  expect(down).toHaveLength(5);
  expect(await read('asc')).toEqual(down.toReversed());
});

test('a cursor of another sort order is refused', async () => {
  const page = await listRefunds(testDb.db, gameId, ALL, { sort: 'refund_id', dir: 'desc', after: null, limit: 1 });
  await expect(listRefunds(testDb.db, gameId, ALL, { sort: 'asked_usd', dir: 'desc', after: page.next, limit: 1 })).rejects.toThrow(
    CursorError,
  );
});

const countNeedingAction = async (ofGame: number) =>
  countBadges(
    await listTasks(testDb.db, { gameId: ofGame, timeZone: 'UTC', personId: 'nobody', now: '2026-11-20T00:00:00Z', scope: 'badges' }),
  ).refunds;

test('refunds that need a person are listed longest waiting first, and counted', async () => {
  expect((await waitingIn(gameId, 10)).map((row) => [row.refund_id, row.has_statement])).toEqual([
    [ids.attention, false],
    [ids.waiting, false],
  ]);
  expect(await countNeedingAction(gameId)).toBe(2);
  expect(await waitingIn(gameId, 1)).toHaveLength(1);
});

test('amounts and instants above the table are the text that is stored', async () => {
  const stored = await testDb.db
    .selectFrom('refund')
    .select(['refund_id', 'amount_usd', 'state_since'])
    .where('refund_id', 'in', [ids.attention, ids.waiting])
    .orderBy('state_since')
    .execute();
  expect(await waitingIn(gameId, 10)).toEqual(stored.map((row) => expect.objectContaining(row)));
});

test('a filter that leaves no refund has a total of none', async () => {
  expect(await totalOf({ ...ALL, find: 'nothing like it' })).toEqual({ count: 0, sums: { landed_usd: '0.00' } });
});

test('a refund that landed without a receipt needs a person when the period has not shown it for an hour', async () => {
  const without = { ...seedApproved('landed'), outcome_source: 'reduced', receipt: null };
  const other = await seedGame(testDb.db, 'reduced');
  const sami = await seedColleague(testDb.db, 'Sami of another game');
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const late = await seedRefund(testDb.db, other, { ...without, requested_by: sami, amount_usd: '4.00', period_id: 21, ended_at: ago(61) });
  await seedRefund(testDb.db, other, { ...without, requested_by: sami, amount_usd: '4.00', period_id: 22, ended_at: ago(59) });
  expect((await waitingIn(other, 10)).map((row) => row.refund_id)).toEqual([late]);
  expect(await countNeedingAction(other)).toBe(1);
});

test('a refund whose month was pulled without its reversal needs a person until the reversal is matched', async () => {
  const other = await seedGame(testDb.db, 'unreported');
  const sami = await seedColleague(testDb.db, 'Sami of a third game');
  const landed = (period_id: number, refunded_at: string): Promise<number> =>
    seedRefund(testDb.db, other, {
      ...seedApproved('landed'),
      receipt: JSON.stringify({ refunded_at }),
      requested_by: sami,
      amount_usd: '4.00',
      period_id,
    });
  const missing = await landed(31, '2026-10-31T23:59:59Z');
  await landed(32, '2026-11-01T00:00:00Z');
  expect(await waitingIn(other, 10)).toEqual([]);
  await seedSnapshot(testDb.db, other, {
    ...OCTOBER,
    slices: [OCTOBER],
  });
  expect(await countNeedingAction(other), 'a minute is left for noting it').toBe(0);
  await testDb.pool.query(`alter table slice disable trigger user`);
  await testDb.pool.query(`update slice set pulled_at = clock_now() - interval '2 minutes' where game_id = $1`, [other]);
  await testDb.pool.query(`alter table slice enable trigger user`);
  expect((await waitingIn(other, 10)).map(({ refund_id, reason }) => [refund_id, reason])).toEqual([[missing, 'reversal_missing']]);
  await testDb.pool.query(`update refund set reversal_slice_id = (select slice_id from slice where game_id = $1) where refund_id = $2`, [
    other,
    missing,
  ]);
  expect(await countNeedingAction(other)).toBe(0);
});

test('a refund needs a person while the newest answer of Invo denies access', async () => {
  const other = await seedGame(testDb.db, 'locked');
  const sami = await seedColleague(testDb.db, 'Sami of a fourth game');
  const refundId = await seedRefund(testDb.db, other, {
    ...seedApproved('waiting'),
    requested_by: sami,
    amount_usd: '4.00',
    period_id: 41,
  });
  const answered = (no: number, kind: string): Promise<unknown> =>
    testDb.pool.query(
      `insert into refund_attempt (game_id, refund_id, attempt_no, owner, request_digest, finished_at, class) values ($1, $2, $3, 'test', sha256('x'), clock_now(), $4)`,
      [other, refundId, no, kind],
    );
  await answered(1, 'no_access');
  expect(await waitingIn(other, 10)).toMatchObject([{ refund_id: refundId, reason: 'no_access' }]);
  await answered(2, 'wait');
  expect(await countNeedingAction(other)).toBe(0);
  const unread = { ...seedApproved('approved'), requested_by: sami, amount_usd: '4.00', period_id: 42, last_error_code: 'unauthorized' };
  const before = await seedRefund(testDb.db, other, unread);
  expect(await waitingIn(other, 10), 'nor may the period be read before the first call').toMatchObject([
    { refund_id: before, reason: 'no_access' },
  ]);
});

test('an open refund of a period is found; an ended one or one of another game is not', async () => {
  expect(await findOpenRefund(testDb.db, gameId, 4_711_012)).toMatchObject({
    refundId: ids.waiting,
    state: 'awaiting_approval',
    requestedByName: 'Sami',
  });
  expect(await findOpenRefund(testDb.db, gameId, 11)).toBeNull();
});

test('the register token changes when a reversal is matched or a refund is requested', async () => {
  const other = await seedGame(testDb.db, 'standing');
  const refund = { requested_by: 'fiona', ...seedApproved('landed') };
  const noticed = await seedRefund(testDb.db, other, { ...refund, period_id: 31 });
  const tokens = [(await findRegister(testDb.db, other, { waitingMax: 10 })).token];
  await testDb.db
    .updateTable('refund')
    .set({ reversal_seen_at: '2026-12-01T00:00:00Z' })
    .where('game_id', '=', other)
    .where('refund_id', '=', noticed)
    .execute();
  tokens.push((await findRegister(testDb.db, other, { waitingMax: 10 })).token);
  await seedRefund(testDb.db, other, { ...refund, period_id: 32 });
  const last = await findRegister(testDb.db, other, { waitingMax: 10 });
  expect(new Set([...tokens, last.token]).size).toBe(3);
  expect(last).toMatchObject({ isEmpty: false, isMoving: false });
});

test('the register token changes when a refund moves on or gets another assignee', async () => {
  const before = await findRegister(testDb.db, gameId, { waitingMax: 10 });
  expect(before).toMatchObject({ isEmpty: false, isMoving: true });
  await testDb.db
    .updateTable('refund')
    .set({ assignee_id: 'fiona' })
    .where('game_id', '=', gameId)
    .where('refund_id', '=', ids.waiting)
    .execute();
  expect((await findRegister(testDb.db, gameId, { waitingMax: 10 })).token).not.toBe(before.token);
  expect(await findRegister(testDb.db, 999_999, { waitingMax: 10 })).toMatchObject({ isEmpty: true, isMoving: false });
});
