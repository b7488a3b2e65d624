import { sql } from 'kysely';
import { type Db, inTransaction } from '#db/kit/open.ts';
import type { BodyProblem, DeliveryState, KeyProblem, RefusalReason, SecretSlot } from '../rules/delivery.ts';
import { type Followed, isSignedAnew, type OpenedRead, type Subject } from '../rules/event.ts';

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
  /** How it is stored when it contradicts no other. */
  state: Exclude<DeliveryState, 'conflict'>;
  read: OpenedRead | null;
  subjects: readonly Subject[];
}

/** How a delivery was stored. `repeat`: its signed meaning was known; `conflict`: its key was known with another meaning. */
export interface StoredDelivery {
  storedAs: 'new' | 'repeat' | 'conflict';
  deliveryId: number;
}

const RACES_MAX = 5;
/** Another process was first; or waits in a circle, which a distributed database sees between copies of one delivery, and one of them starts over. */
const LOST_RACE = ['23505', '40P01'];

/**
 * Stores a verified delivery: as a new one, as one more receipt of a known meaning, or as a conflict with what its key stood for. It is committed
 * when this returns. Two processes may receive the same at once: the second one stores a receipt.
 */
export async function recordDelivery(db: Db, delivery: NewDelivery): Promise<StoredDelivery> {
  const late = delivery.isStale ? await countLateRepeat(db, delivery) : null;
  if (late !== null) return { storedAs: 'repeat', deliveryId: late };
  const stored = await store(db, delivery, delivery.state, null);
  if (stored !== null) return { storedAs: 'new', deliveryId: stored };
  for (let race = 1; ; race += 1) {
    try {
      const recorded = await inTransaction(db, (tx) => recordKnown(tx, delivery));
      if (recorded !== null) return recorded;
    } catch (error) {
      if (race >= RACES_MAX || !LOST_RACE.includes((error as { code?: string }).code ?? '')) throw error;
    }
    if (race >= RACES_MAX) throw new Error('a delivery lost every race with its own repeats');
  }
}

/** The ID it was stored under; null: its meaning or its key is known. */
async function store(db: Db, delivery: NewDelivery, state: DeliveryState, conflictWith: number | null): Promise<number | null> {
  const { read, subjects } = delivery;
  // One call of one function: a delivery is stored whole or not at all.
  const { rows } = await sql<{
    delivery_id: number | null;
  }>`select store_delivery(${delivery.gameId}, ${delivery.key}, ${delivery.keyProblem},
    ${delivery.meaningDigest}, ${delivery.eventType}, ${delivery.tenantId}, ${delivery.eventId}, ${delivery.headerEventId}, ${delivery.createdAt},
    to_timestamp(${delivery.signedAt_seconds}::double precision), ${delivery.secretSlot}, ${delivery.secretVersion}, ${delivery.signatureCount},
    ${delivery.body}, ${delivery.bodySha256}, ${delivery.bodyBytes}, ${delivery.bodyProblem}, ${delivery.isTest}, ${state}, ${read?.kind ?? null},
    ${read?.subject ?? null}, ${conflictWith}, ${subjects.map(({ kind }) => kind)}, ${subjects.map(({ idText }) => idText)}) as delivery_id`.execute(
    db,
  );
  return rows[0]?.delivery_id ?? null;
}

/**
 * Counts a receipt that came too late of a known meaning; null: its meaning isn't known. Anyone can play back what Invo signed once, so nothing else
 * follows from it: no reading, no key, no conflict.
 */
async function countLateRepeat(db: Db, { gameId, meaningDigest }: NewDelivery): Promise<number | null> {
  const { rows } = await sql<{
    delivery_id: number;
  }>`update delivery set late_count = late_count + 1, late_at = clock_now() where game_id = ${gameId} and meaning_digest = ${meaningDigest} returning delivery_id`.execute(
    db,
  );
  return rows[0]?.delivery_id ?? null;
}

