import { rename, writeFile } from 'node:fs/promises';
import { exportJournal, type JournalFile } from '#lib/accounting/export-journal.ts';
import type { Layout } from '#lib/accounting/rules/layouts.ts';
import { formatUnmapped, JOURNAL_REFUSALS } from '#lib/accounting/text.ts';
import { monthWindow } from '../core/month.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type CommandContext, EXIT } from './command-context.ts';

/** Writes the journals of a month to a file or to stdout, and what they lack to stderr. */
export async function journalCommand(
  context: CommandContext,
  game: OpenGame,
  {
    month,
    layout,
    journalNo,
    out,
    isJson,
  }: { month: string; layout: Layout; journalNo: string | null; out: string | null; isJson: boolean },
): Promise<number> {
  const window = monthWindow(month, game.timeZone);
  const file = await exportJournal(game.db, game, { window, layout, journalNo, takenBy: 'command line' });
  if (!file.ok) {
    context.log(file.reason === 'unmapped' ? formatUnmapped(layout, file.accounts) : JOURNAL_REFUSALS[file.reason]);
    return EXIT.failed;
  }
  if (out === '-') {
    await new Promise<void>((resolve, reject) => context.io.stdout.write(file.text, (error) => (error ? reject(error) : resolve())));
  } else {
    const name = out ?? file.fileName;
    // Under another name first, so that a file with this name is always whole.
    await writeFile(`${name}.part`, file.text);
    await rename(`${name}.part`, name);
    context.print(isJson ? JSON.stringify(jsonOf(name, file)) : `${name}: ${file.journals.join(', ')}`);
  }
  for (const note of file.notes) context.log(note);
  return EXIT.done;
}

function jsonOf(name: string, { journals, mapNo, sha256, notes }: Extract<JournalFile, { ok: true }>): unknown {
  return { file: name, journals, map_no: mapNo, sha256, notes };
}
