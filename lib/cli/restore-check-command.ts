import { listPayoutPauses } from '#lib/payouts/reads/payout-pause.ts';
import { listRestorePauses } from '#lib/refunds/reads/refund-preconditions.ts';
import { formatUsd } from '../core/money.ts';
import { openRestoreGuard, reportRestore } from '../refunds/check-restore.ts';
import { type CommandContext, EXIT } from './command-context.ts';

/**
 * Compares the database with what the data folder remembers of it, and pauses all refunds and payouts when it is an older copy; `--restored` says
 * that it is one. Prints the games that are paused because of a restore, their refunds that were open at the backup, and approved runs they lack.
 */
export async function restoreCheckCommand(context: CommandContext, command: { wasRestored: boolean; isJson: boolean }): Promise<number> {
  const { open, owner, dataFolder: folder } = context;
  if (command.wasRestored) await reportRestore({ ...open, folder, owner });
  else if (folder === null) context.log('SHAREBOOK_DATA is not set: there is nothing to compare the database with.');
  else await openRestoreGuard({ ...open, folder, owner }).check();
  const paused = await listRestorePauses(open.db);
  const payouts = await listPayoutPauses(open.db);
  if (command.isJson) context.print(JSON.stringify({ paused, payouts }));
  else if (paused.length === 0 && payouts.length === 0)
    context.print('No sign of a restore. No refunds and payouts are paused because of one.');
  else {
    context.print(
      'The database was restored from a backup. Two approvers of each game resume its refunds, on the refunds page, and its payouts, on the payouts page.',
    );
    for (const game of paused) {
      context.print(
        `${game.slug} (${game.environment}): ${game.open.length === 0 ? 'no refund was open at the backup' : 'open at the backup'}`,
      );
      for (const { refundId, amount_usd } of game.open) context.print(`  refund ${refundId}, ${formatUsd(amount_usd)}`);
    }
    for (const { slug, environment, missing } of payouts) {
      const about = `${slug} (${environment}): payouts are paused; `;
      if (missing === null) context.print(`${about}nothing here knows which runs were approved after the backup`);
      else context.print(`${about}${missing.length === 0 ? 'every approved run known here is stored' : 'approved runs that are missing'}`);
      for (const { runNo, window, payable_usd, contentDigest } of missing ?? [])
        context.print(`  run ${runNo}, ${window.start} to ${window.end}, ${formatUsd(payable_usd)}, digest ${contentDigest}`);
    }
  }
  return EXIT.done;
}
