import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { fileRows, filterRows, type List, type ListColumn, type ListFilter, listRows } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import type { PageRequest, RowPage, SortKey } from '#db/kit/paging.ts';
import type { CellKind } from '#lib/core/csv.ts';
import { escapeLike } from '#lib/evidence/reads/month-snapshot.ts';
import { BENIGN_REASON } from '#lib/evidence/rules/evidence.ts';
import type { Share } from '../rules/period.ts';
import { NOT_CARRIED_OUT_STATES, OPEN_STATES, PERSON_STATES, type RefundState, stateOf } from '../rules/state.ts';
import { isProcessed } from './refund-preconditions.ts';
import { needsAction } from './refunds-needing-action.ts';

/** Which refunds are listed: those of a chip, and of a text that is the start of a refund, period or subscription id, or part of a key, item or colleague's name. */
export interface RefundFilter extends ListFilter {
  /** The person who filters, for the refunds assigned to them. */
  personId: string;
}

/** What the register is read from. */
interface RegisterOf {
  gameId: number;
  personId: string;
  /** The colleagues whose name holds the typed text. */
  people: string[];
}

/** A refund as the register shows it. */
export interface RefundRow {
  refund_id: number;
  state: RefundState;
  /** Invo confirmed that it processed it; Sharebook still checks it. */
  is_processed: boolean;
  asked_usd: string;
  /** The amount of a refund that landed; null: it did not. */
  landed_usd: string | null;
  item_name: string | null;
  period_id: number;
  subscription_id: string;
  requested_by: string;
  requested_at: string;
  owner: string;
  ended_at: string | null;
  /** Whether a recipient has a share in the period, so that a reversal is expected. */
  share: Share;
  /** When Invo refunded it; null: not refunded, or not reported. */
  refunded_at: string | null;
  reversal_seen_at: string | null;
  /** The database's clock when this was read: ages are computed from it. */
  read_at: string;
}

const BATCH_ROWS = 500;

const MOVING_STATES = OPEN_STATES.filter((state) => !PERSON_STATES.some((resting) => resting === state));

// None of the sort keys ever changes, so pages stay consistent while refunds move on.
const ID: SortKey = { sql: sql`refund.refund_id`, type: 'bigint' };
const sortBy = (column: string, type: 'numeric' | 'bigint'): SortKey[] => [
  { sql: sql.ref(`refund.${column}`), type },
  { ...ID, isReversed: true },
];

type Column = ListColumn<RegisterOf>;
type Choice = Omit<Column, 'key' | 'kind' | 'label' | 'sql'> & { sql?: Column['sql'] };

/** A column of the register; without SQL of its own, read from the column of the same name. */
function own(kind: CellKind, key: string, label: string, choice: Choice = {}): Column {
  return { key, label, kind, sql: sql.ref(`refund.${key}`), ...choice };
}

/** A field of the receipt, by Invo's name; empty: not reported, or not refunded. */
function receipt(kind: CellKind, key: string, label: string): Column {
  return own(kind, key, label, { sql: sql`refund.receipt ->> ${sql.lit(key)}` });
}

/** The name of a colleague; no join, so that counts and sums are answered by an index alone. */
function nameOf(column: string): RawBuilder<string | null> {
  return sql`(select person.name from person where person.id = ${sql.ref(`refund.${column}`)})`;
}

const ITEM_NAME = sql<string | null>`refund.facts -> 'period' ->> 'item_name'`;

