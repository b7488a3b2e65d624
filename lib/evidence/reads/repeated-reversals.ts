import { type RawBuilder, sql } from 'kysely';
import { nestedInstant } from '#db/kit/open.ts';
import type { GameRef } from '#lib/core/game.ts';
import type { Window } from '#lib/core/window.ts';
import type { SnapshotStatus } from '../rules/evidence.ts';

/** Reversals without receipts of one window that a later one reports again, grown or not: sums over both count them twice. */
export interface RepeatedReversals {
  window: Window;
  periodCount: number;
  /** USD, exact text, as the earlier window reports them. */
  reversed_attributed_usd: string;
}

/** Selects, oldest first, what calendar months of these statuses report that a later one of them reports again; of one recipient, if given. */
export function repeatedInMonths(
  { gameId, timeZone }: Pick<GameRef, 'gameId' | 'timeZone'>,
  { statuses, playerId }: { statuses: readonly SnapshotStatus[]; playerId?: number },
): RawBuilder<RepeatedReversals[]> {
  return sql`(
    select coalesce(json_agg(json_build_object('window', json_build_object('start', ${nestedInstant('month.window_start')},
        'end', ${nestedInstant('month.window_end')}), 'periodCount', month.period_count,
        'reversed_attributed_usd', month.reversed_attributed_usd::text) order by month.window_start), '[]')
    from (
      select each.window_start, each.window_end, count(*) as period_count, sum(each.reversed_attributed_usd) as reversed_attributed_usd
      from (
        select r.*, lead(r.period_id) over (partition by r.period_id order by r.window_start) is not null as is_repeated
        from repeated_reversal r
        join current_window w on w.game_id = ${gameId} and w.window_start = r.window_start and w.window_end = r.window_end
        where r.game_id = ${gameId} and w.status = any(${statuses}) and ${isMonthOf('w', timeZone)}
          ${playerId === undefined ? sql`` : sql`and r.recipient_player_id = ${playerId}`}
      ) each
      where each.is_repeated group by each.window_start, each.window_end
    ) month)`;
}

/** Whether the window of a table is a calendar month of a time zone. */
export function isMonthOf(table: string, timeZone: string): RawBuilder<boolean> {
  const [start, end] = [sql.ref(`${table}.window_start`), sql.ref(`${table}.window_end`)];
  const local = sql`(${start} at time zone ${timeZone})`;
  return sql`(${local} = date_trunc('month', ${local}) and ${end} = (${local} + interval '1 month') at time zone ${timeZone})`;
}
