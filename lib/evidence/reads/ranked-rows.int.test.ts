// @module-tag no-retry
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortsOf } from '#db/kit/list.ts';
import { ANCHOR_EVERY, type Direction } from '#db/kit/paging.ts';
import type { Database } from '#db/types.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { listRecipientRows, listRenewalRows, listReversalRows } from '#e2e/support/evidence/list-sheets.ts';
import { proofCases, proofSize } from '#e2e/support/proof.ts';
import { MONTH_SHEETS } from './month-sheets.ts';
import type { MonthSnapshot } from './month-snapshot.ts';

const [SEPTEMBER, OCTOBER, MIDDLE, NOVEMBER] = ['2026-09-01', '2026-10-01', '2026-10-16', '2026-11-01'].map((day) => `${day}T00:00:00Z`);
/** Not a multiple of a block: the last one is short. */
const COUNT = 7 * ANCHOR_EVERY + 37;
const BLOCKS = Math.ceil(COUNT / ANCHOR_EVERY);
/** Where blocks begin: the first, one between two others and the short last one, or each of them. */
const STARTS = proofSize([0, 3, BLOCKS - 1], [...Array(BLOCKS).keys()]).map((block) => block * ANCHOR_EVERY);
let testDb: TestDb;
let month: MonthSnapshot;

// Few values for many rows, so that ties lie across the bounds of blocks; nothing, where a column may be NULL.
const one = <Value>(values: Value[], index: number): Value => values[(index * 7) % values.length] as Value;
const amount = (index: number): string => one(['0.00', '12.50', '-3.1', '12.5', '99999999999.000001'], index);
const name = (index: number): string | null => one(['Aurora', 'aurora', null, 'Ōkami', '=1', '', 'x'.repeat(300)], index);

beforeAll(async () => {
  testDb = await createTestDb();
  const gameId = await seedGame(testDb.db);
  const people = Array.from({ length: COUNT }, (_, index) => ({
    recipient_player_id: index + 1,
    player_name: name(index),
    net_attributed_usd: amount(index),
    gross_attributed_usd: amount(index + 1),
    reversed_attributed_usd: amount(index + 2),
    renewal_count: index % 3,
    subscription_count: index % 2,
  }));
  const before = await seedSnapshot(testDb.db, gameId, { start: SEPTEMBER ?? '', end: OCTOBER ?? '', recipients: people.slice(0, 300) });
  const lines = Array.from({ length: COUNT }, (_, index) => ({
    period_id: index + 1,
    recipient_player_id: 1 + (index % 9),
    subscription_id: `sub_${index % 5}`,
    paid_at: one(['2026-10-02T00:00:00Z', '2026-10-02T00:00:00.000001Z', '2026-10-05T00:00:00Z'], index),
  }));
  const half = Math.floor(COUNT / 2);
  const sliceOf = (start: string, end: string, own: typeof lines) => ({
    start,
    end,
    renewals: own.map((line) => ({ ...line, item_name: name(line.period_id), amount_usd: amount(line.period_id) })),
    reversals: own.map((line) => ({
      ...line,
      reversal_basis: line.period_id % 4 === 0 ? 'period_row' : 'refund_receipts',
      originally_attributed_usd: amount(line.period_id),
      reversed_attributed_usd: amount(line.period_id + 1),
    })),
    events: own
      .filter((line) => line.period_id % 4 !== 0)
      .map((line) => ({
        period_id: line.period_id,
        recipient_player_id: line.recipient_player_id,
        event_no: 1,
        refunded_at: one(['2026-10-03T00:00:00Z', '2026-10-04T00:00:00Z'], line.period_id),
        refunded_amount_usd: amount(line.period_id),
        reversed_attributed_usd: amount(line.period_id + 2),
        partner_revenue_reversed_usd: line.period_id % 3 === 0 ? null : amount(line.period_id),
      })),
  });
  const snapshot = await seedSnapshot(testDb.db, gameId, {
    start: OCTOBER ?? '',
    end: NOVEMBER ?? '',
    recipients: people,
    slices: [sliceOf(OCTOBER ?? '', MIDDLE ?? '', lines.slice(0, half)), sliceOf(MIDDLE ?? '', NOVEMBER ?? '', lines.slice(half))],
  });
  await sql`analyze`.execute(testDb.db);
  month = {
    snapshot,
    month: '2026-10',
    timeZone: 'UTC',
    status: 'complete',
    coveredUntil: NOVEMBER ?? '',
    newestSnapshotId: snapshot.snapshotId,
    recent: [{ month: '2026-10', snapshotId: snapshot.snapshotId }],
    previousSnapshotId: before.snapshotId,
    hasEarlier: true,
  };
});
afterAll(() => testDb.close());

