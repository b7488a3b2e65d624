import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import { writeLiteral } from '#db/kit/copy-csv.ts';
import { accountStatus, mayApproveNow, mayPrepareNow } from '#db/people/rights-now.ts';
import { isSecondPerson } from '#lib/approvals/rules/approval.ts';
import { REFUND_ACTIONS } from '#lib/refunds/rules/audit-actions.ts';
import { recordControlAudit, recordRefundAudit } from './refund-rows.ts';

/** A person changing what all refunds of a game depend on. */
export interface RefundControl {
  gameId: number;
  actor: { id: string; email: string };
}

/** Pauses the sending of refunds of a game at once; a call already sent still ends. False when refunds are paused already. */
export async function recordPause(pool: pg.Pool, control: RefundControl & { why: string }): Promise<boolean> {
  return inClientTransaction(pool, async (client) => {
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

/**
 * Resumes refunds: the first person requests it, a second one resumes them; who requested it and whose account stopped counting is replaced by the next. After a restore not while a refund from before it is being sent:
 * without an answer it would be sent again, not read.
 */
export async function recordResume(
  pool: pg.Pool,
  control: RefundControl,
): Promise<'resume_requested' | 'resumed' | 'same_person' | 'not_allowed' | 'not_paused' | 'still_sending'> {
  return inClientTransaction(pool, async (client) => {
    const { rows } = await client.query<{ pause_no: number; resume_requested_by: string | null; restore_no: number | null }>(
      `select pause_no, (select id from person where person.id = resume_requested_by and ${writeLiteral(accountStatus('person'))} = 'counts') as resume_requested_by, restore_no
       from refund_pause where game_id = $1 and resumed_at is null for update`,
      [control.gameId],
    );
    const [pause] = rows;
    if (pause === undefined) return 'not_paused';
    const { pause_no, resume_requested_by: first, restore_no } = pause;
    if (first !== null && !isSecondPerson(first, control.actor.id)) return 'same_person';
    if (first !== null && restore_no !== null && (await isSendingSinceBefore(client, control.gameId, restore_no))) return 'still_sending';
    const { rowCount } = await client.query(
      first === null
        ? `update refund_pause set resume_requested_by = person.id from person where game_id = $1 and pause_no = $2 and person.id = $3 and ${writeLiteral(mayPrepareNow('person', 'refunds.approve'))}`
        : `update refund_pause set resumed_by = second.id, resumed_at = clock_now() from person second, person first
           where game_id = $1 and pause_no = $2 and first.id = resume_requested_by and second.id = $3 and ${writeLiteral(mayApproveNow('second', 'first', 'refunds.approve'))}`,
      [control.gameId, pause_no, control.actor.id],
    );
    if (rowCount !== 1) return 'not_allowed';
    if (first !== null && restore_no !== null) await checkAfterRestore(client, control.gameId, restore_no);
    await recordControlAudit(client, control, first === null ? REFUND_ACTIONS.askedToResume : REFUND_ACTIONS.resumed);
    return first === null ? 'resume_requested' : 'resumed';
  });
}

async function isSendingSinceBefore(client: pg.ClientBase, gameId: number, restore_no: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from refund where game_id = $1 and state = 'sending'
       and requested_at < (select found_at from database_restore where restore_no = $2) limit 1`,
    [gameId, restore_no],
  );
  return rowCount === 1;
}

/** What was tried before the backup may have been made since: its period is read, and nothing is sent before. The others are read anyway. */
async function checkAfterRestore(client: pg.ClientBase, gameId: number, restore_no: number): Promise<void> {
  const { rows } = await client.query<{ refund_id: number }>(
    `update refund set state = 'verifying', next_look_at = clock_now()
     where game_id = $1 and state in ('waiting', 'unknown') and attempt_count > 0
       and requested_at < (select found_at from database_restore where restore_no = $2)
     returning refund_id`,
    [gameId, restore_no],
  );
  for (const { refund_id: refundId } of rows)
    await recordRefundAudit(client, { gameId, refundId }, 'worker', REFUND_ACTIONS.checkedAfterRestore, { to: 'verifying' });
}
