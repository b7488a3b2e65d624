import 'server-only';
import { db } from '#app/_server/server-context.ts';
import type { TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatMonth } from '#app/_ui/figures/format.ts';
import { countChips, filterRows } from '#db/kit/list.ts';
import type { Game } from '#lib/core/game.ts';
import { parseMonth } from '#lib/core/month.ts';
import { listSheetRows, MONTH_SHEETS } from '#lib/evidence/reads/month-sheets.ts';
import {
  type CurrentWindow,
  findMonthSnapshot,
  type MonthSnapshot,
  monthSnapshotOf,
  type SheetSource,
} from '#lib/evidence/reads/month-snapshot.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import { defineList, ordersAndChips, parseCount, type ServedList, specOf } from './define-list.ts';
import { type MonthTable, sheetAddresses, sheetTableRow, shownTotal } from './month-table.ts';

/** What the lists of a month are read from: one snapshot, and what the person may see of it. */
export interface MonthSource extends MonthSnapshot, SheetSource {
  mayExport: boolean;
}

export interface MonthViewer {
  may(right: 'emails.read' | 'files.export'): boolean;
}

/** The snapshot of a month that lists read from: the newest complete one, or the one named by its ID; null when there is none. */
export async function findMonthSource(
  game: Game,
  month: string,
  viewer: MonthViewer,
  choice: { snapshotId?: number | null; recipient?: number } = {},
): Promise<MonthSource | null> {
  const snapshot = await findMonthSnapshot(db(), game, month, choice.snapshotId ?? undefined);
  return snapshot && sourceOf(snapshot, viewer, choice.recipient);
}

/** The same out of current windows that were read already; with one recipient's rows only, or all. */
export function monthSourceOf(
  game: Game,
  month: string,
  viewer: MonthViewer,
  { windows, recipient = null }: { windows: CurrentWindow[]; recipient?: number | null },
): MonthSource | null {
  const snapshot = monthSnapshotOf(game, month, windows);
  return snapshot && sourceOf(snapshot, viewer, recipient);
}

function sourceOf(snapshot: MonthSnapshot, viewer: MonthViewer, recipient: number | null = null): MonthSource {
  return { ...snapshot, canSeeEmails: viewer.may('emails.read'), mayExport: viewer.may('files.export'), recipient };
}

/** What the tables of a source know of its month. */
function tableOf({ snapshot, month, status, mayExport, canSeeEmails, recent, previousSnapshotId, recipient }: MonthSource): MonthTable {
  return {
    slug: snapshot.slug,
    month,
    snapshotId: snapshot.snapshotId,
    isComplete: status === 'complete',
    mayExport,
    canSeeEmails,
    months: recent.map((each) => each.month),
    hasPrevious: previousSnapshotId !== null,
    recipient,
  };
}

/** The table of a sheet; `counts` by chip, where they are known. */
export function sheetSpec(sheet: SheetName, table: MonthTable, counts?: Record<string, number>): TableSpec {
  const { months, hasPrevious, recipient, canSeeEmails } = table;
  const previous = months.at(-2);
  const isOfOne = sheet === 'renewals' && recipient !== null;
  const spec = specOf(
    MONTH_SHEETS[sheet],
    { canSeeEmails, recipient },
    {
      ...(counts && { counts }),
      ...(previous && { labels: { previous_net_usd: formatMonth(previous, 'short') } }),
      without: [...(hasPrevious && previous ? [] : ['previous_net_usd', 'change']), ...(isOfOne ? ['recipient_player_id'] : [])],
      lead: isOfOne ? ['period_id'] : [],
    },
  );
  const inTime = { defaultSort: { key: 'paid_at', dir: 'asc' }, ends: { first: 'Earliest', last: 'Latest' } } as const;
  return { ...spec, ...sheetAddresses(table, sheet), ...(isOfOne ? inTime : {}) };
}

function monthList(sheet: SheetName): ServedList<MonthSource> {
  const definition = MONTH_SHEETS[sheet];
  return defineList<MonthSource>({
    right: 'figures.read',
    findSource: async ({ game, person }, params) => {
      const month = parseMonth(params.get('month') ?? '');
      const recipient = parseCount(params.get('recipient'));
      const choice = { snapshotId: parseCount(params.get('snapshot')), ...(recipient === null ? {} : { recipient }) };
      return month === null ? null : await findMonthSource(game, month, person, choice);
    },
    ...ordersAndChips(definition),
    spec: async (source) =>
      sheetSpec(sheet, tableOf(source), definition.hasCounts ? await countChips(db(), definition, source) : undefined),
    rows: async (source, request) => {
      const table = tableOf(source);
      const spec = sheetSpec(sheet, table);
      const { rows, next, total } = await listSheetRows(db(), sheet, source, request);
      return { rows: rows.map((row) => sheetTableRow(sheet, table, spec.columns, row)), next, total: total && shownTotal(spec, total) };
    },
    isStale: ({ newestSnapshotId, snapshot }) => newestSnapshotId !== snapshot.snapshotId,
    isRanked: true,
    // A file is for those who may export, and they may search emails.
    condition: (source, { recipient, ...filter }) => filterRows(definition, { ...source, canSeeEmails: true, recipient }, filter),
    ...(sheet === 'recipients' ? {} : { isByRecipient: true }),
  });
}

/** The lists of a month whose rows are read from lines, by sheet. */
export const MONTH_LISTS: Record<SheetName, ServedList<MonthSource>> = {
  recipients: monthList('recipients'),
  renewals: monthList('renewals'),
  reversals: monthList('reversals'),
};
