import { type RawBuilder, sql } from 'kysely';
import { fileRows, type List, type ListColumn, type ListFilter, listRows } from '#db/kit/list.ts';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import type { PageRequest, RowPage, SortKey } from '#db/kit/paging.ts';
import type { CellKind } from '#lib/core/csv.ts';
import { maskName } from '#lib/core/roles.ts';
import type { Window } from '#lib/core/window.ts';
import { findsRecipient } from '#lib/evidence/reads/recipients-sheet.ts';
import { formatRecipientMatch } from '#lib/evidence/text.ts';
import { RUN_AMOUNTS } from '../rules/compose-run.ts';
import { type NamedLine, OUTCOMES, type RunLine } from '../rules/decide-line.ts';
import type { RunState } from '../rules/run-content.ts';
import { OUTCOME_TEXT } from '../text.ts';
import type { RunId } from './find-run.ts';
import { nameOf } from './payout-decisions.ts';
import { windowOf } from './run-facts.ts';

const LINE_AMOUNTS = [...RUN_AMOUNTS, 'held', 'minimum'] as const;
type Amounts = `${(typeof LINE_AMOUNTS)[number]}_usd`;

/** The run whose lines are listed, and for whom. */
export interface RunLinesOf extends RunId {
  previousRunId: number | null;
  version: number;
  canSeeEmails: boolean;
  /** These recipients alone; absent: all. */
  recipientIds?: number[] | undefined;
}

/** A line of a run as a screen lists it. */
export interface ListedLine extends Pick<RunLine, 'outcome' | 'due_usd' | 'payable_usd' | 'earned_usd' | 'held_usd' | 'minimum_usd'> {
  recipient_player_id: number;
  recipient_name: string | null;
  carried_forward_usd: string;
  /** What the run before paid; 0: it has no line of the recipient. */
  last_usd: string;
  /** Payable now less payable then. */
  change_usd: string;
}

const ID: SortKey = { sql: sql`payout_line.recipient_player_id`, type: 'bigint' };
const PLAYER: ListColumn<RunLinesOf> = { key: 'recipient_player_id', label: 'Player', kind: 'count', sql: ID.sql, sort: [ID] };
const CHANGE = sql`payout_line.payable_usd - coalesce(last.payable_usd, 0)`;

type Choice = Omit<ListColumn<RunLinesOf>, 'key' | 'kind' | 'label' | 'sql'> & { sql?: RawBuilder<unknown> };

/** A column of the lines; without SQL of its own, read from the column of the same name. */
function own(kind: CellKind, key: string, label: string, choice: Choice = {}): ListColumn<RunLinesOf> {
  return { key, label, kind, sql: sql.ref(`payout_line.${key}`), ...choice };
}

/** An amount that a screen shows, orders by and sums. */
function figure(key: string, label: string, { sql: amount = sql.ref(`payout_line.${key}`), ...choice }: Choice): ListColumn<RunLinesOf> {
  return own('money', key, label, {
    sql: amount,
    sort: [
      { sql: amount, type: 'numeric' },
      { ...ID, isReversed: true },
    ],
    isSummed: true,
    ...choice,
  });
}

