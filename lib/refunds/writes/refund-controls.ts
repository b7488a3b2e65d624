import { sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { accountStatus, mayApproveNow, mayPrepareNow, PAUSE_VERSION } from '#lib/approvals/reads.ts';
import { isSecondPerson } from '#lib/approvals/rules/approval.ts';
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
 * Resumes refunds: the first person requests it, a second one resumes them; who requested it and whose account stopped counting is replaced by the next.
 * `version`: of the pause with its request, as the person saw it. After a restore not while a refund from before it is being sent:
 * without an answer it would be sent again, not read.
 */
export async function recordResume(
  db: Db,
  control: RefundControl & { version: string },
): Promise<'resume_requested' | 'resumed' | 'same_person' | 'not_allowed' | 'not_paused' | 'not_as_shown' | 'still_sending'> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{
      pause_no: number;
      resume_requested_by: string | null;
      restore_no: number | null;
      version: string;
    }>`select pause_no, ${PAUSE_VERSION} as version, (select id from person where person.id = resume_requested_by and ${accountStatus('person')} = 'counts') as resume_requested_by, restore_no
       from refund_pause where game_id = ${control.gameId} and resumed_at is null for update`.execute(tx);
    const [pause] = rows;
    if (pause === undefined) return 'not_paused';
    const { pause_no, resume_requested_by: first, restore_no, version } = pause;
    if (first !== null && !isSecondPerson(first, control.actor.id)) return 'same_person';
    if (version !== control.version) return 'not_as_shown';
    if (first !== null && restore_no !== null && (await isSendingSinceBefore(tx, control.gameId, restore_no))) return 'still_sending';
    const rowCount = await countChanges(
      tx,
      first === null
        ? sql`update refund_pause set resume_requested_by = person.id from person
            where game_id = ${control.gameId} and pause_no = ${pause_no} and person.id = ${control.actor.id} and ${mayPrepareNow('person', 'refunds.approve')}`
        : sql`update refund_pause set resumed_by = second.id, resumed_at = clock_now() from person second, person first
            where game_id = ${control.gameId} and pause_no = ${pause_no} and first.id = resume_requested_by and second.id = ${control.actor.id}
              and ${mayApproveNow('second', 'first', 'refunds.approve')}`,
    );
    if (rowCount !== 1) return 'not_allowed';
    if (first !== null && restore_no !== null) await checkAfterRestore(tx, control.gameId, restore_no);
    await recordControlAudit(tx, control, first === null ? REFUND_ACTIONS.requestedResume : REFUND_ACTIONS.resumed);
    return first === null ? 'resume_requested' : 'resumed';
  });
}

async function isSendingSinceBefore(tx: Db, gameId: number, restore_no: number): Promise<boolean> {
  const rowCount = (
    await sql`select 1 from refund where game_id = ${gameId} and state = 'sending'
       and requested_at < (select found_at from database_restore where restore_no = ${restore_no}) limit 1`.execute(tx)
  ).rows.length;
  return rowCount === 1;
}

/** What was tried before the backup may have been made since: its period is read, and nothing is sent before. The others are read anyway. */
async function checkAfterRestore(tx: Db, gameId: number, restore_no: number): Promise<void> {
  const { rows } = await sql<{ refund_id: number }>`update refund set state = 'verifying', next_look_at = clock_now()
     where game_id = ${gameId} and state in ('waiting', 'unknown') and attempt_count > 0
       and requested_at < (select found_at from database_restore where restore_no = ${restore_no})
     returning refund_id`.execute(tx);
  for (const { refund_id: refundId } of rows)
    await recordRefundAudit(tx, { gameId, refundId }, 'worker', REFUND_ACTIONS.checkedAfterRestore, { to: 'verifying' });
}
