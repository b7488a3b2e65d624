import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';

/** A minute slides: no span of this length holds more calls than allowed, wherever it begins. */
const WINDOW_SECONDS = 60;

/**
 * Takes one call from a budget shared by every process, or says how long to wait. Exact over any sliding minute, database clock.
 * Units: `limit` calls a minute for this caller, counted over all callers; the answer is milliseconds to wait, 0 when the call may be made.
 */
export async function takeCall(pool: pg.Pool, gameId: number, bucket: string, limit: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query('insert into rate_bucket (game_id, bucket) values ($1, $2) on conflict do nothing', [gameId, bucket]);
    const paused = await client.query<{ wait_ms: number }>(
      `select ceil(greatest(0, extract(epoch from paused_until - clock_timestamp()) * 1000))::int as wait_ms from rate_bucket where game_id = $1 and bucket = $2 for update`,
      [gameId, bucket],
    );
    if ((paused.rows[0]?.wait_ms ?? 0) > 0) return paused.rows[0]?.wait_ms ?? 0;
    await client.query(
      `delete from rate_call where game_id = $1 and bucket = $2 and called_at < clock_timestamp() - make_interval(secs => $3)`,
      [gameId, bucket, WINDOW_SECONDS],
    );
    const { rows } = await client.query<{ wait_ms: number }>(
      // The call that must leave the minute before another may enter is the limit-th newest.
      `select ceil(extract(epoch from called_at + make_interval(secs => $3) - clock_timestamp()) * 1000)::int as wait_ms
       from rate_call where game_id = $1 and bucket = $2 order by called_at desc, call_id desc offset $4 limit 1`,
      [gameId, bucket, WINDOW_SECONDS, limit - 1],
    );
    if (rows[0] && rows[0].wait_ms > 0) return rows[0].wait_ms;
    await client.query('insert into rate_call (game_id, bucket) values ($1, $2)', [gameId, bucket]);
    return 0;
  });
}

/** Notes that Invo asked everybody to wait; a longer pause already noted stays. Unit: milliseconds from now. */
export async function pauseBucket(pool: pg.Pool, gameId: number, bucket: string, wait_ms: number): Promise<void> {
  await pool.query(
    `insert into rate_bucket (game_id, bucket, paused_until) values ($1, $2, clock_timestamp() + make_interval(secs => $3::float8 / 1000))
     on conflict (game_id, bucket) do update set paused_until = greatest(rate_bucket.paused_until, excluded.paused_until)`,
    [gameId, bucket, wait_ms],
  );
}
