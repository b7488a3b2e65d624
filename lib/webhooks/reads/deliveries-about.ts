import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseEnum, parseEnumOrNull } from '#lib/core/strings.ts';
import {
  DELIVERY_STATES,
  type DeliveryState,
  READ_OUTCOMES,
  type ReadOutcome,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../rules/delivery.ts';

/**
 * The deliveries of a game that have a text as an id: as the key or an event id of any receipt, or as one of these kinds that they name; in a statement,
 * after `in`. Each part uses an index of its own.
 */
export function deliveriesOfText(gameId: number, text: string, kinds: readonly SubjectKind[]): RawBuilder<unknown> {
  return sql`(select delivery_id from delivery where game_id = ${gameId} and idempotency_key = ${text} and conflict_with is null and state <> 'other_game'
    union select delivery_id from delivery where game_id = ${gameId} and idempotency_key = ${text}
      and (conflict_with is not null or state = 'other_game')
    union select delivery_id from delivery where game_id = ${gameId} and event_id = ${text}
    union select delivery_id from delivery where game_id = ${gameId} and header_event_id = ${text}
    union select delivery_id from delivery_repeat where game_id = ${gameId} and idempotency_key = ${text}
    union select delivery_id from delivery_repeat where game_id = ${gameId} and event_id = ${text}
    union select delivery_id from delivery_repeat where game_id = ${gameId} and header_event_id = ${text}
    union select delivery_id from delivery_subject where game_id = ${gameId} and kind = any(${sql.val(kinds)}::text[]) and id_text = ${text})`;
}

/** The kinds of these by which deliveries name an id. */
export async function listKindsNamed(db: Db, gameId: number, kinds: readonly SubjectKind[], idText: string): Promise<Set<SubjectKind>> {
  const rows = await db
    .selectFrom('delivery_subject')
    .where('game_id', '=', gameId)
    .where('kind', 'in', kinds)
    .where('id_text', '=', idText)
    .select('kind')
    .distinct()
    .execute();
  return new Set(rows.map(({ kind }) => parseEnum(SUBJECT_KINDS, kind)));
}

/** Whether a text is the key or an event id of any receipt. Cheaper to plan than the list of those deliveries, which most searches don't need. */
export async function isDeliveryKey(db: Db, gameId: number, text: string): Promise<boolean> {
  const [deliveries, repeats] = await Promise.all([
    sql`select from delivery where game_id = ${gameId} and (event_id = ${text} or header_event_id = ${text}
      or (idempotency_key = ${text} and conflict_with is null and state <> 'other_game')
      or (idempotency_key = ${text} and (conflict_with is not null or state = 'other_game'))) limit 1`.execute(db),
    sql`select from delivery_repeat where game_id = ${gameId}
      and (idempotency_key = ${text} or event_id = ${text} or header_event_id = ${text}) limit 1`.execute(db),
  ]);
  return deliveries.rows.length + repeats.rows.length > 0;
}

/** A delivery as the page of something it names shows it. */
export interface DeliveryAbout {
  deliveryId: number;
  /** null: its body can't be read. */
  eventType: string | null;
  receivedAt: string;
  /** When the event happened, as Invo reports it; null: not reported. */
  createdAt: string | null;
  /** `conflict` of both deliveries of a conflict that nobody has settled: neither is used. */
  state: DeliveryState;
  settledAt: string | null;
  /** Number of receipts, the first included. */
  receiptCount: number;
  /** Gzip of the signed bytes, whose facts are what the webhook says and no reading; null: removed after 90 days. */
  body: Buffer | null;
  /** What the reading came to that it opened; null: none was made. */
  readOutcome: ReadOutcome | null;
  readAt: string | null;
}

/** How many receipts a delivery has, the first included; in a statement over `delivery`. */
export const RECEIPT_COUNT: RawBuilder<number> = sql<number>`(1 + delivery.repeat_count + delivery.late_count)`;

const ABOUT_MAX = 200;

/** Whether another delivery contradicts this one under its key, and nobody has settled which is right; in a statement over `delivery`. */
const isDisputed = (
  gameId: number,
): RawBuilder<boolean> => sql<boolean>`(delivery.state not in ('stale', 'other_game') and exists (select from delivery other
  where other.game_id = ${gameId} and other.conflict_with = delivery.delivery_id and other.state = 'conflict' and other.settled_at is null))`;

/** Whether what a delivery says is used: not stale, of this game, and contradicted by no other that a person has not settled; in a statement over `delivery`. */
export function isUsed(gameId: number): RawBuilder<boolean> {
  return sql<boolean>`(delivery.state not in ('stale', 'other_game') and not ${isDisputed(gameId)}
    and (delivery.state <> 'conflict' or delivery.settled_at is not null))`;
}

/**
 * Lists the deliveries that name any of these ids, newest first, at most 200. Those of another game are left out; a conflict and a stale one are
 * not: what they say must be shown as such.
 */
export async function listDeliveriesAbout(
  db: Db,
  gameId: number,
  ids: readonly { kind: SubjectKind; idText: string }[],
): Promise<DeliveryAbout[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Omit<DeliveryAbout, 'state' | 'readOutcome'> & { state: string; readOutcome: string | null }>`
    select delivery.delivery_id as "deliveryId", event_type as "eventType", received_at as "receivedAt", event_created_at as "createdAt",
      case when ${isDisputed(gameId)} then 'conflict' else state end as state,
      settled_at as "settledAt", ${RECEIPT_COUNT} as "receiptCount", body, opened.outcome as "readOutcome", opened.read_at as "readAt"
    from delivery left join delivery_read opened on opened.game_id = ${gameId} and opened.kind = read_kind and opened.subject = read_subject
    where delivery.game_id = ${gameId} and state <> 'other_game' and delivery.delivery_id in (
      select about.delivery_id from delivery_subject about
      where about.game_id = ${gameId} and (about.kind, about.id_text) in (${sql.join(ids.map(({ kind, idText }) => sql`(${kind}, ${idText})`))}))
    order by delivery.delivery_id desc limit ${ABOUT_MAX}`.execute(db);
  return rows.map((row) => ({
    ...row,
    state: parseEnum(DELIVERY_STATES, row.state),
    readOutcome: parseEnumOrNull(READ_OUTCOMES, row.readOutcome),
  }));
}

/** An id that deliveries name, the newest of them, and what the reading came to that they opened; null: none was made yet. */
export interface KnownSubject {
  idText: string;
  eventType: string | null;
  receivedAt: string;
  deliveryId: number;
  /** What the reading came to that webhooks about it opened; null: none was made yet. */
  readOutcome: ReadOutcome | null;
}

/** A row of such a list, whose `newest` has an "idText", with its reading; in a statement over `newest`. */
function withReading(gameId: number, kind: SubjectKind): RawBuilder<unknown> {
  return sql`left join delivery_read opened on opened.game_id = ${gameId} and opened.kind = ${kind} and opened.subject = "idText"`;
}

/** Rows of such a statement as they are used. */
function reshapeSubjects(rows: readonly KnownSubjectRow[]): KnownSubject[] {
  return rows.map((row) => ({ ...row, readOutcome: parseEnumOrNull(READ_OUTCOMES, row.readOutcome) }));
}

type KnownSubjectRow = Omit<KnownSubject, 'readOutcome'> & { readOutcome: string | null };

/**
 * Lists the ids of a kind that deliveries name together with any of these, such as the orders of a player by their identity: each once, by its
 * newest delivery, newest first.
 */
export async function listSubjectsBeside(
  db: Db,
  gameId: number,
  kind: SubjectKind,
  beside: readonly { kind: SubjectKind; idText: string }[],
  limit: number,
): Promise<KnownSubject[]> {
  if (beside.length === 0) return [];
  const { rows } = await sql<KnownSubjectRow>`
    select newest.*, opened.outcome as "readOutcome" from (
      select distinct on (named.id_text) named.id_text as "idText", event_type as "eventType", received_at as "receivedAt",
        delivery.delivery_id as "deliveryId"
      from delivery_subject about
        join delivery_subject named on named.game_id = ${gameId} and named.delivery_id = about.delivery_id and named.kind = ${kind}
        join delivery on delivery.game_id = ${gameId} and delivery.delivery_id = about.delivery_id
      where about.game_id = ${gameId} and state <> 'other_game'
        and (about.kind, about.id_text) in (${sql.join(beside.map((id) => sql`(${id.kind}, ${id.idText})`))})
      order by named.id_text, delivery.delivery_id desc
    ) newest ${withReading(gameId, kind)} order by "deliveryId" desc limit ${limit}`.execute(db);
  return reshapeSubjects(rows);
}

// A thing is named by a few deliveries: of so many mentions, the newest, at least a page of things is left.
const MENTIONS_MAX = 1_000;

/** Lists the ids of a kind that the newest 1,000 mentions of that kind name: each once, by its newest delivery, newest first. */
export async function listNewestSubjects(db: Db, gameId: number, kind: SubjectKind, limit: number): Promise<KnownSubject[]> {
  const { rows } = await sql<KnownSubjectRow>`
    select newest.*, opened.outcome as "readOutcome" from (
      select distinct on (named.id_text) named.id_text as "idText", event_type as "eventType", received_at as "receivedAt",
        delivery.delivery_id as "deliveryId"
      from (
        select id_text, delivery_id from delivery_subject where game_id = ${gameId} and kind = ${kind}
        order by delivery_id desc limit ${MENTIONS_MAX}
      ) named join delivery on delivery.game_id = ${gameId} and delivery.delivery_id = named.delivery_id
      where state <> 'other_game'
      order by named.id_text, delivery.delivery_id desc
    ) newest ${withReading(gameId, kind)} order by "deliveryId" desc limit ${limit}`.execute(db);
  return reshapeSubjects(rows);
}

/** Lists those among some ids of a kind that a delivery of this type names. */
export async function listNamedBy(db: Db, gameId: number, kind: SubjectKind, ids: readonly string[], eventType: string): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ idText: string }>`
    select distinct about.id_text as "idText" from delivery_subject about
      join delivery on delivery.game_id = ${gameId} and delivery.delivery_id = about.delivery_id
    where about.game_id = ${gameId} and about.kind = ${kind} and about.id_text in (${sql.join(ids)}) and event_type = ${eventType}
      and state <> 'other_game'`.execute(db);
  return rows.map(({ idText }) => idText);
}
