import { type RawBuilder, sql } from 'kysely';
import { countChanges, type Db } from './open.ts';

/** How long a process may be silent before another takes its job over. */
const LEASE_SECONDS = 45;

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

/** How the next job of a game is found and claimed. */
export interface Claim {
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

/** The work of processes on the jobs of a table: queued, running under a lease, and ended. */
export interface LeaseTable<Lease extends Leased> {
  /** Claims the next job of a game: queued, or left by a process that fell silent. Returns its row; null: none waits. */
  claim<Row>(db: Db, claim: Claim): Promise<Row | null>;
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
 * `ended_at`. `idOf` names the job of a lease.
 */
export function leaseTable<Lease extends Leased>(name: string, idOf: (lease: Lease) => number): LeaseTable<Lease> {
  const table = sql.table(name);
  const id = sql.ref(`${name}_id`);
  const setting = (values: Values): RawBuilder<unknown> =>
    sql.join(Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
  const isOurs = (lease: Lease): RawBuilder<boolean> =>
    sql<boolean>`game_id = ${lease.gameId} and ${id} = ${idOf(lease)} and lease_owner = ${lease.owner} and state = 'running'`;
  const lost = (lease: Lease): LeaseLost => new LeaseLost(`${name} ${idOf(lease)} is no longer ours`);

  async function update(db: Db, lease: Lease, values: Values): Promise<void> {
    const changed = await countChanges(db, sql`update ${table} set ${setting(values)} where ${isOurs(lease)}`);
    if (changed === 0) throw lost(lease);
  }

  return {
    update,
    async claim<Row>(db: Db, { owner, gameId, order, where, takesOwn = false, set = {} }: Claim): Promise<Row | null> {
      const isOwn = takesOwn ? sql` or waiting.lease_owner = ${owner}` : sql``;
      const claimed = { state: 'running', lease_owner: owner, lease_until: LEASE_UNTIL, attempt_count: sql`attempt_count + 1`, ...set };
      const { rows } = await sql<Row>`update ${table} set ${setting(claimed)}
        where game_id = ${gameId} and ${id} = (
          select ${sql.ref(`waiting.${name}_id`)} from ${table} waiting
          where waiting.game_id = ${gameId}
            and (waiting.state = 'queued' or waiting.state = 'running' and (waiting.lease_until < clock_now()${isOwn}))
            and (${where ?? sql<boolean>`true`})
          order by ${order} limit 1 for update skip locked)
        returning *`.execute(db);
      return rows[0] ?? null;
    },
    async renew<Row>(db: Db, lease: Lease, values: Values = {}): Promise<Row> {
      const { rows } =
        await sql<Row>`update ${table} set ${setting({ ...values, lease_until: LEASE_UNTIL })} where ${isOurs(lease)} returning *`.execute(
          db,
        );
      const [row] = rows;
      if (row === undefined) throw lost(lease);
      return row;
    },
    async release(db, lease, values = {}) {
      const queued = { state: 'queued', lease_owner: null, lease_until: null, ...values };
      await sql`update ${table} set ${setting(queued)} where ${isOurs(lease)}`.execute(db);
    },
    end: (db, lease, state, values = {}) =>
      update(db, lease, { state, ended_at: sql`clock_now()`, lease_owner: null, lease_until: null, ...values }),
    async hold(tx, lease) {
      const { rows } = await sql`select from ${table} where ${isOurs(lease)} for update`.execute(tx);
      if (rows.length === 0) throw lost(lease);
    },
  };
}
