import path from 'node:path';
import type { Window } from '../core/window.ts';
import { type ExportRefusal, exportSheet } from '../evidence/export-sheet.ts';
import type { SheetFormat, SheetName } from '../evidence/rules/sheets.ts';
import { formatTooManyRows } from '../evidence/text.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type CommandContext, EXIT, printFile, saveFile } from './command-context.ts';

interface ExportArguments {
  window: Window;
  sheet: SheetName;
  format: SheetFormat;
  out: string | null;
  snapshotId?: number;
  mayBeIncomplete: boolean;
  isJson: boolean;
}

/** Writes a sheet and its manifest to files, or the sheet to stdout and the manifest to stderr. */
export async function exportCommand(context: CommandContext, game: OpenGame, command: ExportArguments): Promise<number> {
  const file = await exportSheet(game.db, game, { ...command, hasManifest: true, takenBy: 'command line' });
  if (!file.ok) return refuse(context, file, command.snapshotId);
  if (command.out === '-') {
    await printFile(context, file.bytes);
    context.log(JSON.stringify(file.manifest()));
    return EXIT.done;
  }
  const name = command.out ?? file.fileName;
  if (!file.isComplete && command.out !== null && !/incomplete/.test(path.basename(name))) {
    const example = name.replace(/(\.csv|\.xlsx)?$/, `.incomplete.${command.format}`);
    return context.fail(`The file is incomplete, so its name must say so. For example: ${example}`, EXIT.usage);
  }
  await saveFile(name, file);
  const manifest = file.manifest();
  context.print(
    command.isJson
      ? JSON.stringify({ file: name, manifest })
      : `${name}: ${manifest.rows} rows of snapshot ${manifest.snapshot_id}${manifest.complete ? '' : ', INCOMPLETE'}\nManifest: ${name}.manifest.json`,
  );
  for (const reason of manifest.reasons) context.log(`Note: ${reason}`);
  return EXIT.done;
}

function refuse({ fail }: CommandContext, refusal: ExportRefusal, snapshotId: number | undefined): number {
  if (refusal.reason === 'no_such_snapshot')
    return fail(`Nothing was exported: snapshot ${snapshotId} isn't one of this window. Reconciliation lists the snapshots of a month.`);
  if (refusal.reason === 'too_many_rows') return fail(`Nothing was exported. ${formatTooManyRows(refusal.rows_max)}`);
  if (refusal.reason !== 'incomplete') return fail('This window has not been pulled. Pull it, then export.');
  const lines = [
    'Nothing was exported: this window has no complete snapshot.',
    ...refusal.reasons.map((reason) => `  ${reason}`),
    'Pull the window again, or export an incomplete file with --incomplete-ok.',
  ];
  return fail(lines.join('\n'), EXIT.notReconciled);
}
