import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import { writeLiteral } from '#db/kit/copy-csv.ts';
import { rightsNotice } from '#db/notices/writes.ts';
import { accountStatus, mayApproveNow, mayNow, mayPrepareNow } from '#db/people/rights-now.ts';
import { parseEnum } from '#lib/core/parse-enum.ts';
import type { LimitNoticeKind } from '#lib/notices/rules/notice-kinds.ts';
import { REFUND_ACTIONS } from '#lib/refunds/rules/audit-actions.ts';
import { LIMIT_NAMES, type LimitName, type RefundLimits } from '#lib/refunds/rules/limits.ts';
import { LIMIT_LABELS } from '#lib/refunds/text.ts';
import type { RefundControl } from './refund-controls.ts';
import { recordControlAudit } from './refund-rows.ts';

export interface LimitChange extends RefundControl {
  name: LimitName;
  limit_usd: string;
}

/**
 * Sets a limit, in USD. A lower one applies at once; a higher one when a second person approves it. A raise that was asked for before is
 * replaced. Null when the person no longer manages settings, or their account doesn't count.
 */
export async function recordLimit(
  pool: pg.Pool,
  change: LimitChange & {
    /** What applies until the limit is set, by the limits that are set. */ defaultOf: (limits: RefundLimits) => string;
  },
): Promise<'applies' | 'waits' | null> {
  const { gameId, name, actor, limit_usd, defaultOf } = change;
  return inClientTransaction(pool, async (client) => {
    // A limit for 24 hours that isn't set follows the one for a refund: what applies now is what a raise is measured by.
    await client.query(`select 1 from game where game_id = $1 for no key update`, [gameId]);
    const { rows: set } = await client.query<{ name: string; limit_usd: string }>(
      'select name, limit_usd::text from refund_limit where game_id = $1 for update',
      [gameId],
    );
    const default_usd = defaultOf(Object.fromEntries(set.map((row) => [parseEnum(LIMIT_NAMES, row.name), row.limit_usd])));
    await client.query(
      `insert into refund_limit (game_id, name, limit_usd, set_by) select $1::int, $2, $3::usd, email from person
       where id = $4 and ${writeLiteral(mayNow('person', 'people.manage'))} on conflict do nothing`,
      [gameId, name, default_usd, actor.id],
    );
    const { rows } = await client.query<{ is_raise: boolean }>(
      `update refund_limit set limit_usd = least(known.usd, $3::numeric), set_by = person.email, set_at = clock_now(),
         raise_usd = raise.usd, raise_by = raise.person_id, raise_at = raise.asked_at
       from person, lateral (
         select limit_usd as usd from refund_limit where game_id = $1 and name = $2 for update
       ) known left join lateral (
         select $3::numeric as usd, person.id as person_id, clock_now() as asked_at where $3::numeric > known.usd
       ) raise on true
       where refund_limit.game_id = $1 and refund_limit.name = $2 and person.id = $4 and ${writeLiteral(mayNow('person', 'people.manage'))}
         and ${writeLiteral(accountStatus('person'))} = 'counts'
       returning raise_usd is not null as is_raise`,
      [gameId, name, limit_usd, actor.id],
    );
    const [stored] = rows;
    if (stored === undefined) return null;
    await recordControlAudit(client, change, stored.is_raise ? REFUND_ACTIONS.askedToRaiseLimit : REFUND_ACTIONS.changedLimit, {
      name,
      limit_usd,
    });
    await announceLimit(client, change, stored.is_raise ? 'limit_requested' : 'limit_changed');
    return stored.is_raise ? 'waits' : 'applies';
  });
}

/** A second person approves a higher limit, which then applies. False when it is another one by now, or they may not approve it. */
export async function recordRaise(pool: pg.Pool, change: LimitChange): Promise<boolean> {
  const { gameId, name, actor, limit_usd } = change;
  return inClientTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update refund_limit set limit_usd = raise_usd, set_at = clock_now(), raise_usd = null, raise_by = null, raise_at = null
       from person second, person first
       where game_id = $1 and refund_limit.name = $2 and raise_usd = $3
         and first.id = raise_by and second.id = $4 and ${writeLiteral(mayApproveNow('second', 'first', 'refunds.approve'))}`,
      [gameId, name, limit_usd, actor.id],
    );
    if (rowCount !== 1) return false;
    await recordControlAudit(client, change, REFUND_ACTIONS.approvedRaise, { name, limit_usd });
    await announceLimit(client, change, 'limit_changed');
    return true;
  });
}

/** Ends a raise that waits: who asked for it withdraws it, an approver whose account counts rejects it. False when there is none, or they may not. */
export async function recordRaiseDeclined(pool: pg.Pool, change: LimitChange): Promise<boolean> {
  const { gameId, name, actor, limit_usd } = change;
  return inClientTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update refund_limit set raise_usd = null, raise_by = null, raise_at = null from person
       where game_id = $1 and refund_limit.name = $2 and raise_usd = $3
         and person.id = $4 and (person.id = raise_by and ${writeLiteral(mayNow('person', 'people.manage'))} or ${writeLiteral(mayPrepareNow('person', 'refunds.approve'))})`,
      [gameId, name, limit_usd, actor.id],
    );
    if (rowCount === 1) await recordControlAudit(client, change, REFUND_ACTIONS.declinedRaise, { name, limit_usd });
    return rowCount === 1;
  });
}

async function announceLimit(client: pg.ClientBase, { gameId, name, actor, limit_usd }: LimitChange, kind: LimitNoticeKind): Promise<void> {
  const { text, values } = rightsNotice({ gameId, kind, about: LIMIT_LABELS[name], amount_usd: limit_usd, actorId: actor.id });
  await client.query(text, values);
}
