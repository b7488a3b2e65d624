import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { lockGame } from '#db/kit/lease.ts';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import type { Database } from '#db/types.ts';
import { holdUnsentActions } from '#lib/actions/writes/action-decisions.ts';
import { PAUSABLES } from '#lib/approvals/rules/approval.ts';
import { auditOfEach } from '#lib/audit/writes.ts';
import type { KnownPayouts } from '#lib/payouts/rules/missing-run.ts';
import { insertPayoutPauses } from '#lib/payouts/writes/payout-pauses.ts';
import { REFUND_ACTIONS } from '../rules/audit-actions.ts';
import { recordRefundAudit } from './refund-rows.ts';

/** Which database this is and how far it has come: `step` grows with every minute and before every refund call. */
export interface DatabaseMark {
  lineage: string;
  step: number;
}

/** Reads the mark of the database. */
export async function findMark(db: Kysely<Database>): Promise<DatabaseMark> {
  return await db.selectFrom('database_mark').select(['lineage', 'step']).executeTakeFirstOrThrow();
}

/** The lineage this database began with: every copy of it has the same, whatever was restored since. */
export async function findRootLineage(db: Kysely<Database>): Promise<string> {
  const first = await db.selectFrom('database_restore').select('lineage').orderBy('restore_no').limit(1).executeTakeFirst();
  return first?.lineage ?? (await findMark(db)).lineage;
}

/**
 * Moves the mark one step on and returns it; null when the database is not the one that was seen, or has come less far. Committed at once, so
 * that no later copy of the database is without it.
 */
export async function advanceMark(db: Db, seen: DatabaseMark): Promise<DatabaseMark | null> {
  const advanced = await db
    .updateTable('database_mark')
    .set({ step: sql`step + 1`, advanced_at: sql`clock_now()` })
    .where('lineage', '=', seen.lineage)
    .where('step', '>=', seen.step)
    .returning(['lineage', 'step'])
    .executeTakeFirst();
  return advanced ?? null;
}

export interface FoundRestore {
  /** The process that found it, or the command line. */
  foundBy: string;
  /** The mark the restored database has; another process may have recorded the restore of this one already. */
  mark: DatabaseMark;
  /** How far the lost database had come; null: a person reported the restore. */
  stepSeen: number | null;
  /** What people read as the reason. */
  why: string;
  /** The payout runs and payment files that the data folder knows; null: nothing knows. */
  known: KnownPayouts | null;
}

/**
 * Records that the database is an older copy and pauses the refunds, payouts and desk actions of every game; one that is paused already then needs two people again.
 * The database gets a new lineage. False when another process was first.
 */
export async function recordRestore(db: Db, { foundBy, mark, stepSeen, why, known }: FoundRestore): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`update database_mark set lineage = ${randomUUID()}, step = 0, advanced_at = clock_now() where lineage = ${mark.lineage}`,
    );
    if (rowCount === 0) return false;
    const { rows } = await sql<{
      restore_no: number;
    }>`insert into database_restore (found_by, lineage, step, step_seen) values (${foundBy}, ${mark.lineage}, ${mark.step}, ${stepSeen}) returning restore_no`.execute(
      tx,
    );
    const restoreNo = rows[0]?.restore_no;
    if (restoreNo === undefined) throw new Error('the restore was not stored');
    await insertPayoutPauses(tx, restoreNo, known);
    // Waits for attempts that are being committed: none is committed after the pause.
    const games = await tx.selectFrom('game').select('game_id').orderBy('game_id').execute();
    for (const { game_id: gameId } of games) await lockGame(tx, gameId, ['sends'], 'exclusive');
    for (const what of ['refunds', 'desk actions'] as const) {
      for (const { game_id: gameId } of games)
        await sql`insert into ${sql.table(PAUSABLES[what].table)} (game_id, why, restore_no) values (${gameId}, ${why}, ${restoreNo})
         on conflict (game_id) where resumed_at is null do update set restore_no = excluded.restore_no, resume_requested_by = null`.execute(
          tx,
        );
      const paused = { actor: 'worker', act: `paused ${what}`, subject: what, detail: { why, found_by: foundBy } } as const;
      await auditOfEach(sql`game`, { ...paused, gameId: sql<number>`game_id` }).execute(tx);
    }
    for (const { game_id: gameId } of games) await holdUnsentActions(tx, gameId);
    return true;
  });
}

/** Whether a refund from before a restore is being sent. */
export async function isSendingSinceBefore(tx: Db, gameId: number, restore_no: number): Promise<boolean> {
  const rowCount = (
    await sql`select 1 from refund where game_id = ${gameId} and state = 'sending'
       and requested_at < (select found_at from database_restore where restore_no = ${restore_no}) limit 1`.execute(tx)
  ).rows.length;
  return rowCount === 1;
}

/** Has the period of every refund read that was tried before a restore and whose outcome is open. */
export async function checkAfterRestore(tx: Db, gameId: number, restore_no: number): Promise<void> {
  const { rows } = await sql<{ refund_id: number }>`update refund set state = 'verifying', next_look_at = clock_now()
     where game_id = ${gameId} and state in ('waiting', 'unknown') and attempt_count > 0
       and requested_at < (select found_at from database_restore where restore_no = ${restore_no})
     returning refund_id`.execute(tx);
  for (const { refund_id: refundId } of rows) {
    await recordRefundAudit(tx, { gameId, refundId }, 'worker', REFUND_ACTIONS.checkedAfterRestore, { to: 'verifying' });
    await wakeWorker(tx, { queue: 'refund', gameId, id: refundId });
  }
}
