import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectRows } from '#app/_ui/data-table/memory-rows.ts';
import type { TableRow, TableTotal } from '#app/_ui/data-table/table-spec.ts';
import type { TableView } from '#app/_ui/data-table/table-view.ts';
import { findMonthSnapshot, type MonthSnapshot } from '#db/evidence/reads/month-snapshot.ts';
import { listRecipientRows, RECIPIENT_SORTS } from '#db/evidence/reads/recipient-rows.ts';
import { findComparison, findTableAnswer } from '#db/evidence/reads/renditions.ts';
import { listRenewalRows, RENEWAL_SORTS } from '#db/evidence/reads/renewal-rows.ts';
import { listReversalRows, REVERSAL_SORTS } from '#db/evidence/reads/reversal-rows.ts';
import { findStoredTable, listAddresses } from '#db/evidence/reads/stored-table.ts';
import { monthWindow } from '#lib/core/month.ts';
import { renderDue } from '#lib/evidence/render-snapshot.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import { RECIPIENT_FILTERS, RENDITION_VERSION, RENEWAL_FILTERS, REVERSAL_FILTERS } from '#lib/evidence/rules/table-answer.ts';
import { openTestEnvironment, type TestEnvironment } from '#lib/testing/test-environment.ts';
import { renewalTableRow, reversalTableRow } from './line-tables.ts';
import { listInMemory, wholeTotal } from './month-memory.ts';
import { type MonthTable, withNegated } from './month-table.ts';
import { recipientTableRow } from './recipient-table.ts';

const PAGE = { after: null, limit: 5_000, withTotal: true };
const NONE: TableTotal = { count: -1, sums: {} };
let testEnv: TestEnvironment;
let source: MonthSnapshot;
let table: MonthTable;

beforeAll(async () => {
  testEnv = await openTestEnvironment({ world: 'demo' });
  for (const month of ['2026-09', '2026-10']) await testEnv.pull(monthWindow(month, 'UTC'));
  const game = await testEnv.game();
  await renderDue(game);
  const found = await findMonthSnapshot(testEnv.db, game, '2026-10');
  if (!found) throw new Error('October has no snapshot');
  source = found;
  table = {
    slug: 'demo',
    month: '2026-10',
    snapshotId: found.snapshot.snapshotId,
    isComplete: true,
    mayExport: true,
    canSeeEmails: true,
    months: found.recent.map(({ month }) => month),
    hasPrevious: true,
    recipient: null,
  };
});
afterAll(() => testEnv.close());

async function openMemory(sheet: SheetName, canSeeEmails = true) {
  const { gameId, snapshotId } = source.snapshot;
  const parse = <T>(found: { body: Buffer } | null): T => JSON.parse(gunzipSync(found?.body ?? Buffer.alloc(0)).toString()) as T;
  const stored = await findStoredTable(testEnv.db, { gameId, snapshotId, canSeeEmails }, sheet, RENDITION_VERSION);
  if (!stored) throw new Error(`no stored ${sheet}`);
  return listInMemory(
    sheet,
    { ...table, canSeeEmails },
    {
      table: parse(await findTableAnswer(testEnv.db, gameId, snapshotId, sheet, RENDITION_VERSION)),
      comparison: sheet === 'recipients' ? parse(await findComparison(testEnv.db, gameId, snapshotId, RENDITION_VERSION)) : null,
      addresses: sheet === 'recipients' ? await listAddresses(testEnv.db, gameId, snapshotId, canSeeEmails) : null,
      whole: wholeTotal(sheet, stored.rowCount, stored.sums, stored.comparison?.previousNet ?? null),
    },
  );
}

type Live = (view: TableView, canSeeEmails: boolean) => Promise<{ rows: TableRow[]; total: TableTotal }>;

