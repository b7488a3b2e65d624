import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Month } from '#lib/core/month.ts';
import type { MonthStatement } from '../months/find-month-statement.ts';

export interface MonthNet {
  month: Month;
  /** USD; null: no row that month, or the month was never completed. */
  net: string | null;
}

/** Net of some recipients over the six months that end with a statement's own, oldest first. */
export async function listSixMonths(db: Db, statement: MonthStatement, playerIds: number[]): Promise<Map<number, MonthNet[]>> {
  const snapshotIds = statement.recent.flatMap((each) => each.snapshotId ?? []);
  if (playerIds.length === 0 || snapshotIds.length === 0) return new Map();
  const found = await db
    .selectFrom('snapshot_recipient')
    .select(['snapshot_id', 'recipient_player_id', 'net_attributed_usd'])
    .where('game_id', '=', statement.snapshot.gameId)
    .where('recipient_player_id', 'in', playerIds)
    .where('snapshot_id', 'in', snapshotIds)
    .execute();
  const nets = new Map(found.map((row) => [`${row.recipient_player_id} ${row.snapshot_id}`, row.net_attributed_usd]));
  const monthsOf = (playerId: number): MonthNet[] =>
    statement.recent.map(({ month, snapshotId }) => ({ month, net: nets.get(`${playerId} ${snapshotId}`) ?? null }));
  return new Map(playerIds.map((playerId) => [playerId, monthsOf(playerId)]));
}

/** The months whose settlements are reversed in a statement, for some recipients, oldest first; in the game's reporting time zone. */
export async function listReversedMonths(
  db: Db,
  { snapshot, timeZone }: MonthStatement,
  playerIds: number[],
): Promise<Map<number, Month[]>> {
  if (playerIds.length === 0) return new Map();
  const month = sql<string>`to_char(reversal_line.paid_at at time zone ${sql.lit(timeZone)}, 'YYYY-MM')`;
  const found = await db
    .selectFrom('snapshot_slice')
    .innerJoin('reversal_line', (join) =>
      join.onRef('reversal_line.game_id', '=', 'snapshot_slice.game_id').onRef('reversal_line.slice_id', '=', 'snapshot_slice.slice_id'),
    )
    .select(['reversal_line.recipient_player_id', month.as('month')])
    .distinct()
    .where('snapshot_slice.game_id', '=', snapshot.gameId)
    .where('snapshot_slice.snapshot_id', '=', snapshot.snapshotId)
    .where('reversal_line.recipient_player_id', 'in', playerIds)
    .where('reversal_line.paid_at', '<', snapshot.windowStart)
    .orderBy('month')
    .execute();
  const months = new Map<number, Month[]>();
  for (const row of found) months.set(row.recipient_player_id, [...(months.get(row.recipient_player_id) ?? []), row.month]);
  return months;
}
