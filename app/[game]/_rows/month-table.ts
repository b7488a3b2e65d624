import type { HeldList } from '#app/_ui/data-table/row-store.ts';
import type {
  CellContent,
  FlagCell,
  IdentityCell,
  MonthCell,
  TableColumn,
  TableRow,
  TableSpec,
  TableTotal,
} from '#app/_ui/data-table/table-spec.ts';
import { countNoun, formatMonth } from '#app/_ui/figures/format.ts';
import { formatMoney, negateMoney } from '#lib/core/money.ts';
import type { Month } from '#lib/core/month.ts';
import { maskName } from '#lib/core/roles.ts';
import type { RecipientRow } from '#lib/evidence/reads/recipients-sheet.ts';
import type { RenewalRow } from '#lib/evidence/reads/renewals-sheet.ts';
import type { ReversalRow } from '#lib/evidence/reads/reversals-sheet.ts';
import { type Addresses, type Comparison, rowAt, type SheetName, type TableColumns, type TableOrders } from '#lib/evidence/rules/sheets.ts';

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

/** The stored parts that a table in the browser is made of. */
export interface SheetParts {
  table: TableColumns;
  /** Of the recipients; null: a sheet of lines. */
  comparison: Comparison | null;
  /** null: not needed by this sheet. */
  addresses: Addresses | null;
  /** null: not loaded yet, so only the order of the file is known. */
  orders: TableOrders | null;
  /** The sums over all rows, as stored. */
  whole: TableTotal;
}

/** A sheet held in the browser: its rows, and the orders, chips and sums that SQL found. Nothing is compared or added here. */
export function holdSheet(sheet: SheetName, table: MonthTable, spec: TableSpec, parts: SheetParts): HeldList {
  const { comparison, addresses, orders, whole } = parts;
  const stored = { ...parts.table, columns: { ...parts.table.columns, ...comparison?.columns } };
  const count = stored.columns['recipient_player_id']?.length ?? 0;
  const chipRows = { ...orders?.chips, ...comparison?.chips };
  return {
    row: (index) => sheetTableRow(sheet, table, spec.columns, rowAt(stored, addresses, index)),
    order: (sort) => {
      if (sort !== spec.defaultSort.key) return orders?.orders[sort] ?? comparison?.orders[sort] ?? null;
      const file = Array.from({ length: count }, (_, index) => index);
      return spec.defaultSort.dir === 'asc' ? file : file.reverse();
    },
    chip: (key) => {
      if (key === 'all') return { rows: null, total: whole };
      const rows = chipRows[key];
      if (rows === undefined || orders === null) return null;
      const sums = { ...orders.sums[key], ...comparison?.sums[key] };
      return { rows, total: shownTotal(spec, { count: rows.length, sums }) };
    },
  };
}

/** One row of a sheet as a table shows it: each column's value, and cells composed of several values. */
export function sheetTableRow(sheet: SheetName, table: MonthTable, columns: TableColumn[], row: Record<string, unknown>): TableRow {
  const { cells, ...composed } = COMPOSE[sheet](table, row);
  // The columns of a sheet are texts, numbers and booleans, or composed below.
  const own = columns.map(({ key, isDeducted }) => [key, isDeducted ? negated(row[key]) : (row[key] ?? null)] as [string, CellContent]);
  return { ...composed, cells: { ...Object.fromEntries(own), ...cells } };
}

function negated(amount: unknown): CellContent {
  return typeof amount === 'string' ? negateMoney(amount) : null;
}

// The rows of a sheet have the fields that its definition names with the type of its row.
const COMPOSE: Record<SheetName, (table: MonthTable, row: Record<string, unknown>) => TableRow> = {
  recipients: (table, row) => recipientCells(table, row as unknown as RecipientRow),
  renewals: (table, row) => renewalCells(table, row as unknown as RenewalRow),
  reversals: (table, row) => reversalCells(table, row as unknown as ReversalRow),
};

function recipientCells(table: MonthTable, row: RecipientRow): TableRow {
  const href = `/${table.slug}/recipients/${row.recipient_player_id}`;
  const note = row.recipient_email ?? (row.resolved === false ? 'not found by Invo' : 'email not reported');
  return {
    id: String(row.recipient_player_id),
    href,
    cells: {
      recipient_name: { name: maskName(row.recipient_name, table.canSeeEmails), playerId: row.recipient_player_id, note, href },
      months: sixMonthBars(table.months, row.sixNets),
      flags: recipientFlags(table, row),
    },
  };
}

