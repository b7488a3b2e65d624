import type { Window } from '#lib/core/window.ts';
import { type ExportRefusal, exportSheet, type Manifest } from '#lib/evidence/export-sheet.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import type { TestEnvironment } from './test-environment.ts';

export interface ReadSheet {
  fileName: string;
  text: string;
  /** Rows without the header, by column; no cell of these holds a line break. */
  manifest: Manifest;
}

/** Exports a sheet to its last byte. Throws with the reason when the export is refused. */
export async function readSheet(testEnv: TestEnvironment, window: Window, sheet: SheetName, mayBeIncomplete = false): Promise<ReadSheet> {
  const file = await exportSheet(testEnv.db, await testEnv.game(), { window, sheet, mayBeIncomplete, hasManifest: true });
  if (!file.ok) throw new Error(describe(file));
  const text = Buffer.concat(await Array.fromAsync(file.bytes)).toString();
  return { fileName: file.fileName, text, manifest: file.manifest() };
}

/** The same bytes without what differs from one snapshot to the next: the snapshot ID. */
export function withoutSnapshot(text: string): string {
  return text.replaceAll(/(?<=^demo,production,[^,]*,[^,]*,)\d+/gm, '#');
}

function describe(refusal: ExportRefusal): string {
  return `refused: ${refusal.reason}${refusal.reason === 'incomplete' ? `: ${refusal.reasons.join('; ')}` : ''}`;
}
