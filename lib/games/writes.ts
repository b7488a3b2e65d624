import { sql } from 'kysely';
import { type Db, findDatabaseNow, inTransaction } from '#db/kit/open.ts';
import type { Game } from '#lib/core/game.ts';

type ConfiguredFields = Pick<Game, 'slug' | 'environment' | 'name' | 'timeZone'>;
type StoredFields = Pick<Game, 'gameId' | 'invoGameId' | 'timeZone'>;

/**
 * Finds the row of a configured game, or inserts it. Its name follows the configuration, and so does its time zone until something was
 * pulled: months cut in two zones would miss hours or count them twice. Runs on every page and every turn of a worker, so it writes only
 * when something changed.
 */
export async function ensureGame(db: Db, game: ConfiguredFields): Promise<StoredFields> {
  const known = await db
    .selectFrom('game')
    .select(['game_id as gameId', 'invo_game_id as invoGameId', 'name', 'time_zone as timeZone'])
    .where('slug', '=', game.slug)
    .where('environment', '=', game.environment)
    .executeTakeFirst();
  if (known === undefined) return await writeGame(db, game);
  // Only where the configured zone differs: every page needs the game, and this would be a statement more.
  const timeZone = known.timeZone === game.timeZone || (await hasSlices(db, known.gameId)) ? known.timeZone : game.timeZone;
  if (known.name !== game.name || known.timeZone !== timeZone) return await writeGame(db, { ...game, timeZone });
  return { gameId: known.gameId, invoGameId: known.invoGameId, timeZone };
}

async function hasSlices(db: Db, gameId: number): Promise<boolean> {
  return (await db.selectFrom('slice').select('slice_id').where('game_id', '=', gameId).limit(1).executeTakeFirst()) !== undefined;
}

async function writeGame(db: Db, { slug, environment, name, timeZone: time_zone }: ConfiguredFields): Promise<StoredFields> {
  return await db
    .insertInto('game')
    .values({ slug, environment, name, time_zone })
    .onConflict((conflict) => conflict.columns(['slug', 'environment']).doUpdateSet({ name, time_zone }))
    .returning(['game_id as gameId', 'invo_game_id as invoGameId', 'time_zone as timeZone'])
    .executeTakeFirstOrThrow();
}

/** What a game of Invo belongs to: the requesting game, one pinned to another id, or another game of Sharebook. */
type PinnedGame = { is: 'this' } | { is: 'pinned_to'; invoGameId: string } | { is: 'of_game'; slug: string };

/** Pins Invo's game_id of a game that had none. Two games of Sharebook never share one: two refunds of one period could then be open at once. */
export async function pinInvoGame(db: Db, gameId: number, invoGameId: string): Promise<PinnedGame> {
  const same = await db
    .selectFrom('game as other')
    .innerJoin('game as mine', 'mine.environment', 'other.environment')
    .select('other.slug')
    .where('mine.game_id', '=', gameId)
    .where('other.game_id', '<>', gameId)
    .where('other.invo_game_id', '=', invoGameId)
    .executeTakeFirst();
  if (same) return { is: 'of_game', slug: same.slug };
  // Of two games that pin one id at once, the unique index lets one do it; the other fails and finds it taken the next time.
  await db.updateTable('game').set({ invo_game_id: invoGameId }).where('game_id', '=', gameId).where('invo_game_id', 'is', null).execute();
  const row = await db.selectFrom('game').select('invo_game_id').where('game_id', '=', gameId).executeTakeFirstOrThrow();
  return row.invo_game_id === null || row.invo_game_id === invoGameId ? { is: 'this' } : { is: 'pinned_to', invoGameId: row.invo_game_id };
}

/** How long calls start with the previous secret before the current one is tried again, at the cost of one refused call. */
const PREVIOUS_SECRET_HOURS = 1;

/** Records which secret of a game Invo accepted: the previous one after refusing the current one, or the current one again. */
export async function recordAcceptedSecret(db: Db, gameId: number, accepted: 'current' | 'previous', now: string): Promise<void> {
  const until = sql<string>`clock_now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS})`;
  await db
    .updateTable('game')
    .set(accepted === 'current' ? { previous_secret_until: null } : { previous_secret_used_at: now, previous_secret_until: until })
    .where('game_id', '=', gameId)
    .execute();
}

/** Finds which secret of a game Invo accepted last; `previous_long_ago`: it is time to try the current one again. */
export async function findAcceptedSecret(db: Db, gameId: number): Promise<'current' | 'previous' | 'previous_long_ago'> {
  const row = await db
    .selectFrom('game')
    .select(['previous_secret_until', sql<boolean>`previous_secret_until > clock_now()`.as('is_recent')])
    .where('game_id', '=', gameId)
    .executeTakeFirstOrThrow();
  if (row.previous_secret_until === null) return 'current';
  return row.is_recent ? 'previous' : 'previous_long_ago';
}

