import { afterAll, beforeAll, expect, test } from 'vitest';
import { countChips, sortsOf } from '#db/kit/list.ts';
import { CursorError, type Direction, type PageRequest } from '#db/kit/paging.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { listRecipientRows, type RecipientFilter } from '#e2e/support/evidence/list-sheets.ts';
import { findMonthSnapshot, type MonthSnapshot } from './month-snapshot.ts';
import { RECIPIENTS } from './recipients-sheet.ts';

const ALL: RecipientFilter = { find: '', chip: 'all', canSeeEmails: true };
const PEOPLE = [
  {
    recipient_player_id: 20418,
    player_name: 'Aurora Vale',
    player_email: 'aurora@guild.example',
    net_attributed_usd: '50.00',
    gross_attributed_usd: '50.00',
    renewal_count: 5,
  },
  {
    recipient_player_id: 19007,
    player_name: '100% Bo_',
    player_email: 'bo@example.test',
    net_attributed_usd: '50.0',
    gross_attributed_usd: '60.0001',
    reversed_attributed_usd: '10.0001',
    base_mismatch_count: 1,
  },
  { recipient_player_id: 31288, resolved: false, net_attributed_usd: '8.00', gross_attributed_usd: '8.00' },
  {
    recipient_player_id: 999,
    player_name: 'Cass',
    net_attributed_usd: '0.00',
    gross_attributed_usd: '4.50',
    reversed_attributed_usd: '4.50',
    nets_to_zero_count: 1,
  },
  {
    recipient_player_id: 1000,
    player_name: 'Dee',
    net_attributed_usd: '-36.00',
    reversed_attributed_usd: '36.00',
    earlier_reversed_usd: '36.00',
  },
];
const TOTAL: PageRequest = { sort: 'recipient_player_id', dir: 'asc', after: null, limit: 1, withTotal: true };
let testDb: TestDb;
let october: MonthSnapshot;

beforeAll(async () => {
  testDb = await createTestDb();
  const gameId = await seedGame(testDb.db);
  await seedSnapshot(testDb.db, gameId, {
    start: '2026-09-01T00:00:00Z',
    end: '2026-10-01T00:00:00Z',
    recipients: [
      { recipient_player_id: 20418, net_attributed_usd: '20.00' },
      { recipient_player_id: 19007, net_attributed_usd: '50.00' },
      { recipient_player_id: 1000, net_attributed_usd: '36.00' },
    ],
  });
  await seedSnapshot(testDb.db, gameId, {
    start: '2026-10-01T00:00:00Z',
    end: '2026-11-01T00:00:00Z',
    recipients: PEOPLE,
    slices: [
      {
        start: '2026-10-01T00:00:00Z',
        end: '2026-11-01T00:00:00Z',
        reversals: [{ period_id: 1, recipient_player_id: 1000, paid_at: '2026-09-30T23:59:59.999Z', reversed_attributed_usd: '36.00' }],
      },
    ],
  });
  const found = await findMonthSnapshot(testDb.db, { gameId, slug: 'starfall', environment: 'production', timeZone: 'UTC' }, '2026-10');
  if (!found) throw new Error('no snapshot of October');
  october = found;
});
afterAll(() => testDb.close());

async function idsOf(sort: string, dir: Direction, filter = ALL, limit = 200): Promise<number[]> {
  const ids: number[] = [];
  let after: string | null = null;
  do {
    const page = await listRecipientRows(testDb.db, october, filter, { sort, dir, after, limit });
    ids.push(...page.rows.map((row) => row.recipient_player_id));
    after = page.next;
  } while (after !== null && ids.length < 100);
  return ids;
}

test('the order is the sheet’s: net descending, then ID, with negative balances last', async () => {
  expect(await idsOf('net_attributed_usd', 'desc')).toEqual([19007, 20418, 31288, 999, 1000]);
});

