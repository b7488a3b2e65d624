import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import type { BodyProblem, DeliveryState, KeyProblem, RefusalReason, SecretSlot } from '#lib/webhooks/rules/delivery.ts';
import { type Followed, isSignedAnew, type OpenedRead, type Subject } from '#lib/webhooks/rules/event.ts';

/** A verified delivery, as it is stored. */
export interface NewDelivery {
  gameId: number;
  /** null: no usable key came. */
  key: string | null;
  keyProblem: KeyProblem | null;
  meaningDigest: Buffer;
  eventType: string | null;
  tenantId: string | null;
  eventId: string | null;
  headerEventId: string | null;
  createdAt: string | null;
  signedAt_seconds: number;
  secretSlot: SecretSlot;
  secretVersion: string | null;
  signatureCount: number;
  /** Gzip of the signed bytes; null: they carry what must not be stored. */
  body: Buffer | null;
  bodySha256: Buffer;
  bodyBytes: number;
  bodyProblem: BodyProblem | null;
  isTest: boolean;
  isStale: boolean;
  /** As it is kept when it contradicts no other. */
  state: Exclude<DeliveryState, 'conflict'>;
  read: OpenedRead | null;
  subjects: readonly Subject[];
}

/** How a delivery was kept. `repeat`: its signed meaning was known; `conflict`: its key was known with another meaning. */
export interface StoredDelivery {
  kept: 'new' | 'repeat' | 'conflict';
  deliveryId: number;
}

/** One call of one function: a delivery is stored whole or not at all. */
const STORE = `select store_delivery($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10::double precision), $11, $12, $13, $14, $15, $16, $17, $18, $19,
  $20, $21, $22, $23, $24) as delivery_id`;

const RACES_MAX = 5;
const UNIQUE_VIOLATION = '23505';

/**
 * Stores a verified delivery: as a new one, as one more receipt of a known meaning, or as a conflict with what its key stood for. It is committed
 * when this returns. Two processes may receive the same at once: the second one stores a receipt.
 */