/** The sliding window: no span of this length holds more calls than allowed. */
const WINDOW_SECONDS = 60;
/** Budgets removed by one sweep, which comes each minute. */
const PURGED_AT_ONCE = 5_000;

/** How much of a budget a caller may use, in calls a minute counted over all callers. */
export interface Allowance {
  /** For a call a person waits for; for other work, while a person has made a request within the last minute. */
  shared: number;
  /** For work that leaves room for people: while none of them has made a request. null: this is a person's call. */
  alone: number | null;
}

/** Between two calls that find out whether a long wait is over. */
const PROBE_SECONDS = 15 * 60;

/** What `takeCall` answers for such a call. */
export const PROBE = -1;

/** Invo requested a long wait of this game, and no call may be made yet. */
export class LongWait extends Error {
  override readonly name = 'LongWait';
  /** Milliseconds until the time Invo named. */
  readonly wait_ms: number;

  constructor(wait_ms: number) {
    super(`Invo requested a wait of ${wait_ms} ms`);
    this.wait_ms = wait_ms;
  }
}

/** A call by which a person looks something up. */
export interface LookUp {
  personId: string;
  /** Calls a minute this person's look-ups may take of the budget. */
  max: number;
}

/** How long a person's first call may wait for work that used the whole budget. */
const PERSON_WAITS_MS = 2_000;

/**
 * Takes one call from a budget shared by every process, or returns how long to wait. Exact over any sliding minute, by the database clock.
 * A look-up also counts against its person's share. Units: calls a minute for this caller, counted over all callers; the answer is milliseconds to wait, 0 when the call may be made, and `PROBE`
 * when it may be made to find out whether a long wait is over. Errors: throws `LongWait` during a long wait that Invo requested.
 */
export async function takeCall(
  db: Db,
  gameId: number,
  bucket: string,
  allowed: number | Allowance,
  lookUp: LookUp | null = null,
): Promise<number> {
  const { shared, alone } = typeof allowed === 'number' ? { shared: allowed, alone: null } : allowed;
  return inTransaction(db, async (tx) => {
    const state = await lockBucket(tx, gameId, bucket);
    // A person who must wait has made a request too: the room they need is left to them from now on.
    if (alone === null && typeof allowed !== 'number')
      await sql`update rate_bucket set person_asked_at = clock_now() where game_id = ${gameId} and bucket = ${bucket}`.execute(tx);
    if (state.asked_ms !== null && !state.is_probe_due) throw new LongWait(state.asked_ms);
    if (state.wait_ms > 0) return state.wait_ms;
    await sql`delete from rate_call where game_id = ${gameId} and bucket = ${bucket} and called_at < clock_now() - make_interval(secs => ${WINDOW_SECONDS})`.execute(
      tx,
    );
    if (lookUp !== null) {
      const own_ms = await waitFor(tx, gameId, bucket, lookUp.max, lookUp.personId);
      if (own_ms > 0) return own_ms;
    }
    let wait_ms = await waitFor(tx, gameId, bucket, shared);
    if (wait_ms > 0 && alone !== null && !state.is_asked) wait_ms = await waitAlone(tx, gameId, bucket, alone);
    if (wait_ms > 0) return wait_ms;
    await sql`insert into rate_call (game_id, bucket, asked_by) values (${gameId}, ${bucket}, ${lookUp?.personId ?? null})`.execute(tx);
    if (state.asked_ms === null) return 0;
    await sql`update rate_bucket set probe_at = clock_now() + make_interval(secs => ${PROBE_SECONDS}) where game_id = ${gameId} and bucket = ${bucket}`.execute(
      tx,
    );
    return PROBE;
  });
}

interface BucketState {
  wait_ms: number;
  is_asked: boolean;
  asked_ms: number | null;
  is_probe_due: boolean;
}

/** Locks a budget, which may be purged between its two statements. */
async function lockBucket(tx: Db, gameId: number, bucket: string): Promise<BucketState> {
  for (;;) {
    await sql`insert into rate_bucket (game_id, bucket) values (${gameId}, ${bucket}) on conflict do nothing`.execute(tx);
    const { rows } = await sql<BucketState>`select ceil(greatest(0, extract(epoch from paused_until - clock_now()) * 1000))::int as wait_ms,
              coalesce(person_asked_at > clock_now() - make_interval(secs => ${WINDOW_SECONDS}), false) as is_asked,
              case when asked_until > clock_now() then ceil(extract(epoch from asked_until - clock_now()) * 1000)::bigint end as asked_ms,
              coalesce(probe_at <= clock_now(), false) as is_probe_due
       from rate_bucket where game_id = ${gameId} and bucket = ${bucket} for update`.execute(tx);
    if (rows[0] !== undefined) return rows[0];
  }
}

