import type { CellShape, IdentityCell, TableColumn, TableSpec, TableTotal } from '#app/_ui/data-table/table-spec.ts';
import type { CellKind } from '#lib/core/csv.ts';
import { negateMoney } from '#lib/core/money.ts';
import type { Month } from '#lib/core/month.ts';
import { maskName } from '#lib/core/roles.ts';
import { SHEET_COLUMNS, type SheetName } from '#lib/evidence/rules/sheets.ts';

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

const SHAPES: Record<CellKind, CellShape> = {
  text: 'text',
  money: 'money',
  coins: 'coins',
  count: 'count',
  percent: 'percent',
  instant: 'instant',
  boolean: 'boolean',
};

type Choice = Partial<Omit<TableColumn, 'key'>> & { width: number };

/** A column of a sheet as a table shows it: label and kind are the sheet's own, instants name their zone. */
export function sheetColumn(sheet: SheetName, key: string, choice: Choice): TableColumn {
  const column = SHEET_COLUMNS[sheet].find((each) => each.key === key);
  if (!column) throw new Error(`the sheet ${sheet} has no column ${key}`);
  const label = column.kind === 'instant' ? `${column.label}, UTC` : column.label;
  return { key, label, shape: SHAPES[column.kind], ...choice };
}

/** The recipient of a line: the name where there is one, and always the player ID. */
export function lineIdentity(
  { slug, canSeeEmails }: Pick<MonthTable, 'slug' | 'canSeeEmails'>,
  row: { recipient_player_id: number; recipientName: string | null },
): IdentityCell {
  const playerId = row.recipient_player_id;
  return {
    name: maskName(row.recipientName, canSeeEmails),
    playerId,
    note: String(playerId),
    isShort: true,
    href: `/${slug}/recipients/${playerId}`,
  };
}

/** The totals row with these sums as negative figures. */
export function withNegated({ count, sums }: TableTotal, ...keys: string[]): TableTotal {
  return { count, sums: { ...sums, ...Object.fromEntries(keys.map((key) => [key, negateMoney(sums[key] ?? '0.00')])) } };
}

/** Where the rows of a sheet come from, and where its file is: only for roles that export, and only of complete figures. */
export function sheetAddresses(table: MonthTable, sheet: SheetName): Pick<TableSpec, 'rowsHref' | 'isRanked' | 'fileHref' | 'isOnlyFile'> {
  const { slug, snapshotId, month, recipient, isComplete, mayExport } = table;
  const here = `/${slug}/months/${month}`;
  const rowsHref = `${here}/rows/${sheet}?snapshot=${snapshotId}${recipient === null ? '' : `&recipient=${recipient}`}`;
  const rows = { rowsHref, isRanked: true } as const;
  if (!mayExport || !isComplete) return rows;
  const fileHref = `${here}/export/${sheet}`;
  return recipient === null ? { ...rows, fileHref } : { ...rows, fileHref: `${fileHref}?recipient=${recipient}`, isOnlyFile: true };
}

/** Where an answer that a table is made of comes from. */
export function answerHref({ slug, month, snapshotId }: MonthTable, part: SheetName | 'comparison' | 'addresses'): string {
  return `/${slug}/months/${month}/table/${part}?snapshot=${snapshotId}`;
}
