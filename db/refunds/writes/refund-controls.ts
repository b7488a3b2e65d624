import type pg from 'pg';
import { inTransaction } from '#db/kit/transaction.ts';
import { REFUND_ACTIONS } from '#lib/refunds/rules/audit-actions.ts';
import { type LimitedRole } from '#lib/refunds/rules/limits.ts';
import { recordDeskAudit } from './refund-rows.ts';

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
    if (rowCount === 1) await recordDeskAudit(client, act, REFUND_ACTIONS.paused, { why: act.why });
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
    await recordDeskAudit(client, act, isAsked ? REFUND_ACTIONS.resumed : REFUND_ACTIONS.askedToResume);
    return isAsked ? 'lifted' : 'asked';
  });
}

/** Sets what a role may refund without a second person, in USD. */
export async function setRefundLimit(pool: pg.Pool, act: StopAct & { role: LimitedRole; limit_usd: string }): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into refund_limit (game_id, role, limit_usd, set_by) values ($1, $2, $3, $4)
       on conflict (game_id, role) do update set limit_usd = excluded.limit_usd, set_by = excluded.set_by, set_at = clock_timestamp()`,
      [act.gameId, act.role, act.limit_usd, act.actor.email],
    );
    await recordDeskAudit(client, act, REFUND_ACTIONS.changedLimit, { role: act.role, limit_usd: act.limit_usd });
  });
}
