import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { keysOf, type PageRequest, type RowPage, readPage, type SortKey } from '#db/kit/paging.ts';
import { escapeLike } from '#lib/evidence/reads/sheet-source.ts';
import { BENIGN_REASON } from '#lib/evidence/rules/evidence.ts';
import type { Share } from '../rules/period.ts';
import { NOT_CARRIED_OUT_STATES, OPEN_STATES, PERSON_STATES, type RefundState, stateOf } from '../rules/state.ts';
import { isProcessed } from './is-processed.ts';
import { needsAction } from './refunds-needing-action.ts';

/** The quick filters of the register. */
export const REFUND_CHIPS = ['all', 'for_people', 'under_way', 'landed', 'not_carried_out', 'mine'] as const;
export type RefundChip = (typeof REFUND_CHIPS)[number];

export interface RefundFilter {
  chip: RefundChip;
  /** The typed filter: the start of a refund, period or subscription id, or part of a key, item or colleague's name; empty: all. */
  find: string;
  /** The person who filters, for the refunds assigned to them. */
  personId: string;
}

/** A refund as the register shows it. */
export interface RefundRow {
  refund_id: number;
  state: RefundState;
  /** Invo confirmed that it processed it; Sharebook still checks it. */
  is_processed: boolean;
  amount_usd: string;
  item_name: string | null;
  period_id: number;
  period_seq: number;
  subscription_id: string;
  requested_by_name: string;
  requested_at: string;
  assignee_name: string;
  ended_at: string | null;
  /** Whether a recipient has a share in the period, so that a reversal is expected. */
  share: Share;
  /** When Invo refunded it; null: not refunded, or not reported. */
  refunded_at: string | null;
  reversal_seen_at: string | null;
  /** The database's clock when this was read: ages are computed from it. */
  read_at: string;
}

const MOVING_STATES = OPEN_STATES.filter((state) => !PERSON_STATES.some((resting) => resting === state));

const ID: SortKey = { sql: sql`refund.refund_id`, type: 'bigint' };

const BATCH_ROWS = 500;

/** The sort keys of the register. None of them ever changes, so pages stay consistent while refunds move on. */
export const REFUND_SORTS: Record<string, SortKey[]> = {
  refund_id: [ID],
  amount_usd: [
    { sql: sql`refund.amount_usd`, type: 'numeric' },
    { ...ID, isReversed: true },
  ],
  period_id: [
    { sql: sql`refund.period_id`, type: 'bigint' },
    { ...ID, isReversed: true },
  ],
};

/** Reads one page of the register; its total sums the refunds that landed, in USD under `landed_usd`. Throws `CursorError`. */
export async function listRefunds(db: Db, gameId: number, filter: RefundFilter, request: PageRequest): Promise<RowPage<RefundRow>> {
  const scope = { list: `refunds ${gameId}`, sort: request.sort, dir: request.dir };
  const people = await listPeopleNamed(db, filter.find);
  const query = namedRefundsOf(db, gameId, filter, people).select([
    'refund.refund_id',
    'refund.state',
    isProcessed(gameId).as('is_processed'),
    'refund.amount_usd',
    sql<string | null>`refund.facts -> 'period' ->> 'item_name'`.as('item_name'),
    'refund.period_id',
    'refund.period_seq',
    'refund.subscription_id',
    'requester.name as requested_by_name',
    'refund.requested_at',
    'assignee.name as assignee_name',
    'refund.ended_at',
    sql<Share>`case when jsonb_typeof(refund.facts -> 'period' -> 'attribution') = 'object' then 'attributed'
      when refund.facts -> 'period' ->> 'attribution_unavailable_reason' = ${BENIGN_REASON} then 'not_attributed' else 'unknown' end`.as(
      'share',
    ),
    sql<string | null>`refund.receipt ->> 'refunded_at'`.as('refunded_at'),
    'refund.reversal_seen_at',
    sql<string>`now()`.as('read_at'),
  ]);
  const total = refundsOf(db, gameId, filter, people).select([
    sql<number>`count(*)`.as('count'),
    sql<string>`coalesce(sum(refund.amount_usd) filter (where refund.state = 'landed'), 0.00)::text`.as('landed_usd'),
  ]);
  const page = await readPage(db, { rows: query, total }, keysOf(REFUND_SORTS, request.sort), request, scope);
  return { ...page, rows: page.rows.map((row) => ({ ...row, state: stateOf(row.state) })) };
}

