import path from 'node:path';
import { recordAudit } from '#lib/audit/writes.ts';
import { formatUsd, normalizeMoney } from '../core/money.ts';
import { monthWindow } from '../core/month.ts';
import type { OpenGame } from '../games/open-game.ts';
import { FILE_REFUSALS } from '../payments/action-text.ts';
import { readFile } from '../payments/open-file.ts';
import { type FileBatch, isFile, listBatches } from '../payments/reads/batches.ts';
import { findRun } from '../payouts/reads/find-run.ts';
import { type CommandContext, EXIT, makeFolder, OWNER_ONLY, saveFile } from './command-context.ts';

/**
 * Writes the payment files that people made for a month, byte for byte, each with its manifest; without `out` it lists them. Cancelled ones are left out. A file
 * that can't be opened exits 1 after the others were written.
 */
export async function paymentFilesCommand(
  context: CommandContext,
  game: OpenGame,
  { month, out, isJson }: { month: string; out: string | null; isJson: boolean },
): Promise<number> {
  const run = await findRun(game.db, game.gameId, { window: monthWindow(month, game.timeZone) });
  if (run === null) return context.fail(`There is no payout run of ${month}.`);
  const batches = (await listBatches(game.db, game.gameId, run.runId)).filter(isFile);
  const files = batches.filter(({ state }) => state === 'made' || state === 'handed_over');
  if (files.length === 0)
    return context.fail(`Run ${run.runNo} of ${month} has no payment files. People create them on the run’s Payments page.`);
  const written: { file: string; batch_no: number; state: string; payments: number; total_usd: string; sha256: string }[] = [];
  let failed = 0;
  if (out !== null) await makeFolder(out);
  for (const batch of files) {
    if (out !== null && !(await writeBatch(context, game, batch, out))) {
      failed++;
      continue;
    }
    const { batchNo, state, itemCount, total_usd, sha256, fileName } = batch;
    written.push({ file: fileName, batch_no: batchNo, state, payments: itemCount, total_usd: normalizeMoney(total_usd), sha256 });
  }
  if (isJson) context.print(JSON.stringify({ run_no: run.runNo, out, files: written, failed }));
  else
    for (const { file, payments, total_usd, sha256, state } of written)
      context.print(
        `${file}  ${payments} ${payments === 1 ? 'payment' : 'payments'}  ${formatUsd(total_usd)}  ${state === 'made' ? 'created' : 'handed over'}  ${sha256}`,
      );
  return failed === 0 ? EXIT.done : EXIT.failed;
}

async function writeBatch(context: CommandContext, game: OpenGame, { batchNo, fileName }: FileBatch, out: string): Promise<boolean> {
  const opened = await readFile(game, context.config.payeeKey, batchNo);
  if (!opened.ok) {
    context.log(`${fileName}: ${FILE_REFUSALS[opened.reason]}`);
    return false;
  }
  const detail = { file: fileName, sha256: opened.sha256 };
  const entry = { actor: 'command line', act: 'downloaded a payment file' as const, subject: `payment file ${batchNo}`, detail };
  await recordAudit(game.db, { gameId: game.gameId, ...entry });
  await saveFile(path.join(out, fileName), { bytes: [opened.bytes], manifest: () => opened.manifest, mode: OWNER_ONLY });
  return true;
}
