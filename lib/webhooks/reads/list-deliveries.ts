import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { keysOf, type PageRequest, type RowPage, readPage, type SortKey } from '#db/kit/paging.ts';
import { parseEnum, parseEnumOrNull } from '#lib/core/parse-enum.ts';
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
import { deliveriesOfText, isUsed, RECEIPT_COUNT } from './deliveries-about.ts';

/** The quick filters of the deliveries. `attention`: those that need a person; `elsewhere`: refunds that were not made in Sharebook. */
export const DELIVERY_CHIPS = ['all', 'attention', ...DELIVERY_STATES, 'elsewhere'] as const;
export type DeliveryChip = (typeof DELIVERY_CHIPS)[number];

export interface DeliveryFilter {
  chip: DeliveryChip;
  /** The typed filter: the id of an object, a key or an event id in full, or the start of a type; empty: all. */
  find: string;
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

/** The one order of the deliveries: as they came. */
export const DELIVERY_SORTS: Record<string, SortKey[]> = { received_at: [ID] };

/** Reads one page of the deliveries of a game. Throws `CursorError`. */
export async function listDeliveries(db: Db, gameId: number, filter: DeliveryFilter, request: PageRequest): Promise<RowPage<DeliveryRow>> {
  const scope = { list: `deliveries ${gameId}`, sort: request.sort, dir: request.dir };
  const page = await readPage(
    db,
    { rows: namedOf(db, gameId, filter), total: deliveriesOf(db, gameId, filter).select(sql<number>`count(*)`.as('count')) },
    keysOf(DELIVERY_SORTS, request.sort),
    request,
    scope,
  );
  return { ...page, rows: page.rows.map(reshape) };
}

/** Lists the newest deliveries since an instant, at most `limit`. */
export async function listDeliveriesSince(db: Db, gameId: number, since: string | null, limit: number): Promise<DeliveryRow[]> {
  const rows = await namedOf(db, gameId, { chip: 'all', find: '' })
    .$if(since !== null, (query) => query.where('delivery.received_at', '>=', since ?? ''))
    .orderBy('delivery.delivery_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(reshape);
}

const BATCH_ROWS = 500;

/** Streams the filtered deliveries, oldest first, for their file: facts about each and what it opened, never its bytes. Cells are named by column key. */
export async function* streamDeliveries(db: Db, gameId: number, filter: DeliveryFilter): AsyncGenerator<Record<string, unknown>> {
  yield* namedOf(db, gameId, filter)
    .orderBy('delivery.delivery_id')
    .select([
      'delivery.event_created_at',
      'delivery.key_problem',
      'delivery.body_problem',
      'delivery.tenant_id',
      'delivery.event_id',
      'delivery.header_event_id',
      'delivery.signed_at',
      'delivery.signature_count',
      'delivery.conflict_with',
      'delivery.read_kind',
      'delivery.read_subject',
      'opened.read_at',
      'delivery.body_bytes',
      sql<string>`encode(delivery.body_sha256, 'hex')`.as('body_sha256'),
    ])
    .stream(BATCH_ROWS);
}

function namedOf(db: Db, gameId: number, filter: DeliveryFilter) {
  return deliveriesOf(db, gameId, filter)
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
    )
    .select([
      'delivery.delivery_id',
      'delivery.received_at',
      'delivery.event_type',
      'delivery.is_test',
      'delivery.state',
      'delivery.settled_at',
      RECEIPT_COUNT.as('receipt_count'),
      'about.kind as about_kind',
      'about.id_text as about_id',
      'delivery.idempotency_key',
      'delivery.secret_slot',
      'delivery.secret_version',
      'opened.outcome as read_outcome',
    ]);
}

/** What names a delivery best, in this order. */
const ABOUT_FIRST: readonly SubjectKind[] = [
  'order',
  'transfer',
  'period',
  'subscription_period',
  'subscription',
  ...SUBJECT_KINDS.filter((kind) => !['order', 'transfer', 'period', 'subscription_period', 'subscription'].includes(kind)),
];

function deliveriesOf(db: Db, gameId: number, { chip, find }: DeliveryFilter) {
  return db
    .selectFrom('delivery')
    .where('delivery.game_id', '=', gameId)
    .$if(chip === 'attention', (query) =>
      query.where('delivery.settled_at', 'is', null).where('delivery.state', 'in', [...ATTENTION_STATES]),
    )
    .$if(
      DELIVERY_STATES.some((state) => state === chip),
      (query) => query.where('delivery.state', '=', chip),
    )
    .$if(chip === 'elsewhere', (query) =>
      query.where(
        sql<boolean>`delivery.read_kind = 'refund' and ${isUsed(gameId)} and delivery.read_subject in (
          select subject from delivery_read where game_id = ${gameId} and kind = 'refund' and outcome in (${sql.join([...ELSEWHERE_OUTCOMES])}))`,
      ),
    )
    .$if(find !== '', (query) =>
      query.where(
        sql<boolean>`(delivery.event_type like ${`${find.replaceAll(/[\\%_]/g, '\\$&')}%`}
          or delivery.delivery_id in ${deliveriesOfText(gameId, find, SUBJECT_KINDS)})`,
      ),
    );
}

type Raw = Omit<DeliveryRow, 'state' | 'about_kind' | 'read_outcome'> & {
  state: string;
  about_kind: string | null;
  read_outcome: string | null;
};

function reshape(row: Raw): DeliveryRow {
  return {
    ...row,
    state: parseEnum(DELIVERY_STATES, row.state),
    about_kind: parseEnumOrNull(SUBJECT_KINDS, row.about_kind),
    read_outcome: parseEnumOrNull(READ_OUTCOMES, row.read_outcome),
  };
}
