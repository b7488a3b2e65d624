import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { keysOf, type PageRequest, type RowPage, readPage, type SortKey } from '#db/kit/paging.ts';
import { parseEnum } from '#lib/core/parse-enum.ts';
import { maskName } from '#lib/core/roles.ts';
import { findsRecipient } from '#lib/evidence/reads/recipients-sheet.ts';
import { type PullState, parsePullState } from '#lib/evidence/rules/evidence.ts';
import { OUTCOMES, type Outcome } from '../rules/decide-line.ts';
import type { RunId } from './find-run.ts';
import { namedLines } from './stored-lines.ts';

/** The stored statements of a run. */
const storedOf = (db: Db, { gameId, runId }: RunId) =>
  db.selectFrom('recipient_statement').where('game_id', '=', gameId).where('run_id', '=', runId);

/** Finds the stored PDF of a recipient; null: not drawn yet. */
export async function findStoredStatement(db: Db, run: RunId, playerId: number): Promise<Buffer | null> {
  const stored = await storedOf(db, run).where('recipient_player_id', '=', playerId).select('pdf').executeTakeFirst();
  return stored?.pdf ?? null;
}

/** Lists the next recipients of a run whose statement isn't drawn, by player id, with how many renewals each statement lists. */
export async function listUndrawn(db: Db, { gameId, runId }: RunId, limit: number): Promise<{ playerId: number; renewalCount: number }[]> {
  const { rows } = await sql<{ playerId: number; renewalCount: number }>`
    select line.recipient_player_id as "playerId", coalesce(seen.renewal_count, 0)::int as "renewalCount"
    from payout_run run join payout_line line on line.game_id = ${gameId} and line.run_id = run.run_id
      left join snapshot_recipient seen on seen.game_id = ${gameId} and seen.snapshot_id = run.snapshot_id
        and seen.recipient_player_id = line.recipient_player_id
    where run.game_id = ${gameId} and run.run_id = ${runId} and not exists (
      select from recipient_statement s where s.game_id = ${gameId} and s.run_id = line.run_id and s.recipient_player_id = line.recipient_player_id)
    order by line.recipient_player_id limit ${limit}`.execute(db);
  return rows;
}

/** Counts the stored statements of a run. */
export async function countDrawn(db: Db, run: RunId): Promise<number> {
  const { count } = await storedOf(db, run).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return count;
}

/** Lists the recipients of a run whose statement is stored, by player id. */
export async function listDrawn(db: Db, run: RunId): Promise<number[]> {
  const stored = await storedOf(db, run).select('recipient_player_id as playerId').orderBy('recipient_player_id').execute();
  return stored.map(({ playerId }) => playerId);
}

/** Reads the stored statements of a run by player id, a few at a time, so that a large run takes little memory. */
export async function* streamStatements(db: Db, run: RunId, size = 50): AsyncGenerator<{ playerId: number; pdf: Buffer }> {
  for (let after = -1; ; ) {
    const part = await storedOf(db, run)
      .where('recipient_player_id', '>', after)
      .select(['recipient_player_id as playerId', 'pdf'])
      .orderBy('recipient_player_id')
      .limit(size)
      .execute();
    yield* part;
    const last = part.at(-1);
    if (last === undefined || part.length < size) return;
    after = last.playerId;
  }
}

/** A job that draws all statements of a run, as pages show it. */
export interface StatementJob {
  statementJobId: number;
  state: PullState;
  drawnCount: number;
  lineCount: number;
  endedAt: string | null;
  /** For people; null: no failure. */
  failure: string | null;
}

/** Finds the newest job of a run; null: nobody requested all statements. */
export async function findStatementJob(db: Db, { gameId, runId }: RunId): Promise<StatementJob | null> {
  const row = await db
    .selectFrom('statement_job')
    .select(['statement_job_id', 'state', 'drawn_count', 'line_count', 'ended_at', 'failure_message'])
    .where('game_id', '=', gameId)
    .where('run_id', '=', runId)
    .orderBy('statement_job_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { statement_job_id, state, drawn_count, line_count, ended_at, failure_message } = row;
  return {
    statementJobId: statement_job_id,
    state: parsePullState(state),
    drawnCount: drawn_count,
    lineCount: line_count,
    endedAt: ended_at,
    failure: failure_message,
  };
}

/** One recipient of a run in the list of its statements. */
export interface StatementListRow {
  playerId: number;
  name: string | null;
  outcome: Outcome;
  due_usd: string;
  payable_usd: string;
  closing_usd: string;
}

const ID: SortKey = { sql: sql`r.recipient_player_id`, type: 'bigint' };
const byAmount = (column: string): SortKey[] => [
  { sql: sql.ref(`r.${column}`), type: 'numeric' },
  { ...ID, isReversed: true },
];

/** What the statements of a run can be ordered by. */
export const STATEMENT_SORTS: Record<string, SortKey[]> = {
  payable_usd: byAmount('payable_usd'),
  due_usd: byAmount('due_usd'),
  closing_usd: byAmount('closing_usd'),
  recipient_name: [{ sql: sql`left(lower(coalesce(r.player_name, '')), 200)`, type: 'text' }, ID],
  recipient_player_id: [ID],
};

export interface StatementFilter {
  /** Part of a name, or the beginning of a player id; empty: everybody. */
  find: string;
  outcome: Outcome | null;
  canSeeEmails: boolean;
}

/** Reads one page of the recipients of a run, with the sums over all that match. Throws `CursorError`. */
export async function listStatementRows(
  db: Db,
  { gameId, runId }: RunId,
  { find, outcome, canSeeEmails }: StatementFilter,
  request: PageRequest,
): Promise<RowPage<StatementListRow>> {
  const lines = namedLines(db, { gameId, runId }).select([
    'line.recipient_player_id',
    'named.player_name',
    'line.outcome',
    'line.due_usd',
    'line.payable_usd',
    'line.closing_usd',
  ]);
  let found = db
    .selectFrom(lines.as('r'))
    .where(findsRecipient({ name: 'r.player_name', id: 'r.recipient_player_id' }, { find, canSeeEmails }));
  if (outcome !== null) found = found.where('r.outcome', '=', outcome);
  const sum = (column: string) => sql<string>`coalesce(sum(${sql.ref(`r.${column}`)}), 0.00)::text`.as(column);
  const total = found.select([sql<number>`count(*)`.as('count'), sum('due_usd'), sum('payable_usd'), sum('closing_usd')]);
  const scope = { list: `statements ${runId}`, sort: request.sort, dir: request.dir };
  const page = await readPage(db, { rows: found.selectAll('r'), total }, keysOf(STATEMENT_SORTS, request.sort), request, scope);
  return {
    ...page,
    rows: page.rows.map(({ recipient_player_id, player_name, outcome: text, ...amounts }) => ({
      ...amounts,
      playerId: recipient_player_id,
      name: maskName(player_name, canSeeEmails),
      outcome: parseEnum(OUTCOMES, text),
    })),
  };
}