/** The lines of a run: the columns of its file beside those that name the run, and what the screen shows of them. */
export const RUN_LINES: List<RunLinesOf, ListedLine> = {
  name: 'run-lines',
  noun: ['line', 'lines'],
  columns: [
    PLAYER,
    own('text', 'recipient_name', 'Recipient', { sql: sql`snapshot_recipient.player_name`, width: 148, shape: 'identity' }),
    own('money', 'opening_usd', 'Opening'),
    figure('earned_usd', 'Earned', { width: 104, isOptional: true }),
    own('money', 'reversed_usd', 'Reversed'),
    own('money', 'already_deducted_usd', 'Already deducted', { sql: sql`payout_line.pinned_usd` }),
    own('money', 'adjusted_usd', 'Adjustments'),
    own('money', 'returned_usd', 'Returned'),
    figure('due_usd', 'Due', { width: 92 }),
    figure('payable_usd', 'Payable', { width: 84, shape: 'money-strong', isKey: true }),
    figure('carried_forward_usd', 'Carried', { sql: sql`payout_line.closing_usd`, width: 92 }),
    own('text', 'outcome', 'Outcome', { width: 135, shape: 'flags' }),
    own('text', 'also', 'Also', { sql: sql`array_to_string(payout_line.also, ' ')` }),
  ],
  added: [
    own('money', 'last_usd', 'Last month', { sql: sql`coalesce(last.payable_usd, 0.00)`, width: 96, isOptional: true }),
    figure('change_usd', 'Change', { sql: CHANGE, width: 92 }),
  ],
  composed: [
    { key: 'why', label: 'Reason', shape: 'text', width: 160 },
    { key: 'statement', label: 'Statement', shape: 'link', width: 92 },
  ],
  facts: [
    { key: 'held_usd', sql: sql`payout_line.held_usd` },
    { key: 'minimum_usd', sql: sql`payout_line.minimum_usd` },
  ],
  shown: [
    'recipient_name',
    'due_usd',
    'payable_usd',
    'last_usd',
    'change_usd',
    'carried_forward_usd',
    'outcome',
    'why',
    'statement',
    'earned_usd',
  ],
  chips: OUTCOMES.map((outcome) => ({ key: outcome, label: OUTCOME_TEXT[outcome], where: sql`payout_line.outcome = ${outcome}` })),
  search: {
    label: ({ canSeeEmails }) => (canSeeEmails ? 'Search name, email or player ID' : 'Search name or player ID'),
    note: ({ canSeeEmails }) => formatRecipientMatch(canSeeEmails),
    where: ({ canSeeEmails }, find) => findsRecipient({ ...SEARCHED, email: 'snapshot_recipient.player_email' }, { find, canSeeEmails }),
  },
  from: (db, { gameId, runId }) =>
    db
      .selectFrom('payout_line')
      .leftJoin('snapshot_recipient', (join) =>
        join
          .on('snapshot_recipient.game_id', '=', gameId)
          .onRef('snapshot_recipient.snapshot_id', '=', 'payout_line.seen_snapshot_id')
          .onRef('snapshot_recipient.recipient_player_id', '=', 'payout_line.recipient_player_id'),
      )
      .where('payout_line.game_id', '=', gameId)
      .where('payout_line.run_id', '=', runId),
  joins: (source, { gameId, previousRunId }) =>
    source.leftJoin('payout_line as last', (join) =>
      join
        .on('last.game_id', '=', gameId)
        .on('last.run_id', '=', previousRunId ?? -1)
        .onRef('last.recipient_player_id', '=', 'payout_line.recipient_player_id'),
    ),
  only: ({ recipientIds }) => (recipientIds === undefined ? null : sql`payout_line.recipient_player_id = any(${recipientIds}::bigint[])`),
  order: { key: 'recipient_player_id', dir: 'asc' },
  ends: { first: 'First player', last: 'Last player' },
  scope: ({ runId, version }) => `run ${runId} ${version}`,
};

const SEARCHED = { name: 'snapshot_recipient.player_name', id: 'payout_line.recipient_player_id' };

/** The recipients of an approved run with their statements: its lines in another order, without what explains them. */
export const STATEMENTS: List<RunLinesOf, ListedLine> = {
  ...RUN_LINES,
  name: 'statements',
  noun: ['statement', 'statements'],
  columns: [
    PLAYER,
    own('text', 'recipient_name', 'Recipient', {
      sql: sql`snapshot_recipient.player_name`,
      width: 256,
      shape: 'identity',
      sort: [{ sql: sql`left(lower(coalesce(snapshot_recipient.player_name, '')), 200)`, type: 'text' }, ID],
    }),
    own('text', 'outcome', 'Outcome', { width: 150, shape: 'flags' }),
    figure('due_usd', 'Due', { width: 118 }),
    figure('payable_usd', 'Payable', { width: 118, shape: 'money-strong', isKey: true }),
    figure('carried_forward_usd', 'Carried forward', { sql: sql`payout_line.closing_usd`, width: 130 }),
  ],
  added: [],
  composed: [
    { key: 'pdf', label: 'PDF', shape: 'link', width: 70 },
    { key: 'csv', label: 'CSV', shape: 'link', width: 70 },
  ],
  facts: [],
  shown: [],
  search: {
    label: () => 'Search name or player ID',
    note: () => formatRecipientMatch(false),
    where: ({ canSeeEmails }, find) => findsRecipient(SEARCHED, { find, canSeeEmails }),
  },
  order: { key: 'payable_usd', dir: 'desc' },
  ends: { first: 'Highest payable', last: 'Lowest payable' },
  scope: ({ runId }) => `statements ${runId}`,
};