/** Whether nothing waits for a budget `b`, and no person has made a request within the last minute. */
const IS_IDLE = sql<boolean>`greatest(b.paused_until, b.asked_until, '-infinity') < clock_now()
  and (b.person_asked_at is null or b.person_asked_at < clock_now() - make_interval(secs => ${WINDOW_SECONDS}))`;

/** Removes budgets of a game that limit nothing any more: no call, person or wait of the last minute is in them. One that is locked stays. */
export async function purgeBuckets(db: Db, gameId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ bucket: string }>`select bucket from rate_bucket b where b.game_id = ${gameId}
         and ${IS_IDLE}
         and not exists (select from rate_call c where c.game_id = ${gameId} and c.bucket = b.bucket
           and c.called_at >= clock_now() - make_interval(secs => ${WINDOW_SECONDS}))
       order by bucket limit ${PURGED_AT_ONCE} for update skip locked`.execute(tx);
    if (rows.length === 0) return;
    // A call that was stored since then is of the last minute, and still counts against the budget.
    const idle = rows.map(({ bucket }) => bucket);
    await sql`delete from rate_call where game_id = ${gameId} and bucket = any(${idle})
      and called_at < clock_now() - make_interval(secs => ${WINDOW_SECONDS})`.execute(tx);
    await sql`delete from rate_bucket b where b.game_id = ${gameId} and b.bucket = any(${idle})
      and ${IS_IDLE}
      and not exists (select from rate_call c where c.game_id = ${gameId} and c.bucket = b.bucket)`.execute(tx);
  });
}

/** How long until a call may be the last of the minute: when another leaves it soon, so that a person who makes a request then waits no longer than that. */
async function waitAlone(tx: Db, gameId: number, bucket: string, limit: number): Promise<number> {
  const another_ms = await waitFor(tx, gameId, bucket, limit - 1);
  return another_ms === 0 ? 0 : Math.max(another_ms - PERSON_WAITS_MS, await waitFor(tx, gameId, bucket, limit));
}

/** How long until so many calls a minute allow one more; `personId`: counted over the look-ups of that person alone. */
async function waitFor(tx: Db, gameId: number, bucket: string, limit: number, personId: string | null = null): Promise<number> {
  // The call that must leave the minute before another may enter is the limit-th newest.
  const { rows } = await sql<{ wait_ms: number }>`
    select ceil(extract(epoch from called_at + make_interval(secs => ${WINDOW_SECONDS}) - clock_now()) * 1000)::int as wait_ms
    from rate_call where game_id = ${gameId} and bucket = ${bucket} and (${personId}::text is null or asked_by = ${personId})
    order by called_at desc, call_id desc offset ${limit - 1} limit 1`.execute(tx);
  return Math.max(0, rows[0]?.wait_ms ?? 0);
}

/** Pauses a budget because Invo requested a wait; a longer pause stays. Unit: milliseconds from now. */
export async function pauseBucket(db: Db, gameId: number, bucket: string, wait_ms: number): Promise<void> {
  await sql`insert into rate_bucket (game_id, bucket, paused_until) values (${gameId}, ${bucket}, clock_now() + make_interval(secs => ${wait_ms}::float8 / 1000))
     on conflict (game_id, bucket) do update set paused_until = greatest(rate_bucket.paused_until, excluded.paused_until)`.execute(db);
}

/** Records that Invo requested a long wait; the first probe comes in 15 minutes, and a failed one doesn't bring the next one forward. */
export async function startLongWait(db: Db, gameId: number, bucket: string, wait_ms: number): Promise<void> {
  const now = await findDatabaseNow(db);
  await sql`insert into rate_bucket (game_id, bucket, asked_until, probe_at)
     values (${gameId}, ${bucket}, clock_now() + make_interval(secs => ${wait_ms}::float8 / 1000), clock_now() + make_interval(secs => ${PROBE_SECONDS}))
     on conflict (game_id, bucket) do update set asked_until = greatest(rate_bucket.asked_until, excluded.asked_until),
       probe_at = case when rate_bucket.asked_until > ${now}::timestamptz then rate_bucket.probe_at else excluded.probe_at end`.execute(db);
}

/** Ends a long wait, because Invo answered a probe. */
export async function endLongWait(db: Db, gameId: number, bucket: string): Promise<void> {
  await sql`update rate_bucket set asked_until = null, probe_at = null, paused_until = null where game_id = ${gameId} and bucket = ${bucket}`.execute(
    db,
  );
}

/**
 * Makes the payout runs of a game wait for each other: numbers have no gap, and two drafts of one month are one. A snapshot waits for them too: what a run
 * was judged by is what is stored when it commits.
 */
export async function lockRunsOf(tx: Db, gameId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${gameId}::int, hashtext('payout runs'))`.execute(tx);
}
