import type { DetailField, DetailProblem } from './details.ts';

/** The largest file of payment details, in bytes, and its most rows below the header. */
export const FILE_BYTES_MAX = 20_000_000;
export const FILE_ROWS_MAX = 100_000;

/** Rows with an error that are named, and rows of a change that are shown. */
export const REPORTED_MAX = 20;
export const SHOWN_MAX = 200;

/** What is wrong with a file as a whole. */
export type FileError =
  | { kind: 'too_large' | 'not_utf8' | 'empty' }
  /** `name`: what the file is, such as “a PDF”. */
  | { kind: 'packed'; name: string }
  | { kind: 'too_many' | 'open_quote'; line: number }
  | { kind: 'missing_column' | 'unknown_column' | 'column_twice'; column: string };

/** What is wrong with one row. `first`: the row that names the recipient already. */
export type RowError = { line: number; column: 'recipient_player_id' | 'method' | DetailField } & (
  | { problem: DetailProblem | 'not_an_id' | 'unknown_method' | 'unknown_recipient' | 'another_waits' | 'too_many_cells' | 'too_few_cells' }
  | { problem: 'twice'; first: number }
);

/** What a row changes. `identity`: the same recipient has another identity than the details in force were made for. */
export type ImportChange = 'new' | 'changed' | 'identity' | 'unchanged';

/** A row of an import as a person checks it: accounts are masked. */
export interface ImportPreviewRow {
  line: number;
  recipientId: number;
  change: ImportChange;
  /** What is in force; null: nothing. */
  before: string | null;
  after: string;
}

/** What an import would change: how many rows of each kind, and the first that change something. */
export interface ImportPreview {
  counts: Readonly<Record<ImportChange, number>>;
  /** The digest of everything that changes; proposing carries it. */
  shown: string;
  rows: ImportPreviewRow[];
}

/** The answer to a file that was sent to be checked or proposed. */
export type ImportAnswer =
  | ({ kind: 'checked' } & ImportPreview)
  | { kind: 'proposed'; count: number }
  | { kind: 'rows'; sentences: string[]; count: number }
  | { kind: 'refused'; sentence: string }
  /** The file changes something else than what was shown: it is checked again. */
  | { kind: 'changed'; sentence: string };
