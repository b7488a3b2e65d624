import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';
import { mayApproveNow, mayNow } from '#db/people/rights-now.ts';
import { LIMIT_NOW } from '#db/refunds/limits.ts';
import { REFUND_ACTIONS } from '#lib/refunds/rules/audit-actions.ts';
import type { LimitName } from '#lib/refunds/rules/limits.ts';
import type { RefundControl } from './refund-controls.ts';
import { recordControlAudit } from './refund-rows.ts';

export interface LimitChange extends RefundControl {
  name: LimitName;
  limit_usd: string;
}

/**
 * Sets a limit, in USD. A lower one applies at once; a higher one after the hours given, or when a second person approves it. A raise that
 * was asked for before is replaced. Returns when the new limit applies; null when the person no longer manages settings.
 */
export async function recordLimit(
  pool: pg.Pool,
  change: LimitChange & { /** What applies until the limit is set. */ default_usd: string; raiseAfter_hours: number },
): Promise<{ appliesFrom: 'now' | string } | null> {
  const { gameId, name, actor, limit_usd, default_usd, raiseAfter_hours } = change;
  return inTransaction(pool, async (client) => {
    await client.query(
      `insert into refund_limit (game_id, name, limit_usd, set_by) select $1::int, $2, $3::usd, email from person
       where id = $4 and ${mayNow('person', 'people.manage')} on conflict do nothing`,
      [gameId, name, default_usd, actor.id],
    );
    const { rows } = await client.query<{ waits_until: string | null }>(
      `update refund_limit set limit_usd = least(known.usd, $3::numeric), set_by = person.email, set_at = clock_timestamp(),
         raise_usd = raise.usd, raise_by = raise.person_id, raise_from = raise.applies_from
       from person, lateral (
         select ${LIMIT_NOW} as usd from refund_limit where game_id = $1 and name = $2 for update
       ) known left join lateral (
         select $3::numeric as usd, person.id as person_id, clock_timestamp() + make_interval(hours => $5) as applies_from where $3::numeric > known.usd
       ) raise on true
       where refund_limit.game_id = $1 and refund_limit.name = $2 and person.id = $4 and ${mayNow('person', 'people.manage')}
       returning case when raise_from > clock_timestamp() then raise_from end as waits_until`,
      [gameId, name, limit_usd, actor.id, raiseAfter_hours],
    );
    const [stored] = rows;
    if (stored === undefined) return null;
    const { waits_until } = stored;
    await recordControlAudit(client, change, waits_until === null ? REFUND_ACTIONS.changedLimit : REFUND_ACTIONS.askedToRaiseLimit, {
      name,
      limit_usd,
      ...(waits_until === null ? {} : { applies_from: waits_until }),
    });
    return { appliesFrom: waits_until ?? 'now' };
  });
}

/** A second person approves a higher limit, which then applies at once. False when it is another one by now, or they may not approve it. */
export async function recordRaise(pool: pg.Pool, change: LimitChange): Promise<boolean> {
  const { gameId, name, actor, limit_usd } = change;
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update refund_limit set raise_from = clock_timestamp() from person second, person first
       where game_id = $1 and refund_limit.name = $2 and raise_usd = $3 and raise_from > clock_timestamp()
         and first.id = raise_by and second.id = $4 and ${mayApproveNow('second', 'first', 'refunds.approve')}`,
      [gameId, name, limit_usd, actor.id],
    );
    if (rowCount === 1) await recordControlAudit(client, change, REFUND_ACTIONS.approvedRaise, { name, limit_usd });
    return rowCount === 1;
  });
}

/** Ends a raise that doesn't apply yet: who asked for it withdraws it, an approver rejects it. False when there is none, or they may not. */
export async function recordRaiseDeclined(pool: pg.Pool, change: LimitChange): Promise<boolean> {
  const { gameId, name, actor, limit_usd } = change;
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update refund_limit set raise_usd = null, raise_by = null, raise_from = null from person
       where game_id = $1 and refund_limit.name = $2 and raise_usd = $3 and raise_from > clock_timestamp()
         and person.id = $4 and (person.id = raise_by and ${mayNow('person', 'people.manage')} or ${mayNow('person', 'refunds.approve')})`,
      [gameId, name, limit_usd, actor.id],
    );
    if (rowCount === 1) await recordControlAudit(client, change, REFUND_ACTIONS.declinedRaise, { name, limit_usd });
    return rowCount === 1;
  });
}
