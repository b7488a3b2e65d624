import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileRows } from '#db/kit/list.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { SHEETS } from '../rules/sheets.ts';
import { MONTH_SHEETS } from './month-sheets.ts';
import { type SheetSnapshot, snapshotSource } from './month-snapshot.ts';

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const MIDDLE = '2026-10-16T00:00:00Z';
let testDb: TestDb;
let october: SheetSnapshot;

beforeAll(async () => {
  testDb = await createTestDb();
  const gameId = await seedGame(testDb.db);
  const reversal = { recipient_player_id: 7, originally_attributed_usd: '5.00', reversed_attributed_usd: '5.00' };
  const whole = { amount_usd: '50.00', refunded_to_date_usd: '50.00' };
  const event = { recipient_player_id: 7, partner_revenue_reversal_basis: 'clawback' };
  october = await seedSnapshot(testDb.db, gameId, {
    ...OCTOBER,
    recipients: [{ recipient_player_id: 7, net_attributed_usd: '1.5000', player_email: 'a@example.test' }],
    slices: [
      {
        start: OCTOBER.start,
        end: MIDDLE,
        renewals: [{ period_id: 1, recipient_player_id: 7, paid_at: '2026-10-02T00:00:00.120Z', amount_usd: '12.50' }],
        reversals: [
          { ...reversal, period_id: 1, paid_at: '2026-10-02T00:00:00.120Z', reversed_attributed_usd: '2.00', settled_in_this_window: true },
          { ...reversal, period_id: 2, paid_at: '2026-09-30T23:59:59.999Z' },
          { ...reversal, period_id: 4, paid_at: '2026-10-03T00:00:00Z', reversed_attributed_usd: '1.00' },
        ],
        events: [
          { ...event, period_id: 1, event_no: 1, refunded_at: '2026-10-03T00:00:00Z', reversed_attributed_usd: '2.00' },
          {
            ...event,
            period_id: 2,
            event_no: 1,
            refunded_at: '2026-10-04T00:00:00Z',
            reversed_attributed_usd: '5.00',
            is_full_refund: true,
          },
          { ...event, period_id: 4, event_no: 1, refunded_at: '2026-10-04T00:00:00Z', reversed_attributed_usd: '0.40' },
          { ...event, period_id: 4, event_no: 2, refunded_at: '2026-10-05T00:00:00Z', reversed_attributed_usd: '0.60' },
        ],
      },
      {
        start: MIDDLE,
        end: OCTOBER.end,
        reversals: [
          {
            ...reversal,
            period_id: 1,
            paid_at: '2026-10-02T00:00:00.120Z',
            reversed_attributed_usd: '3.00',
            settled_in_this_window: false,
          },
          {
            ...reversal,
            ...whole,
            period_id: 3,
            paid_at: '2026-10-02T00:00:00Z',
            reversal_basis: 'period_row',
            partner_revenue_reversed_usd: null,
          },
          // All of the share is reversed by a part of the price.
          {
            ...reversal,
            ...whole,
            period_id: 5,
            paid_at: '2026-10-02T00:00:00Z',
            reversal_basis: 'period_row',
            refunded_to_date_usd: '49.99',
          },
        ],
        events: [
          {
            ...event,
            period_id: 1,
            event_no: 1,
            refunded_at: '2026-10-20T00:00:00Z',
            reversed_attributed_usd: '3.00',
            is_full_refund: true,
          },
        ],
      },
    ],
  });
});
afterAll(() => testDb.close());

const rowsOf = (sheet: (typeof SHEETS)[number], condition = sql<boolean>`true`) =>
  fileRows(
    testDb.db,
    MONTH_SHEETS[sheet],
    snapshotSource({ ...october, environment: 'production', timeZone: 'UTC' }, { ...october, window: OCTOBER }),
    condition,
  );

test('each sheet has exactly the columns of its definition, in file order', async () => {
  const [recipients, renewals, reversals] = [
    await rowsOf('recipients').execute(),
    await rowsOf('renewals').execute(),
    await rowsOf('reversals').execute(),
  ];
  const rows = { recipients, renewals, reversals };
  for (const sheet of SHEETS) expect(Object.keys(rows[sheet][0] ?? {})).toEqual(MONTH_SHEETS[sheet].columns.map((column) => column.key));
  expect(rows.recipients[0]).toMatchObject({ game: 'starfall', net_attributed_usd: '1.5000', window_end: OCTOBER.end });
  expect(rows.renewals[0]).toMatchObject({ paid_at: '2026-10-02T00:00:00.120Z', amount_usd: '12.50' });
});

test('the rows of a file have no parameters, so COPY can run them', () => {
  for (const sheet of SHEETS) expect(sql`${rowsOf(sheet)}`.compile(testDb.db).parameters).toEqual([]);
});

test('a reversal has one row per refund event, with flags recomputed for the window of the snapshot', async () => {
  const rows = await rowsOf('reversals').execute();
  const seen = rows.map((row) => [
    row.period_id,
    row.refunded_at,
    row.reversed_attributed_usd,
    row.settled_in_this_window,
    row.nets_to_zero_in_window,
  ]);
  expect(seen).toEqual([
    [3, null, '5.00', true, true],
    [5, null, '5.00', true, false],
    [1, '2026-10-03T00:00:00Z', '2.00', true, true],
    [2, '2026-10-04T00:00:00Z', '5.00', false, false],
    [4, '2026-10-04T00:00:00Z', '0.40', true, false],
    [4, '2026-10-05T00:00:00Z', '0.60', true, false],
    [1, '2026-10-20T00:00:00Z', '3.00', true, true],
  ]);
});

test('a coarse reversal has no event columns and no partner figure', async () => {
  const row = (await rowsOf('reversals', sql`reversal_line.period_id = 3`).execute())[0];
  expect(row).toMatchObject({
    refunded_at: null,
    refunded_amount_usd: null,
    is_full_refund: null,
    partner_revenue_reversal_basis: null,
    partner_revenue_reversed_usd: null,
  });
});
