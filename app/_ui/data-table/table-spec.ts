import type { CellShape } from '#lib/core/csv.ts';
import type { Tone } from '#lib/core/strings.ts';

export interface TableColumn {
  key: string;
  label: string;
  shape: CellShape;
  /** Minimum width in pixels; the rest of the space is shared in proportion. */
  width: number;
  /** The server can sort by it. */
  isSortable?: true;
  /** Hidden until someone chooses it. */
  isOptional?: true;
  /** Shown as a negative figure. */
  isDeducted?: true;
  /** The figure a phone shows beside the name; the other columns leave there unless they were chosen. */
  isKey?: true;
  /** Set by the table: hidden on a phone. */
  isWideOnly?: boolean;
  /** Set by the table: decimal places of the longest amount. */
  places?: number;
}

export interface IdentityCell {
  /** As Invo reports it; null: unresolved or not reported. */
  name: string | null;
  playerId: number;
  /** Email, or why there is none. */
  note: string;
  href: string;
  /** On one line, for compact rows. */
  isShort?: boolean;
}

export interface LinkCell {
  text: string;
  href: string;
  /** What a phone shows below, instead of the column that it hides. */
  narrowNote?: string;
}

export interface FlagCell {
  tone: Tone;
  word: string;
  href?: string;
}

export interface MonthCell {
  /** The bar against the tallest of the row, −1 to 1; null: none that month. For drawing only. */
  height: number | null;
  /** The figure as text. */
  label: string;
}

/** Exact text for money and coins; null: not reported. */
export type CellContent = string | number | boolean | null | IdentityCell | LinkCell | FlagCell[] | MonthCell[];

export interface TableRow {
  /** Unique within the list. */
  id: string;
  /** What Enter opens; null: nothing. */
  href: string | null;
  cells: Record<string, CellContent>;
}

/** Rows a person selects, by their ids. */
export interface RowSelection {
  selected: Record<string, true>;
  canSelect: (row: TableRow) => boolean;
  onSelect: (selected: Record<string, true>) => void;
}

/** The totals row: how many rows match the filter, and the sums by column. */
export interface TableTotal {
  count: number;
  sums: Record<string, string>;
}

/** One response of the server: rows from one end, and where the next page starts. The total comes with the first. */
export interface TablePage {
  rows: TableRow[];
  next: string | null;
  total: TableTotal | null;
  /** Newer rows exist than these. */
  isStale: boolean;
}

/** Rows of one request by rank: the step of ranks that the route accepts. */
export const BLOCK_ROWS = 100;

interface TableChip {
  key: string;
  label: string;
  count?: number;
  /** What its rows come to, as it is shown. */
  sum?: string;
  /** The order it switches to, largest first. */
  sort?: string;
}

/** Everything that makes one table that table; plain data, so that a server page can pass it on. */
export interface TableSpec {
  /** One row and several rows as nouns: `recipient`, `recipients`. */
  noun: [string, string];
  columns: TableColumn[];
  chips: TableChip[];
  /** The address of the rows route; further parameters are added. */
  rowsHref: string;
  /** The rows never change, and the route gives them by rank; else they are loaded from the two ends of the list. */
  isRanked?: true;
  /** The address of the sheet as a file; absent where the role or the state of the figures allows none. */
  fileHref?: string;
  /** The page has no other export of all rows, so the table offers it. */
  isOnlyFile?: true;
  defaultSort: { key: string; dir: 'asc' | 'desc' };
  findLabel: string;
  /** How the list matches a typed filter, in a sentence for when it finds nothing. */
  findNote: string;
  /** The two ends of the default order as nouns. */
  ends: { first: string; last: string };
  isCompact?: boolean;
}