/** A delivery whose meaning or key is known; null: neither is, so another process rolled back what stood in the way. */
async function recordKnown(tx: Db, delivery: NewDelivery): Promise<StoredDelivery | null> {
  const late = delivery.isStale ? await countLateRepeat(tx, delivery) : null;
  if (late !== null) return { storedAs: 'repeat', deliveryId: late };
  await sql`select lock_delivery_key(${delivery.gameId}, ${delivery.key})`.execute(tx);
  const known =
    await sql<KnownDelivery>`select delivery_id, state, idempotency_key, extract(epoch from coalesce(read_signed_at, signed_at))::bigint as read_signed_seconds
     from delivery where game_id = ${delivery.gameId} and meaning_digest = ${delivery.meaningDigest} for no key update`.execute(tx);
  const [same] = known.rows;
  if (same !== undefined) {
    await recordRepeat(tx, delivery, same);
    return { storedAs: 'repeat', deliveryId: same.delivery_id };
  }
  const owner = delivery.state === 'other_game' ? null : await findKeyOwner(tx, delivery);
  const stored = await store(tx, delivery, owner === null ? delivery.state : 'conflict', owner);
  return stored === null ? null : { storedAs: owner === null ? 'new' : 'conflict', deliveryId: stored };
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
  tx: Db,
  { gameId, key }: Pick<NewDelivery, 'gameId' | 'key'>,
  exceptId: number | null = null,
): Promise<number | null> {
  if (key === null) return null;
  const { rows } = await sql<{
    delivery_id: number;
  }>`select delivery_id from delivery where game_id = ${gameId} and state <> 'other_game' and delivery_id is distinct from ${exceptId} and delivery_id in (
       select delivery_id from delivery where game_id = ${gameId} and idempotency_key = ${key} and conflict_with is null and state <> 'other_game'
       union all select delivery_id from delivery where game_id = ${gameId} and idempotency_key = ${key} and (conflict_with is not null or state = 'other_game')
       union all select delivery_id from delivery_repeat where game_id = ${gameId} and idempotency_key = ${key})
     order by delivery_id limit 1`.execute(tx);
  return rows[0]?.delivery_id ?? null;
}

/**
 * Counts a further receipt in time of a known meaning, with what it changes: it may vouch for a late one, name a key, or show that a key has two
 * meanings. It is listed with what it came with as long as there is room: more for one under a key that this delivery didn't come under yet.
 */
async function recordRepeat(tx: Db, delivery: NewDelivery, same: KnownDelivery): Promise<void> {
  const { gameId, key, read, signedAt_seconds: signedAt } = delivery;
  const isForeign = same.state === 'other_game';
  const takesKey = key !== null && !isForeign && same.idempotency_key === null && (await findKeyOwner(tx, delivery)) === null;
  // A replay within five minutes vouches for what came too late before.
  const state = same.state === 'stale' ? delivery.state : null;
  const opensRead = read !== null && !isForeign && (state !== null || isSignedAnew(signedAt, same.read_signed_seconds));
  const { rows: counted } = await sql<{ repeated_at: string }>`
       update delivery set repeat_count = repeat_count + 1, repeated_at = clock_now(), repeated_slot = ${delivery.secretSlot}, repeated_version = ${delivery.secretVersion},
         state = coalesce(${state}, state), idempotency_key = case when ${takesKey} then ${key} else idempotency_key end, key_problem = case when ${takesKey} then null else key_problem end,
         read_signed_at = case when ${opensRead} then to_timestamp(${signedAt}::double precision) else read_signed_at end
       where game_id = ${gameId} and delivery_id = ${same.delivery_id} returning repeated_at`.execute(tx);
  const listed = await sql<{
    has_room: boolean;
  }>`select (select count(*) from (select from delivery_repeat where game_id = ${gameId} and delivery_id = ${same.delivery_id} limit ${REPEATS_LISTED_WITH_KEYS}) listed)
       < case when ${key} <> ${takesKey ? key : same.idempotency_key} and not exists (select from delivery_repeat where game_id = ${gameId} and delivery_id = ${same.delivery_id} and idempotency_key = ${key})
           then ${REPEATS_LISTED_WITH_KEYS}::int else ${REPEATS_LISTED}::int end as has_room`.execute(tx);
  if (listed.rows[0]?.has_room === true)
    for (const { repeated_at } of counted)
      await sql`insert into delivery_repeat (game_id, delivery_id, idempotency_key, event_id, header_event_id, signed_at, received_at, secret_slot, secret_version,
        body_sha256, is_stale)
      values (${gameId}, ${same.delivery_id}, ${key}, ${delivery.eventId}, ${delivery.headerEventId}, to_timestamp(${signedAt}::double precision), ${repeated_at}, ${delivery.secretSlot}, ${delivery.secretVersion}, ${delivery.bodySha256}, false)`.execute(
        tx,
      );
  if (opensRead) await sql`select ask_delivery_read(${gameId}, ${read.kind}, ${read.subject})`.execute(tx);
  const other = isForeign ? null : await findKeyOwner(tx, delivery, same.delivery_id);
  if (other !== null) await recordConflict(tx, gameId, [same.delivery_id, other]);
}

