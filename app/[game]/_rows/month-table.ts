import type { TableSpec, TableTotal } from '#app/_ui/data-table/table-spec.ts';
import { negateMoney } from '#lib/core/money.ts';
import type { Month } from '#lib/core/month.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';

/** What the tables of a month know of it, wherever their rows come from. Plain data, for the server and the browser alike. */
export interface MonthTable {
  slug: string;
  month: Month;
  snapshotId: number;
  isComplete: boolean;
  mayExport: boolean;
  canSeeEmails: boolean;
  /** Six months, oldest first, this one last. */
  months: Month[];
  /** The month before is complete, so there is a change to show. */
  hasPrevious: boolean;
  /** One recipient's rows only; null: all. */
  recipient: number | null;
}

/** The totals row, with the sums of deducted columns as negative figures. */
export function shownTotal({ columns }: Pick<TableSpec, 'columns'>, { count, sums }: TableTotal): TableTotal {
  const deducted = columns.filter(({ isDeducted }) => isDeducted).map(({ key }) => [key, negateMoney(sums[key] ?? '0.00')]);
  return { count, sums: { ...sums, ...Object.fromEntries(deducted) } };
}

/** Where the rows of a sheet come from, and where its file is: only for roles that export, and only of complete figures. */
export function sheetAddresses(table: MonthTable, sheet: SheetName): Pick<TableSpec, 'rowsHref' | 'fileHref' | 'isOnlyFile'> {
  const { slug, snapshotId, month, recipient, isComplete, mayExport } = table;
  const rowsHref = `/${slug}/lists/${sheet}/rows?month=${month}&snapshot=${snapshotId}${recipient === null ? '' : `&recipient=${recipient}`}`;
  if (!mayExport || !isComplete) return { rowsHref };
  const fileHref = `/${slug}/months/${month}/export/${sheet}`;
  return recipient === null ? { rowsHref, fileHref } : { rowsHref, fileHref: `${fileHref}?recipient=${recipient}`, isOnlyFile: true };
}

/** Where a part that a table is made of comes from. */
export function partHref({ slug, month, snapshotId }: MonthTable, part: string): string {
  return `/${slug}/months/${month}/table/${part}?snapshot=${snapshotId}`;
}
