import { createWriteStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Window } from '../core/window.ts';
import { type ExportRefusal, exportSheet, type SheetFile } from '../evidence/export-sheet.ts';
import type { SheetFormat, SheetName } from '../evidence/rules/sheets.ts';
import { formatTooManyRows } from '../evidence/text.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type CommandContext, EXIT } from './command-context.ts';

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
    for await (const piece of file.bytes) await write(context, piece);
    context.log(JSON.stringify(file.manifest()));
    return EXIT.done;
  }
  const name = command.out ?? file.fileName;
  if (!file.isComplete && command.out !== null && !/incomplete/.test(path.basename(name))) {
    context.log(
      `The file is incomplete, so its name must say so. For example: ${name.replace(/(\.csv|\.xlsx)?$/, `.incomplete.${command.format}`)}`,
    );
    return EXIT.usage;
  }
  const manifest = await saveFile(name, file);
  context.print(
    command.isJson
      ? JSON.stringify({ file: name, manifest })
      : `${name}: ${manifest.rows} rows of snapshot ${manifest.snapshot_id}${manifest.complete ? '' : ', INCOMPLETE'}\nManifest: ${name}.manifest.json`,
  );
  for (const reason of manifest.reasons) context.log(`Note: ${reason}`);
  return EXIT.done;
}

function refuse(context: CommandContext, refusal: ExportRefusal, snapshotId: number | undefined): number {
  if (refusal.reason === 'no_such_snapshot') {
    context.log(`Nothing was exported: snapshot ${snapshotId} isn't one of this window. Reconciliation lists the snapshots of a month.`);
    return EXIT.failed;
  }
  if (refusal.reason === 'too_many_rows') {
    context.log(`Nothing was exported. ${formatTooManyRows(refusal.rows_max)}`);
    return EXIT.failed;
  }
  if (refusal.reason !== 'incomplete') {
    context.log('This window has not been pulled. Pull it, then export.');
    return EXIT.failed;
  }
  context.log(
    [
      'Nothing was exported: this window has no complete snapshot.',
      ...refusal.reasons.map((reason) => `  ${reason}`),
      'Pull the window again, or export an incomplete file with --incomplete-ok.',
    ].join('\n'),
  );
  return EXIT.notReconciled;
}

/** Writes under another name first, so that a file with this name is always whole. */
async function saveFile(name: string, file: SheetFile): Promise<ReturnType<SheetFile['manifest']>> {
  const part = `${name}.part`;
  try {
    await pipeline(Readable.from(file.bytes), createWriteStream(part));
    const manifest = file.manifest();
    await writeFile(`${name}.manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(part, name);
    return manifest;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

function write(context: CommandContext, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => context.io.stdout.write(piece, (error) => (error ? reject(error) : resolve())));
}
