import { sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { mayApproveNow, mayNow, mayPrepareNow } from '#lib/approvals/reads.ts';
import type { AfterRestore } from '#lib/approvals/writes.ts';
import type { LimitNoticeKind } from '#lib/notices/rules/notice-kinds.ts';
import { insertRightsNotice } from '#lib/notices/writes.ts';
import { findRefundLimits } from '../reads/refund-limits.ts';
import { REFUND_ACTIONS } from '../rules/audit-actions.ts';
import { dayLimitNamed, type LimitName, limitNamed } from '../rules/limits.ts';
import { LIMIT_LABELS } from '../text.ts';
import { type RefundDecision, recordControlAudit, recordRefundAudit } from './refund-rows.ts';

/** A person changing what all refunds of a game depend on. */
type RefundControl = Omit<RefundDecision, 'refundId'>;

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

export interface LimitChange extends RefundControl {
  name: LimitName;
  limit_usd: string;
}

/**
 * Sets a limit, in USD. A lower one applies at once; a higher one when a second person approves it. A raise that was requested before is
 * replaced. Null when the person no longer manages settings, or their account doesn't count.
 */
export async function recordLimit(db: Db, change: LimitChange): Promise<'applies' | 'waits' | null> {
  const { gameId, name, actor, limit_usd } = change;
  return inTransaction(db, async (tx) => {
    // The requester is locked, so that their right holds for all of it or for nothing: a refusal stores no default.
    const asker = await sql`select from person where id = ${actor.id} and ${mayPrepareNow('person', 'people.manage')} for share`.execute(
      tx,
    );
    if (asker.rows.length === 0) return null;
    // A limit for 24 hours that isn't set follows the one for a refund: what applies now is what a raise is measured by.
    await sql`select 1 from game where game_id = ${gameId} for no key update`.execute(tx);
    const default_usd = limitNamed(name, await findRefundLimits(tx, gameId));
    await sql`insert into refund_limit (game_id, name, limit_usd, set_by) select ${gameId}::int, ${name}, ${default_usd}::usd, email from person
       where id = ${actor.id} on conflict do nothing`.execute(tx);
    const { rows } = await sql<{
      is_raise: boolean;
    }>`update refund_limit set limit_usd = least(known.usd, ${limit_usd}::numeric), set_by = person.email, set_at = clock_now(),
         raise_usd = raise.usd, raise_by = raise.person_id, raise_at = raise.asked_at
       from person, lateral (
         select limit_usd as usd from refund_limit where game_id = ${gameId} and name = ${name} for update
       ) known left join lateral (
         select ${limit_usd}::numeric as usd, person.id as person_id, clock_now() as asked_at where ${limit_usd}::numeric > known.usd
       ) raise on true
       where refund_limit.game_id = ${gameId} and refund_limit.name = ${name} and person.id = ${actor.id} and ${mayPrepareNow('person', 'people.manage')}
       returning raise_usd is not null as is_raise`.execute(tx);
    const [stored] = rows;
    if (stored === undefined) return null;
    await recordControlAudit(tx, change, stored.is_raise ? REFUND_ACTIONS.requestedRaise : REFUND_ACTIONS.changedLimit, {
      name,
      limit_usd,
    });
    await announceLimit(tx, change, stored.is_raise ? 'limit_requested' : 'limit_changed');
    return stored.is_raise ? 'waits' : 'applies';
  });
}

/**
 * A second person approves a higher limit, which then applies. A limit for 24 hours that followed it stays at what it is. False when it is another one by now, or they may not approve it.
 */
export async function recordRaise(db: Db, change: LimitChange): Promise<boolean> {
  const { gameId, name, actor, limit_usd } = change;
  return inTransaction(db, async (tx) => {
    await sql`select 1 from game where game_id = ${gameId} for no key update`.execute(tx);
    const before = await findRefundLimits(tx, gameId);
    const rowCount = await countChanges(
      tx,
      sql`update refund_limit set limit_usd = raise_usd, set_at = clock_now(), raise_usd = null, raise_by = null, raise_at = null
       from person second, person first
       where game_id = ${gameId} and refund_limit.name = ${name} and raise_usd = ${limit_usd}
         and first.id = raise_by and second.id = ${actor.id} and ${mayApproveNow('second', 'first', 'refunds.approve')}`,
    );
    if (rowCount !== 1) return false;
    const day = dayLimitNamed(name);
    const day_usd = limitNamed(day, before);
    const isPinned = await countChanges(
      tx,
      sql`insert into refund_limit (game_id, name, limit_usd, set_by) values (${gameId}, ${day}, ${day_usd}, ${actor.email}) on conflict do nothing`,
    );
    const pinned = isPinned === 1 ? { unchanged_limit: { name: day, limit_usd: day_usd } } : {};
    await recordControlAudit(tx, change, REFUND_ACTIONS.approvedRaise, { name, limit_usd, ...pinned });
    await announceLimit(tx, change, 'limit_changed');
    return true;
  });
}

/** Ends a raise that waits: who requested it withdraws it, an approver whose account counts rejects it. False when there is none, or they may not. */
export async function recordRaiseDeclined(db: Db, change: LimitChange): Promise<boolean> {
  const { gameId, name, actor, limit_usd } = change;
  return inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`update refund_limit set raise_usd = null, raise_by = null, raise_at = null from person
       where game_id = ${gameId} and refund_limit.name = ${name} and raise_usd = ${limit_usd}
         and person.id = ${actor.id} and (person.id = raise_by and ${mayNow('person', 'people.manage')} or ${mayPrepareNow('person', 'refunds.approve')})`,
    );
    if (rowCount === 1) await recordControlAudit(tx, change, REFUND_ACTIONS.declinedRaise, { name, limit_usd });
    return rowCount === 1;
  });
}

async function announceLimit(tx: Db, { gameId, name, actor, limit_usd }: LimitChange, kind: LimitNoticeKind): Promise<void> {
  await insertRightsNotice(tx, { gameId, kind, about: LIMIT_LABELS[name], amount_usd: limit_usd, actorId: actor.id });
}
