import { type RawBuilder, sql } from 'kysely';
import { countChanges, type Db } from './open.ts';
import { type WorkQueue, wakeWorker } from './wake.ts';

/** How long a process may be silent before another takes its job over. */
const LEASE_SECONDS = 45;

/** How often a process renews the lease of its job and stores the progress. */
const BEAT_MS = 1_000;

/** Attempts after which a job is ended: what fails each time needs a person, and must not use up the rate limit. */
export const ATTEMPTS_MAX = 20;

/** When a lease that is taken or renewed now ends. */
export const LEASE_UNTIL = sql<string>`clock_now() + make_interval(secs => ${LEASE_SECONDS})`;

/** The right to work on one job, held by one process; a feature adds the id of its job. */
export interface Leased {
  gameId: number;
  owner: string;
}

/** Another process has taken the job over; nothing more may be written for it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

type Values = Record<string, unknown>;

/** The next row of a game in a table of work. `where` and `order` name the columns of its rows as `waiting`. */
interface Next {
  gameId: number;
  /** The columns that name a row beside its game. */
  key: readonly string[];
  where: RawBuilder<boolean>;
  order: RawBuilder<unknown>;
  /** What the claim writes, so that no other process claims the row. */
  set: Values;
  /** Absent: all columns. */
  returning?: RawBuilder<unknown>;
}

/** The update that claims the next row of a game, and returns it. Rows that other processes are claiming are passed over. */
export function claimNext<Row>(name: string, { gameId, key, where, order, set, returning }: Next): RawBuilder<Row> {
  const table = sql.table(name);
  const found = key.map((column, index) => sql`${sql.ref(`waiting.${column}`)} as ${sql.ref(`key_${index}`)}`);
  const isFound = key.map((column, index) => sql`${sql.ref(`${name}.${column}`)} = ${sql.ref(`next.key_${index}`)}`);
  // Materialized, which computes the row once: a list behind `in` may be computed more than once, and each time lock another row. A distributed
  // database doesn't compare several columns with the row of a subquery.
  return sql<Row>`with next as materialized (
      select ${sql.join(found)} from ${table} waiting where waiting.game_id = ${gameId} and (${where})
      order by ${order} limit 1 for update skip locked)
    update ${table} set ${setting(set)} from next where ${table}.game_id = ${gameId} and ${sql.join(isFound, sql` and `)}
    returning ${returning ?? sql`${table}.*`}`;
}