export async function recordDelivery(pool: pg.Pool, delivery: NewDelivery): Promise<StoredDelivery> {
  const late = delivery.isStale ? await countLateRepeat(pool, delivery) : null;
  if (late !== null) return { kept: 'repeat', deliveryId: late };
  const stored = await store(pool, delivery, delivery.state, null);
  if (stored !== null) return { kept: 'new', deliveryId: stored };
  for (let race = 1; ; race += 1) {
    try {
      const kept = await inClientTransaction(pool, (client) => recordKnown(client, delivery));
      if (kept !== null) return kept;
    } catch (error) {
      if (race >= RACES_MAX || (error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    }
    if (race >= RACES_MAX) throw new Error('a delivery lost every race with its own repeats');
  }
}

/** The ID it was stored under; null: its meaning or its key is known. */
async function store(
  database: pg.Pool | pg.ClientBase,
  delivery: NewDelivery,
  state: DeliveryState,
  conflictWith: number | null,
): Promise<number | null> {
  const { read, subjects } = delivery;
  const { rows } = await database.query<{ delivery_id: number | null }>(STORE, [
    delivery.gameId,
    delivery.key,
    delivery.keyProblem,
    delivery.meaningDigest,
    delivery.eventType,
    delivery.tenantId,
    delivery.eventId,
    delivery.headerEventId,
    delivery.createdAt,
    delivery.signedAt_seconds,
    delivery.secretSlot,
    delivery.secretVersion,
    delivery.signatureCount,
    delivery.body,
    delivery.bodySha256,
    delivery.bodyBytes,
    delivery.bodyProblem,
    delivery.isTest,
    state,
    read?.kind ?? null,
    read?.subject ?? null,
    conflictWith,
    subjects.map(({ kind }) => kind),
    subjects.map(({ idText }) => idText),
  ]);
  return rows[0]?.delivery_id ?? null;
}

/**
 * Counts a receipt that came too late of a known meaning; null: its meaning isn't known. Anyone can play back what Invo signed once, so nothing else
 * follows from it: no reading, no key, no conflict.
 */
async function countLateRepeat(database: pg.Pool | pg.ClientBase, { gameId, meaningDigest }: NewDelivery): Promise<number | null> {
  const { rows } = await database.query<{ delivery_id: number }>(
    `update delivery set late_count = late_count + 1, late_at = clock_now() where game_id = $1 and meaning_digest = $2 returning delivery_id`,
    [gameId, meaningDigest],
  );
  return rows[0]?.delivery_id ?? null;
}

/** A delivery whose meaning or key is known; null: neither is, so another process rolled back what stood in the way. */
async function recordKnown(client: pg.ClientBase, delivery: NewDelivery): Promise<StoredDelivery | null> {
  const late = delivery.isStale ? await countLateRepeat(client, delivery) : null;
  if (late !== null) return { kept: 'repeat', deliveryId: late };
  await client.query('select lock_delivery_key($1, $2)', [delivery.gameId, delivery.key]);
  const known = await client.query<KnownDelivery>(
    `select delivery_id, state, idempotency_key, extract(epoch from coalesce(read_signed_at, signed_at))::bigint as read_signed_seconds
     from delivery where game_id = $1 and meaning_digest = $2 for no key update`,
    [delivery.gameId, delivery.meaningDigest],
  );
  const [same] = known.rows;
  if (same !== undefined) {
    await recordRepeat(client, delivery, same);
    return { kept: 'repeat', deliveryId: same.delivery_id };
  }
  const owner = delivery.state === 'other_game' ? null : await findKeyOwner(client, delivery);
  const stored = await store(client, delivery, owner === null ? delivery.state : 'conflict', owner);
  return stored === null ? null : { kept: owner === null ? 'new' : 'conflict', deliveryId: stored };
}

interface KnownDelivery {
  delivery_id: number;
  state: string;
  idempotency_key: string | null;
  /** The signed time of the receipt that opened its last reading. */
  read_signed_seconds: number;
}

/**
 * The first delivery that the key of this one names, besides `exceptId`; null: none, or it has no key. A key is not signed, so it may have come with a
 * repeat of another meaning too. What is another game's owns no key.
 */
async function findKeyOwner(
  client: pg.ClientBase,
  { gameId, key }: Pick<NewDelivery, 'gameId' | 'key'>,
  exceptId: number | null = null,
): Promise<number | null> {
  if (key === null) return null;
  const { rows } = await client.query<{ delivery_id: number }>(
    `select delivery_id from delivery where game_id = $1 and state <> 'other_game' and delivery_id is distinct from $3 and delivery_id in (
       select delivery_id from delivery where game_id = $1 and idempotency_key = $2 and conflict_with is null and state <> 'other_game'
       union all select delivery_id from delivery where game_id = $1 and idempotency_key = $2 and (conflict_with is not null or state = 'other_game')
       union all select delivery_id from delivery_repeat where game_id = $1 and idempotency_key = $2)
     order by delivery_id limit 1`,
    [gameId, key, exceptId],
  );
  return rows[0]?.delivery_id ?? null;
}

/**
 * Counts a further receipt in time of a known meaning, with what it changes: it may vouch for a late one, name a key, or show that a key stands for two
 * meanings. It is listed with what it came with as long as there is room: more for one under a key that this delivery didn't come under yet.
 */
async function recordRepeat(client: pg.ClientBase, delivery: NewDelivery, same: KnownDelivery): Promise<void> {
  const { gameId, key, read, signedAt_seconds: signedAt } = delivery;
  const isForeign = same.state === 'other_game';
  const takesKey = key !== null && !isForeign && same.idempotency_key === null && (await findKeyOwner(client, delivery)) === null;
  // A replay within five minutes vouches for what came too late before.
  const state = same.state === 'stale' ? delivery.state : null;
  const opensRead = read !== null && !isForeign && (state !== null || isSignedAnew(signedAt, same.read_signed_seconds));
  await client.query(
    `with counted as (
       update delivery set repeat_count = repeat_count + 1, repeated_at = clock_now(), repeated_slot = $3, repeated_version = $4,
         state = coalesce($5, state), idempotency_key = case when $6 then $7 else idempotency_key end, key_problem = case when $6 then null else key_problem end,
         read_signed_at = case when $8 then to_timestamp($9::double precision) else read_signed_at end
       where game_id = $1 and delivery_id = $2 returning repeated_at)
     insert into delivery_repeat (game_id, delivery_id, idempotency_key, event_id, header_event_id, signed_at, received_at, secret_slot, secret_version,
       body_sha256, is_stale)
     select $1, $2, $7, $10, $11, to_timestamp($9::double precision), repeated_at, $3, $4, $12, false from counted
     where (select count(*) from (select from delivery_repeat where game_id = $1 and delivery_id = $2 limit $15) listed)
       < case when $7 <> $13 and not exists (select from delivery_repeat where game_id = $1 and delivery_id = $2 and idempotency_key = $7)
           then $15::int else $14::int end`,
    [
      gameId,
      same.delivery_id,
      delivery.secretSlot,
      delivery.secretVersion,
      state,
      takesKey,
      key,
      opensRead,
      signedAt,
      delivery.eventId,
      delivery.headerEventId,
      delivery.bodySha256,
      takesKey ? key : same.idempotency_key,
      REPEATS_LISTED,
      REPEATS_LISTED_WITH_KEYS,
    ],
  );
  if (opensRead) await client.query('select ask_delivery_read($1, $2, $3)', [gameId, read.kind, read.subject]);
  const other = isForeign ? null : await findKeyOwner(client, delivery, same.delivery_id);
  if (other !== null) await recordConflict(client, gameId, [same.delivery_id, other]);
}

/** Repeats of a delivery that are listed; those beyond are counted. */
const REPEATS_LISTED = 20;
/** With those that name a key of their own, because a key that stands for two meanings shows by them. Keys aren't signed, so they are bounded too. */
const REPEATS_LISTED_WITH_KEYS = 40;

/** Marks the later of two deliveries under one key as contradicting the earlier one, whichever receipt showed it. */
async function recordConflict(client: pg.ClientBase, gameId: number, ids: readonly [number, number]): Promise<void> {
  await client.query(
    `update delivery set state = 'conflict', conflict_with = $3 where game_id = $1 and delivery_id = $2 and conflict_with is null`,
    [gameId, Math.max(...ids), Math.min(...ids)],
  );
}

/** Stores what a delivery opens that was taken for another game's, as if it had been this game's from the start, and asks for that reading. */
export async function recordOwnDelivery(
  pool: pg.Pool,
  gameId: number,
  deliveryId: number,
  { state, problem, read }: Followed,
): Promise<void> {
  await inClientTransaction(pool, async (client) => {
    const { rows } = await client.query<{ key: string | null }>(
      `select idempotency_key as key, lock_delivery_key(game_id, idempotency_key) from delivery
       where game_id = $1 and delivery_id = $2 and state = 'other_game' for no key update`,
      [gameId, deliveryId],
    );
    const [own] = rows;
    if (own === undefined) return;
    const other = await findKeyOwner(client, { gameId, key: own.key }, deliveryId);
    await client.query(
      `update delivery set state = $3, body_problem = $4, read_kind = $5, read_subject = $6, conflict_with = coalesce(conflict_with, $7)
       where game_id = $1 and delivery_id = $2`,
      [gameId, deliveryId, other === null ? state : 'conflict', problem, read?.kind ?? null, read?.subject ?? null, other],
    );
    if (read !== null) await client.query('select ask_delivery_read($1, $2, $3)', [gameId, read.kind, read.subject]);
  });
}

/** Wakes the worker for what deliveries of a game opened. */
export async function wakeDeliveries(pool: pg.Pool, gameId: number): Promise<void> {
  await pool.query(`select wake('deliveries', $1::int::text, jsonb_build_object('gameId', $1::int), clock_now())`, [gameId]);
}

/** Requests that were refused for one reason since they were counted last. */
export interface RefusalCount {
  gameId: number;
  reason: RefusalReason;
  count: number;
  /** SHA-256 over the body of one of them; null: no body was read. */
  sample: Buffer | null;
}

/** Adds refused requests to the counts of this hour. Nothing else of them is kept. */
export async function recordRefusals(pool: pg.Pool, refusals: readonly RefusalCount[]): Promise<void> {
  for (const { gameId, reason, count, sample } of refusals) {
    await pool.query(
      `insert into delivery_refusal (game_id, hour, reason, refusal_count, sample_sha256) values ($1, date_trunc('hour', clock_now()), $2, $3, $4)
       on conflict (game_id, hour, reason) do update set refusal_count = delivery_refusal.refusal_count + excluded.refusal_count,
         last_at = excluded.last_at, sample_sha256 = coalesce(excluded.sample_sha256, delivery_refusal.sample_sha256)`,
      [gameId, reason, count, sample],
    );
  }
}
