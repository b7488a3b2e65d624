import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Db, inFrozenView } from '#db/kit/open.ts';
import type { ResponseTable, SliceTable, SnapshotRecipientTable, SnapshotTable } from '#db/types.ts';
import type { GameRef } from '#lib/core/game.ts';
import type { Violation } from '../rules/findings.ts';
import { isMonthOf } from './repeated-reversals.ts';
import { findSlice, type StoredSlice } from './slices.ts';

/** What verification reads from the database; each function reads within the caller's transaction. */

/** Lists the games of a slug and environment, or all of them; both null: all. */
export async function listVerifiableGames(
  db: Db,
  game: { slug: string; environment: string } | null,
): Promise<{ gameId: number; slug: string; environment: string }[]> {
  return await db
    .selectFrom('game')
    .select(['game_id as gameId', 'slug', 'environment'])
    .$if(game !== null, (query) => query.where('slug', '=', game?.slug ?? '').where('environment', '=', game?.environment ?? ''))
    .orderBy('game_id')
    .execute();
}

/** Finds what the sheets of a game state of it. */
export async function findGameRef(db: Db, gameId: number): Promise<GameRef> {
  const row = await db
    .selectFrom('game')
    .select(['game_id as gameId', 'slug', 'environment', 'time_zone as timeZone'])
    .where('game_id', '=', gameId)
    .executeTakeFirstOrThrow();
  return { ...row, environment: row.environment === 'sandbox' ? 'sandbox' : 'production' };
}

/** Lists the windows whose stored current snapshot differs from what the snapshots and their checks state. */
export async function listWindowViolations(db: Db, gameId: number): Promise<Violation[]> {
  const { rows } = await sql<Violation>`
    with fresh as (
      select c.window_start, c.window_end, concat_ws(', ', 'snapshot ' || c.snapshot_id, c.status,
        (select count(*) || ' checks, ' || count(*) filter (where k.ok) || ' match' from snapshot_check k
         where k.game_id = ${gameId} and k.snapshot_id = c.snapshot_id)) as state
      from current_snapshot c where c.game_id = ${gameId}
    ), kept as (
      select w.window_start, w.window_end,
        concat_ws(', ', 'snapshot ' || w.snapshot_id, w.status, w.check_count || ' checks, ' || w.check_ok_count || ' match') as state
      from current_window w where w.game_id = ${gameId}
    )
    select 'current_snapshot' as name, 'window ' || to_char(window_start at time zone 'UTC', 'YYYY-MM-DD') as subject,
      coalesce(fresh.state, 'none') as expected, coalesce(kept.state, 'none') as actual
    from fresh full join kept using (window_start, window_end)
    where fresh.state is distinct from kept.state order by window_start`.execute(db);
  return rows;
}

/** Lists the complete snapshots whose stored drift differs from their figures, and the repeated reversals whose stored rows differ from the lines. */
export async function listDriftViolations(db: Db, gameId: number): Promise<Violation[]> {
  const { rows } = await sql<Violation>`
    with drift as (
      select s.snapshot_id, ${driftText('fresh')} as expected, ${driftText('kept')} as actual
      from snapshot s
      left join lateral (
        select o.snapshot_id as from_snapshot_id, d.lines_added, d.lines_removed, d.lines_changed, d.net_change_usd
        from snapshot o cross join lateral snapshot_difference(${gameId}::int, o.snapshot_id, s.snapshot_id) d
        where o.game_id = ${gameId} and o.window_start = s.window_start and o.window_end = s.window_end and o.status = 'complete'
          and o.snapshot_id < s.snapshot_id and d.differs
        order by o.snapshot_id desc limit 1
      ) fresh on s.status = 'complete'
      left join snapshot_drift kept on kept.game_id = ${gameId} and kept.snapshot_id = s.snapshot_id
      where s.game_id = ${gameId}
    ), repeated as (
      select period_id, ${repeatedText('fresh')} as expected, ${repeatedText('kept')} as actual
      from (select * from find_repeated_reversals(${gameId}, null)) fresh
      full join (select * from repeated_reversal where game_id = ${gameId}) kept using (window_start, window_end, period_id)
    )
    select 'snapshot_drift' as name, 'snapshot ' || snapshot_id as subject, coalesce(expected, 'none') as expected, coalesce(actual, 'none') as actual
      from drift where expected is distinct from actual
    union all select 'repeated_reversal', 'period ' || period_id, coalesce(expected, 'none'), coalesce(actual, 'none')
      from repeated where expected is distinct from actual`.execute(db);
  return rows;
}

