import { rename, rm, writeFile } from 'node:fs/promises';
import { findRun } from '#lib/payouts/reads/find-run.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { monthWindow } from '../core/month.ts';
import type { OpenGame } from '../games/open-game.ts';
import { takeStatement } from '../payouts/draw-statements.ts';
import type { NoStatement } from '../payouts/find-statement.ts';
import type { StatementFormat } from '../payouts/rules/statement.ts';
import { type CommandContext, EXIT } from './command-context.ts';

interface StatementArguments {
  month: string;
  recipient: number;
  format: StatementFormat;
  out: string | null;
  isJson: boolean;
}

/** Writes the statement of a recipient in the run of a month: the same bytes as the page's. */
export async function statementCommand(context: CommandContext, game: OpenGame, command: StatementArguments): Promise<number> {
  const { month, recipient: playerId, format, out, isJson } = command;
  const run = await findRun(game.db, game.gameId, { window: monthWindow(month, game.timeZone) });
  const file = run === null ? null : await takeStatement(game, { runNo: run.runNo, playerId, format }, 'command line');
  if (file === null || !file.ok) {
    context.log(sentenceOf(file?.reason ?? 'no_run', command));
    return EXIT.failed;
  }
  if (out === '-') {
    await new Promise<void>((resolve, reject) => context.io.stdout.write(file.bytes, (error) => (error ? reject(error) : resolve())));
    return EXIT.done;
  }
  const name = out ?? file.fileName;
  await saveWhole(name, file.bytes);
  const sha256 = sha256Of(file.bytes).toString('hex');
  context.print(
    isJson
      ? JSON.stringify({ file: name, run_no: run?.runNo, recipient_player_id: playerId, sha256 })
      : `${name}: ${file.bytes.length} bytes`,
  );
  return EXIT.done;
}

function sentenceOf(reason: NoStatement, { month, recipient }: StatementArguments): string {
  if (reason === 'no_run') return `There is no payout run of ${month}.`;
  if (reason === 'no_line') return `The payout run of ${month} has no recipient ${recipient}.`;
  return `The payout run of ${month} isn't approved. Statements are available once it is.`;
}

/** Writes under another name first, so that a file with this name is always whole. */
async function saveWhole(name: string, bytes: Buffer): Promise<void> {
  try {
    await writeFile(`${name}.part`, bytes);
    await rename(`${name}.part`, name);
  } catch (error) {
    await rm(`${name}.part`, { force: true });
    throw error;
  }
}
