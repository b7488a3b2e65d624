import { setTimeout as sleep } from 'node:timers/promises';
import { findPullJob, type PullJob } from '#db/evidence/reads/pulls.ts';
import { findSnapshot, type Snapshot } from '#db/evidence/reads/snapshots.ts';
import { claimPull } from '#db/evidence/writes/pull-queue.ts';
import type { GameConfig } from '../config.ts';
import { type Window, YEARS_BACK_MAX } from '../core/window.ts';
import { type PullRequested, requestPull } from '../evidence/pull/request-pull.ts';
import { runPull } from '../evidence/pull/run-pull.ts';
import { type Check, listWarnings } from '../evidence/rules/reconciliation/check.ts';
import { checkTextOf, formatMonthState } from '../evidence/text.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type CommandContext, EXIT } from './command-context.ts';

/** How often a pull that runs in another process is checked. */
const POLL_MS = 500;

/** Pulls a window, or follows a running pull of the same window, and prints the result. */
export async function pullCommand(
  context: CommandContext,
  game: OpenGame,
  config: GameConfig,
  command: { window: Window; isFresh: boolean; isJson: boolean },
): Promise<number> {
  const requested = await requestPull(game.db, {
    gameId: game.gameId,
    window: command.window,
    isFresh: command.isFresh,
    requestedBy: 'command line',
    now: game.now(),
    settleLag_minutes: game.settleLag_minutes,
  });
  if (!requested.ok) {
    context.log(formatRefusal(requested.reason, command.window, game.settleLag_minutes));
    return EXIT.failed;
  }
  const job = await runToEnd(context, game, config, requested.pullId);
  if (job.failure || job.snapshotId === null) {
    context.log(job.failure ? `${job.failure.sentence} (${job.failure.code})` : 'The pull ended without a snapshot.');
    return EXIT.failed;
  }
  const snapshot = await findSnapshot(game.db, game.gameId, job.snapshotId);
  context.print(command.isJson ? JSON.stringify(jsonOf(snapshot, job)) : formatSnapshot(snapshot, job));
  return snapshot.status === 'inconsistent' ? EXIT.notReconciled : EXIT.done;
}

function formatRefusal(reason: Extract<PullRequested, { ok: false }>['reason'], { start }: Window, settleLag_minutes: number): string {
  if (reason === 'not_started')
    return `This window isn't settled yet: it starts at ${start}, and time counts as settled after ${settleLag_minutes} minutes.`;
  if (reason === 'too_early') return `This window starts at ${start}, more than ${YEARS_BACK_MAX} years ago. Nothing was pulled.`;
  return `This window is longer than ${YEARS_BACK_MAX} years. Pull a shorter one.`;
}

/** Runs the pull here unless another process does, and returns once it has ended. */
async function runToEnd(context: CommandContext, game: OpenGame, config: GameConfig, pullId: number): Promise<PullJob> {
  const logProgress = progressLogger(context);
  for (;;) {
    const lease = await claimPull(game.db, context.owner, { gameIds: [game.gameId], pullId });
    if (lease) await runPull(game, config, lease, { onProgress: logProgress });
    const job = await findPullJob(game.db, game.gameId, pullId);
    if (job.state === 'done' || job.state === 'failed') return job;
    logProgress({ ...job, plannedCalls: job.plannedCalls ?? 0, activity: job.activity ?? 'queued' });
    await sleep(POLL_MS);
  }
}

function progressLogger(
  context: CommandContext,
): (progress: { calls: number; plannedCalls: number; lines: number; activity: string; waitingUntil: string | null }) => void {
  let last = '';
  return ({ calls, plannedCalls, lines, activity, waitingUntil }) => {
    const wait = waitingUntil === null ? '' : `, waiting for the rate limit until ${waitingUntil.slice(11, 19)} UTC`;
    const line = `${calls} of ${Math.max(calls, plannedCalls)} calls, ${lines} lines: ${activity}${wait}`;
    if (line !== last) context.log(line);
    last = line;
  };
}

function jsonOf(snapshot: Snapshot, job: PullJob): Record<string, unknown> {
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
  };
}

function formatSnapshot(snapshot: Snapshot, job: PullJob): string {
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

function formatStatus({ status, checks, coveredUntil }: Snapshot): string {
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