/** The register of refunds: its columns in the order of the file, what the screen shows of them, its filters and its orders. */
export const REFUNDS: List<RegisterOf, RefundRow> = {
  name: 'refunds',
  noun: ['refund', 'refunds'],
  columns: [
    own('count', 'refund_id', 'Refund', { width: 100, shape: 'link', sort: [ID] }),
    own('text', 'client_request_id', 'Idempotency key'),
    own('text', 'state', 'State', { width: 170, shape: 'flags' }),
    own('text', 'subscription_id', 'Subscription', { width: 230, shape: 'link', isOptional: true }),
    own('count', 'period_id', 'Period', { width: 116, shape: 'link', sort: sortBy('period_id', 'bigint') }),
    own('count', 'period_seq', 'Period number'),
    own('text', 'item_name', 'Item', { sql: ITEM_NAME, width: 130, isOptional: true }),
    own('money', 'asked_usd', 'Amount', { sql: sql`refund.amount_usd`, width: 90, sort: sortBy('amount_usd', 'numeric') }),
    own('text', 'reason_code', 'Reason'),
    own('text', 'requested_by', 'Requested by', { sql: nameOf('requested_by'), width: 112 }),
    own('instant', 'requested_at', 'Requested'),
    own('text', 'approval', 'Approval'),
    own('text', 'approved_by', 'Approved by', { sql: nameOf('approved_by') }),
    own('instant', 'approved_at', 'Approved'),
    own('text', 'owner', 'Assignee', { sql: nameOf('assignee_id'), width: 112 }),
    own('instant', 'first_sent_at', 'First sent'),
    own('count', 'attempt_count', 'Attempts'),
    own('instant', 'ended_at', 'Ended'),
    own('text', 'outcome_source', 'Outcome source'),
    own('text', 'transaction_id', 'Transaction'),
    receipt('instant', 'refunded_at', 'Refunded at'),
    receipt('money', 'refunded_amount_usd', 'Refunded'),
    own('money', 'total_refunded_amount_usd', 'Total refunded for the period'),
    receipt('money', 'card_refunded_usd', 'Refunded to the card'),
    receipt('coins', 'balance_delta_coins', 'Coins'),
    receipt('money', 'partner_revenue_reversed_usd', 'Partner revenue reversed'),
    receipt('money', 'card_fee_charged_to_partner_usd', 'Card fee charged to you'),
    own('instant', 'reversal_seen_at', 'Reversal'),
  ],
  added: [
    own('money', 'landed_usd', 'Refunded', {
      sql: sql`case when refund.state = 'landed' then refund.amount_usd end`,
      width: 92,
      shape: 'money-strong',
      isSummed: true,
    }),
  ],
  composed: [
    { key: 'age', label: 'Requested', shape: 'text', width: 124 },
    { key: 'ended', label: 'Ended', shape: 'text', width: 160, isOptional: true },
    { key: 'reversal', label: 'Reversal', shape: 'text', width: 176 },
  ],
  facts: [
    { key: 'is_processed', sql: ({ gameId }) => isProcessed(gameId) },
    {
      key: 'share',
      sql: sql`case when jsonb_typeof(refund.facts -> 'period' -> 'attribution') = 'object' then 'attributed'
        when refund.facts -> 'period' ->> 'attribution_unavailable_reason' = ${BENIGN_REASON} then 'not_attributed' else 'unknown' end`,
    },
    { key: 'read_at', sql: sql`(select clock_now())` },
  ],
  shown: ['refund_id', 'state', 'asked_usd', 'landed_usd', 'item_name', 'period_id', 'subscription_id', 'requested_by', 'owner'],
  chips: [
    { key: 'for_people', label: 'Action needed', where: ({ gameId }) => needsAction(gameId) },
    { key: 'under_way', label: 'In progress', where: hasState(MOVING_STATES) },
    { key: 'landed', label: 'Refunded', where: hasState(['landed']) },
    { key: 'not_carried_out', label: 'Ended without a refund', where: hasState(NOT_CARRIED_OUT_STATES) },
    { key: 'mine', label: 'Assigned to me', where: ({ personId }) => sql`refund.assignee_id = ${personId}` },
  ],
  search: {
    label: () => 'Filter by ID, key, item or person',
    note: () => 'Keys, items and people match anywhere, IDs from their start, refund numbers in full.',
    where: ({ people }, find) => sql`(${sql.join(whereFound(find, people), sql` or `)})`,
  },
  from: (db, { gameId }) => db.selectFrom('refund').where('refund.game_id', '=', gameId),
  order: { key: 'refund_id', dir: 'asc' },
  ends: { first: 'Oldest', last: 'Newest' },
  isCompact: true,
  scope: ({ gameId }) => `refunds ${gameId}`,
};

/** Reads one page of the register; its total sums the refunds that landed, in USD under `landed_usd`. Throws `CursorError`. */
export async function listRefunds(
  db: Db,
  gameId: number,
  { personId, ...filter }: RefundFilter,
  page: PageRequest,
): Promise<RowPage<RefundRow>> {
  const context = { gameId, personId, people: await listPeopleNamed(db, filter.find) };
  const { rows, ...rest } = await listRows(db, REFUNDS, context, { ...filter, page });
  return { ...rest, rows: rows.map((row) => ({ ...row, state: stateOf(row.state) })) };
}

/** Streams the filtered refunds, oldest first, for the file of the register. Cells are named by column key. */
export async function* streamRefunds(
  db: Db,
  gameId: number,
  { personId, ...filter }: RefundFilter,
): AsyncGenerator<Record<string, unknown>> {
  const context = { gameId, personId, people: await listPeopleNamed(db, filter.find) };
  yield* fileRows(db, REFUNDS, context, filterRows(REFUNDS, context, filter)).stream(BATCH_ROWS);
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

function hasState(states: readonly RefundState[]): RawBuilder<SqlBool> {
  return sql`refund.state in (${sql.join(states)})`;
}

/** Each condition has an index of its own. */
function whereFound(find: string, people: string[]): RawBuilder<unknown>[] {
  const [start, part] = [`${escapeLike(find)}%`, `%${escapeLike(find)}%`];
  const texts = [
    sql`refund.subscription_id ilike ${start}`,
    sql`refund.client_request_id ilike ${part}`,
    sql`refund.transaction_id ilike ${start}`,
    sql`${ITEM_NAME} ilike ${part}`,
    ...(people.length === 0 ? [] : [sql`refund.requested_by = any(${people}::text[])`, sql`refund.assignee_id = any(${people}::text[])`]),
  ];
  return /^\d{1,18}$/.test(find) ? [...texts, sql`refund.refund_id = ${find}::bigint`, sql`refund.period_id::text like ${start}`] : texts;
}
