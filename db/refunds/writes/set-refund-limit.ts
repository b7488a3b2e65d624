import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';
import type { LimitedRole } from '#lib/refunds/rules/refund-limits.ts';
import { recordDeskAudit } from './refund-audit.ts';
import type { StopAct } from './refund-stop.ts';

/** Sets what a role may refund without a second person, in USD. */
export async function setRefundLimit(pool: pg.Pool, act: StopAct & { role: LimitedRole; limit_usd: string }): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into refund_limit (game_id, role, limit_usd, set_by) values ($1, $2, $3, $4)
       on conflict (game_id, role) do update set limit_usd = excluded.limit_usd, set_by = excluded.set_by, set_at = clock_timestamp()`,
      [act.gameId, act.role, act.limit_usd, act.actor.email],
    );
    await recordDeskAudit(client, act, 'set a refund limit', { role: act.role, limit_usd: act.limit_usd });
  });
}
