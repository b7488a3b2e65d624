import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, type OpenDb, openDb, type StatementRecord, within } from './open.ts';

/**
 * Runs a read of something that never changes once it is stored: a complete snapshot, or what was rendered from it. `find` returns null
 * for what isn't there. It runs on the replica first, and on the primary when the replica can't be used, fails or returns null. What is
 * current, and what depends on several months, is read from the primary, never through this.
 */
export type ReadComplete = <Found>(find: (db: Db) => Promise<Found | null>) => Promise<Found | null>;

export interface CompleteReads {
  read: ReadComplete;
  /** Looks at the replica now; null: none is configured. */
  check(): Promise<ReplicaStatus | null>;
  close(): Promise<void>;
}

/** `not_a_replica`: it accepts writes. `foreign`: of another database, or of another history of this one. */
type ReplicaProblem = 'unreachable' | 'not_a_replica' | 'foreign' | 'lagging';

export interface ReplicaStatus {
  /** null: reads use it. */
  problem: ReplicaProblem | null;
  /** How far it lags behind the primary. Unit: seconds; 0: it has everything. null: not known. */
  lag_seconds: number | null;
}

export interface CompleteReadsOptions {
  primary: Db;
  /** Connection text of the replica; null: none, every read runs on the primary. */
  url: string | null;
  /** Called for the statements of reads on the replica. */
  record?: StatementRecord;
  limits?: Partial<typeof LIMITS>;
  /** A clock that never goes back. Unit: milliseconds. */
  clock?: () => number;
}

const LIMITS = {
  /** A replica that lags more isn't used: what was stored lately isn't there anyway. */
  lag_seconds: 30,
  connect_ms: 1_000,
  /** How long a replica without lag needs to replay what was just written. */
  catch_up_ms: 200,
  /** A read that takes longer on the replica runs on the primary. */
  read_ms: 2_000,
  /** Age of a good status from which it is checked again beside the reads, and from which a read waits for the check. */
  fresh_ms: 5_000,
  stale_ms: 15_000,
  /** Pause before a replica that couldn't be used is checked again. */
  pause_ms: 10_000,
};

/**
 * Opens the reads of complete months. Connects when first used. Only the first read, and one after a long silence, waits for a look at the
 * replica; while the replica is away no read does.
 */
export function openCompleteReads({
  primary,
  url,
  record,
  limits: changed,
  clock = () => performance.now(),
}: CompleteReadsOptions): CompleteReads {
  if (url === null) return { read: (find) => find(primary), check: () => Promise.resolve(null), close: () => Promise.resolve() };
  const limits = { ...LIMITS, ...changed };
  let open: OpenDb | null = null;
  let known: { status: ReplicaStatus; at: number } | null = null;
  let checking: Promise<ReplicaStatus> | null = null;

  async function check(): Promise<ReplicaStatus> {
    const status = await checkReplica(primary, url ?? '', limits);
    known = { status, at: clock() };
    // Connections through a cut cable never end by themselves.
    if (status.problem === 'unreachable') void dropConnections();
    return status;
  }

  /** Checks of the same moment are one. */
  async function checkOnce(): Promise<ReplicaStatus> {
    checking ??= check().finally(() => {
      checking = null;
    });
    return await checking;
  }

  async function findUsable(): Promise<Db | null> {
    const age_ms = known === null ? Number.POSITIVE_INFINITY : clock() - known.at;
    const isGood = known === null || known.status.problem === null;
    if (isGood && age_ms > limits.stale_ms) await checkOnce();
    else if (age_ms > (isGood ? limits.fresh_ms : limits.pause_ms)) void checkOnce();
    if (known?.status.problem !== null) return null;
    open ??= openDb(url ?? '', { connect_ms: limits.connect_ms, ...(record === undefined ? {} : { record }) });
    return open.db;
  }

  async function dropConnections(): Promise<void> {
    const dropped = open;
    open = null;
    await within(limits.read_ms, dropped?.close() ?? Promise.resolve()).catch(() => undefined);
  }

  return {
    read: async (find) => {
      const replica = await findUsable();
      if (replica !== null) {
        try {
          const found = await within(limits.read_ms, find(replica));
          if (found !== null) return found;
        } catch {
          // Reads go to the primary until a look at the replica says that it is well. An error of the read itself comes again there.
          known = { status: { problem: 'unreachable', lag_seconds: null }, at: clock() };
          void checkOnce();
        }
      }
      return await find(primary);
    },
    check: checkOnce,
    close: async () => {
      await checking;
      await dropConnections();
    },
  };
}

