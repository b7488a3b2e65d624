import type { Db } from '#db/kit/open.ts';
import { type SheetColumn, writeHeader, writeRow } from '#lib/core/csv.ts';
import type { ZipEntry } from '#lib/core/zip.ts';
import type { PayeeKey } from '#lib/payees/seal.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';

/** What a pack is written from. */
export interface PackSource {
  db: Db;
  run: Run;
  /** The key that opens payment details, files and reports, where the pack carries them; null: it doesn't. */
  accountsKey: PayeeKey | null;
}

/** An entry of a pack with a value of JSON, one property a line. */
export function jsonEntry(name: string, value: unknown): ZipEntry {
  return { name, content: `${JSON.stringify(value, null, 2)}\n` };
}

/** An entry of a pack with rows of named columns. */
export function csvEntry(name: string, columns: SheetColumn[], rows: readonly object[]): ZipEntry {
  return { name, content: writeRows(columns, rows) };
}

/** Rows with their header, as an entry has them. */
export function writeRows(columns: SheetColumn[], rows: readonly object[]): string {
  return [writeHeader(columns), ...rows.map((row) => writeRow(columns, { ...row }))].join('');
}
