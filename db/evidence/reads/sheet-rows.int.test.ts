import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedGame, seedSnapshot } from '#db/kit/testing/row-page-seed.ts';
import { createTestDb, type TestDb } from '#db/kit/testing/test-db.ts';
import { SHEET_COLUMNS } from '#lib/evidence/rules/sheets.ts';
import { recipientSource, renewalSource, reversalSource, type SheetSnapshot } from './sheet-rows.ts';

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

test('each source has exactly the columns of its sheet, in file order', async () => {
  const { db } = testDb;
  const rows = {
    recipients: await recipientSource(db, october).execute(),
    renewals: await renewalSource(db, october).execute(),
    reversals: await reversalSource(db, october).execute(),
  };
  for (const sheet of ['recipients', 'renewals', 'reversals'] as const) {
    expect(Object.keys(rows[sheet][0] ?? {})).toEqual(SHEET_COLUMNS[sheet].map((column) => column.key));
  }
  expect(rows.recipients[0]).toMatchObject({ game: 'starfall', net_attributed_usd: '1.5000', window_end: OCTOBER.end });
  expect(rows.renewals[0]).toMatchObject({ paid_at: '2026-10-02T00:00:00.120Z', amount_usd: '12.50' });
});

test('a source has no parameters, so COPY can run it', () => {
  for (const source of [recipientSource, renewalSource, reversalSource])
    expect(source(testDb.db, october).compile().parameters).toEqual([]);
});

test('a reversal has one row per refund event, with flags recomputed for the window of the snapshot', async () => {
  const rows = await reversalSource(testDb.db, october)
    .orderBy('reversal_line.recipient_player_id')
    .orderBy('refund_event.refunded_at', (order) => order.asc().nullsFirst())
    .orderBy('reversal_line.period_id')
    .execute();
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
  const row = (await reversalSource(testDb.db, october).where('reversal_line.period_id', '=', 3).execute())[0];
  expect(row).toMatchObject({
    refunded_at: null,
    refunded_amount_usd: null,
    is_full_refund: null,
    partner_revenue_reversal_basis: null,
    partner_revenue_reversed_usd: null,
  });
});
