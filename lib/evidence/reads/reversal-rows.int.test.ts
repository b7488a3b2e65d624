import { afterAll, beforeAll, expect, test } from 'vitest';
import { sortsOf } from '#db/kit/list.ts';
import type { Direction, PageRequest } from '#db/kit/paging.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { type LineFilter, listReversalRows } from '#e2e/support/evidence/list-sheets.ts';
import { findMonthSnapshot, type MonthSnapshot } from './month-snapshot.ts';
import { REVERSALS } from './reversals-sheet.ts';

const ALL: LineFilter = { find: '', chip: 'all', recipient: null };
const START = '2026-09-30T10:00:00Z';
const END = '2026-10-31T10:00:00Z';
const TOTAL: PageRequest = { sort: 'recipient_player_id', dir: 'asc', after: null, limit: 1, withTotal: true };
let testDb: TestDb;
let october: MonthSnapshot;

beforeAll(async () => {
  testDb = await createTestDb();
  const gameId = await seedGame(testDb.db, 'kiritimati', 'Pacific/Kiritimati');
  await seedSnapshot(testDb.db, gameId, {
    start: START,
    end: END,
    recipients: [{ recipient_player_id: 7, player_name: 'Dee' }],
    slices: [
      {
        start: START,
        end: END,
        reversals: [
          {
            period_id: 1,
            recipient_player_id: 7,
            paid_at: '2026-09-30T10:00:00.000Z',
            originally_attributed_usd: '4.00',
            reversed_attributed_usd: '3.0001',
          },
          {
            period_id: 2,
            recipient_player_id: 7,
            paid_at: '2026-09-30T09:59:59.999Z',
            reversed_attributed_usd: '1.00',
            reversal_basis: 'period_row',
          },
          { period_id: 3, recipient_player_id: 8, paid_at: '2026-08-01T00:00:00Z', reversed_attributed_usd: '2.00' },
        ],
        events: [
          {
            period_id: 1,
            event_no: 1,
            recipient_player_id: 7,
            refunded_at: '2026-10-02T00:00:00Z',
            refunded_amount_usd: '5.00',
            reversed_attributed_usd: '1.0001',
            partner_revenue_reversed_usd: null,
          },
          {
            period_id: 1,
            event_no: 2,
            recipient_player_id: 7,
            refunded_at: '2026-10-02T00:00:00Z',
            refunded_amount_usd: '7.00',
            reversed_attributed_usd: '2.00',
            partner_revenue_reversed_usd: '6.00',
          },
          {
            period_id: 3,
            event_no: 1,
            recipient_player_id: 8,
            refunded_at: '2026-10-01T00:00:00Z',
            refunded_amount_usd: '9.00',
            reversed_attributed_usd: '2.00',
            partner_revenue_reversed_usd: '0.00',
          },
        ],
      },
    ],
  });
  const found = await findMonthSnapshot(
    testDb.db,
    { gameId, slug: 'kiritimati', environment: 'production', timeZone: 'Pacific/Kiritimati' },
    '2026-10',
  );
  if (!found) throw new Error('no snapshot of October');
  october = found;
});
afterAll(() => testDb.close());

async function rowsOf(sort: string, dir: Direction, filter = ALL, limit = 200): Promise<string[]> {
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page = await listReversalRows(testDb.db, october, filter, { sort, dir, after, limit });
    seen.push(...page.rows.map((row) => `${row.period_id} ${row.refunded_amount_usd ?? 'not recorded'}`));
    after = page.next;
  } while (after !== null && seen.length < 20);
  return seen;
}

test('the order is the sheet’s: by recipient, coarse rows before timed ones, and simultaneous events in reported order', async () => {
  expect(await rowsOf('recipient_player_id', 'asc')).toEqual(['2 not recorded', '1 5.00', '1 7.00', '3 9.00']);
});

test.each(Object.keys(sortsOf(REVERSALS)))('by %s: pages of one lose no row, and the reverse order is exact', async (sort) => {
  const up = await rowsOf(sort, 'asc');
  expect(await rowsOf(sort, 'asc', ALL, 1)).toEqual(up);
  expect(await rowsOf(sort, 'desc', ALL, 1)).toEqual(up.toReversed());
  expect(up.toSorted()).toEqual(['1 5.00', '1 7.00', '2 not recorded', '3 9.00']);
});

test('a total sums the recorded amounts exactly', async () => {
  expect((await listReversalRows(testDb.db, october, ALL, TOTAL)).total).toEqual({
    count: 4,
    sums: { refunded_amount_usd: '21.00', reversed_attributed_usd: '6.0001', partner_revenue_reversed_usd: '6.00' },
  });
});

test.each([
  ['earlier', ['2 not recorded', '3 9.00']],
  ['coarse', ['2 not recorded']],
] as const)('the choice "%s"', async (chip, rows) => {
  expect(await rowsOf('period_id', 'asc', { ...ALL, chip })).toEqual(rows);
});

test('the month in which a reversed period settled follows the game’s time zone', async () => {
  const { rows } = await listReversalRows(testDb.db, october, ALL, { sort: 'period_id', dir: 'asc', after: null, limit: 10 });
  expect(rows.map((row) => [row.period_id, row.settledMonth, row.settled_in_this_window])).toEqual([
    [1, '2026-10', true],
    [1, '2026-10', true],
    [2, '2026-09', false],
    [3, '2026-08', false],
  ]);
});
