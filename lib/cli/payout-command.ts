import type { Snapshot } from '#db/evidence/reads/snapshots.ts';
import { formatUsd, normalizeMoney } from '../core/money.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findRunPreview } from '../payouts/find-close.ts';
import type { ComposedRun } from '../payouts/rules/compose-run.ts';
import { OUTCOME_TEXT } from '../payouts/text.ts';
import { type CommandContext, EXIT } from './command-context.ts';

/** Prints what a payout run of a month would pay. Runs themselves can't be stored yet, so without `--preview` there is none. */
export async function payoutCommand(
  context: CommandContext,
  game: OpenGame,
  { month, isPreview, isJson }: { month: string; isPreview: boolean; isJson: boolean },
): Promise<number> {
  if (!isPreview) {
    context.log(`There is no payout run of ${month}. --preview shows what one would pay now.`);
    return EXIT.failed;
  }
  const preview = await findRunPreview(game, month);
  if (!preview.ok && preview.reason === 'never_pulled') {
    context.log('This month has not been pulled. Pull it first.');
    return EXIT.failed;
  }
  if (!preview.ok) {
    context.log(
      `This month has no complete snapshot (snapshot ${preview.snapshot.snapshotId} is ${preview.snapshot.status}). Pull it again.`,
    );
    return EXIT.notReconciled;
  }
  context.print(isJson ? JSON.stringify(jsonOf(preview.snapshot, preview.run)) : formatRun(preview.snapshot, preview.run));
  return EXIT.done;
}

function jsonOf(snapshot: Snapshot, { lines, totals, outcomes }: ComposedRun): unknown {
  return {
    run_no: null,
    state: 'preview',
    window: snapshot.window,
    snapshot_id: snapshot.snapshotId,
    snapshot_digest: snapshot.digest.toString('hex'),
    content_digest: null,
    totals: Object.fromEntries(Object.entries(totals).map(([column, amount]) => [column, normalizeMoney(amount)])),
    outcomes,
    lines: lines.map((line) => ({
      recipient_player_id: line.recipientId,
      opening: line.opening_usd,
      earned: normalizeMoney(line.earned_usd),
      reversed: normalizeMoney(line.reversed_usd),
      pinned: normalizeMoney(line.pinned_usd),
      adjusted: line.adjusted_usd,
      returned: line.returned_usd,
      due: line.due_usd,
      payable: line.payable_usd,
      closing: line.closing_usd,
      outcome: line.outcome,
      also: line.also,
      reference: null,
    })),
  };
}

function formatRun({ snapshotId }: Snapshot, { totals, outcomes }: ComposedRun): string {
  const counted = Object.entries(outcomes).map(
    ([outcome, { count, amount_usd }]) => `  ${OUTCOME_TEXT[outcome as keyof typeof OUTCOME_TEXT]}: ${count}, ${formatUsd(amount_usd)}`,
  );
  return [
    `Preview from snapshot ${snapshotId}: ${formatUsd(totals.payable)} payable of ${formatUsd(totals.due)} due, ${formatUsd(totals.closing)} carried forward`,
    ...counted,
  ].join('\n');
}
