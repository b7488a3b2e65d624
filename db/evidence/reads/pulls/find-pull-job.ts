import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';

export interface PullJob {
  pullId: number;
  window: Window;
  isFresh: boolean;
  state: 'queued' | 'running' | 'done' | 'failed';
  calls: number;
  plannedCalls: number | null;
  lines: number;
  doing: string | null;
  waitingUntil: string | null;
  snapshotId: number | null;
  failure: { code: string; sentence: string; errorId: string | null } | null;
  attemptCount: number;
}

/** One pull as a job: what was asked, how far it is, how it ended. Feeds the command line and the worker. Throws when there is no such pull. */
export async function findPullJob(db: Db, gameId: number, pullId: number): Promise<PullJob> {
  const row = await db.selectFrom('pull').selectAll().where('game_id', '=', gameId).where('pull_id', '=', pullId).executeTakeFirstOrThrow();
  return {
    pullId: row.pull_id,
    window: { start: row.window_start, end: row.window_end },
    isFresh: row.is_fresh,
    state: row.state as PullJob['state'],
    calls: row.call_count,
    plannedCalls: row.planned_call_count,
    lines: row.line_count,
    doing: row.doing,
    waitingUntil: row.waiting_until,
    snapshotId: row.snapshot_id,
    failure:
      row.failure_code === null ? null : { code: row.failure_code, sentence: row.failure_sentence ?? '', errorId: row.failure_error_id },
    attemptCount: row.attempt_count,
  };
}
