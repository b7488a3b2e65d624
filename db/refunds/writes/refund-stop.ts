import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';
import { recordDeskAudit } from './refund-audit.ts';

export interface StopAct {
  gameId: number;
  actor: { id: string; email: string };
}

/** Stops the sending of refunds of a game at once; what is on its way still ends. False when it is stopped already. */
export async function stopRefunds(pool: pg.Pool, act: StopAct & { why: string }): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    // Waits for attempts being committed: none is committed after the stop.
    await client.query(`select 1 from game where game_id = $1 for no key update`, [act.gameId]);
    const { rowCount } = await client.query(
      `insert into refund_stop (game_id, stopped_by, why) values ($1, $2, $3) on conflict do nothing`,
      [act.gameId, act.actor.id, act.why],
    );
    if (rowCount === 1) await recordDeskAudit(client, act, 'stopped all refunds', { why: act.why });
    return rowCount === 1;
  });
}

/** Lifts the stop: the first person asks, a second one lifts it. */
export async function liftStop(pool: pg.Pool, act: StopAct): Promise<'asked' | 'lifted' | 'same_person' | 'no_stop'> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ stop_no: number; lift_asked_by: string | null }>(
      `select stop_no, lift_asked_by from refund_stop where game_id = $1 and lifted_at is null for update`,
      [act.gameId],
    );
    const [stop] = rows;
    if (stop === undefined) return 'no_stop';
    if (stop.lift_asked_by === act.actor.id) return 'same_person';
    const isAsked = stop.lift_asked_by !== null;
    await client.query(
      isAsked
        ? `update refund_stop set lifted_by = $3, lifted_at = clock_timestamp() where game_id = $1 and stop_no = $2`
        : `update refund_stop set lift_asked_by = $3 where game_id = $1 and stop_no = $2`,
      [act.gameId, stop.stop_no, act.actor.id],
    );
    await recordDeskAudit(client, act, isAsked ? 'let refunds be sent again' : 'asked to let refunds be sent again');
    return isAsked ? 'lifted' : 'asked';
  });
}