/** Streams the filtered refunds, oldest first, for the file of the register. Cells are named by column key. */
export async function* streamRefunds(db: Db, gameId: number, filter: RefundFilter): AsyncGenerator<Record<string, unknown>> {
  yield* namedRefundsOf(db, gameId, filter, await listPeopleNamed(db, filter.find))
    .leftJoin('person as approver', 'approver.id', 'refund.approved_by')
    .orderBy('refund.refund_id')
    .select([
      'refund.refund_id',
      'refund.client_request_id',
      'refund.state',
      'refund.subscription_id',
      'refund.period_id',
      'refund.period_seq',
      sql<string | null>`refund.facts -> 'period' ->> 'item_name'`.as('item_name'),
      'refund.amount_usd as asked_usd',
      'refund.reason_code',
      'requester.name as requested_by',
      'refund.requested_at',
      'refund.approval',
      'approver.name as approved_by',
      'refund.approved_at',
      'assignee.name as owner',
      'refund.first_sent_at',
      'refund.attempt_count',
      'refund.ended_at',
      'refund.outcome_source',
      'refund.transaction_id',
      'refund.total_refunded_amount_usd',
      'refund.reversal_seen_at',
      ...[
        'refunded_at',
        'refunded_amount_usd',
        'card_refunded_usd',
        'balance_delta_coins',
        'partner_revenue_reversed_usd',
        'card_fee_charged_to_partner_usd',
      ].map((name) => sql<string | null>`refund.receipt ->> ${sql.lit(name)}`.as(name)),
    ])
    .stream(BATCH_ROWS);
}

function namedRefundsOf(db: Db, gameId: number, filter: RefundFilter, people: string[]) {
  return refundsOf(db, gameId, filter, people)
    .innerJoin('person as requester', 'requester.id', 'refund.requested_by')
    .innerJoin('person as assignee', 'assignee.id', 'refund.assignee_id');
}

/** The colleagues whose name holds the typed text. Read first, so that the planner knows how few refunds are theirs; none without a text. */
async function listPeopleNamed(db: Db, find: string): Promise<string[]> {
  if (find === '') return [];
  const people = await db
    .selectFrom('person')
    .select('id')
    .where('name', 'ilike', `%${escapeLike(find)}%`)
    .execute();
  return people.map(({ id }) => id);
}

function refundsOf(db: Db, gameId: number, { chip, find, personId }: RefundFilter, people: string[]) {
  return db
    .selectFrom('refund')
    .where('refund.game_id', '=', gameId)
    .$if(chip === 'for_people', (query) => query.where(needsAction(gameId)))
    .$if(chip === 'under_way', (query) => query.where('refund.state', 'in', MOVING_STATES))
    .$if(chip === 'landed', (query) => query.where('refund.state', '=', 'landed'))
    .$if(chip === 'not_carried_out', (query) => query.where('refund.state', 'in', [...NOT_CARRIED_OUT_STATES]))
    .$if(chip === 'mine', (query) => query.where('refund.assignee_id', '=', personId))
    .$if(find !== '', (query) => query.where(sql<boolean>`(${sql.join(whereFound(find, people), sql` or `)})`));
}

/** Each condition has an index of its own. */
function whereFound(find: string, people: string[]): ReturnType<typeof sql>[] {
  const [start, part] = [`${escapeLike(find)}%`, `%${escapeLike(find)}%`];
  const texts = [
    sql`refund.subscription_id ilike ${start}`,
    sql`refund.client_request_id ilike ${part}`,
    sql`refund.transaction_id ilike ${start}`,
    sql`refund.facts -> 'period' ->> 'item_name' ilike ${part}`,
    ...(people.length === 0 ? [] : [sql`refund.requested_by = any(${people}::text[])`, sql`refund.assignee_id = any(${people}::text[])`]),
  ];
  return /^\d{1,18}$/.test(find) ? [...texts, sql`refund.refund_id = ${find}::bigint`, sql`refund.period_id::text like ${start}`] : texts;
}
