import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { type Month, monthOfWindow } from '#lib/core/month.ts';
import type { MonthPulled } from '../rules/due-pulls.ts';
import { parseSnapshotStatus } from '../rules/evidence.ts';

/** Lists each calendar month of a game that was ever requested, with its status and the times of its last pulls, for the schedule. */
export async function listPulledMonths(db: Db, gameId: number, timeZone: string): Promise<MonthPulled[]> {
  const rows = await db
    .selectFrom('pull')
    .leftJoin('current_window', (join) =>
      join
        .on('current_window.game_id', '=', gameId)
        .onRef('current_window.window_start', '=', 'pull.window_start')
        .onRef('current_window.window_end', '=', 'pull.window_end'),
    )
    .select(['pull.window_start', 'pull.window_end', 'current_window.status'])
    .select(({ fn }) => [
      fn.max('pull.requested_at').as('last_pulled_at'),
      fn.max('pull.requested_at').filterWhere('pull.state', '=', 'done').$castTo<string | null>().as('last_done_at'),
    ])
    .where('pull.game_id', '=', gameId)
    .groupBy(['pull.window_start', 'pull.window_end', 'current_window.status'])
    .execute();
  return rows.flatMap((row) => {
    const month = monthOfWindow({ start: row.window_start, end: row.window_end }, timeZone);
    return month === null
      ? []
      : [
          {
            month,
            status: row.status === null ? null : parseSnapshotStatus(row.status),
            lastPulledAt: row.last_pulled_at,
            lastDoneAt: row.last_done_at,
          },
        ];
  });
}

/** What a person decided about the pulls of the schedule. */
export interface PullSchedule {
  /** How far back months are pulled; null: to the first one a person pulled. */
  firstMonth: Month | null;
  /** Since when scheduled pulls wait, and whose decision it was; null: they don't. */
  paused: { at: string; by: string } | null;
}

/** Finds what a person decided about scheduled pulls, the start of the earliest window ever requested (null: none), and the database's clock. */
export async function findPullSchedule(db: Db, gameId: number): Promise<PullSchedule & { firstStart: string | null; readAt: string }> {
  const { rows } = await sql<{
    first_month: string | null;
    paused_at: string | null;
    paused_by: string | null;
    first_start: string | null;
    read_at: string;
  }>`
    select schedule.first_month, schedule.paused_at, schedule.paused_by, clock_now() as read_at,
      (select window_start from pull where pull.game_id = ${gameId} order by window_start limit 1) as first_start
    from (select 1) one left join pull_schedule schedule on schedule.game_id = ${gameId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a statement without a condition found no row');
  const paused = row.paused_at === null || row.paused_by === null ? null : { at: row.paused_at, by: row.paused_by };
  return { firstMonth: row.first_month, paused, firstStart: row.first_start, readAt: row.read_at };
}
