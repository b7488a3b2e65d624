import { sql } from 'kysely';
import { LEASE_UNTIL, type Leased, leaseTable } from '#db/kit/lease.ts';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { type AddressList, addressKey } from '../rules/address-list.ts';
import { BALANCE_JOB_STATES, BALANCE_SCOPES, type BalanceScope, FILE_RETENTION_DAYS, isActive } from '../rules/balance-job.ts';

const databaseNow = sql<string>`clock_now()`;

/** The right to work on one job, held by one process. */
export interface BalanceLease extends Leased {
  balanceJobId: number;
  scope: BalanceScope;
  attemptCount: number;
}

/** How far a job is, beside what it has stored. */
export interface BalanceProgress {
  waitingUntil: string | null;
  receivedBytes: number;
}

export const BALANCE_JOBS = leaseTable<BalanceLease, BalanceProgress>('balance_job', {
  queue: 'balances',
  idOf: ({ balanceJobId }) => balanceJobId,
  columnsOf: ({ waitingUntil, receivedBytes }) => ({ waiting_until: waitingUntil, received_bytes: receivedBytes }),
  idle: { waiting_until: null },
  isStopped: (row) => row['stop_requested_at'] !== null,
});

export interface NewBalanceJob {
  gameId: number;
  requestedBy: string;
  /** Null: every player. */
  list: AddressList | null;
  /** The process that begins at once; without it the job is queued. */
  owner?: string;
}

/** Addresses inserted with one statement. */
const ADDRESSES_AT_ONCE = 10_000;

/**
 * Stores a job with its addresses and its audit row, which names no address. Null while one of the game with the same scope is running: two would
 * only share one rate limit.
 */
export async function insertBalanceJob(db: Db, { gameId, requestedBy, list, owner }: NewBalanceJob): Promise<number | null> {
  return await inTransaction(db, async (trx) => {
    const added = await trx
      .insertInto('balance_job')
      .values({
        game_id: gameId,
        scope: list === null ? 'all' : 'some',
        requested_by: requestedBy,
        line_count: list?.lineCount ?? null,
        address_count: list?.addresses.length ?? null,
        ...(owner === undefined ? {} : { state: 'running', lease_owner: owner, lease_until: LEASE_UNTIL, attempt_count: 1 }),
      })
      .onConflict((conflict) => conflict.columns(['game_id', 'scope']).where('state', 'in', ['queued', 'running']).doNothing())
      .returning('balance_job_id')
      .executeTakeFirst();
    if (added === undefined) return null;
    const { balance_job_id: balanceJobId } = added;
    const addresses = list?.addresses ?? [];
    for (let from = 0; from < addresses.length; from += ADDRESSES_AT_ONCE) {
      const part = addresses.slice(from, from + ADDRESSES_AT_ONCE);
      // An array in an array has to be even: lines and spellings travel as JSON.
      const rows = part.map(({ email, lines, spellings }, index) => [from + index + 1, addressKey(email), email, lines, spellings]);
      await sql`insert into balance_entry (game_id, balance_job_id, entry_no, entry_key, email, asked_lines, asked_emails, outcome)
        select ${gameId}::int, ${balanceJobId}::bigint, (row->>0)::int, row->>1, row->>2,
          array(select jsonb_array_elements_text(row->3)::int), array(select jsonb_array_elements_text(row->4)), 'asked'
        from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as row`.execute(trx);
    }
    await recordAudit(trx, {
      actor: requestedBy,
      gameId,
      act: 'asked for balances',
      subject: `balance file ${balanceJobId}`,
      detail: { scope: list === null ? 'all' : 'some', ...(list === null ? {} : { lines: list.lineCount, addresses: addresses.length }) },
    });
    if (owner === undefined) await wakeWorker(trx, { queue: 'balances', gameId, id: balanceJobId });
    return balanceJobId;
  });
}

/** Claims the oldest job of a game: queued, or left by a process that fell silent. null: none waits. */
export async function claimBalanceJob(db: Db, owner: string, gameId: number): Promise<BalanceLease | null> {
  const claimed = await BALANCE_JOBS.claim<{ balance_job_id: number; scope: string; attempt_count: number }>(db, {
    owner,
    gameId,
    order: sql`waiting.balance_job_id`,
  });
  if (claimed === null) return null;
  const { balance_job_id, scope, attempt_count } = claimed;
  return { gameId, balanceJobId: balance_job_id, scope: parseEnum(BALANCE_SCOPES, scope), attemptCount: attempt_count, owner };
}

export interface BalanceEnd {
  state: 'done' | 'stopped' | 'failed';
  isComplete: boolean;
  reasons: readonly string[];
  /** For people; null: no failure. */
  failure: string | null;
  /** Addresses that were never requested: they count as unanswered from now on. */
  heldBack: number;
}

/** Ends a job. Throws `LeaseLost` when another process has it. */
export async function endBalanceJob(
  db: Db,
  lease: BalanceLease,
  { state, isComplete, reasons, failure, heldBack }: BalanceEnd,
): Promise<void> {
  await BALANCE_JOBS.end(db, lease, state, {
    is_complete: isComplete,
    reasons: [...reasons],
    unanswered_count: sql`unanswered_count + ${heldBack}`,
    failure_message: failure,
  });
}

/** Requests that the running process stops, with the audit row; a job that no process runs is ended by the next one that claims it. False when it has ended. */
export async function stopBalanceJob(db: Db, gameId: number, balanceJobId: number, stoppedBy: string): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const job = await trx
      .selectFrom('balance_job')
      .select(['state', 'stop_requested_at'])
      .where('game_id', '=', gameId)
      .where('balance_job_id', '=', balanceJobId)
      .forUpdate()
      .executeTakeFirst();
    if (job === undefined || !isActive(parseEnum(BALANCE_JOB_STATES, job.state))) return false;
    if (job.stop_requested_at !== null) return true;
    await trx
      .updateTable('balance_job')
      .set({ stop_requested_at: databaseNow })
      .where('game_id', '=', gameId)
      .where('balance_job_id', '=', balanceJobId)
      .execute();
    await recordAudit(trx, { actor: stoppedBy, gameId, act: 'stopped reading balances', subject: `balance file ${balanceJobId}` });
    return true;
  });
}

/** Deletes what was read by jobs that ended more than `FILES_KEPT_DAYS` ago, addresses included; their figures stay. Returns how many. */
export async function deleteOldBalances(db: Db, gameId: number): Promise<number> {
  return await inTransaction(db, async (trx) => {
    const old = await trx
      .updateTable('balance_job')
      .set({ files_deleted_at: databaseNow })
      .where('game_id', '=', gameId)
      .where('files_deleted_at', 'is', null)
      .where('ended_at', '<', sql<string>`clock_now() - make_interval(days => ${FILE_RETENTION_DAYS})`)
      .returning('balance_job_id')
      .execute();
    const ids = old.map(({ balance_job_id }) => balance_job_id);
    if (ids.length === 0) return 0;
    for (const table of ['balance_held', 'balance_entry'] as const)
      await trx.deleteFrom(table).where('game_id', '=', gameId).where('balance_job_id', 'in', ids).execute();
    return ids.length;
  });
}