test.each(Object.keys(sortsOf(RECIPIENTS)))('by %s: pages of two lose no row, and the reverse order is exact', async (sort) => {
  const down = await idsOf(sort, 'desc');
  expect(down.toSorted()).toEqual([1000, 19007, 20418, 31288, 999]);
  expect(await idsOf(sort, 'desc', ALL, 2)).toEqual(down);
  expect(await idsOf(sort, 'asc', ALL, 2)).toEqual(down.toReversed());
});

test.each([
  ['negative', [1000]],
  ['zero', [999]],
  ['unresolved', [31288]],
  ['open_items', [19007, 31288]],
  ['first', [31288, 999]],
  ['changed', [20418, 31288, 1000]],
] as const)('the choice "%s" holds its recipients, and its count says so', async (chip, ids) => {
  expect(await idsOf('net_attributed_usd', 'desc', { ...ALL, chip })).toEqual(ids);
  expect((await countChips(testDb.db, RECIPIENTS, { ...october, canSeeEmails: true, recipient: null }))[chip]).toBe(ids.length);
});

test('sorted by change, the largest change comes first', async () => {
  expect(await idsOf('change', 'desc', { ...ALL, chip: 'changed' })).toEqual([1000, 20418, 31288]);
});

test.each([
  ['vale', [20418]],
  ['EXAMPLE.TEST', [19007]],
  ['100%', [19007]],
  ['o_', [19007]],
  ['100', [19007, 1000]],
  ['20418', [20418]],
  ["'; drop table game --", []],
])('looking for %s', async (find, ids) => {
  expect(await idsOf('net_attributed_usd', 'desc', { ...ALL, find })).toEqual(ids);
});

test('the total covers every row of the filter to the last digit, not only the page', async () => {
  expect((await listRecipientRows(testDb.db, october, ALL, TOTAL)).total).toEqual({
    count: 5,
    sums: {
      renewal_count: '5',
      gross_attributed_usd: '122.5001',
      reversed_attributed_usd: '50.5001',
      net_attributed_usd: '72.00',
      previous_net_usd: '106.00',
    },
  });
  expect((await listRecipientRows(testDb.db, october, { ...ALL, find: 'nobody' }, TOTAL)).total?.sums.net_attributed_usd).toBe('0.00');
});

test('a row has the previous month, six months of history and the month it reverses', async () => {
  const { rows } = await listRecipientRows(
    testDb.db,
    october,
    { ...ALL, chip: 'negative' },
    { sort: 'net_attributed_usd', dir: 'desc', after: null, limit: 5 },
  );
  expect(rows[0]).toMatchObject({
    previous_net_usd: '36.00',
    isFirstTime: false,
    reversedMonths: ['2026-09'],
    net_attributed_usd: '-36.00',
  });
  expect(october.recent.map(({ month }) => month).slice(-3)).toEqual(['2026-08', '2026-09', '2026-10']);
  expect(rows[0]?.sixNets.slice(-3)).toEqual([null, '36.00', '-36.00']);
});

test('without permission, emails are masked and can’t be searched', async () => {
  const hidden = { ...ALL, canSeeEmails: false };
  const { rows } = await listRecipientRows(testDb.db, october, hidden, { sort: 'net_attributed_usd', dir: 'desc', after: null, limit: 5 });
  expect(JSON.stringify(rows)).not.toContain('aurora@guild');
  expect(await idsOf('net_attributed_usd', 'desc', { ...hidden, find: 'guild.example' })).toEqual([]);
});

test('a cursor of another sort order is refused', async () => {
  const { next } = await listRecipientRows(testDb.db, october, ALL, { sort: 'net_attributed_usd', dir: 'desc', after: null, limit: 1 });
  const other = listRecipientRows(testDb.db, october, ALL, { sort: 'net_attributed_usd', dir: 'asc', after: next, limit: 1 });
  await expect(other).rejects.toBeInstanceOf(CursorError);
});
