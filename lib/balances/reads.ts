import { sql } from 'kysely';
import { streamCsv } from '#db/kit/copy-csv.ts';
import type { Db } from '#db/kit/open.ts';
import type { GameRef } from '#lib/core/game.ts';
import { writeMoney } from '#lib/core/money.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { BALANCE_COLUMNS, BALANCE_JOB_STATES, BALANCE_SCOPES, type BalanceJobState, type BalanceScope } from './rules/balance-job.ts';

const COLUMNS = [
  'balance_job_id as balanceJobId',
  'scope',
  'requested_by as requestedBy',
  'requested_at as requestedAt',
  'state',
  'stop_requested_at as stopRequestedAt',
  'waiting_until as waitingUntil',
  'line_count as lineCount',
  'address_count as addressCount',
  'found_count as foundCount',
  'unknown_count as unknownCount',
  'unanswered_count as unansweredCount',
  'stranger_count as strangerCount',
  'repeated_count as repeatedCount',
  'received_bytes as receivedBytes',
  'read_from as readFrom',
  'read_until as readUntil',
  'is_complete as isComplete',
  'reasons',
  'ended_at as endedAt',
  'failure_message as failure',
  'files_deleted_at as filesDeletedAt',
] as const;

/** Finds a job of a game; null: there is none of that number. */
export async function findBalanceJob(db: Db, gameId: number, balanceJobId: number): Promise<BalanceJob | null> {
  const row = await selectJobs(db, gameId).where('balance_job_id', '=', balanceJobId).executeTakeFirst();
  return row === undefined ? null : toJob(row);
}

/** Lists the newest jobs of a game, the newest first. */
export async function listBalanceJobs(db: Db, gameId: number, limit: number): Promise<BalanceJob[]> {
  const rows = await selectJobs(db, gameId).orderBy('balance_job_id', 'desc').limit(limit).execute();
  return rows.map(toJob);
}

function selectJobs(db: Db, gameId: number) {
  return db.selectFrom('balance_job').select(COLUMNS).where('game_id', '=', gameId);
}

type JobRow = Awaited<ReturnType<ReturnType<typeof selectJobs>['executeTakeFirstOrThrow']>>;

/** A job that reads balances, as pages show it. `endedAt` null: not ended. */
export type BalanceJob = Omit<JobRow, 'scope' | 'state' | 'stopRequestedAt'> & {
  scope: BalanceScope;
  state: BalanceJobState;
  isStopping: boolean;
};

function toJob({ stopRequestedAt, ...row }: JobRow): BalanceJob {
  return {
    ...row,
    scope: parseEnum(BALANCE_SCOPES, row.scope),
    state: parseEnum(BALANCE_JOB_STATES, row.state),
    isStopping: stopRequestedAt !== null,
  };
}

/**
 * What the players of a job hold in one currency, each player once. Currencies are never added to each other: balances without an id and a name may be of
 * several, so they have no sum.
 */
export interface CurrencySum {
  currency_id: string | null;
  currency_name: string | null;
  players: number;
  /** Null: Invo doesn't say which currency it is. */
  available_balance: string | null;
  /** Null: Invo didn't report it for each of them, or doesn't say which currency it is. */
  reserved_balance: string | null;
  total_balance: string | null;
}

/** Sums what was read per currency; the one most players hold first. */
export async function sumBalances(db: Db, gameId: number, balanceJobId: number): Promise<CurrencySum[]> {
  const whole = (column: string) =>
    sql<string | null>`case when coalesce(currency_id, currency_name) is not null and count(${sql.ref(column)}) = count(*)
      then sum(${sql.ref(column)})::text end`;
  const written = (sum: string | null): string | null => (sum === null ? null : writeMoney(sum));
  const rows = await db
    .selectFrom('balance_held')
    .select(['currency_id', 'currency_name', sql<number>`count(distinct entry_no)`.as('players')])
    .select([
      whole('available_balance').as('available_balance'),
      whole('reserved_balance').as('reserved_balance'),
      whole('total_balance').as('total_balance'),
    ])
    .where('game_id', '=', gameId)
    .where('balance_job_id', '=', balanceJobId)
    .groupBy(['currency_id', 'currency_name'])
    .orderBy('players', 'desc')
    .orderBy('currency_name')
    .orderBy('currency_id')
    .execute();
  return rows.map((row) => ({
    ...row,
    available_balance: written(row.available_balance),
    reserved_balance: written(row.reserved_balance),
    total_balance: written(row.total_balance),
  }));
}

/** Counts the rows of a job's file, one per line and currency, and of these the rows of people who were erased. */
export async function countBalanceRows(db: Db, game: GameRef, balanceJobId: number): Promise<{ count: number; erased: number }> {
  const { rows } = await sql<{ count: number; erased: number }>`
    select count(*) as count, count(*) filter (where reason = 'erased') as erased from (${fileRows(game, balanceJobId)}) as sheet`.execute(
    db,
  );
  return rows[0] ?? { count: 0, erased: 0 };
}

/** The rows of a job's file as CSV bytes without a header, in the order of the list or of the stream. Errors: as `streamCsv`. */
export function streamBalanceFile(db: Db, game: GameRef, balanceJobId: number): AsyncGenerator<Buffer> {
  const ordered = sql`${fileRows(game, balanceJobId)} order by asked.line, entry.entry_no, held.position`;
  return streamCsv(db, BALANCE_COLUMNS, ordered);
}

const INSTANT = (column: string) => sql`replace(replace(${sql.ref(column)}::text, ' ', 'T'), '+00', 'Z')`;

function fileRows({ gameId, slug, environment }: GameRef, balanceJobId: number) {
  return sql`select ${slug}::text as game, ${environment}::text as environment, asked.line as asked_line,
      coalesce(asked.email, entry.email) as player_email,
      case entry.outcome when 'found' then true when 'unknown' then false end as found,
      case when entry.reason = 'erased' then 'erased' when entry.outcome = 'unknown' then 'unknown_player' when entry.outcome = 'asked' then 'not_asked' else entry.reason end as reason,
      entry.player_id, entry.player_name, entry.identity_id, held.currency_id, held.currency_name, held.available_balance::numeric,
      held.reserved_balance::numeric, held.total_balance::numeric, entry.last_updated, ${INSTANT('entry.read_at')} as read_at
    from balance_entry entry
      left join lateral unnest(entry.asked_lines, entry.asked_emails) as asked (line, email) on true
      left join lateral (
        -- One by one through the key: while a job's rows are not in the statistics yet, a join compares each entry with every balance of the job.
        select * from balance_held h where h.game_id = ${gameId}::int and h.balance_job_id = entry.balance_job_id and h.entry_no = entry.entry_no offset 0
      ) held on true
    where entry.game_id = ${gameId}::int and entry.balance_job_id = ${balanceJobId}::bigint`;
}
