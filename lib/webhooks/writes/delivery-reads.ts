import { type RawBuilder, sql } from 'kysely';
import { claimNext } from '#db/kit/lease.ts';
import { countChanges, type Db, firstInstant, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import { mayNow } from '#lib/approvals/reads.ts';
import type { AuditAct } from '#lib/audit/rules/acts.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { AttemptClass } from '#lib/refunds/rules/attempt.ts';
import { type RefundState, stateOf } from '#lib/refunds/rules/state.ts';
import { BODY_RETENTION_DAYS, READ_KINDS, type ReadKind, type ReadOutcome, SUBJECT_KINDS, stateAfterRead } from '../rules/delivery.ts';
import { readAgainAfter_seconds, type Subject } from '../rules/event.ts';
import { TOLERANCE_SECONDS } from '../rules/signature-header.ts';

/** A reading that this process makes now. */
export interface ClaimedRead {
  gameId: number;
  kind: ReadKind;
  subject: string;
  /** When it was last requested before it started. */
  requestedAt: string;
  attemptCount: number;
  /** Since its first attempt. */
  triedFor_seconds: number;
}

/** Readings wait for Invo for seconds; a process that fell silent gives one up after this. */
const LEASE_SECONDS = 120;

/**
 * Claims the reading of a game that has been due longest; null: none is due. It is one call that is over before its claim ends, and never ends itself: the
 * next delivery makes it due again.
 */
export async function claimRead(db: Db, gameId: number): Promise<ClaimedRead | null> {
  const until = sql`clock_now() + make_interval(secs => ${LEASE_SECONDS})`;
  const { rows } = await claimNext<Omit<ClaimedRead, 'gameId' | 'kind'> & { kind: string }>('delivery_read', {
    gameId,
    key: ['kind', 'subject'],
    where: sql<boolean>`waiting.due_at <= clock_now()`,
    order: sql`waiting.due_at`,
    set: {
      lease_until: until,
      due_at: until,
      attempt_count: sql`attempt_count + 1`,
      first_tried_at: firstInstant('first_tried_at'),
    },
    returning: sql`kind, subject, asked_at as "requestedAt", attempt_count as "attemptCount",
      extract(epoch from lease_until - first_tried_at)::int - ${LEASE_SECONDS}::int as "triedFor_seconds"`,
  }).execute(db);
  const [claimed] = rows;
  return claimed === undefined ? null : { ...claimed, gameId, kind: parseEnum(READ_KINDS, claimed.kind) };
}

const isRead = ({ gameId, kind, subject }: Pick<ClaimedRead, 'gameId' | 'kind' | 'subject'>): RawBuilder<boolean> =>
  sql<boolean>`game_id = ${gameId} and kind = ${kind} and subject = ${subject}`;

/**
 * Stores the result of a reading, and marks the deliveries that requested it before it started with that result. If it was requested meanwhile, it is due again at
 * once: it may have started too early to see what was delivered since.
 */
export async function recordRead(db: Db, { gameId, kind, subject, requestedAt }: ClaimedRead, outcome: ReadOutcome): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`update delivery_read set read_at = clock_now(), outcome = ${outcome}, last_error = null, lease_until = null, attempt_count = 0, first_tried_at = null,
         due_at = case when asked_at > ${requestedAt} then asked_at end
       where ${isRead({ gameId, kind, subject })}`.execute(tx);
    await sql`update delivery set state = ${stateAfterRead(kind, outcome)} where game_id = ${gameId} and read_kind = ${kind} and read_subject = ${subject} and state in ('received', 'failing') and received_at <= ${requestedAt}`.execute(
      tx,
    );
  });
}

/**
 * Stores why a reading failed: it is tried again later, or after a day it needs a person and its deliveries are failing. If it was requested meanwhile, it
 * is due again at once, from the first attempt on.
 */
