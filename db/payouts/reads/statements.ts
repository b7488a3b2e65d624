import { sql } from 'kysely';
import { findsRecipient } from '#db/evidence/reads/recipients-sheet.ts';
import type { Db } from '#db/kit/open.ts';
import { keysOf, type PageRequest, type RowPage, readPage, type SortKey } from '#db/kit/paging.ts';
import { parseEnum } from '#lib/core/parse-enum.ts';
import { maskName } from '#lib/core/roles.ts';
import { type PullState, parsePullState } from '#lib/evidence/rules/evidence.ts';
import { OUTCOMES, type Outcome } from '#lib/payouts/rules/decide-line.ts';
import type { Run } from './find-run.ts';
import type { Queryable } from './run-facts.ts';
import { namedLines } from './stored-lines.ts';

type RunId = Pick<Run, 'gameId' | 'runId'>;

/** Finds the stored PDF of a recipient; null: not drawn yet. */
export async function findStoredStatement(from: Queryable, { gameId, runId }: RunId, playerId: number): Promise<Buffer | null> {
  const { rows } = await from.query<{ pdf: Buffer }>(
    'select pdf from recipient_statement where game_id = $1 and run_id = $2 and recipient_player_id = $3',
    [gameId, runId, playerId],
  );
  return rows[0]?.pdf ?? null;
}

/** Lists the next recipients of a run whose statement isn't drawn, by player id, with how many renewals each statement lists. */
export async function listUndrawn(
  from: Queryable,
  { gameId, runId }: RunId,
  limit: number,
): Promise<{ playerId: number; renewalCount: number }[]> {
  const { rows } = await from.query<{ playerId: number; renewalCount: number }>(
    `select line.recipient_player_id as "playerId", coalesce(seen.renewal_count, 0)::int as "renewalCount"
     from payout_run run join payout_line line using (game_id, run_id)
       left join snapshot_recipient seen on seen.game_id = line.game_id and seen.snapshot_id = run.snapshot_id
         and seen.recipient_player_id = line.recipient_player_id
     where run.game_id = $1 and run.run_id = $2 and not exists (
       select from recipient_statement s where s.game_id = line.game_id and s.run_id = line.run_id and s.recipient_player_id = line.recipient_player_id)
     order by line.recipient_player_id limit $3`,
    [gameId, runId, limit],
  );
  return rows;
}

/** Counts the stored statements of a run. */
export async function countDrawn(from: Queryable, { gameId, runId }: RunId): Promise<number> {
  const { rows } = await from.query<{ count: number }>(
    'select count(*) as count from recipient_statement where game_id = $1 and run_id = $2',
    [gameId, runId],
  );
  return rows[0]?.count ?? 0;
}

/** Lists the recipients of a run whose statement is stored, by player id. */
export async function listDrawn(from: Queryable, { gameId, runId }: RunId): Promise<number[]> {
  const { rows } = await from.query<{ playerId: number }>(
    `select recipient_player_id as "playerId" from recipient_statement where game_id = $1 and run_id = $2 order by recipient_player_id`,
    [gameId, runId],
  );
  return rows.map(({ playerId }) => playerId);
}

/** Reads the stored statements of a run by player id, a few at a time, so that a large run takes little memory. */
export async function* streamStatements(
  from: Queryable,
  { gameId, runId }: RunId,
  size = 50,
): AsyncGenerator<{ playerId: number; pdf: Buffer }> {
  for (let after = -1; ; ) {
    const { rows } = await from.query<{ playerId: number; pdf: Buffer }>(
      `select recipient_player_id as "playerId", pdf from recipient_statement
       where game_id = $1 and run_id = $2 and recipient_player_id > $3 order by recipient_player_id limit $4`,
      [gameId, runId, after, size],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
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

/** Finds the newest job of a run; null: nobody asked for all statements. */
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