function driftText(table: 'fresh' | 'kept'): RawBuilder<string | null> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`);
  return sql`'since snapshot ' || ${column('from_snapshot_id')} || ': ' || ${column('lines_added')} || ' lines added, ' || ${column('lines_removed')}
    || ' removed, ' || ${column('lines_changed')} || ' changed, net ' || trim_scale(${column('net_change_usd')})`;
}

function repeatedText(table: 'fresh' | 'kept'): RawBuilder<string | null> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`);
  return sql`trim_scale(${column('reversed_attributed_usd')}) || ' of ' || trim_scale(${column('originally_attributed_usd')}) || ' from player '
    || ${column('recipient_player_id')} || ' in snapshot ' || ${column('snapshot_id')}`;
}

/** A period whose reversals in current snapshots exceed what was attributed, with each row. */
export interface ExceededAttribution extends Violation {
  /** Whether one snapshot's exact receipts exceed it; otherwise reversals without receipts do, which several months report. */
  isExact: boolean;
}

/** Lists the periods that the current snapshots of a game reverse by more than was attributed. Windows that overlap report the same rows. */
export async function listExceededAttributions(db: Db, game: Pick<GameRef, 'gameId' | 'timeZone'>): Promise<ExceededAttribution[]> {
  const { rows } = await sql<ExceededAttribution>`
    with line as (
      select w.window_start, w.window_end, w.snapshot_id, l.period_id, l.originally_attributed_usd, l.reversed_attributed_usd,
        l.reversal_basis = 'period_row' as is_coarse, ${isMonthOf('w', game.timeZone)} as is_month
      from current_window w
      join snapshot_slice o on o.game_id = ${game.gameId} and o.snapshot_id = w.snapshot_id
      join reversal_line l on l.game_id = ${game.gameId} and l.slice_id = o.slice_id
      where w.game_id = ${game.gameId}
    ), found as (
      select false as is_exact, period_id, null::bigint as snapshot_id, max(originally_attributed_usd)::numeric as attributed_usd,
        string_agg(reversed_attributed_usd || ' in snapshot ' || snapshot_id || ' from '
          || to_char(window_start at time zone 'UTC', 'YYYY-MM-DD'), ', ' order by window_start) as found
      from line where is_coarse and is_month group by period_id
      having count(distinct snapshot_id) > 1 and sum(reversed_attributed_usd) > max(originally_attributed_usd)
      union all
      select true, period_id, snapshot_id, max(originally_attributed_usd)::numeric,
        string_agg(reversed_attributed_usd::text, ' and ' order by reversed_attributed_usd desc)
      from line where not is_coarse group by period_id, snapshot_id
      having sum(reversed_attributed_usd) > max(originally_attributed_usd)
    )
    select is_exact as "isExact", 'reversed_within_attributed' as name,
      'period ' || period_id || coalesce(' of snapshot ' || snapshot_id, '') as subject, 'at most ' || attributed_usd as expected, found as actual
    from found order by is_exact, period_id, snapshot_id`.execute(db);
  return rows;
}

/** Runs a verification over one frozen view of the database, which it can't change. */
export async function overFrozenView<T>(db: Db, work: (view: Db) => Promise<T>): Promise<T> {
  return inFrozenView(db, async (view) => {
    // Between two SQL statements a verification may compute for minutes; it holds no lock that anybody waits for.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(view);
    return work(view);
  });
}

/**
 * Does one step of a verification. A row so altered that nothing can read it must not end the whole: the error is returned, and the view
 * can be read on. Null: no error.
 */
