import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { fileRows, filterRows, type List, type ListColumn, type ListFilter, listRows } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import type { PageRequest, RowPage, SortKey } from '#db/kit/paging.ts';
import type { CellKind } from '#lib/core/csv.ts';
import { escapeLike } from '#lib/evidence/reads/month-snapshot.ts';
import type { ActionFacts } from '../rules/action-facts.ts';
import { type ActionState, NOT_CARRIED_OUT_STATES, stateOf, type Waiting } from '../rules/action-state.ts';
import { type ActionKind, parseActionKind } from '../rules/kinds.ts';
import { KINDS_OF_REQUESTER, STARTS_OF_REQUESTER } from '../rules/protocols.ts';
import { type ActionPause, openPauseOf } from './action-controls.ts';
import { houseLabelOf, isWaitingForPress, linkEndOf, waitingOf } from './open-actions.ts';

interface RegisterOf {
  gameId: number;
}

/** A desk action as the register shows it. */
export interface ActionRow {
  action_id: number;
  kind: ActionKind;
  state: ActionState;
  waiting: Waiting;
  player_id: number;
  /** null: none is stored, or the player was erased. */
  player_name: string | null;
  amount: string | null;
  request: ActionFacts['request'];
  /** What the coins are called; null: not reported. */
  coins: string | null;
  item_name: string | null;
  /** As it is registered with Invo. */
  milestone: string | null;
  /** What people call the house account that coins are sent from. */
  house_account: string | null;
  order_id: string | null;
  transaction_id: string | null;
  requested_by: string;
  approved_by: string | null;
  requested_at: string;
  ended_at: string | null;
  read_at: string;
}

const ID: SortKey = { sql: sql`desk_action.action_id`, type: 'bigint' };

/** What waits for people by its state: an approval, a press, an outcome, or a phone. The same as the index `desk_action_by_need` has it. */
const NEED: SortKey = {
  sql: sql`(case when desk_action.state in ('awaiting_approval', 'attention', 'with_player')
    or desk_action.state = 'approved' and desk_action.repeats <> 'worker' then 1 else 0 end)`,
  type: 'bigint',
};

/** What needs action now. A start doesn’t while its phone may answer, nor once its window ended or an approval was sent. */
function needsAction(gameId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${NEED.sql} = 1 and (desk_action.state <> 'with_player' or ${isWaitingForPress(gameId, 'desk_action')}))`;
}

type Column = ListColumn<RegisterOf>;
type Choice = Omit<Column, 'key' | 'kind' | 'label' | 'sql'> & { sql?: Column['sql'] };

/** A column of the register; without SQL of its own, read from the column of the same name. */
function own(kind: CellKind, key: string, label: string, choice: Choice = {}): Column {
  return { key, label, kind, sql: sql.ref(`desk_action.${key}`), ...choice };
}

function nameOf(column: string): RawBuilder<string | null> {
  return sql`(select person.name from person where person.id = ${sql.ref(`desk_action.${column}`)})`;
}

function requested(field: string): RawBuilder<string | null> {
  return sql`desk_action.facts->'request'->>${sql.lit(field)}`;
}

const MILESTONE = sql<string | null>`case when desk_action.facts->'request' ? 'event_type' then ${requested('name')} end`;
/** The order that it confirms, or that Invo’s answer named. */
const ORDER = sql<string | null>`coalesce(desk_action.order_id, desk_action.result->>'order_id')`;
/** Invo’s ID of what moves coins: as its step names it, as Invo’s answer stated it, or as it was requested. */
const TRANSACTION = sql<
  string | null
>`coalesce(desk_action.transaction_id, desk_action.result->>'transaction_id', ${requested('transaction_id')})`;

const BATCH_ROWS = 500;

/** What Sharebook, a phone or a guardian moves on. */
function isInProgress(gameId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(desk_action.state in ('sending', 'waiting', 'unknown', 'checking') or desk_action.state = 'approved' and desk_action.repeats = 'worker'
    or desk_action.state = 'with_player' and not ${isWaitingForPress(gameId, 'desk_action')})`;
}

