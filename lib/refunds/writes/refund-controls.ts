import { sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import type { AfterRestore } from '#lib/approvals/writes.ts';
import { REFUND_ACTIONS } from '../rules/audit-actions.ts';
import { type RefundDecision, recordControlAudit, recordRefundAudit } from './refund-rows.ts';

/** A person changing what all refunds of a game depend on. */
export type RefundControl = Omit<RefundDecision, 'refundId'>;

/** Pauses the sending of refunds of a game at once; a call already sent still ends. False when refunds are paused already. */
export async function recordPause(db: Db, control: RefundControl & { why: string }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // Waits for attempts that are being committed: none is committed after the pause.
    await sql`select 1 from game where game_id = ${control.gameId} for no key update`.execute(tx);
    const rowCount = await countChanges(
      tx,
      sql`insert into refund_pause (game_id, paused_by, why) values (${control.gameId}, ${control.actor.id}, ${control.why}) on conflict do nothing`,
    );
    if (rowCount === 1) await recordControlAudit(tx, control, REFUND_ACTIONS.paused, { why: control.why });
    return rowCount === 1;
  });
}

/**
 * After a restore, refunds don't resume while one from before it is being sent: without an answer it would be sent again, not read. What was tried
 * before the backup may have been made since: its period is read, and nothing is sent before. The others are read anyway.
 */
export const AFTER_RESTORE: AfterRestore<'still_sending'> = {
  findBlocker: async (tx, gameId, restoreNo) => ((await isSendingSinceBefore(tx, gameId, restoreNo)) ? 'still_sending' : null),
  finish: checkAfterRestore,
};

async function isSendingSinceBefore(tx: Db, gameId: number, restore_no: number): Promise<boolean> {
  const rowCount = (
    await sql`select 1 from refund where game_id = ${gameId} and state = 'sending'
       and requested_at < (select found_at from database_restore where restore_no = ${restore_no}) limit 1`.execute(tx)
  ).rows.length;
  return rowCount === 1;
}

async function checkAfterRestore(tx: Db, gameId: number, restore_no: number): Promise<void> {
  const { rows } = await sql<{ refund_id: number }>`update refund set state = 'verifying', next_look_at = clock_now()
     where game_id = ${gameId} and state in ('waiting', 'unknown') and attempt_count > 0
       and requested_at < (select found_at from database_restore where restore_no = ${restore_no})
     returning refund_id`.execute(tx);
  for (const { refund_id: refundId } of rows)
    await recordRefundAudit(tx, { gameId, refundId }, 'worker', REFUND_ACTIONS.checkedAfterRestore, { to: 'verifying' });
}
