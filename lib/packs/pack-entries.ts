import { type SheetColumn, writeHeader, writeRow } from '#lib/core/csv.ts';
import type { ZipEntry } from '#lib/core/zip.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import type { PayeeKey } from '#lib/payees/seal.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import type { RunToVerify } from '#lib/payouts/reads/run-verification.ts';
import type { RunContent } from '#lib/payouts/rules/run-content.ts';
import type { LeftOut } from './rules/pack-index.ts';

/** What a pack is written from. */
export interface PackSource {
  /** Its handle is one frozen view, so that all entries are of one state. */
  game: OpenGame;
  run: Run;
  stated: RunToVerify;
  /** What was approved. */
  content: RunContent;
  /** The key that opens payment details, files and reports, where the pack carries them; null: it doesn't. */
  accountsKey: PayeeKey | null;
  /** What the pack doesn't have. What writes an entry adds what it leaves out. */
  leftOut: LeftOut[];
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
