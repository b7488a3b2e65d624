import { setTimeout as sleep } from 'node:timers/promises';
import type { GameConfig } from '#lib/config.ts';
import type { Window } from '#lib/core/window.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { findPullJob, type PullJob } from '../reads/pulls.ts';
import { claimPull } from '../writes/pull-queue.ts';
import { type PullRequested, requestPull } from './request-pull.ts';
import { runPull } from './run-pull.ts';

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