const LIVE: Record<SheetName, Live> = {
  recipients: async ({ sort, dir, find, chip }, canSeeEmails) => {
    const filter = { find, chip: RECIPIENT_FILTERS.find((each) => each === chip) ?? 'all', canSeeEmails };
    const { rows, total } = await listRecipientRows(testEnv.db, source, filter, { sort, dir, ...PAGE });
    return {
      rows: rows.map((row) => recipientTableRow({ ...table, canSeeEmails }, row)),
      total: withNegated(total ?? NONE, 'reversed_attributed_usd'),
    };
  },
  renewals: async ({ sort, dir, find, chip }) => {
    const filter = { find, chip: RENEWAL_FILTERS.find((each) => each === chip) ?? 'all', recipient: null };
    const { rows, total } = await listRenewalRows(testEnv.db, source, filter, { sort, dir, ...PAGE });
    return { rows: rows.map((row) => renewalTableRow(table, row)), total: total ?? NONE };
  },
  reversals: async ({ sort, dir, find, chip }) => {
    const filter = { find, chip: REVERSAL_FILTERS.find((each) => each === chip) ?? 'all', recipient: null };
    const { rows, total } = await listReversalRows(testEnv.db, source, filter, { sort, dir, ...PAGE });
    return {
      rows: rows.map((row) => reversalTableRow(table, row)),
      total: withNegated(total ?? NONE, 'reversed_attributed_usd', 'partner_revenue_reversed_usd'),
    };
  },
};

const view = (part: Partial<TableView>): TableView => ({ sort: '', dir: 'asc', find: '', chip: 'all', toggled: [], ...part });
const sortsOf = (sorts: Record<string, unknown>): Partial<TableView>[] =>
  Object.keys(sorts).flatMap((sort) => [
    { sort, dir: 'asc' as const },
    { sort, dir: 'desc' as const },
  ]);

test.each<[SheetName, Partial<TableView>[]]>([
  [
    'recipients',
    [
      ...sortsOf(RECIPIENT_SORTS),
      ...RECIPIENT_FILTERS.map((chip) => ({ sort: 'net_attributed_usd', chip })),
      ...['aur', 'VALE', '500', '9001', '@', 'creator', '%', 'no one'].map((find) => ({ sort: 'recipient_player_id', find })),
    ],
  ],
  [
    'renewals',
    [
      ...sortsOf(RENEWAL_SORTS),
      ...RENEWAL_FILTERS.map((chip) => ({ sort: 'paid_at', chip })),
      ...['SUB_', 'sub_', '500001', '2026100004', 'creator', 'guild-hall', '_', 'no such'].map((find) => ({ sort: 'paid_at', find })),
    ],
  ],
  [
    'reversals',
    [
      ...sortsOf(REVERSAL_SORTS),
      ...REVERSAL_FILTERS.map((chip) => ({ sort: 'refunded_at', chip })),
      ...['SUB_', '9009', '2026090004', 'no such'].map((find) => ({ sort: 'refunded_at', find })),
    ],
  ],
])('the %s in memory are those read from the database, in every order, filter and search', async (sheet, views) => {
  const memory = await openMemory(sheet);
  for (const part of views) {
    const asked = view(part);
    const live = await LIVE[sheet](asked, true);
    const selected = selectRows(memory, asked);
    const rows = Array.from({ length: selected.headCount }, (_, index) => selected.at(index));
    expect(rows, JSON.stringify(part)).toEqual(live.rows);
    expect(exact(selected.total), JSON.stringify(part)).toEqual(exact(live.total));
  }
});

test('a viewer finds nobody by an email, and sees masked ones only', async () => {
  const memory = await openMemory('recipients', false);
  const notes = Array.from({ length: memory.count }, (_, place) => (memory.row(place).cells['recipient_name'] as { note: string }).note);
  expect(notes.filter((note) => note.includes('@')).every((note) => /^.•••@.•••(\.\w+)?$/u.test(note))).toBe(true);
  expect(notes.filter((note) => note.includes('@')).length).toBeGreaterThan(50);
  const asked = view({ sort: 'recipient_player_id', find: 'example' });
  expect(selectRows(memory, asked).headCount).toBe((await LIVE.recipients(asked, false)).rows.length);
});

/** Sums without trailing zeros: Postgres and the browser write 12.5 and 12.50 for the same amount. */
function exact(total: TableTotal | null): unknown {
  if (total === null) return null;
  const sums = Object.entries(total.sums).map(([key, sum]) => [key, sum.includes('.') ? sum.replace(/\.?0+$/, '') : sum]);
  return { count: total.count, sums: Object.fromEntries(sums) };
}