type Request = { sort: string; dir: Direction; after: null; limit: number; from?: number };
const LISTS = {
  recipients: {
    sorts: sortsOf(MONTH_SHEETS.recipients),
    list: async (request: Request, find = '') =>
      (await listRecipientRows(testDb.db, month, { find, chip: 'all', canSeeEmails: true }, request)).rows.map(
        (row) => row.recipient_player_id,
      ),
  },
  renewals: {
    sorts: sortsOf(MONTH_SHEETS.renewals),
    list: async (request: Request, find = '') =>
      (await listRenewalRows(testDb.db, month, { find, chip: 'all', recipient: null }, request)).rows.map((row) => row.period_id),
  },
  reversals: {
    sorts: sortsOf(MONTH_SHEETS.reversals),
    list: async (request: Request, find = '') =>
      (await listReversalRows(testDb.db, month, { find, chip: 'all', recipient: null }, request)).rows.map((row) => row.period_id),
  },
};
const CASES = Object.entries(LISTS).flatMap(([sheet, { sorts }]) =>
  Object.keys(sorts).flatMap((sort) => (['asc', 'desc'] as const).map((dir) => [sheet as keyof typeof LISTS, sort, dir] as const)),
);

describe('rows by rank are the rows that counting from the first one reaches', () => {
  test.each(proofCases(12, CASES))('%s by %s %s', async (sheet, sort, dir) => {
    const { list } = LISTS[sheet];
    const order = { sort, dir, after: null };
    const all = await list({ ...order, limit: 10_000 });
    expect(new Set(all).size).toBe(COUNT);
    for (const from of STARTS.toReversed()) {
      expect(await list({ ...order, limit: ANCHOR_EVERY, from })).toEqual(all.slice(from, from + ANCHOR_EVERY));
    }
    expect(await list({ ...order, limit: 2 * ANCHOR_EVERY, from: 300 })).toEqual(all.slice(300, 500));
    expect(await list({ ...order, limit: ANCHOR_EVERY, from: COUNT - (COUNT % ANCHOR_EVERY) + ANCHOR_EVERY })).toEqual([]);
  });
});

test('each filter has ranks of its own', async () => {
  const order = { sort: 'amount_usd', dir: 'desc', after: null } as const;
  const all = await LISTS.renewals.list({ ...order, limit: 10_000 }, 'sub_3');
  expect(all.length).toBeLessThan(COUNT / 4);
  expect(await LISTS.renewals.list({ ...order, limit: ANCHOR_EVERY, from: ANCHOR_EVERY }, 'sub_3')).toEqual(all.slice(ANCHOR_EVERY));
});

test('the ranks of an order are found once, however many blocks are requested at once', async () => {
  const statements: string[] = [];
  const watched = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: testDb.pool }),
    log: ({ query }) => void statements.push(query.sql),
  });
  const ask = (from: number) =>
    listRenewalRows(
      watched,
      month,
      { find: '', chip: 'all', recipient: null },
      { sort: 'period_id', dir: 'asc', after: null, limit: 100, from },
    );
  await Promise.all([100, 200, 300, 400].map(ask));
  await ask(500);
  expect(statements.filter((statement) => statement.includes('row_number()'))).toHaveLength(1);
  expect(statements).toHaveLength(6);
});

test('a list that did change is ranked again', async () => {
  const order = { sort: 'recipient_player_id', dir: 'asc', after: null, limit: ANCHOR_EVERY } as const;
  expect((await LISTS.recipients.list({ ...order, from: 100 }))[0]).toBe(101);
  await testDb.pool.query('alter table snapshot_recipient disable trigger all');
  await testDb.pool.query('delete from snapshot_recipient where snapshot_id = $1 and recipient_player_id in (150, 151)', [
    month.snapshot.snapshotId,
  ]);
  await testDb.pool.query('alter table snapshot_recipient enable trigger all');
  const rows = await LISTS.recipients.list({ ...order, from: 100 });
  expect([rows.length, rows[0], rows.at(-1)]).toEqual([100, 101, 202]);
});

test('who is there for the first time is ranked again when an earlier month is stored', { tags: 'proof' }, async () => {
  const slug = 'first-time';
  const gameId = await seedGame(testDb.db, slug);
  const people = Array.from({ length: 250 }, (_, index) => ({ recipient_player_id: index + 1 }));
  const snapshot = await seedSnapshot(testDb.db, gameId, { start: OCTOBER ?? '', end: NOVEMBER ?? '', recipients: people });
  await seedSnapshot(testDb.db, gameId, { start: SEPTEMBER ?? '', end: OCTOBER ?? '', recipients: [{ recipient_player_id: 250 }] });
  const shown: MonthSnapshot = { ...month, snapshot, newestSnapshotId: snapshot.snapshotId, hasEarlier: true };
  const idsFrom = async (from: number): Promise<number[]> => {
    const page = { sort: 'recipient_player_id', dir: 'asc', after: null, limit: ANCHOR_EVERY, ...(from === 0 ? {} : { from }) } as const;
    const filter = { find: '', chip: 'first', canSeeEmails: true } as const;
    return (await listRecipientRows(testDb.db, shown, filter, page)).rows.map((row) => row.recipient_player_id);
  };
  expect((await idsFrom(ANCHOR_EVERY))[0]).toBe(101);
  await seedSnapshot(testDb.db, gameId, {
    start: '2026-08-01T00:00:00Z',
    end: SEPTEMBER ?? '',
    recipients: [{ recipient_player_id: 1 }, { recipient_player_id: 5 }],
  });
  const all = [...(await idsFrom(0)), ...(await idsFrom(ANCHOR_EVERY)), ...(await idsFrom(2 * ANCHOR_EVERY))];
  expect(all).toEqual(people.map((each) => each.recipient_player_id).filter((id) => ![1, 5, 250].includes(id)));
});