type FlagFacts = Pick<
  RecipientRow,
  'recipient_player_id' | 'resolved' | 'baseMismatchCount' | 'coarseReversalCount' | 'netsToZeroCount' | 'reversedMonths' | 'isFirstTime'
>;

/** What is unusual about a recipient this month, the gravest first; each links to its lines where there are some. */
export function recipientFlags({ slug, month }: Pick<MonthTable, 'slug' | 'month'>, row: FlagFacts): FlagCell[] {
  const here = `/${slug}/months/${month}`;
  const find = `find=${row.recipient_player_id}`;
  const flags: FlagCell[] = [];
  if (row.resolved === false) flags.push({ tone: 'wait', word: 'unresolved' });
  if (row.baseMismatchCount > 0)
    flags.push({
      tone: 'wait',
      word: `base differs on ${countNoun(row.baseMismatchCount, 'line')}`,
      href: `${here}/lines?${find}&show=base`,
    });
  if (row.reversedMonths.length > 0)
    flags.push({ tone: 'wait', word: `reverses ${monthNames(row)}`, href: `${here}/reversals?${find}&show=earlier` });
  if (row.coarseReversalCount > 0)
    flags.push({
      tone: 'wait',
      word: `${countNoun(row.coarseReversalCount, 'reversal')} without receipts`,
      href: `${here}/reversals?${find}&show=coarse`,
    });
  if (row.netsToZeroCount > 0)
    flags.push({ tone: 'quiet', word: row.netsToZeroCount === 1 ? 'settled and refunded' : `${row.netsToZeroCount} settled and refunded` });
  if (row.isFirstTime) flags.push({ tone: 'quiet', word: 'first time' });
  return flags;
}

function monthNames({ reversedMonths }: FlagFacts): string {
  const names = reversedMonths.map((month) => formatMonth(month).split(' ')[0]);
  return names.length <= 2 ? names.join(' and ') : `${names.length} earlier months`;
}

/** Bars against the tallest of the row. Heights are for drawing; the exact figures are in the labels. */
function sixMonthBars(months: Month[], nets: (string | null)[]): MonthCell[] {
  const tallest = Math.max(0, ...nets.map((net) => Math.abs(Number(net ?? 0))));
  return months.map((month, index) => {
    const net = nets[index] ?? null;
    return {
      height: net === null ? null : tallest === 0 ? 0 : Number(net) / tallest,
      label: `${formatMonth(month, 'short')} ${net === null ? 'none' : formatMoney(net)}`,
    };
  });
}

/** The recipient of a line: the name where there is one, and always the player ID. */
export function lineIdentity(
  { slug, canSeeEmails }: Pick<MonthTable, 'slug' | 'canSeeEmails'>,
  row: { recipient_player_id: number; recipient_name: string | null },
): IdentityCell {
  const playerId = row.recipient_player_id;
  return {
    name: maskName(row.recipient_name, canSeeEmails),
    playerId,
    note: String(playerId),
    isShort: true,
    href: `/${slug}/recipients/${playerId}`,
  };
}

function renewalCells(table: MonthTable, row: RenewalRow): TableRow {
  const expected = row.expectedBase === null ? '' : `, ${formatMoney(row.expectedBase)} expected`;
  return {
    id: String(row.period_id),
    href: `/${table.slug}/recipients/${row.recipient_player_id}`,
    cells: {
      recipient_player_id: lineIdentity(table, row),
      flags: row.base_matches_settled_fee === false ? [{ tone: 'wait', word: `base differs${expected}` }] : [],
    },
  };
}

function reversalCells(table: MonthTable, row: ReversalRow): TableRow {
  const { slug, month } = table;
  const href = `/${slug}/months/${row.settledMonth}/lines?find=${row.period_id}`;
  return {
    id: `${row.period_id} ${row.refunded_at ?? ''} ${row.eventNo ?? ''}`,
    href,
    cells: {
      recipient_player_id: lineIdentity(table, row),
      settled_in_this_window: { text: row.settledMonth === month ? 'this month' : formatMonth(row.settledMonth, 'short'), href },
      flags: reversalFlags(row),
    },
  };
}

function reversalFlags(row: ReversalRow): FlagCell[] {
  const flags: FlagCell[] = [];
  if (row.reversal_basis === 'period_row') flags.push({ tone: 'wait', word: 'without receipts: refund and time not reported' });
  if (row.nets_to_zero_in_window) flags.push({ tone: 'quiet', word: 'settled and refunded this month' });
  else if (row.is_full_refund) flags.push({ tone: 'quiet', word: 'completes the refund' });
  if (row.partner_revenue_reversal_basis === 'none') flags.push({ tone: 'wait', word: 'partner revenue not reversed' });
  return flags;
}
