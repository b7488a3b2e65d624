import { sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { accountStatus, mayApproveNow, mayNow, mayPrepareNow } from '#lib/approvals/reads.ts';
import { parseEnum } from '#lib/core/parse-enum.ts';
import type { LimitNoticeKind } from '#lib/notices/rules/notice-kinds.ts';
import { insertRightsNotice } from '#lib/notices/writes.ts';
import { REFUND_ACTIONS } from '../rules/audit-actions.ts';
import { LIMIT_NAMES, type LimitName, type RefundLimits } from '../rules/limits.ts';
import { LIMIT_LABELS } from '../text.ts';
import type { RefundControl } from './refund-controls.ts';
import { recordControlAudit } from './refund-rows.ts';

export interface LimitChange extends RefundControl {
  name: LimitName;
  limit_usd: string;
}

/**
 * Sets a limit, in USD. A lower one applies at once; a higher one when a second person approves it. A raise that was requested before is
 * replaced. Null when the person no longer manages settings, or their account doesn't count.
 */
export async function recordLimit(
  db: Db,
  change: LimitChange & {
    /** What applies until the limit is set, by the limits that are set. */ defaultOf: (limits: RefundLimits) => string;
  },
): Promise<'applies' | 'waits' | null> {
  const { gameId, name, actor, limit_usd, defaultOf } = change;
  return inTransaction(db, async (tx) => {
    // A limit for 24 hours that isn't set follows the one for a refund: what applies now is what a raise is measured by.
    await sql`select 1 from game where game_id = ${gameId} for no key update`.execute(tx);
    const { rows: set } = await sql<{
      name: string;
      limit_usd: string;
    }>`select name, limit_usd::text from refund_limit where game_id = ${gameId} for update`.execute(tx);
    const default_usd = defaultOf(Object.fromEntries(set.map((row) => [parseEnum(LIMIT_NAMES, row.name), row.limit_usd])));
    await sql`insert into refund_limit (game_id, name, limit_usd, set_by) select ${gameId}::int, ${name}, ${default_usd}::usd, email from person
       where id = ${actor.id} and ${mayNow('person', 'people.manage')} on conflict do nothing`.execute(tx);
    const { rows } = await sql<{
      is_raise: boolean;
    }>`update refund_limit set limit_usd = least(known.usd, ${limit_usd}::numeric), set_by = person.email, set_at = clock_now(),
         raise_usd = raise.usd, raise_by = raise.person_id, raise_at = raise.asked_at
       from person, lateral (
         select limit_usd as usd from refund_limit where game_id = ${gameId} and name = ${name} for update
       ) known left join lateral (
         select ${limit_usd}::numeric as usd, person.id as person_id, clock_now() as asked_at where ${limit_usd}::numeric > known.usd
       ) raise on true
       where refund_limit.game_id = ${gameId} and refund_limit.name = ${name} and person.id = ${actor.id} and ${mayNow('person', 'people.manage')}
         and ${accountStatus('person')} = 'counts'
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

/** A second person approves a higher limit, which then applies. False when it is another one by now, or they may not approve it. */
export async function recordRaise(db: Db, change: LimitChange): Promise<boolean> {
  const { gameId, name, actor, limit_usd } = change;
  return inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`update refund_limit set limit_usd = raise_usd, set_at = clock_now(), raise_usd = null, raise_by = null, raise_at = null
       from person second, person first
       where game_id = ${gameId} and refund_limit.name = ${name} and raise_usd = ${limit_usd}
         and first.id = raise_by and second.id = ${actor.id} and ${mayApproveNow('second', 'first', 'refunds.approve')}`,
    );
    if (rowCount !== 1) return false;
    await recordControlAudit(tx, change, REFUND_ACTIONS.approvedRaise, { name, limit_usd });
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
