import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import { type CurrentWindow, WINDOW_COLUMNS } from '#lib/evidence/reads/month-snapshot.ts';
import { listSlicesOfSnapshot } from '#lib/evidence/reads/slices.ts';
import { findCurrentSnapshot } from '#lib/evidence/reads/snapshots.ts';
import type { JoinedTotals, Totals } from '#lib/evidence/rules/totals.ts';
import type { ReportKind } from '#lib/subscriptions/reads.ts';

/** The complete snapshot of a month whose detail reports are read. */
export interface DetailScope {
  snapshotId: number;
  createdAt: string;
  totals: JoinedTotals;
  /** Its slices in order of time. */
  slices: { window: Window; totals: Totals }[];
}

/** Finds the current snapshot of a window; null when it isn't complete. */
export async function findDetailScope(db: Db, gameId: number, window: Window): Promise<DetailScope | null> {
  const snapshot = await findCurrentSnapshot(db, gameId, window);
  if (snapshot?.status !== 'complete') return null;
  const slices = await listSlicesOfSnapshot(db, gameId, snapshot.snapshotId);
  return { ...snapshot, slices: slices.map(({ start, end, totals }) => ({ window: { start, end }, totals })) };
}

/** The slices of a snapshot, for the lines of a month. */
function ownSlices(gameId: number, snapshotId: number): RawBuilder<unknown> {
  return sql`own as (select slice_id from snapshot_slice where game_id = ${gameId} and snapshot_id = ${snapshotId})`;
}

/** Counts what the settings of a month decide about: lines charged to a card, and subscriptions seen. */
export async function countDetails(db: Db, gameId: number, snapshotId: number): Promise<{ cardPeriods: number; subscriptions: number }> {
  const { rows } = await sql<{ cardPeriods: number; subscriptions: number }>`
    with ${ownSlices(gameId, snapshotId)}
    select
      (select count(*) from own join renewal_line line on line.game_id = ${gameId} and line.slice_id = own.slice_id
        where line.card_charged_usd > 0) as "cardPeriods",
      (select count(*) from (${seenSubscriptions(gameId)}) seen) as subscriptions`.execute(db);
  return rows[0] ?? { cardPeriods: 0, subscriptions: 0 };
}

/** Lists the periods of a month to read, in order: with a reversal, a base mismatch or without attribution, and on request all charged to a card. */
export async function listDetailPeriods(
  db: Db,
  gameId: number,
  { snapshotId, window, hasCardPeriods }: { snapshotId: number; window: Window; hasCardPeriods: boolean },
): Promise<number[]> {
  const { rows } = await sql<{ period_id: number }>`
    with ${ownSlices(gameId, snapshotId)}
    select line.period_id from own join reversal_line line on line.game_id = ${gameId} and line.slice_id = own.slice_id
    union
    select line.period_id from own join renewal_line line on line.game_id = ${gameId} and line.slice_id = own.slice_id
    where line.base_matches_settled_fee = false or ${hasCardPeriods} and line.card_charged_usd > 0
    union
    select item.period_id from unattributed_renewal item
    where item.game_id = ${gameId} and item.window_start = ${window.start} and item.window_end = ${window.end} and item.period_id is not null
    order by period_id`.execute(db);
  return rows.map(({ period_id }) => period_id);
}

/** The subscriptions with a renewal or a reversal among the slices `own`. */
export function seenSubscriptions(gameId: number): RawBuilder<unknown> {
  return sql`
    select line.subscription_id from own join renewal_line line on line.game_id = ${gameId} and line.slice_id = own.slice_id
    union
    select line.subscription_id from own join reversal_line line on line.game_id = ${gameId} and line.slice_id = own.slice_id`;
}

/** Lists the subscriptions with a line in a month, in order. */
export async function listDetailSubscriptions(db: Db, gameId: number, snapshotId: number): Promise<string[]> {
  const { rows } = await sql<{ subscription_id: string }>`
    with ${ownSlices(gameId, snapshotId)}
    select seen.subscription_id from (${seenSubscriptions(gameId)}) seen order by seen.subscription_id`.execute(db);
  return rows.map(({ subscription_id }) => subscription_id);
}

/**
 * Lists subscriptions without a line in a month that may have settled in it without attribution: those never seen in any line, then those with a
 * line in the month before or after.
 */
export async function listOtherSubscriptions(
  db: Db,
  gameId: number,
  { snapshotId, window, limit }: { snapshotId: number; window: Window; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ subscription_id: string }>`
    with ${ownSlices(gameId, snapshotId)}, candidate as (
      select known.subscription_id, 1 as rank from known_subscription known
      where known.game_id = ${gameId}
        and not exists (select from renewal_line line where line.game_id = ${gameId} and line.subscription_id = known.subscription_id)
      union
      select line.subscription_id, 2
      from current_window near
      join snapshot_slice part on part.game_id = ${gameId} and part.snapshot_id = near.snapshot_id
      join renewal_line line on line.game_id = ${gameId} and line.slice_id = part.slice_id
      where near.game_id = ${gameId} and (near.window_end = ${window.start} or near.window_start = ${window.end})
    )
    select candidate.subscription_id from candidate
    where candidate.subscription_id not in (${seenSubscriptions(gameId)})
    order by candidate.rank, candidate.subscription_id limit ${limit}`.execute(db);
  return rows.map(({ subscription_id }) => subscription_id);
}