/** The register of desk actions; its file has neither reasons nor tickets. */
export const ACTIONS: List<RegisterOf, ActionRow> = {
  name: 'actions',
  noun: ['action', 'actions'],
  columns: [
    own('count', 'action_id', 'Action', { width: 205, shape: 'link', sort: [ID] }),
    own('text', 'kind', 'Kind'),
    own('text', 'state', 'State', { width: 165, shape: 'flags', isKey: true, sort: [NEED, ID] }),
    own('count', 'player_id', 'Player', { width: 130, shape: 'link' }),
    own('text', 'item_name', 'Item', { sql: requested('item_name'), width: 150, isOptional: true }),
    own('text', 'milestone', 'Milestone', { sql: MILESTONE, width: 150, isOptional: true }),
    own('text', 'house_account', 'House account', {
      sql: ({ gameId }) => houseLabelOf(gameId, 'desk_action'),
      width: 150,
      isOptional: true,
    }),
    own('text', 'order_id', 'Order', { sql: ORDER, width: 170, shape: 'link', isOptional: true }),
    own('text', 'transaction_id', 'Transaction', { sql: TRANSACTION, width: 170, isOptional: true }),
    own('money', 'amount', 'Amount'),
    own('text', 'unit', 'Unit'),
    own('text', 'reference', 'Idempotency key'),
    own('text', 'reason_code', 'Reason'),
    own('text', 'requested_by', 'Requested by', { sql: nameOf('requested_by'), width: 116 }),
    own('instant', 'requested_at', 'Requested', { width: 130, shape: 'text' }),
    own('text', 'approval', 'Approval'),
    own('text', 'approved_by', 'Approved by', { sql: nameOf('approved_by'), width: 116 }),
    own('instant', 'approved_at', 'Approved'),
    own('instant', 'first_sent_at', 'First sent'),
    own('count', 'attempt_count', 'Attempts'),
    own('instant', 'ended_at', 'Ended', { width: 160, shape: 'text', isOptional: true }),
    own('text', 'outcome_source', 'Outcome source'),
    own('text', 'last_error_code', 'Last error'),
    own('text', 'paid_order_id', 'Paid by order'),
  ],
  composed: [{ key: 'requested', label: 'Amount or name', shape: 'text', width: 215 }],
  facts: [
    { key: 'read_at', sql: sql`(select clock_now())` },
    { key: 'waiting', sql: ({ gameId }) => waitingOf(gameId, 'desk_action') },
    {
      key: 'player_name',
      sql: ({ gameId }) =>
        sql`(select player_name from known_player known where known.game_id = ${gameId} and known.player_id = desk_action.player_id)`,
    },
    { key: 'request', sql: sql`desk_action.facts->'request'` },
    {
      key: 'coins',
      sql: sql`coalesce(desk_action.facts #>> '{sender,balances,0,currency_name}', desk_action.facts #>> '{wallet,balances,0,currency_name}')`,
    },
  ],
  shown: ['action_id', 'state', 'player_id', 'requested', 'requested_by', 'approved_by', 'requested_at'],
  chips: [
    { key: 'for_people', label: 'Action needed', where: ({ gameId }) => needsAction(gameId) },
    { key: 'under_way', label: 'In progress', where: ({ gameId }) => isInProgress(gameId) },
    { key: 'done', label: 'Done', where: sql`desk_action.state = 'done'` },
    { key: 'not_carried_out', label: 'Ended without effect', where: sql`desk_action.state in (${sql.join([...NOT_CARRIED_OUT_STATES])})` },
  ],
  search: {
    label: () => 'Filter by player, order or ticket',
    note: () => 'Actions, players, transactions and tickets match in full, orders from their start.',
    where: (_, find) => {
      const number = /^\d{1,18}$/.test(find)
        ? [sql`desk_action.action_id = ${find}::bigint`, sql`desk_action.player_id = ${find}::bigint`]
        : [];
      return sql`(${sql.join([sql`desk_action.order_id ilike ${`${escapeLike(find)}%`}`, sql`desk_action.reference = ${find}`, sql`desk_action.ticket = ${find}`, sql`${TRANSACTION} = ${find}`, ...number], sql` or `)})`;
    },
  },
  from: (db, { gameId }) => db.selectFrom('desk_action').where('desk_action.game_id', '=', gameId),
  order: { key: 'action_id', dir: 'asc' },
  ends: { first: 'Oldest', last: 'Newest' },
  scope: ({ gameId }) => `actions ${gameId}`,
};

/** Reads one page of the register. Throws `CursorError`. */
export async function listActions(db: Db, gameId: number, filter: ListFilter, page: PageRequest): Promise<RowPage<ActionRow>> {
  const { rows, ...rest } = await listRows(db, ACTIONS, { gameId }, { ...filter, page });
  return { ...rest, rows: rows.map((row) => ({ ...row, state: stateOf(row.state), kind: kindOf(row.kind) })) };
}