export async function attemptStep(view: Db, step: () => Promise<void>): Promise<Error | null> {
  await sql`savepoint verification_step`.execute(view);
  try {
    await step();
    await sql`release savepoint verification_step`.execute(view);
    return null;
  } catch (error) {
    // Where the connection itself is gone, this throws, and the verification ends.
    await sql`rollback to savepoint verification_step`.execute(view);
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Lists the slices of a game by id, each with the start of its window. */
export async function listSliceIds(db: Db, gameId: number): Promise<{ sliceId: number; start: string }[]> {
  return await db
    .selectFrom('slice')
    .select(['slice_id as sliceId', 'window_start as start'])
    .where('game_id', '=', gameId)
    .orderBy('slice_id')
    .execute();
}

/** Finds the stored row of one slice and the id of Invo's game that its game is pinned to; null: not pinned. */
export async function findSliceRow(
  db: Db,
  gameId: number,
  sliceId: number,
): Promise<Selectable<SliceTable> & { invoGameId: string | null }> {
  return await db
    .selectFrom('slice')
    .innerJoin('game', 'game.game_id', 'slice.game_id')
    .selectAll('slice')
    .select('game.invo_game_id as invoGameId')
    .where('slice.game_id', '=', gameId)
    .where('slice_id', '=', sliceId)
    .executeTakeFirstOrThrow();
}

/** Counts the rows of a slice whose column for order isn't the instant Invo reported, whose recipient isn't the line's, or whose number leaves a gap. */
export async function countMisplacedRows(db: Db, gameId: number, sliceId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select
    (select count(*) from renewal_line where game_id = ${gameId} and slice_id = ${sliceId} and paid_at <> ${truncated('paid_at_reported')})
    + (select count(*) from reversal_line where game_id = ${gameId} and slice_id = ${sliceId} and paid_at <> ${truncated('paid_at_reported')})
    + (select count(*) from refund_event event left join reversal_line line using (game_id, slice_id, period_id)
       where event.game_id = ${gameId} and event.slice_id = ${sliceId}
         and (event.refunded_at <> ${truncated('event.refunded_at_reported')} or event.recipient_player_id is distinct from line.recipient_player_id))
    + (select count(*) from (
         select event_no, row_number() over (partition by period_id order by event_no) as should
         from refund_event where game_id = ${gameId} and slice_id = ${sliceId}) numbered where event_no <> should) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A reported instant cut off at the microsecond, as it is stored for order; Postgres alone would round it. */
function truncated(column: 'paid_at_reported' | 'event.refunded_at_reported'): RawBuilder<string> {
  return sql`regexp_replace(${sql.ref(column)}, '(\\.\\d{6})\\d+Z$', '\\1Z')::timestamptz`;
}

/** Lists the stored rows of a game's snapshots in the order of the chain. */
export async function listSnapshotRows(db: Db, gameId: number): Promise<Selectable<SnapshotTable>[]> {
  return await db.selectFrom('snapshot').selectAll().where('game_id', '=', gameId).orderBy('chain_no').execute();
}

/** Lists the slices a snapshot names, leaving out those that are no longer stored: one that is missing leaves a gap. */
export async function listSlicesOfSnapshot(db: Db, gameId: number, snapshotId: number): Promise<StoredSlice[]> {
  const rows = await db
    .selectFrom('snapshot_slice')
    .innerJoin('slice', (join) => join.on('slice.game_id', '=', gameId).onRef('slice.slice_id', '=', 'snapshot_slice.slice_id'))
    .select('slice.slice_id')
    .where('snapshot_slice.game_id', '=', gameId)
    .where('snapshot_slice.snapshot_id', '=', snapshotId)
    .orderBy('slice_no')
    .execute();
  const slices: StoredSlice[] = [];
  for (const { slice_id } of rows) slices.push(await findSlice(db, gameId, slice_id));
  return slices;
}

/** Lists the stored recipients of a snapshot. */
export async function listRecipientsOfSnapshot(db: Db, gameId: number, snapshotId: number): Promise<Selectable<SnapshotRecipientTable>[]> {
  return await db
    .selectFrom('snapshot_recipient')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .execute();
}

/** A stored response without its body; `slice` counts the slices of a snapshot from 1, 0: it carries control totals. */
export type ResponseHead = Pick<
  Selectable<ResponseTable>,
  'purpose' | 'request' | 'status' | 'received_at' | 'inflated_byte_count' | 'sha256'
> & { slice: number };

/** Lists the responses a snapshot was made from, in order of slice and receipt: those of its slices and the control answers of its own pull. */
export async function listResponseHeads(
  db: Db,
  gameId: number,
  snapshot: { snapshot_id: number; pull_id: number },
): Promise<ResponseHead[]> {
  const { rows } = await sql<ResponseHead>`
    select 0 as slice, purpose, request, status, received_at, inflated_byte_count, sha256, response_id
      from response where game_id = ${gameId} and snapshot_id = ${snapshot.snapshot_id} and pull_id = ${snapshot.pull_id}
    union all select slice_no, purpose, request, status, received_at, inflated_byte_count, sha256, response_id
      from snapshot_slice join response using (game_id, slice_id)
      where snapshot_slice.game_id = ${gameId} and snapshot_slice.snapshot_id = ${snapshot.snapshot_id}
    order by slice, response_id`.execute(db);
  return rows;
}

/** What the digests of a game's recipients rest on: the salt of each, and those who were erased and have none. */
export interface StoredIdentities {
  salts: ReadonlyMap<number, Buffer>;
  erased: ReadonlySet<number>;
}

/** Finds the salts of a game's recipients and who was erased. */
export async function findIdentities(db: Db, gameId: number): Promise<StoredIdentities> {
  const salts = await db.selectFrom('recipient_salt').select(['recipient_player_id', 'salt']).where('game_id', '=', gameId).execute();
  const erasures = await db.selectFrom('recipient_erasure').select('recipient_player_id').where('game_id', '=', gameId).execute();
  return {
    salts: new Map(salts.map((row) => [row.recipient_player_id, row.salt])),
    erased: new Set(erasures.map((row) => row.recipient_player_id)),
  };
}
