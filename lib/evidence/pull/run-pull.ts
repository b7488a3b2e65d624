import { setTimeout as sleep } from 'node:timers/promises';
import { ATTEMPTS_MAX, type Left } from '#db/kit/lease.ts';
import { inTransaction } from '#db/kit/open.ts';
import type { GameConfig } from '#lib/config.ts';
import type { Window } from '#lib/core/window.ts';
import { connectInvo, type InvoFailure, toInvoFailure, waitEnd } from '#lib/games/game-context.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { findLongWait } from '#lib/games/reads/stored-games.ts';
import { AGGREGATE } from '#lib/games/shared-budget.ts';
import { pinInvoGame } from '#lib/games/writes.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import type { CallEvent } from '#lib/invo/settings.ts';
import { findPullJob, type PullJob } from '../reads/pulls.ts';
import { insertResponses } from '../writes/insert-slice.ts';
import { claimPull, deferPull, endPull, type Lease, PULLS, type PullProgress } from '../writes/pull-queue.ts';
import { PullSession, PullStopped } from './pull-session.ts';
import { pullWindow } from './pull-window.ts';
import { type PullRequested, requestPull } from './request-pull.ts';

export type PullRun =
  | { ended: 'done'; snapshotId: number }
  | { ended: 'failed'; code: string; sentence: string; errorId: string | null }
  | Left
  /** Invo requested a long wait: the pull is queued again. */
  | { ended: 'deferred'; until: string };

export interface RunOptions {
  signal?: AbortSignal;
  onProgress?: (progress: PullProgress) => void;
  log?: (event: CallEvent) => void;
}

/**
 * Runs a claimed pull until it ends in a snapshot or a failure, writing its progress and renewing its lease.
 * An Invo error or contradictory evidence ends the pull with a message, and the refused body is stored. A stop
 * by the signal and a long wait that Invo requests release the pull. Any other error is thrown and leaves the pull to the next process that claims it.
 */
export async function runPull(game: OpenGame, config: GameConfig, lease: Lease, options: RunOptions = {}): Promise<PullRun> {
  if (lease.gameId !== game.gameId)
    throw new Error(`the lease is on a pull of game ${lease.gameId}, the means are those of game ${game.gameId}`);
  const job = await findPullJob(game.db, lease.gameId, lease.pullId);
  const progress: PullProgress = { calls: 0, plannedCalls: 0, lines: 0, activity: 'planning', waitingUntil: null };
  const report = (change: Partial<PullProgress>): void => options.onProgress?.({ ...Object.assign(progress, change) });
  return await PULLS.run(game.db, lease, { progress, signal: options.signal }, async (running): Promise<PullRun> => {
    const invo = connectInvo(game, config, {
      caller: 'pull',
      onWait: (untilMs) => report({ waitingUntil: waitEnd(untilMs) }),
      ...(options.log ? { log: options.log } : {}),
    });
    // The stored id decides, not the configuration: a changed INVO_GAME_ID must not admit another game's figures.
    const session = new PullSession(invo, {
      signal: running.signal,
      gameId: game.invoGameId,
      pin: (id) => pinOrStop(game, id),
      onProgress: report,
    });
    try {
      if (job.attemptCount > ATTEMPTS_MAX) throw gaveUp(job.attemptCount);
      const snapshotId = await pullWindow(game, lease, session, { window: job.window, isFresh: job.isFresh });
      return { ended: 'done', snapshotId };
    } catch (error) {
      if (running.isLeft()) throw error;
      const until = await findRequestedWait(game, error);
      if (until !== null) {
        await deferPull(game.db, lease, until);
        return { ended: 'deferred', until };
      }
      const failure = failureOf(error);
      if (failure === null) throw error;
      await recordFailure(game, lease, session, failure, error);
      return { ended: 'failed', ...failure };
    }
  });
}

/** The end of the wait that Invo requested, if that ended the pull; null: something else did. */
async function findRequestedWait({ db, gameId }: OpenGame, error: unknown): Promise<string | null> {
  return error instanceof InvoError && error.code === 'rate_limited' ? await findLongWait(db, gameId, AGGREGATE) : null;
}

function gaveUp(attempts: number): PullStopped {
  return new PullStopped(
    'gave_up',
    `This pull was started ${attempts - 1} times and never finished. Complete slices are kept. See the worker's log, fix the cause, then pull again.`,
  );
}

type Failure = InvoFailure | { code: string; sentence: string; errorId: null };

function failureOf(error: unknown): Failure | null {
  if (error instanceof InvoError) return toInvoFailure(error);
  return error instanceof PullStopped ? { code: error.code, sentence: error.message, errorId: null } : null;
}

/** Stores every answer of the unfinished slice and the refused body as evidence of the failure, and ends the pull. */
async function recordFailure(game: OpenGame, lease: Lease, session: PullSession, failure: Failure, error: unknown): Promise<void> {
  const refused = error instanceof InvoError && error.evidence ? [error.evidence] : [];
  const collected = session.takeAnswers('all').map(({ evidence }) => evidence);
  const responses = [...collected, ...refused].map((evidence) => ({ purpose: 'refused' as const, ...evidence, refusal: failure.code }));
  await inTransaction(game.db, async (tx) => {
    await insertResponses(tx, lease, responses);
    await endPull(tx, lease, failure);
  });
}

/** The first answer of a game pins its Invo id; from then on another ID means figures of another game. */
async function pinOrStop(game: OpenGame, invoGameId: string): Promise<void> {
  const pinned = await pinInvoGame(game.db, game.gameId, invoGameId);
  if (pinned.is === 'pinned_to')
    throw new PullStopped(
      'another_game',
      `Invo answered for its game ${invoGameId}, but Sharebook's data belongs to its game ${pinned.invoGameId}. Nothing was stored. Check the base URL and the secret.`,
    );
  if (pinned.is === 'of_game')
    throw new PullStopped(
      'another_game',
      `Invo's game ${invoGameId} is already connected as ${pinned.slug}. Nothing was stored. Remove one of the two games from the configuration.`,
    );
}

/** How often a pull that runs in another process is checked. */
const POLL_MS = 500;

export interface PullNow {
  window: Window;
  isFresh: boolean;
  requestedBy: string;
  /** Has the lease if the pull runs here. */
  owner: string;
  onProgress?: (progress: Pick<PullJob, 'calls' | 'lines' | 'waitingUntil'> & { plannedCalls: number; activity: string }) => void;
}

/**
 * Pulls a window now and returns how that ended: it runs here unless another process has it. A complete window is compared with Invo again, in one
 * call if nothing changed. For callers that must not rely on an older comparison. Refused as `requestPull` refuses.
 */
export async function pullNow(
  game: OpenGame,
  config: GameConfig,
  { owner, onProgress, ...request }: PullNow,
): Promise<{ ok: true; job: PullJob } | Extract<PullRequested, { ok: false }>> {
  const { gameId, settleLag_minutes } = game;
  const requested = await requestPull(game.db, { ...request, gameId, now: game.now(), settleLag_minutes });
  if (!requested.ok) return requested;
  const { pullId } = requested;
  for (;;) {
    const lease = await claimPull(game.db, owner, { gameId, pullId });
    if (lease) await runPull(game, config, lease, onProgress ? { onProgress } : {});
    const job = await findPullJob(game.db, gameId, pullId);
    if (job.state === 'done' || job.state === 'failed') return { ok: true, job };
    onProgress?.({ ...job, plannedCalls: job.plannedCalls ?? 0, activity: job.activity ?? 'queued' });
    await sleep(POLL_MS);
  }
}
