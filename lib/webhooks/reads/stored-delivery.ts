import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseEnum, parseEnumOrNull } from '#lib/core/strings.ts';
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
    .select(['d.delivery_id as deliveryId', 'd.idempotency_key as idempotencyKey', 'd.event_type as eventType', 'd.tenant_id as tenantId'])
    .select(['d.event_id as eventId', 'd.header_event_id as headerEventId', 'd.event_created_at as createdAt', 'd.signed_at as signedAt'])
    .select(['d.received_at as receivedAt', 'd.secret_version as version', 'd.signature_count as signatureCount', 'd.is_test as isTest'])
    .select(['d.body', 'd.body_sha256 as bodySha256', 'd.body_bytes as bodyBytes', 'd.repeat_count as repeatCount'])
    .select(['d.repeated_at as repeatedAt', 'd.late_count', 'd.late_at', 'd.key_problem', 'd.secret_slot', 'd.body_problem', 'd.state'])
    .select(['d.settled_at', 'd.settled_reason', 'person.name as settled_by_name', 'd.read_kind', 'd.read_subject'])
    .select(['r.due_at as dueAt', 'r.attempt_count', 'r.read_at as readAt', 'r.outcome', 'r.last_error as lastError'])
    .select([
      sql<{ kind: string; idText: string }[]>`(select coalesce(json_agg(json_build_object('kind', s.kind, 'idText', s.id_text)
        order by array_position(${sql.val(SUBJECT_KINDS)}::text[], s.kind), s.id_text), '[]')
        from delivery_subject s where s.game_id = ${gameId} and s.delivery_id = d.delivery_id)`.as('subjects'),
      sql<number | null>`coalesce(d.conflict_with,
        (select max(o.delivery_id) from delivery o where o.game_id = ${gameId} and o.conflict_with = d.delivery_id))`.as('partnerId'),
      sql<
        number | null
      >`(select refund.refund_id from delivery_subject s join refund on refund.game_id = ${gameId} and refund.client_request_id = s.id_text
        where s.game_id = ${gameId} and s.delivery_id = d.delivery_id and s.kind = 'client_request' limit 1)`.as('refundId'),
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { late_count, late_at, key_problem, secret_slot, body_problem, settled_at, settled_reason, settled_by_name, ...read } = row;
  const { read_kind, read_subject: subject, dueAt, attempt_count, readAt, outcome, lastError, ...delivery } = read;
  const kind = parseEnumOrNull(READ_KINDS, read_kind);
  return {
    ...delivery,
    keyProblem: parseEnumOrNull(KEY_PROBLEMS, key_problem),
    slot: parseEnum(SECRET_SLOTS, secret_slot),
    bodyProblem: parseEnumOrNull(BODY_PROBLEMS, body_problem),
    state: parseEnum(DELIVERY_STATES, row.state),
    settled: settled_at === null ? null : { at: settled_at, by: settled_by_name ?? 'Sharebook', reason: settled_reason ?? '' },
    subjects: row.subjects.map(({ kind: named, idText }) => ({ kind: parseEnum(SUBJECT_KINDS, named), idText })),
    repeats: row.repeatCount + late_count === 0 ? [] : await listRepeats(db, gameId, deliveryId),
    late: { count: late_count, lastAt: late_at },
    reading:
      kind === null || subject === null
        ? null
        : { kind, subject, dueAt, attemptCount: attempt_count ?? 0, readAt, outcome: parseEnumOrNull(READ_OUTCOMES, outcome), lastError },
  };
}

async function listRepeats(db: Db, gameId: number, deliveryId: number): Promise<RepeatReceipt[]> {
  const rows = await db
    .selectFrom('delivery_repeat')
    .where('game_id', '=', gameId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('repeat_id', 'desc')
    .limit(REPEATS_SHOWN)
    .select(['received_at as receivedAt', 'signed_at as signedAt', 'idempotency_key as idempotencyKey', 'header_event_id as headerEventId'])
    .select(['secret_slot', 'secret_version as version', 'is_stale as isStale'])
    .execute();
  return rows.map(({ secret_slot, ...repeat }) => ({ ...repeat, slot: parseEnum(SECRET_SLOTS, secret_slot) }));
}