export async function recordReadFailure(db: Db, read: ClaimedRead, error: string): Promise<void> {
  const { gameId, kind, subject, requestedAt } = read;
  const again_seconds = readAgainAfter_seconds(read.attemptCount, read.triedFor_seconds);
  const again = again_seconds === null ? sql`null::timestamptz` : sql`clock_now() + make_interval(secs => ${again_seconds})`;
  await inTransaction(db, async (tx) => {
    await sql`update delivery_read set lease_until = null, last_error = ${error},
         due_at = least(case when asked_at > ${requestedAt} then asked_at end, ${again}),
         attempt_count = case when asked_at > ${requestedAt} then 0 else attempt_count end,
         first_tried_at = case when asked_at > ${requestedAt} then null else first_tried_at end
       where ${isRead(read)}`.execute(tx);
    if (again_seconds === null)
      await sql`update delivery set state = 'failing' where game_id = ${gameId} and read_kind = ${kind} and read_subject = ${subject} and state = 'received' and received_at <= ${requestedAt}`.execute(
        tx,
      );
  });
}

/**
 * Brings the next look at our refund with this key forward: what Invo delivered says that it can be read now. Its state is left alone, a look that
 * is under way too, and so is every wait that Invo requested: checking a refund without an outcome sends it again. Returns the state and period of the
 * refund, and whether it waits like that; null: no refund of this game has the key.
 */
export async function bringCheckForward(
  db: Db,
  gameId: number,
  key: string,
): Promise<{ state: RefundState; periodId: number; isWaiting: boolean } | null> {
  const { rows } = await sql<{ state: string; period_id: number; is_waiting: boolean; refund_id: number }>`with known as (
       select refund_id, state, period_id, next_look_at > clock_now() and (state = 'waiting' or state = 'unknown' and exists (
           select from refund_attempt last where last.game_id = ${gameId} and last.refund_id = refund.refund_id and last.attempt_no = refund.attempt_count
             and (last.class = any(${WAIT_CLASSES}) or last.finished_at + make_interval(secs => last.retry_after_ms / 1000.0) > clock_now())
         )) as is_waiting
       from refund where game_id = ${gameId} and client_request_id = ${key}
     ), moved as (
       update refund set next_look_at = clock_now() from known
       where refund.game_id = ${gameId} and refund.refund_id = known.refund_id and refund.state = known.state and refund.state in ('unknown', 'verifying')
         and not known.is_waiting and refund.next_look_at > clock_now()
     )
     select state, period_id, is_waiting, refund_id from known`.execute(db);
  const [known] = rows;
  if (known === undefined) return null;
  if (!known.is_waiting) await wakeWorker(db, { queue: 'refund', gameId, id: known.refund_id });
  return { state: stateOf(known.state), periodId: known.period_id, isWaiting: known.is_waiting };
}

/** Answers with which Invo requests a pause of calls. */
const WAIT_CLASSES = ['wait', 'paused', 'no_access'] as const satisfies readonly AttemptClass[];

/** Wakes the worker when readings of a game are due that nobody was woken for. */
export async function wakeDueReads(db: Db, gameId: number): Promise<void> {
  const { rows } = await sql`select from delivery_read where game_id = ${gameId} and due_at <= clock_now() limit 1`.execute(db);
  if (rows.length > 0) await wakeWorker(db, { queue: 'deliveries', gameId });
}

const PURGED_AT_ONCE = 5_000;

/**
 * Removes the bytes of deliveries older than 90 days, and of those that name a player who was erased before they came; their keys and digests stay
 * for good. Returns how many were too old.
 */
export async function purgeBodies(db: Db, gameId: number): Promise<number> {
  await sql`update delivery set body = null where game_id = ${gameId} and body is not null and delivery_id in (
       select about.delivery_id from recipient_erasure e
         join delivery_subject about on about.game_id = ${gameId} and about.kind in ('player', 'recipient') and about.id_text = e.recipient_player_id::text
       where e.game_id = ${gameId})`.execute(db);
  return await countChanges(
    db,
    sql`update delivery set body = null where game_id = ${gameId} and delivery_id in (
       select delivery_id from delivery where game_id = ${gameId} and body is not null and received_at < clock_now() - make_interval(days => ${BODY_RETENTION_DAYS}) limit ${PURGED_AT_ONCE})`,
  );
}

/**
 * Marks deliveries that name another game than the one of this id, as those of another game: they were taken while the game had no id at Invo. What
 * only they requested is not read. Returns how many.
 */
