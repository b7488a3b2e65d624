import { type RawBuilder, sql } from 'kysely';
import { nestedMoney } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';

/**
 * Selects what each day of a snapshot comes to, from its lines, with the columns of `snapshot_day`. A reversal without receipts belongs to the day of
 * its latest refund, as Invo reports it; where that isn't inside the window, no day's reversals are known.
 */
export function daysOf(gameId: number, snapshotId: number): RawBuilder<unknown> {
  const local = (instant: RawBuilder<unknown>): RawBuilder<unknown> => sql`((${instant}) at time zone own.time_zone)::date`;
  const inSnapshot = sql`select slice_id from snapshot_slice where game_id = ${gameId} and snapshot_id = ${snapshotId}`;
  return sql`
    with own as materialized (
      select game.time_zone, s.window_start, s.covered_until from snapshot s join game on game.game_id = ${gameId}
      where s.game_id = ${gameId} and s.snapshot_id = ${snapshotId}
    ), earned as materialized (
      select ${local(sql`line.paid_at`)} as day, sum(line.attributed_amount_usd) as usd
      from renewal_line line cross join own where line.game_id = ${gameId} and line.slice_id in (${inSnapshot}) group by 1
    ), coarse as materialized (
      select line.reversed_attributed_usd as usd,
        case when pg_input_is_valid(line.latest_refund_at, 'timestamptz') then line.latest_refund_at::timestamptz end as refunded_at
      from reversal_line line where line.game_id = ${gameId} and line.slice_id in (${inSnapshot})
        and not exists (select from refund_event e where e.game_id = ${gameId} and e.slice_id = line.slice_id and e.period_id = line.period_id)
    ), reversed as materialized (
      select day, sum(usd) as usd from (
        select ${local(sql`event.refunded_at`)} as day, event.reversed_attributed_usd as usd
        from refund_event event cross join own where event.game_id = ${gameId} and event.slice_id in (${inSnapshot})
        union all
        select ${local(sql`coarse.refunded_at`)}, coarse.usd from coarse cross join own
      ) each group by day
    )
    select ${gameId}::int as game_id, ${snapshotId}::bigint as snapshot_id, calendar.day, coalesce(earned.usd, 0.00) as gross_attributed_usd,
      case when not exists (select from coarse where (coarse.refunded_at >= own.window_start and coarse.refunded_at < own.covered_until) is not true)
        then coalesce(reversed.usd, 0.00) end as reversed_attributed_usd
    from own
      cross join lateral (select ${local(sql`own.window_start`)} + day_no as day
        from generate_series(0, ${local(sql`own.covered_until - interval '1 microsecond'`)} - ${local(sql`own.window_start`)}) day_no) calendar
      left join earned on earned.day = calendar.day
      left join reversed on reversed.day = calendar.day`;
}

/** Attributed amounts of some days, in USD. */
export interface DaysSum {
  gross_usd: string;
  /** null: the report dates a reversal not, or outside of its window. */
  reversed_usd: string | null;
}

/** How an open month compares with the same whole days of the month before. */
export interface Pace {
  /** Whole days that both months have and that are compared: the first this many of each. */
  dayCount: number;
  /** null: the sums of its days aren't stored. */
  current: DaysSum | null;
  /** null: that month isn't complete, or the sums of its days aren't stored. */
  before: DaysSum | null;
}

/** Adds up the same whole days of an open month and of the month before; null: the open month has no whole day yet, or isn't stored. */
export function paceOf(
  { gameId, timeZone }: { gameId: number; timeZone: string },
  { current, before }: { current: Window; before: Window },
): RawBuilder<Pace | null> {
  const ofWindow = ({ start, end }: Window): RawBuilder<unknown> => sql`
    select w.snapshot_id, w.status, w.covered_until, s.gross_attributed_usd, s.reversed_attributed_usd,
      (${start}::timestamptz at time zone ${timeZone})::date as first_day
    from current_window w join snapshot s on s.game_id = ${gameId} and s.snapshot_id = w.snapshot_id
    where w.game_id = ${gameId} and w.window_start = ${start} and w.window_end = ${end}`;
  const isCompared = sql`d.day < month.first_day + compared.count`;
  // Days are compared only where they add up to what Invo reports for the whole window.
  const sumOf = (name: string): RawBuilder<DaysSum | null> => sql`(
    select json_build_object('gross_usd', ${nestedMoney('sums.gross')}, 'reversed_usd', ${nestedMoney('sums.reversed')})
    from ${sql.table(name)} month cross join lateral (
      select sum(d.gross_attributed_usd) filter (where ${isCompared}) as gross, sum(d.gross_attributed_usd) as all_gross,
        case when sum(d.reversed_attributed_usd) = month.reversed_attributed_usd then sum(d.reversed_attributed_usd) filter (where ${isCompared}) end as reversed
      from snapshot_day d where d.game_id = ${gameId} and d.snapshot_id = month.snapshot_id
    ) sums
    where sums.all_gross = month.gross_attributed_usd and month.status <> 'inconsistent' and (month.status = 'complete' or ${sql.lit(name)} = 'ours'))`;
  return sql<Pace | null>`(
    with ours as (${ofWindow(current)}), theirs as (${ofWindow(before)})
    select json_build_object('dayCount', compared.count, 'current', ${sumOf('ours')}, 'before', ${sumOf('theirs')})
    from ours cross join lateral (select least(
      ((ours.covered_until at time zone ${timeZone})::date - ours.first_day)::int,
      (${before.end}::timestamptz at time zone ${timeZone})::date - (${before.start}::timestamptz at time zone ${timeZone})::date) as count) compared
    where compared.count > 0)`;
}