/** The subjects whose report was read from an instant on. */
export async function listReadSince(db: Db, gameId: number, kind: ReportKind, subjects: string[], since: string): Promise<Set<string>> {
  const { rows } = await sql<{ subject: string }>`
    select asked.subject from unnest(${subjects}::text[]) as asked (subject)
    where exists (
      select from report_read r where r.game_id = ${gameId} and r.kind = ${kind} and r.subject = asked.subject and r.read_at >= ${since}
    )`.execute(db);
  return new Set(rows.map(({ subject }) => subject));
}

/** The windows inside a month whose totals were read from an instant on, as subjects of their readings. */
export async function listTotalsRead(db: Db, gameId: number, window: Window, since: string): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select distinct subject from report_read
    where game_id = ${gameId} and kind = 'totals' and subject >= ${window.start} and subject < ${window.end} and read_at >= ${since}
    order by subject`.execute(db);
  return rows.map(({ subject }) => subject);
}

/** Counts the totals of parts of a month read in the last 24 hours, and the seconds until the oldest of them is older than that. */
export async function countTotalsReadToday(db: Db, gameId: number, window: Window): Promise<{ count: number; wait_seconds: number }> {
  const { rows } = await sql<{ count: number; wait_seconds: number }>`
    select count(*), coalesce(ceil(extract(epoch from min(read_at) + interval '24 hours' - clock_now())), 0)::int as wait_seconds
    from report_read
    where game_id = ${gameId} and kind = 'totals' and subject >= ${window.start} and subject < ${window.end}
      and read_at > clock_now() - interval '24 hours'`.execute(db);
  return rows[0] ?? { count: 0, wait_seconds: 0 };
}

/** The lines of a snapshot that settled in a window, added up in Invo's names. */
export async function sumLinesWithin(
  db: Db,
  gameId: number,
  snapshotId: number,
  { start, end }: Window,
): Promise<{ amount_usd: string; invo_fee_usd: string; partner_revenue_settled_usd: string }> {
  const { rows } = await sql<{ amount_usd: string; invo_fee_usd: string; partner_revenue_settled_usd: string }>`
    with ${ownSlices(gameId, snapshotId)}
    select coalesce(sum(amount_usd), 0.00) as amount_usd, coalesce(sum(invo_fee_usd), 0.00) as invo_fee_usd,
      coalesce(sum(partner_revenue_settled_usd), 0.00) as partner_revenue_settled_usd
    from own join renewal_line line on line.game_id = ${gameId} and line.slice_id = own.slice_id
    where line.paid_at >= ${start} and line.paid_at < ${end}`.execute(db);
  if (!rows[0]) throw new Error('a sum has one row');
  return rows[0];
}

/** Lists what is current of a game, in order of time. */
export async function listCovered(db: Db, gameId: number): Promise<CurrentWindow[]> {
  return await db.selectFrom('current_window').select(WINDOW_COLUMNS).where('game_id', '=', gameId).orderBy('window_start').execute();
}

/** Adds up the attributed and reversed amounts of these subscriptions over the lines of several snapshots, in USD. */
export async function sumBySubscription(
  db: Db,
  gameId: number,
  snapshotIds: number[],
  subscriptionIds: string[],
): Promise<Map<string, { gross_usd: string; reversed_usd: string }>> {
  const { rows } = await sql<{ subscription_id: string; gross_usd: string; reversed_usd: string }>`
    with part as (select slice_id from snapshot_slice where game_id = ${gameId} and snapshot_id = any(${snapshotIds}::bigint[]))
    select asked.subscription_id,
      (select coalesce(sum(line.attributed_amount_usd), 0.00) from renewal_line line
        where line.game_id = ${gameId} and line.subscription_id = asked.subscription_id and line.slice_id in (select slice_id from part)) as gross_usd,
      (select coalesce(sum(line.reversed_attributed_usd), 0.00) from reversal_line line
        where line.game_id = ${gameId} and line.subscription_id = asked.subscription_id and line.slice_id in (select slice_id from part)) as reversed_usd
    from unnest(${subscriptionIds}::text[]) as asked (subscription_id)`.execute(db);
  return new Map(rows.map(({ subscription_id, ...sums }) => [subscription_id, sums]));
}

/** Whether a pull of a game waits or runs: the calls of a search would delay it. */
export async function isPulling(db: Db, gameId: number): Promise<boolean> {
  const row = await db
    .selectFrom('pull')
    .select('pull_id')
    .where('game_id', '=', gameId)
    .where('state', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
