import { createWriteStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Window } from '../core/window.ts';
import { type ExportRefusal, exportSheet, type SheetFile } from '../evidence/export-sheet.ts';
import type { SheetName } from '../evidence/rules/sheets.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type Door, EXIT } from './door.ts';

interface ExportArguments {
  window: Window;
  sheet: SheetName;
  out: string | null;
  mayBeIncomplete: boolean;
  isJson: boolean;
}

/** Writes a sheet and its manifest to files, or the sheet to stdout and the manifest to stderr. */
export async function exportCommand(door: Door, game: OpenGame, command: ExportArguments): Promise<number> {
  const file = await exportSheet(game.db, game, { ...command, takenBy: 'command line' });
  if (!file.ok) return refuse(door, file);
  if (command.out === '-') {
    for await (const text of file.text) await write(door, text);
    door.say(JSON.stringify(file.manifest()));
    return EXIT.done;
  }
  const name = command.out ?? file.fileName;
  if (!file.isComplete && command.out !== null && !/incomplete/.test(path.basename(name))) {
    door.say(`This file is not complete, and its name must say so: ${name.replace(/(\.csv)?$/, '.incomplete.csv')}, for example.`);
    return EXIT.usage;
  }
  const manifest = await saveFile(name, file);
  door.result(
    command.isJson
      ? JSON.stringify({ file: name, manifest })
      : `${name}: ${manifest.rows} rows of snapshot ${manifest.snapshot_id}${manifest.complete ? '' : ', INCOMPLETE'}; ${name}.manifest.json beside it`,
  );
  for (const reason of manifest.reasons) door.say(`note: ${reason}`);
  return EXIT.done;
}

function refuse(door: Door, refusal: ExportRefusal): number {
  if (refusal.reason === 'never_pulled') {
    door.say('That window was never pulled. Pull it first, then export.');
    return EXIT.failed;
  }
  door.say(
    [
      'No complete snapshot of that window exists, so nothing was exported:',
      ...refusal.reasons.map((reason) => `  ${reason}`),
      'Pull it again, or give --incomplete-ok for a file that says it is incomplete.',
    ].join('\n'),
  );
  return EXIT.doesNotTieOut;
}

/** Writes under another name first, so that a file that is there is a whole one. */
async function saveFile(name: string, file: SheetFile): Promise<ReturnType<SheetFile['manifest']>> {
  const part = `${name}.part`;
  try {
    await pipeline(Readable.from(file.text), createWriteStream(part));
    const manifest = file.manifest();
    await writeFile(`${name}.manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(part, name);
    return manifest;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

function write(door: Door, text: string): Promise<void> {
  return new Promise((resolve, reject) => door.io.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}