/** Looks at a replica once, over a connection of its own. */
async function checkReplica(primary: Db, url: string, limits: typeof LIMITS): Promise<ReplicaStatus> {
  const replica = openDb(url, { poolSize: 1, connect_ms: limits.connect_ms });
  try {
    return await within(limits.read_ms, compare(primary, replica.db, limits));
  } catch {
    return { problem: 'unreachable', lag_seconds: null };
  } finally {
    void replica.close().catch(() => undefined);
  }
}

/** A server and the history its data belongs to. */
interface Identity {
  /** Identifier of the cluster; all copies of it have the same. */
  system: string;
  /** Number of the database within the cluster. */
  database: string;
  timeline: number;
}

const IDENTITY = sql`(select system_identifier::text from pg_control_system()) as system,
  (select oid::text from pg_database where datname = current_database()) as database`;

/** Compares a replica with its primary: whose copy it is, then how far it lags. */
async function compare(primary: Db, replica: Db, limits: typeof LIMITS): Promise<ReplicaStatus> {
  const ours = await one(
    sql<Identity & { lsn: string }>`select ${IDENTITY}, pg_current_wal_lsn()::text as lsn,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`.execute(primary),
  );
  const theirs = await one(
    sql<Identity & { is_standby: boolean }>`select ${IDENTITY}, pg_is_in_recovery() as is_standby,
      greatest((select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery())) as timeline`.execute(
      replica,
    ),
  );
  if (theirs.system !== ours.system || theirs.database !== ours.database) return { problem: 'foreign', lag_seconds: null };
  if (!theirs.is_standby) return { problem: 'not_a_replica', lag_seconds: null };
  if (theirs.timeline !== ours.timeline || !(await isSameHistory(primary, replica))) return { problem: 'foreign', lag_seconds: null };
  const lag_seconds = await measureLag(replica, ours.lsn, limits.catch_up_ms);
  return { problem: lag_seconds !== null && lag_seconds <= limits.lag_seconds ? null : 'lagging', lag_seconds };
}

/**
 * Whether the replica has nothing that the primary never had. A primary that was restored from a backup writes other snapshots under the
 * numbers the replica has: it is behind the replica, or its lineage is another one.
 */
async function isSameHistory(primary: Db, replica: Db): Promise<boolean> {
  const theirs = await one(
    sql<{ lineage: string; lsn: string | null }>`select lineage, pg_last_wal_replay_lsn()::text as lsn from database_mark`.execute(replica),
  );
  const ours = await one(
    sql<{ lineage: string; is_ahead: boolean }>`select lineage, coalesce(pg_current_wal_lsn() >= ${theirs.lsn}::pg_lsn, false) as is_ahead
      from database_mark`.execute(primary),
  );
  return ours.lineage === theirs.lineage && ours.is_ahead;
}

/**
 * How far the replica lags, in seconds: 0 when it has replayed what the primary had at `lsn`, however long ago the last transaction was;
 * otherwise the age of the last transaction it replayed, and null when it replayed none.
 */
async function measureLag(replica: Db, lsn: string, catch_up_ms: number): Promise<number | null> {
  for (let look = 1; ; look += 1) {
    const { has_all, age_seconds } = await one(
      sql<{ has_all: boolean; age_seconds: number | null }>`select pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as has_all,
        extract(epoch from clock_now() - pg_last_xact_replay_timestamp())::float8 as age_seconds`.execute(replica),
    );
    if (has_all) return 0;
    if (look === 2) return age_seconds;
    await sleep(catch_up_ms);
  }
}

async function one<Row>(answer: Promise<{ rows: Row[] }>): Promise<Row> {
  const [row] = (await answer).rows;
  if (row === undefined) throw new Error('a look at the replica returned no row');
  return row;
}