function kindOf(text: string): ActionKind {
  const kind = parseActionKind(text);
  if (kind === null) throw new Error(`no kind of desk action: ${text}`);
  return kind;
}

/** Streams the filtered actions, oldest first, for the file of the register. */
export async function* streamActions(db: Db, gameId: number, filter: ListFilter): AsyncGenerator<Record<string, unknown>> {
  yield* fileRows(db, ACTIONS, { gameId }, filterRows(ACTIONS, { gameId }, filter)).stream(BATCH_ROWS);
}

/** An action of a player or an order that is open, or ended lately. */
export interface ActionAbout {
  actionId: number;
  kind: ActionKind;
  state: ActionState;
  waiting: Waiting;
  amount: string | null;
  request: ActionFacts['request'];
  requestedBy: string;
  requestedAt: string;
  /** When Sharebook continues with it by itself; null: it doesn't. */
  continuesAt: string | null;
  isOpen: boolean;
  /** Until when a link may be paid; null: it is none, or it can't any more. */
  expiresAt: string | null;
}

/** Lists the actions of a player, or about an order, that are open or of 30 days, the newest first. */
export async function listActionsAbout(
  db: Db,
  gameId: number,
  about: { playerId: number; kind?: ActionKind } | { orderId: string },
): Promise<ActionAbout[]> {
  const subject =
    'orderId' in about
      ? sql<SqlBool>`action.order_id = ${about.orderId}`
      : sql<SqlBool>`(action.player_id = ${about.playerId} and (${about.kind ?? null}::text is null or action.kind = ${about.kind ?? null}))`;
  const { rows } = await sql<Omit<ActionAbout, 'kind' | 'state'> & { kind: string; state: string }>`
    select action.action_id as "actionId", action.kind, action.state, ${waitingOf(gameId, 'action')} as waiting, action.amount::text as amount,
      action.facts->'request' as request, person.name as "requestedBy",
      action.requested_at as "requestedAt", action.next_look_at as "continuesAt", action.ended_at is null as "isOpen",
      case when action.kind = 'payment_link' and action.state in ('sending', 'done', 'unknown') and action.paid_order_id is null
        and ${linkEndOf('action')} > clock_now() then ${linkEndOf('action')} end as "expiresAt"
    from desk_action action join person on person.id = action.requested_by
    where action.game_id = ${gameId} and ${subject} and (action.ended_at is null or action.requested_at > clock_now() - interval '30 days')
    order by action.action_id desc limit 25`.execute(db);
  return rows.map((row) => ({ ...row, kind: kindOf(row.kind), state: stateOf(row.state) }));
}

/** What is above the register: the pause, whether there are actions, and how many wait for people. `token` changes when an open or a new one does. */
interface ActionsOverview {
  pause: ActionPause | null;
  isEmpty: boolean;
  waitingCount: number;
  /** Of these, those that wait for the press of another person, who requested them. */
  othersCount: number;
  token: string;
}

/** What nobody but its requester moves on: what only they send, and the coins that only they move. */
const isForRequester = sql<SqlBool>`(desk_action.state = 'approved' and desk_action.kind in (${sql.join(KINDS_OF_REQUESTER)})
  or desk_action.state = 'with_player' and desk_action.kind in (${sql.join(STARTS_OF_REQUESTER)}))`;

/** Finds what is above the register, in one statement that reads the open actions only. */
export async function findActionsOverview(db: Db, gameId: number, personId: string): Promise<ActionsOverview> {
  const open = sql`desk_action where desk_action.game_id = ${gameId} and desk_action.ended_at is null`;
  const { rows } = await sql<ActionsOverview>`select ${openPauseOf(gameId)} as pause,
    not exists (select from desk_action where desk_action.game_id = ${gameId}) as "isEmpty",
    waiting.all as "waitingCount", waiting.others as "othersCount",
    concat_ws(' ', (select max(action_id) from desk_action where desk_action.game_id = ${gameId}),
      (select concat_ws(' ', count(*), sum(version)) from ${open})) as token
    from (select count(*)::int as all, count(*) filter (where ${isForRequester} and desk_action.requested_by <> ${personId})::int as others
      from ${open} and ${needsAction(gameId)}) waiting`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('a select without a table found no row');
  return found;
}
