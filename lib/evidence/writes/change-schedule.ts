import { sql } from 'kysely';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { Month } from '#lib/core/month.ts';

/** Stores how far back months are pulled, with its audit row. False: it was decided before, and that stays. */
export async function insertFirstMonth(
  db: Db,
  { gameId, month, actor }: { gameId: number; month: Month; actor: string },
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const added = await trx
      .insertInto('pull_schedule')
      .values({ game_id: gameId, first_month: month, started_by: actor, started_at: sql<string>`clock_now()` })
      .onConflict((conflict) =>
        conflict
          .column('game_id')
          .doUpdateSet({ first_month: month, started_by: actor, started_at: sql<string>`clock_now()` })
          .where('pull_schedule.first_month', 'is', null),
      )
      .returning('game_id')
      .executeTakeFirst();
    if (!added) return false;
    await recordAudit(trx, { actor, gameId, act: 'started the history', subject: month });
    return true;
  });
}

/** Holds back scheduled pulls, or lets them continue, with its audit row. False: they were so already. */
export async function setPullsPaused(
  db: Db,
  { gameId, isPaused, actor }: { gameId: number; isPaused: boolean; actor: string },
): Promise<boolean> {
  const now = sql<string>`clock_now()`;
  return inTransaction(db, async (trx) => {
    const paused = isPaused ? { paused_by: actor, paused_at: now } : { paused_by: null, paused_at: null };
    const changed = await trx
      .insertInto('pull_schedule')
      .values({ game_id: gameId, ...paused })
      .onConflict((conflict) =>
        conflict
          .column('game_id')
          .doUpdateSet(paused)
          .where('pull_schedule.paused_at', isPaused ? 'is' : 'is not', null),
      )
      .returning('game_id')
      .executeTakeFirst();
    if (!changed) return false;
    await recordAudit(trx, { actor, gameId, act: isPaused ? 'paused scheduled pulls' : 'resumed scheduled pulls', subject: 'schedule' });
    return true;
  });
}
