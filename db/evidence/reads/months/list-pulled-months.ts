import type { Db } from '#db/kit/open.ts';
import { monthOfWindow } from '#lib/core/month.ts';
import type { MonthPulled } from '#lib/evidence/rules/due-pulls.ts';

/** Every calendar month of a game that was ever asked for, how it stands and when it was last tried. Feeds the schedule. */
export async function listPulledMonths(db: Db, gameId: number, timeZone: string): Promise<MonthPulled[]> {
  const rows = await db
    .selectFrom('pull')
    .leftJoin('current_snapshot', (join) =>
      join
        .onRef('current_snapshot.game_id', '=', 'pull.game_id')
        .onRef('current_snapshot.window_start', '=', 'pull.window_start')
        .onRef('current_snapshot.window_end', '=', 'pull.window_end'),
    )
    .select(['pull.window_start', 'pull.window_end', 'current_snapshot.standing'])
    .select((expression) => expression.fn.max('pull.requested_at').as('last_pulled_at'))
    .where('pull.game_id', '=', gameId)
    .groupBy(['pull.window_start', 'pull.window_end', 'current_snapshot.standing'])
    .execute();
  return rows.flatMap((row) => {
    const month = monthOfWindow({ start: row.window_start, end: row.window_end }, timeZone);
    return month === null ? [] : [{ month, standing: row.standing as MonthPulled['standing'], lastPulledAt: row.last_pulled_at }];
  });
}
