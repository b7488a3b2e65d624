import { afterAll, beforeAll, expect, test } from 'vitest';
import { sortsOf } from '#db/kit/list.ts';
import type { Direction, PageRequest, RowTotal } from '#db/kit/paging.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import type { GameRef } from '#lib/core/game.ts';
import { ALL_RECIPIENTS, findRecipientHistory, listCompleteMonths, listRecipients } from './recipients.ts';

const FILTER = { find: '', canSeeEmails: true };
let testDb: TestDb;
let game: GameRef;

beforeAll(async () => {
  testDb = await createTestDb();
  const gameId = await seedGame(testDb.db);
  game = { gameId, slug: 'starfall', environment: 'production', timeZone: 'UTC' };
  const month = (start: string, end: string) => ({ start: `${start}T00:00:00Z`, end: `${end}T00:00:00Z` });
  const figures = (net: string, earned: string, reversed: string) => ({
    net_attributed_usd: net,
    gross_attributed_usd: earned,
    reversed_attributed_usd: reversed,
  });
  await seedSnapshot(testDb.db, gameId, {
    ...month('2026-09-01', '2026-10-01'),
    recipients: [
      {
        recipient_player_id: 7,
        player_name: 'Old name',
        player_email: 'old@example.test',
        ...figures('10.00', '10.00', '0.00'),
        renewal_count: 2,
      },
      { recipient_player_id: 8, player_name: 'Gone', ...figures('1.0001', '1.0001', '0.00') },
    ],
  });
  await seedSnapshot(testDb.db, gameId, {
    ...month('2026-10-01', '2026-11-01'),
    recipients: [
      {
        recipient_player_id: 7,
        player_name: 'Dee',
        player_email: 'dee@example.test',
        ...figures('-3.00', '1.00', '4.00'),
        renewal_count: 1,
      },
    ],
  });
  await seedSnapshot(testDb.db, gameId, {
    ...month('2026-10-05', '2026-10-12'),
    recipients: [{ recipient_player_id: 7, ...figures('99.00', '99.00', '0.00') }],
  });
  await seedSnapshot(testDb.db, gameId, {
    ...month('2026-11-01', '2026-12-01'),
    status: 'open',
    recipients: [
      { recipient_player_id: 7, player_name: 'Dee', ...figures('5.00', '5.00', '0.00') },
      { recipient_player_id: 9, player_name: 'New', ...figures('5.00', '5.00', '0.00') },
    ],
  });
});
afterAll(() => testDb.close());

async function list({ find, canSeeEmails }: typeof FILTER, page: PageRequest): ReturnType<typeof listRecipients> {
  const { months: complete } = await listCompleteMonths(testDb.db, game);
  const source = { game, snapshotIds: complete.map(({ snapshotId }) => snapshotId), canSeeEmails };
  return await listRecipients(testDb.db, source, { find, chip: 'all', page });
}

async function totalOf(filter: typeof FILTER): Promise<RowTotal | null> {
  return (await list(filter, { sort: 'recipient_player_id', dir: 'asc', after: null, limit: 1, withTotal: true })).total;
}

async function idsOf(sort: string, dir: Direction, limit: number): Promise<number[]> {
  const ids: number[] = [];
  let after: string | null = null;
  do {
    const page = await list(FILTER, { sort, dir, after, limit });
    ids.push(...page.rows.map((row) => row.recipient_player_id));
    after = page.next;
  } while (after !== null && ids.length < 20);
  return ids;
}

test('every recipient of a complete month is listed, with sums over those months and the newest name', async () => {
  const { rows } = await list(FILTER, { sort: 'net_attributed_usd', dir: 'desc', after: null, limit: 10 });
  expect(rows).toEqual([
    expect.objectContaining({
      recipient_player_id: 7,
      recipient_name: 'Dee',
      net_attributed_usd: '7.00',
      gross_attributed_usd: '11.00',
      reversed_attributed_usd: '4.00',
      renewal_count: 3,
      month_count: 2,
      last_month: '2026-10',
    }),
    expect.objectContaining({ recipient_player_id: 8, net_attributed_usd: '1.0001', last_month: '2026-09' }),
  ]);
  expect(await totalOf(FILTER)).toMatchObject({
    count: 2,
    sums: { net_attributed_usd: '8.0001', renewal_count: '3' },
  });
});

test.each(Object.keys(sortsOf(ALL_RECIPIENTS)))('by %s: pages of one lose no row, and the reverse order is exact', async (sort) => {
  const down = await idsOf(sort, 'desc', 10);
  expect(down.toSorted()).toEqual([7, 8]);
  expect(await idsOf(sort, 'asc', 1)).toEqual(down.toReversed());
});

test('without permission, emails are masked and not searched', async () => {
  const hidden = { find: '', canSeeEmails: false };
  const request = { sort: 'net_attributed_usd', dir: 'desc', after: null, limit: 10 } as const;
  expect(JSON.stringify(await list(hidden, request))).not.toContain('dee@');
  expect((await totalOf({ ...hidden, find: 'dee@' }))?.count).toBe(0);
  expect((await totalOf({ ...FILTER, find: 'dee@' }))?.count).toBe(1);
});

test('the months of a recipient are newest first; the open month is listed but not counted, other windows are left out', async () => {
  const history = await findRecipientHistory(testDb.db, game, 7, true);
  expect(history?.months.map((month) => [month.month, month.status, month.net])).toEqual([
    ['2026-11', 'open', '5.00'],
    ['2026-10', 'complete', '-3.00'],
    ['2026-09', 'complete', '10.00'],
  ]);
  expect(history?.total).toEqual({ earned: '11.00', reversed: '4.00', net: '7.00', renewalCount: 3, monthCount: 2 });
  expect(await findRecipientHistory(testDb.db, game, 12345, true)).toBeNull();
});
