import { sql } from 'kysely';
import { countChanges, type Db, findDatabaseNow, inTransaction } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import type { Window } from '#lib/core/window.ts';

/** A settled renewal without attribution that a report names. Amounts are USD; null: not reported. */
export interface NamedRenewal {
  period_id: number;
  subscription_id: string;
  reason: string | null;
  paid_at: string;
  amount_usd: string | null;
  invo_fee_usd: string | null;
  partner_revenue_settled_usd: string | null;
}

/**
 * Stores renewals of a month that reports name. The row of one that was located before stays, with the person and the note; one that is
 * stored already stays as it is.
 */
export async function recordNamed(db: Db, gameId: number, { start, end }: Window, renewals: NamedRenewal[]): Promise<void> {
  for (const renewal of renewals) {
    const { period_id, subscription_id, reason, paid_at, amount_usd, invo_fee_usd, partner_revenue_settled_usd } = renewal;
    const placed = await countChanges(
      db,
      sql`
        update unattributed_renewal set period_id = ${period_id}, subscription_id = ${subscription_id}, settled_from = ${paid_at},
          settled_to = ${paid_at}, amount_usd = ${amount_usd}, invo_fee_usd = ${invo_fee_usd},
          partner_revenue_settled_usd = ${partner_revenue_settled_usd}, found_at = clock_now()
        where game_id = ${gameId} and not exists (
          select from unattributed_renewal known
          where known.game_id = ${gameId} and known.window_start = ${start} and known.window_end = ${end} and known.period_id = ${period_id}
        ) and item_id = (
          select item_id from unattributed_renewal located
          where located.game_id = ${gameId} and located.window_start = ${start} and located.window_end = ${end} and located.period_id is null
            and located.renewal_count = 1 and located.reason is not distinct from ${reason}
            and located.settled_from <= ${paid_at} and located.settled_to > ${paid_at}
          order by item_id limit 1
        )`,
    );
    // Between the two statements another process may store the same renewal; then this one stores nothing.
    if (placed === 0)
      await sql`
        insert into unattributed_renewal (game_id, window_start, window_end, reason, period_id, subscription_id, settled_from, settled_to, amount_usd,
          invo_fee_usd, partner_revenue_settled_usd)
        values (${gameId}, ${start}, ${end}, ${reason}, ${period_id}, ${subscription_id}, ${paid_at}, ${paid_at}, ${amount_usd}, ${invo_fee_usd},
          ${partner_revenue_settled_usd})
        on conflict do nothing`.execute(db);
  }
}

/** Renewals placed in time: how many settled in a span, and what they come to; null: others settled there too, so that no sum is theirs alone. */
export interface LocatedRenewal extends Omit<NamedRenewal, 'period_id' | 'subscription_id' | 'paid_at'> {
  window: Window;
  count: number;
}

/**
 * Stores the result of a search that ended: every renewal of a month that no report names. What was placed elsewhere before is removed, unless a
 * person works on it.
 */
export async function recordLocated(db: Db, gameId: number, { start, end }: Window, located: LocatedRenewal[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    const stays = located.map(({ window }) => window.start);
    await sql`
      delete from unattributed_renewal
      where game_id = ${gameId} and window_start = ${start} and window_end = ${end} and period_id is null and assigned_to is null and note is null
        and settled_from <> all(${stays}::timestamptz[])`.execute(trx);
    for (const { window, count, reason, ...amounts } of located) {
      await trx
        .insertInto('unattributed_renewal')
        .values({
          game_id: gameId,
          window_start: start,
          window_end: end,
          reason,
          settled_from: window.start,
          settled_to: window.end,
          renewal_count: count,
          ...amounts,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

/** A change of who looks into a renewal without attribution, or of what was found out. */
export interface UnattributedChange {
  gameId: number;
  itemId: number;
  by: { id: string; email: string };
  /** null: nobody; left out: unchanged. */
  assignedTo?: string | null;
  /** null: none. */
  note: string | null;
}

/** Stores who looks into a renewal and what was found out, with its audit row. False when there is no such renewal. */
export async function changeUnattributed(db: Db, { gameId, itemId, by, assignedTo, note }: UnattributedChange): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const now = await findDatabaseNow(trx);
    const changed = await trx
      .updateTable('unattributed_renewal')
      .set({
        ...(assignedTo === undefined ? {} : { assigned_to: assignedTo }),
        note,
        noted_by: note === null ? null : sql<string>`case when note is not distinct from ${note} then noted_by else ${by.id} end`,
        noted_at:
          note === null ? null : sql<string>`case when note is not distinct from ${note} then noted_at else ${now}::timestamptz end`,
      })
      .where('game_id', '=', gameId)
      .where('item_id', '=', itemId)
      .returning(['item_id'])
      .executeTakeFirst();
    if (!changed) return false;
    await recordAudit(trx, {
      actor: by.email,
      gameId,
      act: 'noted a renewal without attribution',
      subject: `renewal without attribution ${itemId}`,
      detail: { ...(assignedTo === undefined ? {} : { assignedTo }), note: note === null ? null : maskEmailsIn(note) },
    });
    return true;
  });
}
