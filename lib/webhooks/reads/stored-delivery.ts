import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseEnum, parseEnumOrNull } from '#lib/core/parse-enum.ts';
import {
  BODY_PROBLEMS,
  type BodyProblem,
  DELIVERY_STATES,
  type DeliveryState,
  KEY_PROBLEMS,
  type KeyProblem,
  READ_KINDS,
  READ_OUTCOMES,
  type ReadKind,
  type ReadOutcome,
  SECRET_SLOTS,
  type SecretSlot,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../rules/delivery.ts';

/** The reading a delivery opened. */
interface OpenedReading {
  kind: ReadKind;
  subject: string;
  /** null: not due. */
  dueAt: string | null;
  attemptCount: number;
  readAt: string | null;
  outcome: ReadOutcome | null;
  /** Code of the last attempt's error; null: none. */
  lastError: string | null;
}

/** One further receipt. */
interface RepeatReceipt {
  receivedAt: string;
  signedAt: string;
  idempotencyKey: string | null;
  headerEventId: string | null;
  slot: SecretSlot;
  version: string | null;
  isStale: boolean;
}

/** A delivery with everything stored about it. */
export interface StoredDelivery {
  deliveryId: number;
  idempotencyKey: string | null;
  keyProblem: KeyProblem | null;
  eventType: string | null;
  tenantId: string | null;
  eventId: string | null;
  headerEventId: string | null;
  createdAt: string | null;
  signedAt: string;
  receivedAt: string;
  slot: SecretSlot;
  version: string | null;
  signatureCount: number;
  /** Gzip; null: removed after 90 days, or never stored. */
  body: Buffer | null;
  bodySha256: Buffer;
  bodyBytes: number;
  bodyProblem: BodyProblem | null;
  isTest: boolean;
  state: DeliveryState;
  settled: { at: string; by: string; reason: string } | null;
  subjects: { kind: SubjectKind; idText: string }[];
  /** The newest repeats that are listed one by one; late ones among them are from before those were only counted. */
  repeats: RepeatReceipt[];
  /** Repeats that came in time. */
  repeatCount: number;
  /** When the last of these arrived; null: none. */
  repeatedAt: string | null;
  /** Repeats that came too late. */
  late: { count: number; lastAt: string | null };
  reading: OpenedReading | null;
  /** The other delivery of a conflict: the first under the key, or the newest that contradicts this one. */
  partnerId: number | null;
  /** The refund of ours that the event's idempotency key names; null: none. */
  refundId: number | null;
}

const REPEATS_SHOWN = 50;

/** Finds a delivery of a game; null: there is none of that number. */
export async function findStoredDelivery(db: Db, gameId: number, deliveryId: number): Promise<StoredDelivery | null> {
  const row = await db
    .selectFrom('delivery as d')
    .leftJoin('person', 'person.id', 'd.settled_by')
    .leftJoin('delivery_read as r', (join) =>
      join.on('r.game_id', '=', gameId).onRef('r.kind', '=', 'd.read_kind').onRef('r.subject', '=', 'd.read_subject'),
    )
    .where('d.game_id', '=', gameId)
    .where('d.delivery_id', '=', deliveryId)
    .selectAll('d')
    .select(['person.name as settled_by_name', 'r.due_at', 'r.attempt_count', 'r.read_at', 'r.outcome', 'r.last_error'])
    .select([
      sql<{ kind: string; idText: string }[]>`(select coalesce(json_agg(json_build_object('kind', s.kind, 'idText', s.id_text)
        order by array_position(${sql.val(SUBJECT_KINDS)}::text[], s.kind), s.id_text), '[]')
        from delivery_subject s where s.game_id = ${gameId} and s.delivery_id = d.delivery_id)`.as('subjects'),
      sql<number | null>`coalesce(d.conflict_with,
        (select max(o.delivery_id) from delivery o where o.game_id = ${gameId} and o.conflict_with = d.delivery_id))`.as('partner_id'),
      sql<
        number | null
      >`(select refund.refund_id from delivery_subject s join refund on refund.game_id = ${gameId} and refund.client_request_id = s.id_text
        where s.game_id = ${gameId} and s.delivery_id = d.delivery_id and s.kind = 'client_request' limit 1)`.as('refund_id'),
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const repeats = row.repeat_count + row.late_count === 0 ? [] : await listRepeats(db, gameId, deliveryId);
  const readKind = parseEnumOrNull(READ_KINDS, row.read_kind);
  return {
    deliveryId: row.delivery_id,
    idempotencyKey: row.idempotency_key,
    keyProblem: parseEnumOrNull(KEY_PROBLEMS, row.key_problem),
    eventType: row.event_type,
    tenantId: row.tenant_id,
    eventId: row.event_id,
    headerEventId: row.header_event_id,
    createdAt: row.event_created_at,
    signedAt: row.signed_at,
    receivedAt: row.received_at,
    slot: parseEnum(SECRET_SLOTS, row.secret_slot),
    version: row.secret_version,
    signatureCount: row.signature_count,
    body: row.body,
    bodySha256: row.body_sha256,
    bodyBytes: row.body_bytes,
    bodyProblem: parseEnumOrNull(BODY_PROBLEMS, row.body_problem),
    isTest: row.is_test,
    state: parseEnum(DELIVERY_STATES, row.state),
    settled:
      row.settled_at === null ? null : { at: row.settled_at, by: row.settled_by_name ?? 'Sharebook', reason: row.settled_reason ?? '' },
    subjects: row.subjects.map(({ kind, idText }) => ({ kind: parseEnum(SUBJECT_KINDS, kind), idText })),
    repeats,
    repeatCount: row.repeat_count,
    repeatedAt: row.repeated_at,
    late: { count: row.late_count, lastAt: row.late_at },
    reading:
      readKind === null || row.read_subject === null
        ? null
        : {
            kind: readKind,
            subject: row.read_subject,
            dueAt: row.due_at,
            attemptCount: row.attempt_count ?? 0,
            readAt: row.read_at,
            outcome: parseEnumOrNull(READ_OUTCOMES, row.outcome),
            lastError: row.last_error,
          },
    partnerId: row.partner_id,
    refundId: row.refund_id,
  };
}

async function listRepeats(db: Db, gameId: number, deliveryId: number): Promise<RepeatReceipt[]> {
  const rows = await db
    .selectFrom('delivery_repeat')
    .where('game_id', '=', gameId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('repeat_id', 'desc')
    .limit(REPEATS_SHOWN)
    .select(['received_at', 'signed_at', 'idempotency_key', 'header_event_id', 'secret_slot', 'secret_version', 'is_stale'])
    .execute();
  return rows.map((row) => ({
    receivedAt: row.received_at,
    signedAt: row.signed_at,
    idempotencyKey: row.idempotency_key,
    headerEventId: row.header_event_id,
    slot: parseEnum(SECRET_SLOTS, row.secret_slot),
    version: row.secret_version,
    isStale: row.is_stale,
  }));
}
