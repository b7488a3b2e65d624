import { type PullNow, pullNow } from '#lib/evidence/pull/run-pull.ts';
import { type Drift, findDrift } from '#lib/evidence/reads/drift.ts';
import type { PullJob } from '#lib/evidence/reads/pulls.ts';
import { type CheckedSnapshot, findSnapshot } from '#lib/evidence/reads/snapshots.ts';
import type { GameConfig } from '../config.ts';
import { type Window, YEARS_BACK_MAX } from '../core/window.ts';
import type { PullRequested } from '../evidence/pull/request-pull.ts';
import { type Check, listWarnings } from '../evidence/rules/reconciliation/check.ts';
import { checkTextOf, formatDrift, formatMonthState } from '../evidence/text.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type CommandContext, EXIT } from './command-context.ts';

/** Pulls a window, or follows a running pull of the same window, and prints the result. */
export async function pullCommand(
  context: CommandContext,
  game: OpenGame,
  config: GameConfig,
  command: { window: Window; isFresh: boolean; isJson: boolean },
): Promise<number> {
  const { window, isFresh } = command;
  const run = { requestedBy: 'command line', owner: context.owner, onProgress: progressLogger(context) };
  const pulled = await pullNow(game, config, { window, isFresh, ...run });
  if (!pulled.ok) return context.fail(formatRefusal(pulled.reason, window, game.settleLag_minutes));
  const { job } = pulled;
  if (job.failure || job.snapshotId === null)
    return context.fail(job.failure ? `${job.failure.sentence} (${job.failure.code})` : 'The pull ended without a snapshot.');
  const snapshot = await findSnapshot(game.db, game.gameId, job.snapshotId);
  const drift = await findDrift(game.db, game.gameId, job.snapshotId);
  context.print(command.isJson ? JSON.stringify(jsonOf(snapshot, job, drift)) : formatSnapshot(snapshot, job));
  if (drift) context.log(formatDriftNote(drift));
  return snapshot.status === 'inconsistent' ? EXIT.notReconciled : EXIT.done;
}

function formatRefusal(reason: Extract<PullRequested, { ok: false }>['reason'], { start }: Window, settleLag_minutes: number): string {
  if (reason === 'not_started')
    return `This window isn't settled yet: it starts at ${start}, and time counts as settled after ${settleLag_minutes} minutes.`;
  if (reason === 'too_early') return `This window starts at ${start}, more than ${YEARS_BACK_MAX} years ago. Nothing was pulled.`;
  return `This window is longer than ${YEARS_BACK_MAX} years. Pull a shorter one.`;
}

function progressLogger(context: CommandContext): NonNullable<PullNow['onProgress']> {
  let last = '';
  return ({ calls, plannedCalls, lines, activity, waitingUntil }) => {
    const wait = waitingUntil === null ? '' : `, waiting for the rate limit until ${waitingUntil.slice(11, 19)} UTC`;
    const line = `${calls} of ${Math.max(calls, plannedCalls)} calls, ${lines} lines: ${activity}${wait}`;
    if (line !== last) context.log(line);
    last = line;
  };
}

function jsonOf(snapshot: CheckedSnapshot, job: PullJob, drift: Drift | null): Record<string, unknown> {
  const { snapshotId, window, coveredUntil, totals } = snapshot;
  return {
    snapshot_id: snapshotId,
    window,
    ...(coveredUntil === window.end ? {} : { covered_until: coveredUntil }),
    calls: job.calls,
    slices: snapshot.sliceCount,
    renewals: snapshot.renewalLineCount,
    reversal_events: snapshot.reversalEventCount,
    recipients: snapshot.recipientCount,
    totals,
    checks: snapshot.checks.map(({ name, ok, expected, actual }) => ({ name, ok, expected, actual })),
    complete: snapshot.status === 'complete',
    warnings: listWarnings(snapshot.checks),
    drift: drift && driftJsonOf(drift),
  };
}

function formatDriftNote(drift: Drift): string {
  const { snapshotId } = drift.from;
  return `Invo's figures changed since snapshot ${snapshotId}: ${formatDrift(drift)} To export the earlier figures, add --snapshot ${snapshotId}.`;
}

function driftJsonOf({ from, lines_added, lines_removed, lines_changed, net_change_usd }: Drift): Record<string, unknown> {
  return { from_snapshot: from.snapshotId, lines_added, lines_removed, lines_changed, net_change_usd };
}

function formatSnapshot(snapshot: CheckedSnapshot, job: PullJob): string {
  const { totals, checks, window } = snapshot;
  const differing = checks.filter((check) => !check.ok);
  return [
    `Snapshot ${snapshot.snapshotId}: ${window.start} up to, not including, ${window.end}: ${formatStatus(snapshot)}`,
    `  gross ${totals.gross_attributed_usd}, reversed ${totals.reversed_attributed_usd}, net attributed ${totals.net_attributed_usd} USD for ${snapshot.recipientCount} recipients`,
    `  ${snapshot.renewalLineCount} renewals, ${snapshot.reversalEventCount} reversal events, ${snapshot.sliceCount} slices, ${job.calls} calls; ${checks.length - differing.length} of ${checks.length} checks match`,
    ...differing.map(formatCheck),
    '  This is an attribution report, not a remittance advice: Invo has paid no recipient. You are the payer.',
  ].join('\n');
}

function formatStatus({ status, checks, coveredUntil }: CheckedSnapshot): string {
  if (status === 'inconsistent') return "doesn't reconcile";
  if (status === 'open') return `open, covered until ${coveredUntil}`;
  const { length } = listWarnings(checks);
  return formatMonthState(length === 0 ? 'reconciled' : 'reconciled_with_warnings', length).toLowerCase();
}

function formatCheck({ name, severity, expected, actual, difference, offenders }: Check): string {
  const text = checkTextOf(name);
  const first = offenders[0] ? `; first: ${offenders[0].subject}` : '';
  const verdict = severity === 'hard' ? "doesn't match" : 'warning';
  return `  ${verdict}: ${text.title} (${name}): ${text.expected} ${expected}, ${text.actual} ${actual}${difference ? ` (${difference})` : ''}${first}`;
}