/** Reads one page of the lines of a run, as one of its lists has them. Throws `CursorError`. */
export async function listRunLines(
  db: Db,
  list: List<RunLinesOf, ListedLine>,
  scope: RunLinesOf,
  request: ListFilter & { page: PageRequest },
): Promise<RowPage<ListedLine>> {
  const { rows, ...rest } = await listRows(db, list, scope, request);
  return { ...rest, rows: rows.map((row) => ({ ...row, recipient_name: maskName(row.recipient_name, scope.canSeeEmails) })) };
}

/** Streams the lines of a run for its file, by recipient. Cells are named by column key. */
export function streamRunLines(db: Db, run: Omit<RunLinesOf, 'canSeeEmails'>): AsyncIterable<Record<string, unknown>> {
  return fileRows(db, RUN_LINES, { ...run, canSeeEmails: true }).stream(BATCH_ROWS);
}

const BATCH_ROWS = 500;

/** A recipient whose payout moved since the run before. */
export interface RunMove extends Pick<RunLine, 'recipientId' | 'payable_usd' | 'outcome'> {
  name: string | null;
  last_usd: string | null;
  change_usd: string;
}

/** Lists the recipients whose payout changed most since the run before, at most `limit`, those it no longer names included. */
export async function listMoves(
  db: Db,
  { gameId, runId, previousRunId }: { gameId: number; runId: number; previousRunId: number | null },
  { limit, canSeeEmails }: { limit: number; canSeeEmails: boolean },
): Promise<RunMove[]> {
  const { rows } = await sql<RunMove>`
    select coalesce(line.recipient_player_id, last.recipient_player_id) as "recipientId", r.player_name as name,
      coalesce(line.payable_usd, 0)::text as payable_usd, last.payable_usd::text as last_usd, (coalesce(line.payable_usd, 0) - coalesce(last.payable_usd, 0))::text as change_usd,
      coalesce(line.outcome, 'nothing_due') as outcome
    from (select * from payout_line where game_id = ${gameId} and run_id = ${runId}) line
      full join (select * from payout_line where game_id = ${gameId} and run_id = ${previousRunId}) last
        on last.recipient_player_id = line.recipient_player_id
      left join snapshot_recipient r on r.game_id = ${gameId} and r.snapshot_id = coalesce(line.seen_snapshot_id, last.seen_snapshot_id)
        and r.recipient_player_id = coalesce(line.recipient_player_id, last.recipient_player_id)
    where coalesce(line.payable_usd, 0) <> coalesce(last.payable_usd, 0)
    order by abs(coalesce(line.payable_usd, 0) - coalesce(last.payable_usd, 0)) desc, 1 limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, name: maskName(row.name, canSeeEmails) }));
}

/** One thing that was done to a run. */
export interface RunEvent {
  at: string;
  actor: string;
  act: string;
  detail: Record<string, unknown>;
}

/** Lists what was done to a run, newest first, from the audit log. */
export async function listRunEvents(db: Db, gameId: number, subject: string): Promise<RunEvent[]> {
  const { rows } = await sql<RunEvent>`
    select audit.at, coalesce(p.name, audit.actor) as actor, audit.act, audit.detail
    from audit left join person p on p.email = audit.actor
    where audit.game_id = ${gameId} and audit.subject = ${subject} order by audit.audit_id desc limit 50`.execute(db);
  return rows;
}

/** A line that pays something. */
export interface PaidLine extends Pick<NamedLine, 'recipientId' | 'name' | 'payable_usd'> {
  /** What the run before paid; null: it has no line of the recipient. */
  last_usd: string | null;
}

/**
 * Lists every line of a run that pays something, largest first; and the names Invo last reported for `named` recipients, by player ID, without those it
 * never named. No run has ID 0; a NULL would drop the join, and with it the game by which a cluster finds the rows.
 */
export async function listPaidLines(
  db: Db,
  { gameId, runId, previousRunId }: { gameId: number; runId: number; previousRunId: number | null },
  { named, canSeeEmails }: { named: readonly number[]; canSeeEmails: boolean },
): Promise<{ paid: PaidLine[]; names: Map<number, string> }> {
  const { rows } = await sql<PaidLine & { isPaid: boolean }>`
    select line.recipient_player_id as "recipientId", r.player_name as name, line.payable_usd, last.payable_usd as last_usd, true as "isPaid"
    from payout_line line
      left join payout_line last
        on last.game_id = ${gameId} and last.run_id = ${previousRunId ?? 0} and last.recipient_player_id = line.recipient_player_id
      left join snapshot_recipient r on r.game_id = ${gameId} and r.snapshot_id = line.seen_snapshot_id
        and r.recipient_player_id = line.recipient_player_id
    where line.game_id = ${gameId} and line.run_id = ${runId} and line.payable_usd > 0
    union all select asked.id, ${nameOf(gameId, 'asked.id')}, 0, null, false from unnest(${named}::bigint[]) as asked (id)
    order by payable_usd desc, 1`.execute(db);
  const shown = rows.map(({ isPaid, ...row }) => ({ isPaid, line: { ...row, name: maskName(row.name, canSeeEmails) } }));
  return {
    paid: shown.flatMap(({ isPaid, line }) => (isPaid ? [line] : [])),
    names: new Map(shown.flatMap(({ isPaid, line }) => (isPaid || line.name === null ? [] : [[line.recipientId, line.name] as const]))),
  };
}

/** What one run states of a recipient. */
export interface RecipientRun extends Pick<RunLine, 'recipientId' | 'outcome' | Amounts> {
  runNo: number;
  window: Window;
  state: RunState;
  exportedAt: string | null;
  paidAt: string | null;
  closedAt: string | null;
}

/** What is stored of the payouts of one recipient. */
export interface RecipientPayouts {
  /** The least that is paid to them at once, in USD; null: as the policy has it. */
  minimum_usd: string | null;
  /** Every run with a line of theirs that isn't voided, newest first. */
  runs: RecipientRun[];
}

/** The payouts of one recipient as an object; a fragment, so that the statement of their page brings them along. */
export function payoutsOf(gameId: number, playerId: number): RawBuilder<RecipientPayouts> {
  const amounts = LINE_AMOUNTS.map((name) => sql`, ${sql.lit(`${name}_usd`)}, ${nestedMoney(`line.${name}_usd`)}`);
  return sql`(select json_build_object(
    'minimum_usd', (select ${nestedMoney('m.minimum_usd')} from payout_minimum m
      where m.game_id = ${gameId} and m.recipient_player_id = ${playerId} order by m.minimum_no desc limit 1),
    'runs', coalesce((
      select json_agg(json_build_object('runNo', run.run_no, 'state', run.state, 'recipientId', line.recipient_player_id, 'outcome', line.outcome,
        'exportedAt', ${nestedInstant('run.exported_at')}, 'paidAt', ${nestedInstant('run.paid_at')}, 'closedAt', ${nestedInstant('run.closed_at')},
        'window', ${windowOf('run')}${sql.join(amounts, sql``)})
        order by run.window_start desc)
      from payout_line line join payout_run run on run.game_id = ${gameId} and run.run_id = line.run_id
      where line.game_id = ${gameId} and line.recipient_player_id = ${playerId} and run.state <> 'void'), '[]')))`;
}
