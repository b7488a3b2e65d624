import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { fileRows, filterRows, type List, type ListColumn, type ListFilter, type ListSource, listRows } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import type { PageRequest, RowPage, SortKey } from '#db/kit/paging.ts';
import type { CellKind } from '#lib/core/csv.ts';
import { parseEnum, parseEnumOrNull } from '#lib/core/strings.ts';
import { escapeLike } from '#lib/evidence/reads/month-snapshot.ts';
import {
  ATTENTION_STATES,
  DELIVERY_STATES,
  type DeliveryState,
  ELSEWHERE_OUTCOMES,
  READ_OUTCOMES,
  type ReadOutcome,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../rules/delivery.ts';
import { DELIVERY_STATE_TEXT } from '../text.ts';
import { deliveriesOfText, isUsed, RECEIPT_COUNT } from './deliveries-about.ts';

/** What the deliveries are read from. */
interface DeliveriesOf {
  gameId: number;
  /** Those received since this instant alone; absent: all. */
  since?: string | null;
}

/** A delivery as the list shows it. */
export interface DeliveryRow {
  delivery_id: number;
  received_at: string;
  /** null: its body can't be read. */
  event_type: string | null;
  is_test: boolean;
  state: DeliveryState;
  settled_at: string | null;
  receipt_count: number;
  /** What it is about: what it opens a reading of, else the first id it names; null: it names none. */
  about_kind: SubjectKind | null;
  about_id: string | null;
  idempotency_key: string | null;
  secret_slot: string;
  secret_version: string | null;
  read_outcome: ReadOutcome | null;
}

const ID: SortKey = { sql: sql`delivery.delivery_id`, type: 'bigint' };

type Column = ListColumn<DeliveriesOf>;
type Choice = Omit<Column, 'key' | 'kind' | 'label' | 'sql'> & { sql?: Column['sql'] };

/** A column of the deliveries; without SQL of its own, read from the column of the same name. */
function own(kind: CellKind, key: string, label: string, choice: Choice = {}): Column {
  return { key, label, kind, sql: sql.ref(`delivery.${key}`), ...choice };
}

function stateChip(state: DeliveryState): { key: string; label: string; where: RawBuilder<SqlBool> } {
  return { key: state, label: DELIVERY_STATE_TEXT[state].label, where: sql`delivery.state = ${state}` };
}

/** The deliveries of a game. Its file has facts about each delivery and what it opened; a field of its body is in none. Empty: not sent, or none. */
export const DELIVERIES: List<DeliveriesOf, DeliveryRow> = {
  name: 'deliveries',
  noun: ['delivery', 'deliveries'],
  columns: [
    own('count', 'delivery_id', 'Delivery'),
    own('instant', 'received_at', 'Received', { width: 170, shape: 'text', sort: [ID] }),
    own('text', 'event_type', 'Event', { width: 200, shape: 'link' }),
    own('instant', 'event_created_at', 'Event created'),
    own('text', 'about_kind', 'Object', { sql: sql`about.kind` }),
    own('text', 'about_id', 'Object ID', { sql: sql`about.id_text` }),
    own('count', 'receipt_count', 'Attempts', { sql: RECEIPT_COUNT, width: 84 }),
    own('text', 'state', 'Status', { width: 156, shape: 'flags', isKey: true }),
    own('instant', 'settled_at', 'Settled'),
    own('count', 'conflict_with', 'In conflict with'),
    own('text', 'body_problem', 'Problem with the body'),
    own('text', 'read_kind', 'Read'),
    own('text', 'read_subject', 'Read ID'),
    own('text', 'read_outcome', 'Read outcome', { sql: sql`opened.outcome` }),
    own('instant', 'read_at', 'Read at', { sql: sql`opened.read_at` }),
    own('text', 'idempotency_key', 'Idempotency key', { width: 200, shape: 'id', isOptional: true }),
    own('text', 'key_problem', 'Problem with the key'),
    own('text', 'tenant_id', 'Game ID at Invo'),
    own('text', 'event_id', 'Event ID'),
    own('text', 'header_event_id', 'Event ID of the header'),
    own('instant', 'signed_at', 'Signed'),
    own('text', 'secret_slot', 'Verified with'),
    own('text', 'secret_version', 'Secret version', { width: 130, isOptional: true }),
    own('count', 'signature_count', 'Signatures'),
    own('boolean', 'is_test', 'Test'),
    own('count', 'body_bytes', 'Body bytes'),
    own('text', 'body_sha256', 'SHA-256 digest of the body', { sql: sql`encode(delivery.body_sha256, 'hex')` }),
  ],
  composed: [{ key: 'object', label: 'Object', shape: 'text', width: 240 }],
  shown: ['event_type', 'object'],
  chips: [
    {
      key: 'attention',
      label: 'Needs attention',
      where: sql`(delivery.settled_at is null and delivery.state in (${sql.join([...ATTENTION_STATES])}))`,
    },
    ...(['processed', 'received', 'failing', 'conflict', 'stale', 'other_game', 'unknown_type'] as const).map(stateChip),
    {
      key: 'elsewhere',
      label: 'Refunded elsewhere',
      where: ({ gameId }) => sql`(delivery.read_kind = 'refund' and ${isUsed(gameId)} and delivery.read_subject in (
        select subject from delivery_read where game_id = ${gameId} and kind = 'refund' and outcome in (${sql.join([...ELSEWHERE_OUTCOMES])})))`,
    },
  ],
  search: {
    label: () => 'Filter by ID, key or type',
    note: () => 'Types match from their start, IDs and keys in full.',
    where: ({ gameId }, find) => sql`(delivery.event_type like ${`${escapeLike(find)}%`}
      or delivery.delivery_id in ${deliveriesOfText(gameId, find, SUBJECT_KINDS)})`,
  },
  from: (db, { gameId }) => db.selectFrom('delivery').where('delivery.game_id', '=', gameId),
  cellJoins: joinAbout,
  only: ({ since = null }) => (since === null ? null : sql`delivery.received_at >= ${since}`),
  order: { key: 'received_at', dir: 'asc' },
  ends: { first: 'Oldest', last: 'Newest' },
  scope: ({ gameId }) => `deliveries ${gameId}`,
};

/** Reads one page of the deliveries of a game. Throws `CursorError`. */
export async function listDeliveries(db: Db, of: DeliveriesOf, request: ListFilter & { page: PageRequest }): Promise<RowPage<DeliveryRow>> {
  const { rows, ...rest } = await listRows(db, DELIVERIES, of, request);
  return {
    ...rest,
    rows: rows.map((row) => ({
      ...row,
      state: parseEnum(DELIVERY_STATES, row.state),
      about_kind: parseEnumOrNull(SUBJECT_KINDS, row.about_kind),
      read_outcome: parseEnumOrNull(READ_OUTCOMES, row.read_outcome),
    })),
  };
}

const BATCH_ROWS = 500;

/** Streams the filtered deliveries, oldest first, for their file. Cells are named by column key. */
export function streamDeliveries(db: Db, gameId: number, filter: ListFilter): AsyncIterable<Record<string, unknown>> {
  return fileRows(db, DELIVERIES, { gameId }, filterRows(DELIVERIES, { gameId }, filter)).stream(BATCH_ROWS);
}

/** What a delivery is about, and what it opened. */
function joinAbout(source: ListSource, { gameId }: DeliveriesOf): ListSource {
  return source
    .leftJoinLateral(
      (select) =>
        select
          .selectFrom('delivery_subject')
          .select(['delivery_subject.kind', 'delivery_subject.id_text'])
          .where('delivery_subject.game_id', '=', gameId)
          .whereRef('delivery_subject.delivery_id', '=', 'delivery.delivery_id')
          // An event may name several orders; the one it reads is what it is about.
          .orderBy(sql`(delivery_subject.kind = delivery.read_kind and delivery_subject.id_text = delivery.read_subject) desc nulls last`)
          .orderBy(sql`array_position(${sql.val(ABOUT_FIRST)}::text[], delivery_subject.kind)`)
          .orderBy('delivery_subject.id_text')
          .limit(1)
          .as('about'),
      (join) => join.onTrue(),
    )
    .leftJoin('delivery_read as opened', (join) =>
      join
        .on('opened.game_id', '=', gameId)
        .onRef('opened.kind', '=', 'delivery.read_kind')
        .onRef('opened.subject', '=', 'delivery.read_subject'),
    );
}

/** What names a delivery best, in this order. */
const NAMED_BEST: readonly SubjectKind[] = ['order', 'transfer', 'period', 'subscription_period', 'subscription'];
const ABOUT_FIRST = [...NAMED_BEST, ...SUBJECT_KINDS.filter((kind) => !NAMED_BEST.includes(kind))];