function setting(values: Values): RawBuilder<unknown> {
  return sql.join(Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
}

/** Works on what is due until nothing is, until the process stops, or for so many turns. `take` claims one and works on it; false: none is due. */
export async function runDue(signal: AbortSignal, take: () => Promise<boolean>, turns = Infinity): Promise<void> {
  for (let taken = 0; taken < turns && !signal.aborted; taken += 1) if (!(await take())) return;
}

/** How the next job of a game is found and claimed. */
interface Claim {
  owner: string;
  gameId: number;
  /** The order of the table's rows, as `waiting`. */
  order: RawBuilder<unknown>;
  /** Which rows may be claimed, as `waiting`, of those that are queued or whose process fell silent; absent: all. */
  where?: RawBuilder<boolean>;
  /** A process that works on one job of a game at a time may claim its own again. */
  takesOwn?: boolean;
  /** Columns set with the claim. */
  set?: Values;
}

/** What the leases of a table have of their own. */
interface LeaseOptions<Lease, Progress> {
  /** Where its queued jobs wait for a worker. */
  queue: WorkQueue;
  /** The id of a lease's job. */
  idOf: (lease: Lease) => number;
  /** The columns that store the progress of a running job. */
  columnsOf: (progress: Progress) => Values;
  /** Columns of a job that no process works on: set when it is claimed, released or ended. */
  idle?: Values;
  /** Whether a person stopped the job, from its row; absent: nobody can. */
  isStopped?: (row: Values) => boolean;
}

/** A job that this process works on. */
export interface Running {
  /** Aborted when the process stops, when a person stops the job, and when another process takes it over. */
  signal: AbortSignal;
  isStopped(): boolean;
  /** Whether this process leaves the job to another one. An error is then thrown on: the job hasn't failed. */
  isLeft(): boolean;
}

/** How the work of this process on a job ends without ending the job. */
export interface Left {
  ended: 'lost' | 'released';
}

/** The work of processes on the jobs of a table: queued, running under a lease, and ended. */
export interface LeaseTable<Lease extends Leased, Progress> {
  /** Claims the next job of a game: queued, or left by a process that fell silent. Returns its row; null: none waits. */
  claim<Row>(db: Db, claim: Claim): Promise<Row | null>;
  /**
   * Works on a claimed job while its lease is renewed and `progress`, which the work changes, is stored each second. Returns what the work returns:
   * it ends the job. `lost`: another process has taken the job over; `released`: `signal` stopped this process, and the job is queued again. Any other
   * error of the work is thrown and leaves the job to the process that claims it when the lease ends.
   */
  run<Result>(
    db: Db,
    lease: Lease,
    options: { progress: Progress; signal?: AbortSignal | undefined },
    work: (running: Running) => Promise<Result>,
  ): Promise<Result | Left>;
  /** Writes to a running job and renews its lease; returns its row. Throws `LeaseLost` when another process has it. */
  renew<Row>(db: Db, lease: Lease, values?: Values): Promise<Row>;
  /** Writes to a running job. Throws `LeaseLost` when another process has it. */
  update(db: Db, lease: Lease, values: Values): Promise<void>;
  /** Gives a job back unfinished, for the next process to claim. Does nothing when another process has it. */
  release(db: Db, lease: Lease, values?: Values): Promise<void>;
  /** Ends a job in a state, with what came of it. Throws `LeaseLost` when another process has it. */
  end(db: Db, lease: Lease, state: string, values?: Values): Promise<void>;
  /** Makes sure, until the end of the transaction, that the job is still this process's. Throws `LeaseLost` when it is not. */
  hold(tx: Db, lease: Lease): Promise<void>;
}

/**
 * The leases of a table whose key is `game_id` and `TABLE_id` and that has the columns `state`, `lease_owner`, `lease_until`, `attempt_count` and
 * `ended_at`.
 */
export function leaseTable<Lease extends Leased, Progress>(
  name: string,
  { queue, idOf, columnsOf, idle = {}, isStopped: isStoppedBy = () => false }: LeaseOptions<Lease, Progress>,
): LeaseTable<Lease, Progress> {
  const table = sql.table(name);
  const id = sql.ref(`${name}_id`);
  const isOurs = (lease: Lease): RawBuilder<boolean> =>
    sql<boolean>`game_id = ${lease.gameId} and ${id} = ${idOf(lease)} and lease_owner = ${lease.owner} and state = 'running'`;
  const lost = (lease: Lease): LeaseLost => new LeaseLost(`${name} ${idOf(lease)} is no longer ours`);

  async function update(db: Db, lease: Lease, values: Values): Promise<void> {
    const changed = await countChanges(db, sql`update ${table} set ${setting(values)} where ${isOurs(lease)}`);
    if (changed === 0) throw lost(lease);
  }

  async function renew<Row>(db: Db, lease: Lease, values: Values = {}): Promise<Row> {
    const { rows } =
      await sql<Row>`update ${table} set ${setting({ ...values, lease_until: LEASE_UNTIL })} where ${isOurs(lease)} returning *`.execute(
        db,
      );
    const [row] = rows;
    if (row === undefined) throw lost(lease);
    return row;
  }

  async function release(db: Db, lease: Lease, values: Values = {}): Promise<void> {
    const queued = { state: 'queued', lease_owner: null, lease_until: null, ...idle, ...values };
    const released = await countChanges(db, sql`update ${table} set ${setting(queued)} where ${isOurs(lease)}`);
    if (released === 1) await wakeWorker(db, { queue, gameId: lease.gameId, id: idOf(lease) });
  }

  async function run<Result>(
    db: Db,
    lease: Lease,
    { progress, signal }: { progress: Progress; signal?: AbortSignal | undefined },
    work: (running: Running) => Promise<Result>,
  ): Promise<Result | Left> {
    const stopper = new AbortController();
    let [isLost, isStopped, isBeating] = [false, false, false];
    async function beat(): Promise<void> {
      // A beat waits while a transaction writes to the job; others must not queue behind it.
      if (isBeating) return;
      isBeating = true;
      try {
        isStopped = isStoppedBy(await renew<Values>(db, lease, columnsOf(progress)));
        if (isStopped) stopper.abort();
      } catch (error) {
        // A database that is away for a moment is no reason to stop: the lease decides, and every write checks it.
        if (!(error instanceof LeaseLost)) return;
        isLost = true;
        stopper.abort(error);
      } finally {
        isBeating = false;
      }
    }
    const timer = setInterval(() => void beat(), BEAT_MS);
    try {
      await beat();
      return await work({
        signal: signal === undefined ? stopper.signal : AbortSignal.any([signal, stopper.signal]),
        isStopped: () => isStopped,
        isLeft: () => isLost || signal?.aborted === true,
      });
    } catch (error) {
      if (isLost || error instanceof LeaseLost) return { ended: 'lost' };
      if (signal?.aborted !== true) throw error;
      await release(db, lease);
      return { ended: 'released' };
    } finally {
      clearInterval(timer);
    }
  }

  return {
    update,
    run,
    renew,
    release,
    async claim<Row>(db: Db, { owner, gameId, order, where, takesOwn = false, set = {} }: Claim): Promise<Row | null> {
      const isOwn = takesOwn ? sql` or waiting.lease_owner = ${owner}` : sql``;
      const claimed = {
        state: 'running',
        lease_owner: owner,
        lease_until: LEASE_UNTIL,
        attempt_count: sql`attempt_count + 1`,
        ...idle,
        ...set,
      };
      const isFree = sql<boolean>`(waiting.state = 'queued' or waiting.state = 'running' and (waiting.lease_until < clock_now()${isOwn}))
        and (${where ?? sql<boolean>`true`})`;
      const { rows } = await claimNext<Row>(name, { gameId, key: [`${name}_id`], where: isFree, order, set: claimed }).execute(db);
      return rows[0] ?? null;
    },
    end: (db, lease, state, values = {}) =>
      update(db, lease, { state, ended_at: sql`clock_now()`, lease_owner: null, lease_until: null, ...idle, ...values }),
    async hold(tx, lease) {
      const { rows } = await sql`select from ${table} where ${isOurs(lease)} for update`.execute(tx);
      if (rows.length === 0) throw lost(lease);
    },
  };
}

/**
 * What a lock on a game protects. `names`: shared by what stores the name of a person, exclusive for an erasure. `readings`: shared by what stores a
 * reading, exclusive for the instant after which none is dated earlier. `sends`: shared by attempts that start, exclusive for a pause, a switch or a limit.
 */
type LockPurpose = 'names' | 'readings' | 'sends';

/**
 * Locks a game for purposes until the transaction ends. An exclusive lock waits for all shared ones, and later shared locks wait until it ends. The row
 * that is locked lies with the game: an advisory lock would be of one server.
 */
export async function lockGame(tx: Db, gameId: number, purposes: readonly LockPurpose[], mode: 'shared' | 'exclusive'): Promise<void> {
  const locks = purposes.map((purpose) => sql`lock_game(${gameId}, ${purpose}, ${mode === 'exclusive'})`);
  await sql`select ${sql.join(locks)}`.execute(tx);
}