/** Repeats of a delivery that are listed; those beyond are counted. */
const REPEATS_LISTED = 20;
/** With those that name a key of their own, because they reveal a key with two meanings. Keys aren't signed, so they are bounded too. */
const REPEATS_LISTED_WITH_KEYS = 40;

/** Marks the later of two deliveries under one key as contradicting the earlier one, whichever receipt showed it. */
async function recordConflict(tx: Db, gameId: number, ids: readonly [number, number]): Promise<void> {
  await sql`update delivery set state = 'conflict', conflict_with = ${Math.min(...ids)} where game_id = ${gameId} and delivery_id = ${Math.max(...ids)} and conflict_with is null`.execute(
    tx,
  );
}

/** Stores what a delivery opens that was taken for another game's, as if it had been this game's from the start, and requests that reading. */
export async function recordOwnDelivery(db: Db, gameId: number, deliveryId: number, { state, problem, read }: Followed): Promise<void> {
  await inTransaction(db, async (tx) => {
    const isForeign = sql`game_id = ${gameId} and delivery_id = ${deliveryId} and state = 'other_game'`;
    const { rows } = await sql<{ key: string | null }>`select idempotency_key as key from delivery where ${isForeign}`.execute(tx);
    const [own] = rows;
    if (own === undefined) return;
    // The key before the row, as every receipt does.
    await sql`select lock_delivery_key(${gameId}, ${own.key})`.execute(tx);
    if ((await sql`select from delivery where ${isForeign} for no key update`.execute(tx)).rows.length === 0) return;
    const other = await findKeyOwner(tx, { gameId, key: own.key }, deliveryId);
    await sql`update delivery set state = ${other === null ? state : 'conflict'}, body_problem = ${problem}, read_kind = ${read?.kind ?? null}, read_subject = ${read?.subject ?? null}, conflict_with = coalesce(conflict_with, ${other})
       where game_id = ${gameId} and delivery_id = ${deliveryId}`.execute(tx);
    if (read !== null) await sql`select ask_delivery_read(${gameId}, ${read.kind}, ${read.subject})`.execute(tx);
  });
}

/** Requests that were refused for one reason since they were counted last. */
export interface RefusalCount {
  gameId: number;
  reason: RefusalReason;
  count: number;
  /** SHA-256 over the body of one of them; null: no body was read. */
  sample: Buffer | null;
}

/** Adds refused requests to the counts of this hour. Nothing else about them is stored. */
export async function recordRefusals(db: Db, refusals: readonly RefusalCount[]): Promise<void> {
  for (const { gameId, reason, count, sample } of refusals) {
    await sql`insert into delivery_refusal (game_id, hour, reason, refusal_count, sample_sha256) values (${gameId}, date_trunc('hour', clock_now()), ${reason}, ${count}, ${sample})
       on conflict (game_id, hour, reason) do update set refusal_count = delivery_refusal.refusal_count + excluded.refusal_count,
         last_at = excluded.last_at, sample_sha256 = coalesce(excluded.sample_sha256, delivery_refusal.sample_sha256)`.execute(db);
  }
}
