import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Db, inFrozenView } from '#db/kit/open.ts';
import type { SliceTable, SnapshotRecipientTable, SnapshotTable } from '#db/types.ts';
import type { GameRef } from '#lib/core/game.ts';
import type { PeriodFigures } from '#lib/subscriptions/writes.ts';
import type { ResponseHead } from '../rules/chain-head.ts';

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

/** Lists the stored recipients of a snapshot. */
export async function listRecipientsOfSnapshot(db: Db, gameId: number, snapshotId: number): Promise<Selectable<SnapshotRecipientTable>[]> {
  return await db
    .selectFrom('snapshot_recipient')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .execute();
}

/** Lists the responses a snapshot was made from, in order of slice and receipt: those of its slices and the control answers of its own pull. */
export async function listResponseHeads(
  db: Db,
  gameId: number,
  snapshot: { snapshot_id: number; pull_id: number },
): Promise<(ResponseHead & { response_id: number })[]> {
  const { rows } = await sql<ResponseHead & { response_id: number }>`
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

/** One stored reading of a detail route, for verification. */
export interface ReportReading {
  kind: string;
  subject: string;
  readNo: number;
  /** Gzip; of the reading that holds the bytes. */
  body: Buffer;
  sha256: Buffer;
  /** null: it has none. */
  figures: PeriodFigures | null;
}

type ReadingRow = Omit<ReportReading, 'figures'> & PeriodFigures & { has_figures: boolean };

/** Readings of a game by key, a part at a time: those after one, at most so many. An answer that is replaced by the next one counts as reading 1. */
export async function listReadings(
  db: Db,
  gameId: number,
  after: Pick<ReportReading, 'kind' | 'subject' | 'readNo'> | null,
  limit: number,
): Promise<ReportReading[]> {
  const { kind, subject, readNo } = after ?? { kind: '', subject: '', readNo: 0 };
  const { rows } = await sql<ReadingRow>`
    select r.kind, r.subject, r.read_no as "readNo", r.sha256, r.has_figures, r.card_charged_usd, r.pass_through_fees_usd, r.chargeback_fees_usd,
      r.disputed_amount_held_usd, r.card_fee_charged_to_partner_usd, r.partner_revenue_after_fees_usd, r.refund_count, r.first_refunded_at,
      r.last_refunded_at, coalesce(r.body, (
        select held.body from report_read held
        where held.game_id = ${gameId} and held.kind = r.kind and held.subject = r.subject and held.read_no < r.read_no and held.body is not null
        order by held.read_no desc limit 1
      )) as body
    from (
      select game_id, kind, subject, read_no, sha256, body, has_figures, card_charged_usd, pass_through_fees_usd, chargeback_fees_usd,
        disputed_amount_held_usd, card_fee_charged_to_partner_usd, partner_revenue_after_fees_usd, refund_count, first_refunded_at, last_refunded_at
      from report_read where game_id = ${gameId}
      union all
      select game_id, kind, subject, 1, sha256, body, false, null, null, null, null, null, null, null, null, null from detail_read where game_id = ${gameId}
    ) r
    where (r.kind, r.subject, r.read_no) > (${kind}, ${subject}, ${readNo})
    order by r.kind, r.subject, r.read_no limit ${limit}`.execute(db);
  return rows.map(({ kind: ofKind, subject: about, readNo: at, body, sha256, has_figures, ...figures }) => ({
    kind: ofKind,
    subject: about,
    readNo: at,
    body,
    sha256,
    figures: has_figures ? figures : null,
  }));
}