export async function markOtherGame(db: Db, gameId: number, pinnedId: string): Promise<number> {
  // Two ranges and no inequality: of a game whose deliveries all name it, an index then reads nothing.
  const rowCount = await countChanges(
    db,
    sql`update delivery set state = 'other_game' where game_id = ${gameId} and (tenant_id < ${pinnedId} or tenant_id > ${pinnedId} or tenant_id is null)
      and state in ('received', 'processed', 'stale', 'unknown_type', 'failing', 'conflict') and event_type is not null and not is_test`,
  );
  if (rowCount > 0)
    await sql`update delivery_read r set due_at = null where game_id = ${gameId} and due_at is not null and lease_until is null and not exists (
         select from delivery d where d.game_id = ${gameId} and d.read_kind = r.kind and d.read_subject = r.subject and d.state <> 'other_game')`.execute(
      db,
    );
  return rowCount;
}

/** A delivery that was taken for another game's and names this one. */
export interface OwnDelivery {
  deliveryId: number;
  eventType: string;
  tenantId: string;
  isStale: boolean;
  subjects: Subject[];
}

const OWN_AT_ONCE = 500;

/** Lists deliveries that were taken for another game's under an id that has been corrected since. */
export async function listOwnDeliveries(db: Db, gameId: number, pinnedId: string): Promise<OwnDelivery[]> {
  const { rows } = await sql<
    Omit<OwnDelivery, 'subjects'> & { subjects: { kind: string; idText: string }[] }
  >`select delivery_id as "deliveryId", event_type as "eventType", tenant_id as "tenantId",
       abs(floor(extract(epoch from received_at)) - extract(epoch from signed_at)) > ${TOLERANCE_SECONDS} as "isStale",
       (select coalesce(json_agg(json_build_object('kind', kind, 'idText', id_text)), '[]') from delivery_subject about
          where about.game_id = ${gameId} and about.delivery_id = delivery.delivery_id) as subjects
     from delivery where game_id = ${gameId} and state = 'other_game' and tenant_id = ${pinnedId} and event_type is not null order by delivery_id limit ${OWN_AT_ONCE}`.execute(
    db,
  );
  return rows.map(({ subjects, ...delivery }) => ({
    ...delivery,
    subjects: subjects.map(({ kind, idText }) => ({ kind: parseEnum(SUBJECT_KINDS, kind), idText })),
  }));
}

/** A person who acts on one delivery. */
export interface DeliveryAct {
  gameId: number;
  deliveryId: number;
  actor: { id: string; email: string };
}

async function recordDeliveryAudit(
  tx: Db,
  { gameId, deliveryId, actor }: DeliveryAct,
  act: AuditAct,
  detail: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, { actor: actor.email, gameId, act, subject: `webhook delivery ${deliveryId}`, detail });
}

/**
 * Settles a delivery that needs a person, with the reason. Its state stays what it is, so that it can still be found by it. False when it is settled
 * already, needs nobody, or the person no longer may.
 */
export async function recordSettled(db: Db, settle: DeliveryAct & { reason: string; act: AuditAct }): Promise<boolean> {
  const { gameId, deliveryId, actor, reason, act } = settle;
  return await inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`update delivery set settled_at = clock_now(), settled_by = person.id, settled_reason = ${reason} from person
       where game_id = ${gameId} and delivery_id = ${deliveryId} and settled_at is null and state in ('conflict', 'other_game', 'failing')
         and person.id = ${actor.id} and ${mayNow('person', 'deliveries.settle')}`,
    );
    if (rowCount === 1) await recordDeliveryAudit(tx, settle, act, { reason });
    return rowCount === 1;
  });
}

/** Makes what a delivery opened due again now. False when it opened nothing, or the person no longer may. */
export async function recordReadAgain(db: Db, again: DeliveryAct): Promise<boolean> {
  const { gameId, deliveryId, actor } = again;
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<{
      kind: string;
      subject: string;
    }>`select d.read_kind as kind, d.read_subject as subject from delivery d, person
       where d.game_id = ${gameId} and d.delivery_id = ${deliveryId} and d.read_kind is not null
         and person.id = ${actor.id} and ${mayNow('person', 'deliveries.settle')}`.execute(tx);
    const [read] = rows;
    if (read === undefined) return false;
    await sql`select ask_delivery_read(${gameId}, ${read.kind}, ${read.subject})`.execute(tx);
    await recordDeliveryAudit(tx, again, 'asked for another reading', { read: read.kind });
    await wakeWorker(tx, { queue: 'deliveries', gameId });
    return true;
  });
}
