import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import { keysOf, type PageRequest, type RowPage, readPage, type SortKey } from '#db/kit/paging.ts';
import { maskEmail, maskName } from '#lib/core/roles.ts';
import type { Window } from '#lib/core/window.ts';
import { findsRecipient } from '#lib/evidence/reads/recipients-sheet.ts';
import { type NamedLine, OUTCOMES, type Outcome, type RunLine } from '../rules/decide-line.ts';
import type { RunState } from '../rules/run-content.ts';
import { nameOf } from './payout-decisions.ts';
import { namedLines } from './stored-lines.ts';

const LINE_AMOUNTS = ['opening', 'earned', 'reversed', 'pinned', 'adjusted', 'due', 'held', 'minimum', 'payable', 'closing'] as const;
type Amounts = `${(typeof LINE_AMOUNTS)[number]}_usd`;

/** A line of a run as a screen lists it. */
export interface ListedLine extends Pick<NamedLine, 'recipientId' | 'name' | 'outcome' | Amounts> {
  email: string | null;
  /** What the run before paid; null: it has no line of the recipient. */
  lastPayable_usd: string | null;
  /** Payable now less payable then. */
  change_usd: string;
}

const ID: SortKey = { sql: sql`r."recipientId"`, type: 'bigint' };
const by = (column: string): SortKey[] => [
  { sql: sql.ref(`r.${column}`), type: 'numeric' },
  { ...ID, isReversed: true },
];

/** What the lines of a run can be ordered by. */
export const RUN_LINE_SORTS: Record<string, SortKey[]> = {
  due_usd: by('due_usd'),
  payable_usd: by('payable_usd'),
  change_usd: by('change_usd'),
  closing_usd: by('closing_usd'),
  earned_usd: by('earned_usd'),
  recipientId: [ID],
};

/** Which lines are listed: all, or those of one outcome. */
export const RUN_LINE_CHIPS = ['all', ...OUTCOMES] as const;

export interface RunLinesFilter {
  chip: (typeof RUN_LINE_CHIPS)[number];
  /** Part of a name, or the beginning of a player id; empty: everybody. */
  find: string;
  canSeeEmails: boolean;
  /** These recipients alone; absent: all. */
  recipientIds?: number[];
}

/** Reads one page of the lines of a run, with the sums over the filter. Throws `CursorError`. */
export async function listRunLines(
  db: Db,
  run: { gameId: number; runId: number; previousRunId: number | null; version: number },
  { chip, find, canSeeEmails, recipientIds }: RunLinesFilter,
  request: PageRequest,
): Promise<RowPage<ListedLine>> {
  const lines = namedLines(db, run)
    .leftJoin('payout_line as last', (join) =>
      join
        .on('last.game_id', '=', run.gameId)
        .on('last.run_id', '=', run.previousRunId ?? -1)
        .onRef('last.recipient_player_id', '=', 'line.recipient_player_id'),
    )
    .$if(chip !== 'all', (query) => query.where('line.outcome', '=', chip))
    .$if(recipientIds !== undefined, (query) => query.where('line.recipient_player_id', 'in', recipientIds ?? []))
    .select([
      'line.recipient_player_id as recipientId',
      'named.player_name as name',
      'named.player_email as email',
      'line.opening_usd',
      'line.earned_usd',
      'line.reversed_usd',
      'line.pinned_usd',
      'line.adjusted_usd',
      'line.due_usd',
      'line.held_usd',
      'line.minimum_usd',
      'line.payable_usd',
      'line.closing_usd',
      'line.outcome',
      'last.payable_usd as lastPayable_usd',
      sql<string>`line.payable_usd - coalesce(last.payable_usd, 0)`.as('change_usd'),
    ]);
  const found = db
    .selectFrom(lines.as('r'))
    .where(findsRecipient({ name: 'r.name', email: 'r.email', id: 'r.recipientId' }, { find, canSeeEmails }));
  const scope = { list: `run ${run.runId} ${run.version}`, sort: request.sort, dir: request.dir };
  const total = found.select([
    sql<number>`count(*)`.as('count'),
    ...(['due_usd', 'payable_usd', 'change_usd', 'closing_usd', 'earned_usd'] as const).map((column) =>
      sql<string>`coalesce(sum(${sql.ref(`r.${column}`)}), 0.00)::text`.as(column),
    ),
  ]);
  const page = await readPage(db, { rows: found.selectAll('r'), total }, keysOf(RUN_LINE_SORTS, request.sort), request, scope);
  return {
    ...page,
    rows: page.rows.map((row) => ({
      ...row,
      outcome: row.outcome as Outcome,
      name: maskName(row.name, canSeeEmails),
      email: row.email === null || canSeeEmails ? row.email : maskEmail(row.email),
    })),
  };
}

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
 * never named.
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
        on last.game_id = ${gameId} and last.run_id = ${previousRunId} and last.recipient_player_id = line.recipient_player_id
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
        'window', json_build_object('start', ${nestedInstant('run.window_start')}, 'end', ${nestedInstant('run.window_end')})${sql.join(amounts, sql``)})
        order by run.window_start desc)
      from payout_line line join payout_run run on run.game_id = ${gameId} and run.run_id = line.run_id
      where line.game_id = ${gameId} and line.recipient_player_id = ${playerId} and run.state <> 'void'), '[]')))`;
}
