import type { Month } from '../../core/month.ts';

export const SHEETS = ['recipients', 'renewals', 'reversals'] as const;
export type SheetName = (typeof SHEETS)[number];

/** Reads the name of a sheet; null when there is none of that name. */
export function parseSheet(text: string): SheetName | null {
  return SHEETS.find((name) => name === text) ?? null;
}

export const SHEET_FORMATS = ['csv', 'xlsx'] as const;
export type SheetFormat = (typeof SHEET_FORMATS)[number];

/** What Invo's figures are and are not; it travels with every page and file that shows them (document 2, attribution notice). */
export const ATTRIBUTION_NOTICE = {
  settled_by_invo: false,
  invo_has_paid_no_recipient: true,
  document_type: 'attribution_report',
  not_a_remittance_advice: true,
  payer: 'partner',
  statement: 'Attribution report, not a remittance advice. Invo settles to the partner only and has paid no recipient; the payer is you.',
} as const;

/** Version of what is rendered with a snapshot; raise it whenever the bytes of a file or of a table change. */
export const RENDITION_VERSION = 4;

/** Rows a browser holds of one table at most; a longer sheet is loaded in parts. */
export const TABLE_ROWS_MAX = 50_000;

/** Rows a page is sent with: more than are in sight on a laptop. */
export const HEAD_ROWS = 24;

/** Rows by column, in the order of the file; all columns have the same length. It holds no email. */
export interface TableColumns {
  columns: Record<string, unknown[]>;
  /** Names of recipients by player ID; null: not reported, or an email. */
  names: Record<string, string | null>;
}

/** Orders, chips and sums as SQL found them. An index counts from 0 in the order of the file. */
export interface TableOrders {
  /** By the key of its column: the indexes of all rows in ascending order. The order of the file itself is not among them. */
  orders: Record<string, number[]>;
  /** By key: the indexes of the rows that a chip leaves, in the order of the file. */
  chips: Record<string, number[]>;
  /** By the key of a chip, or `all`: the sum of each summed column by its key. Exact text. */
  sums: Record<string, Record<string, string>>;
}

/** How the recipients of a month compare with other months: columns, orders and chips that change when those do. */
export interface Comparison extends Pick<TableColumns, 'columns'>, TableOrders {}

/** What the page of a table needs of a rendition: how many rows each chip leaves, and the first rows. */
export interface TableHead extends TableColumns {
  counts: Record<string, number>;
}

/** What the recipients page needs of a comparison. */
export interface ComparisonHead extends Pick<TableColumns, 'columns'> {
  /** Six months, oldest first, the month itself last. */
  months: Month[];
  /** The month before is complete, so there is a change to state. */
  hasPrevious: boolean;
  counts: Record<string, number>;
  /** The sums over all rows. */
  sums: Record<string, string>;
}

/** Emails of a snapshot by player ID, in full or masked; a name is given where it is an email too. */
export type Addresses = Record<string, { email: string | null; name?: string }>;

/** The row at an index, with the name and the email of its recipient as far as they are loaded. Its fields are those of the columns. */
export function rowAt<Row extends object>({ columns, names }: TableColumns, addresses: Addresses | null, index: number): Row {
  const own = Object.fromEntries(Object.entries(columns).map(([key, values]) => [key, values[index] ?? null]));
  const id = String(own['recipient_player_id']);
  const address = addresses?.[id];
  const named = { recipient_name: names[id] ?? address?.name ?? null, recipient_email: address?.email ?? null };
  // Rows are written by the definition of the list, which names the fields of a row.
  return { ...own, ...named } as unknown as Row;
}
