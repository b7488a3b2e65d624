import type { Tone } from '../words/status.tsx';

/** How a cell is drawn. The first column of a table is its `identity` or another kind that names the row. */
export type CellShape =
  | 'identity'
  | 'text'
  | 'id'
  | 'money'
  | 'money-strong'
  | 'coins'
  | 'count'
  | 'percent'
  | 'instant'
  | 'boolean'
  | 'link'
  | 'months'
  | 'flags';

export interface TableColumn {
  key: string;
  label: string;
  shape: CellShape;
  /** Least width in pixels; what is left over is shared in proportion. */
  width: number;
  /** The server knows this order. */
  isSortable?: true;
  /** Left out until it is chosen. */
  isOptional?: true;
}

export interface IdentityCell {
  /** As Invo gave it; null: unresolved or not recorded. */
  name: string | null;
  playerId: number;
  /** E-mail, or why there is none. */
  note: string;
  href: string;
  /** On one line, for compact rows. */
  isShort?: boolean;
}

export interface LinkCell {
  text: string;
  href: string;
}

export interface FlagCell {
  tone: Tone;
  word: string;
  href?: string;
}

export interface MonthCell {
  /** Where the bar stands against the tallest of the row, −1 to 1; null: nothing that month. For drawing only. */
  height: number | null;
  /** The figure in words, for who cannot see the bar. */
  label: string;
}

/** Exact text for money and coins; null: not recorded. */
export type CellContent = string | number | boolean | null | IdentityCell | LinkCell | FlagCell[] | MonthCell[];

export interface TableRow {
  /** Distinct within the list. */
  id: string;
  /** Where Enter leads; null: nowhere. */
  href: string | null;
  cells: Record<string, CellContent>;
}

/** What the totals row says: how many rows the whole filter leaves, and the sums by column. */
export interface TableTotal {
  count: number;
  sums: Record<string, string>;
}

/** One answer of the server: some rows from one end, and where to go on. The total comes with the first. */
export interface TablePage {
  rows: TableRow[];
  next: string | null;
  total: TableTotal | null;
  /** A newer statement than the one the rows are of. */
  isStale: boolean;
}

interface TableChip {
  key: string;
  label: string;
  count?: number;
  /** The order that goes with it, largest first. */
  sort?: string;
}

/** Everything that makes one table that table; plain data, so that the page can hand it over. */
export interface TableSpec {
  /** What one row and several are called: `recipient`, `recipients`. */
  noun: [string, string];
  columns: TableColumn[];
  chips: TableChip[];
  /** Where rows are asked for; further parameters are added. */
  rowsHref: string;
  /** Where the sheet is to be had as a file; left out where the person, or the standing of the figures, allows none. */
  fileHref?: string;
  /** Nowhere else on the page are all rows offered as a file, so the table offers that too. */
  isOnlyFile?: true;
  defaultSort: { key: string; dir: 'asc' | 'desc' };
  findLabel: string;
  /** What the two ends of the default order are called. */
  ends: { first: string; last: string };
  isCompact?: boolean;
}
