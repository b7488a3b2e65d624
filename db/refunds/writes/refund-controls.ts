import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';
import { isSecondPerson } from '#lib/approvals/rules/approval.ts';
import { REFUND_ACTIONS } from '#lib/refunds/rules/audit-actions.ts';
import type { LimitedRole } from '#lib/refunds/rules/limits.ts';
import { recordControlAudit } from './refund-rows.ts';

/** A person changing what all refunds of a game depend on. */
export interface RefundControl {
  gameId: number;
  actor: { id: string; email: string };
}

/** Pauses the sending of refunds of a game at once; a call already sent still ends. False when refunds are paused already. */
export async function recordPause(pool: pg.Pool, control: RefundControl & { why: string }): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    // Waits for attempts that are being committed: none is committed after the pause.
    await client.query(`select 1 from game where game_id = $1 for no key update`, [control.gameId]);
    const { rowCount } = await client.query(
      `insert into refund_pause (game_id, paused_by, why) values ($1, $2, $3) on conflict do nothing`,
      [control.gameId, control.actor.id, control.why],
    );
    if (rowCount === 1) await recordControlAudit(client, control, REFUND_ACTIONS.paused, { why: control.why });
    return rowCount === 1;
  });
}

/** Resumes refunds: the first person requests it, a second one resumes them. */
export async function recordResume(
  pool: pg.Pool,
  control: RefundControl,
): Promise<'resume_requested' | 'resumed' | 'same_person' | 'not_paused'> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ pause_no: number; resume_requested_by: string | null }>(
      `select pause_no, resume_requested_by from refund_pause where game_id = $1 and resumed_at is null for update`,
      [control.gameId],
    );
    const [pause] = rows;
    if (pause === undefined) return 'not_paused';
    const { pause_no, resume_requested_by: first } = pause;
    if (first !== null && !isSecondPerson(first, control.actor.id)) return 'same_person';
    await client.query(
      first === null
        ? `update refund_pause set resume_requested_by = $3 where game_id = $1 and pause_no = $2`
        : `update refund_pause set resumed_by = $3, resumed_at = clock_timestamp() where game_id = $1 and pause_no = $2`,
      [control.gameId, pause_no, control.actor.id],
    );
    await recordControlAudit(client, control, first === null ? REFUND_ACTIONS.askedToResume : REFUND_ACTIONS.resumed);
    return first === null ? 'resume_requested' : 'resumed';
  });
}

/** Sets the auto-approval limit of a role, in USD. */
export async function recordRefundLimit(pool: pg.Pool, control: RefundControl & { role: LimitedRole; limit_usd: string }): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into refund_limit (game_id, role, limit_usd, set_by) values ($1, $2, $3, $4)
       on conflict (game_id, role) do update set limit_usd = excluded.limit_usd, set_by = excluded.set_by, set_at = clock_timestamp()`,
      [control.gameId, control.role, control.limit_usd, control.actor.email],
    );
    await recordControlAudit(client, control, REFUND_ACTIONS.changedLimit, { role: control.role, limit_usd: control.limit_usd });
  });
}
