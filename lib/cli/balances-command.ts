import path from 'node:path';
import { Readable } from 'node:stream';
import { type BalanceFile, type BalanceFormat, type BalanceManifest, openBalanceFile } from '../balances/balance-file.ts';
import { type BalanceRequest, requestBalances } from '../balances/request-balances.ts';
import { FILE_BYTES_MAX } from '../balances/rules/address-list.ts';
import { runBalanceJob } from '../balances/run-balance-job.ts';
import { ALREADY_RUNNING, formatAddressError, formatAddressList, NO_FILE } from '../balances/text.ts';
import type { GameConfig } from '../config.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type CommandContext, EXIT, loadFile, printFile, saveFile } from './command-context.ts';

interface BalancesArguments {
  /** A file of addresses, `-` for stdin; null: all players. */
  from: string | null;
  format: BalanceFormat;
  out: string | null;
  isJson: boolean;
}

/** Reads the balances of a list or of all players, and writes the same file and manifest as the page. An incomplete file exits 3. */
export async function balancesCommand(
  context: CommandContext,
  game: OpenGame,
  { from, format, out, isJson }: BalancesArguments,
  config: GameConfig,
): Promise<number> {
  const request = await readRequest(context, from);
  if (request === null) return EXIT.usage;
  const { owner } = context;
  const requested = await requestBalances(game, request, { requestedBy: 'command line', owner });
  if (!requested.ok)
    return requested.reason === 'list' ? context.fail(formatAddressError(requested.error), EXIT.usage) : context.fail(ALREADY_RUNNING);
  const { balanceJobId, list } = requested;
  if (list !== null && list.repeated.count > 0) context.log(`Note: ${formatAddressList(list)}`);
  await runBalanceJob(game, config, { gameId: game.gameId, balanceJobId, scope: request.scope, attemptCount: 1, owner });
  const file = await openBalanceFile({ db: game.db, files: game.db }, game, { balanceJobId, format, takenBy: 'command line' });
  if (!file.ok) return context.fail(NO_FILE[file.reason]);
  const name = out === '-' ? null : nameOf(file, out, format);
  if (name === null) await printFile(context, file.bytes);
  else await saveFile(name, file);
  const manifest = file.manifest();
  if (name === null) context.log(JSON.stringify(manifest));
  else context.print(isJson ? JSON.stringify({ file: name, manifest }) : describe(name, manifest));
  for (const reason of manifest.reasons) context.log(`Note: ${reason}`);
  return manifest.complete ? EXIT.done : EXIT.notReconciled;
}

/** The addresses, or null with the reason on stderr. */
async function readRequest(context: CommandContext, source: string | null): Promise<BalanceRequest | null> {
  if (source === null) return { scope: 'all' };
  const bytes = await loadFile(context, source, {
    bytesMax: FILE_BYTES_MAX,
    ...(source === '-' && { input: context.io.stdin ?? Readable.from([]) }),
  });
  return bytes === null ? null : { scope: 'some', bytes };
}

/** The name of an incomplete file says so, whatever name was requested. */
function nameOf({ fileName, isComplete }: BalanceFile, out: string | null, format: BalanceFormat): string {
  const wanted = out ?? fileName;
  if (isComplete || path.basename(wanted).includes('incomplete')) return wanted;
  return `${wanted.replace(/\.(csv|xlsx)$/, '')}.incomplete.${format}`;
}

function describe(name: string, { rows, counts, complete }: BalanceManifest): string {
  const { found, unknown, not_answered } = counts;
  return `${name}: ${rows} ${rows === 1 ? 'row' : 'rows'}, ${found} found, ${unknown} unknown, ${not_answered ?? 'an unknown number'} not answered${complete ? '' : ', INCOMPLETE'}\nManifest: ${name}.manifest.json`;
}
