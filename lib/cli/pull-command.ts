import { setTimeout as sleep } from 'node:timers/promises';
import { findStatement, type Statement } from '#db/evidence/reads/months/find-statement.ts';
import { findPullJob, type PullJob } from '#db/evidence/reads/pulls/find-pull-job.ts';
import { claimPull } from '#db/evidence/writes/pulls.ts';
import type { GameConfig } from '../config.ts';
import type { Window } from '../core/window.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import { runPull } from '../evidence/pull/run-pull.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type Door, EXIT } from './door.ts';

/** How often the pull of another process is looked at. */
const LOOK_MS = 500;

/** Pulls a window, or joins the pull of the same window that is at work, and says what came of it. */
export async function pullCommand(
  door: Door,
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
    door.say(
      requested.reason === 'not_started'
        ? `Nothing is settled yet in that window: it begins at ${command.window.start}, and time counts as settled ${game.settleLag_minutes} minutes after it passed.`
        : 'That window is longer than ten years.',
    );
    return EXIT.failed;
  }
  const job = await finish(door, game, config, requested.pullId);
  if (job.failure || job.snapshotId === null) {
    door.say(describeFailure(job));
    return EXIT.failed;
  }
  const statement = await findStatement(game.db, game.gameId, job.snapshotId);
  door.result(command.isJson ? JSON.stringify(writeStatement(statement, job)) : describeStatement(statement, job));
  return statement.standing === 'inconsistent' ? EXIT.doesNotTieOut : EXIT.done;
}

/** Works on the pull if nobody does, else watches it; either way until it has ended. */
async function finish(door: Door, game: OpenGame, config: GameConfig, pullId: number): Promise<PullJob> {
  const tell = teller(door);
  for (;;) {
    const lease = await claimPull(game.db, door.owner, { gameIds: [game.gameId], pullId });
    if (lease) await runPull(game, config, lease, { onProgress: (progress) => tell(progress) });
    const job = await findPullJob(game.db, game.gameId, pullId);
    if (job.state === 'done' || job.state === 'failed') return job;
    tell({ ...job, plannedCalls: job.plannedCalls ?? 0, doing: job.doing ?? 'waiting for its turn' });
    await sleep(LOOK_MS);
  }
}

function teller(
  door: Door,
): (progress: { calls: number; plannedCalls: number; lines: number; doing: string; waitingUntil: string | null }) => void {
  let last = '';
  return ({ calls, plannedCalls, lines, doing, waitingUntil }) => {
    const wait = waitingUntil === null ? '' : `, waiting for the rate limit until ${waitingUntil.slice(11, 19)} UTC`;
    const line = `${calls} of ${Math.max(calls, plannedCalls)} calls, ${lines} lines: ${doing}${wait}`;
    if (line !== last) door.say(line);
    last = line;
  };
}

function writeStatement(statement: Statement, job: PullJob): Record<string, unknown> {
  const { snapshotId, window, coveredUntil, totals } = statement;
  return {
    snapshot_id: snapshotId,
    window,
    ...(coveredUntil === window.end ? {} : { covered_until: coveredUntil }),
    calls: job.calls,
    slices: statement.sliceCount,
    renewals: statement.renewalLineCount,
    reversal_events: statement.reversalEventCount,
    recipients: statement.recipientCount,
    totals,
    checks: statement.checks.map(({ name, ok, expected, actual }) => ({ name, ok, expected, actual })),
    complete: statement.standing === 'complete',
  };
}

function describeStatement(statement: Statement, job: PullJob): string {
  const { totals, checks, window } = statement;
  const broken = checks.filter((check) => !check.ok);
  const standing = { complete: 'complete', open: `open, covered until ${statement.coveredUntil}`, inconsistent: 'DOES NOT TIE OUT' }[
    statement.standing
  ];
  return [
    `Snapshot ${statement.snapshotId}: ${window.start} up to, not including, ${window.end}: ${standing}`,
    `  attributed ${totals.gross_attributed_usd}, reversed ${totals.reversed_attributed_usd}, net ${totals.net_attributed_usd} USD for ${statement.recipientCount} recipients`,
    `  ${statement.renewalLineCount} renewals, ${statement.reversalEventCount} reversal events, ${statement.sliceCount} slices, ${job.calls} calls; ${checks.length - broken.length} of ${checks.length} checks tie`,
    ...broken.map(
      (check) =>
        `  ${check.severity === 'hard' ? 'DIFFERS' : 'look at'} ${check.name}: expected ${check.expected}, evidence ${check.actual}${check.difference ? ` (${check.difference})` : ''}${check.offenders[0] ? `; first: ${check.offenders[0].subject}` : ''}`,
    ),
    '  Attribution report, not a remittance advice: Invo has paid no recipient, the payer is you.',
  ].join('\n');
}

function describeFailure({ failure }: PullJob): string {
  if (!failure) return 'The pull ended without a statement.';
  return `${failure.sentence} (${failure.code})`;
}
