import type { Db } from '#db/kit/open.ts';

/** A stop of all refunds of a game that holds. */
export interface RefundStop {
  why: string;
  stoppedByName: string;
  stoppedAt: string;
  /** Who asked for it to be lifted; null: nobody did. */
  liftAskedBy: { id: string; name: string } | null;
}

/** The stop that holds in a game; null when refunds are sent. */
export async function findRefundStop(db: Db, gameId: number): Promise<RefundStop | null> {
  const row = await db
    .selectFrom('refund_stop')
    .innerJoin('person as stopper', 'stopper.id', 'refund_stop.stopped_by')
    .leftJoin('person as asker', 'asker.id', 'refund_stop.lift_asked_by')
    .where('refund_stop.game_id', '=', gameId)
    .where('refund_stop.lifted_at', 'is', null)
    .select(['why', 'stopped_at', 'lift_asked_by', 'stopper.name as stopper_name', 'asker.name as asker_name'])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { lift_asked_by: id, asker_name: name } = row;
  return {
    why: row.why,
    stoppedByName: row.stopper_name,
    stoppedAt: row.stopped_at,
    liftAskedBy: id === null ? null : { id, name: name ?? id },
  };
}
