import { sql } from 'kysely';
import { PLACEMENTS, type Placement } from '../distribution.ts';
import { listPendingMigrations } from './administer.ts';
import { comparePlacements, findClusterProblem, findPlacementProblem, listPlacedTables, readCluster } from './cluster.ts';
import { MIGRATIONS_FOLDER, withOwner } from './migrate.ts';
import { type Db, inTransaction } from './open.ts';
import { grantRights } from './rights.ts';

/** Why a database can't be distributed; nothing was changed. */
export class NotDistributable extends Error {
  override name = 'NotDistributable';
}

interface ForeignKey {
  table: string;
  target: string;
  name: string;
  definition: string;
}

/** How many tables are distributed and copied, and the servers that hold rows of games, by host and port. */
export interface Distributed {
  distributed: number;
  copied: number;
  workers: string[];
  /** Whether this run did it. */
  isNew: boolean;
}

/**
 * Distributes the tables of a migrated database, with their rows, over the servers of its Citus cluster as `db/distribution.ts` lists them, in one
 * transaction, and compares the result with the list; then gives the logins their rights. Where that was done before nothing changes. `url` is that of a
 * login that may act as the owner.
 * Errors: `NotDistributable`.
 */
export async function distributeDatabase(url: string): Promise<Distributed> {
  return await withOwner(url, async (db) => {
    const cluster = await readCluster(db);
    if (cluster === null) throw new NotDistributable('This database has no extension citus, so it is on one server.');
    const problem = findClusterProblem(cluster) ?? findPlacementProblem(cluster.tables) ?? (await findDatabaseProblem(db));
    if (problem !== null) throw new NotDistributable(problem);
    const isNew = comparePlacements(cluster.tables).unplaced.length > 0;
    if (isNew) await inTransaction(db, distributeTables);
    await grantRights(db, { again: true });
    const [distributed, copied] = [listPlaced('distributed'), listPlaced('reference')];
    return { distributed: distributed.length, copied: copied.length, isNew, workers: cluster.workers };
  });
}

/** What of the database itself is in the way; null: nothing. */
async function findDatabaseProblem(db: Db): Promise<string | null> {
  const pending = await listPendingMigrations(db, MIGRATIONS_FOLDER);
  if (pending.length > 0) return `${pending.length} migrations aren't applied: run migrate first.`;
  // Citus connects to the other servers as the role that runs a statement.
  const { rows } = await sql<{
    owner: string;
  }>`select current_user as owner from pg_roles where rolname = current_user and not rolcanlogin`.execute(db);
  const [noLogin] = rows;
  if (noLogin === undefined) return null;
  return `The servers can't log in to each other as ${noLogin.owner}: as an administrator, run "alter role ${noLogin.owner} login", and allow it in pg_hba.conf between them.`;
}

async function distributeTables(tx: Db): Promise<void> {
  const [keys, triggers] = [await listForeignKeys(tx), await listTriggers(tx)];
  const numbers = await listNumbers(tx);
  // No table is distributed while a key leads from or to it.
  for (const { table, name } of keys) await sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`.execute(tx);
  // Rows that move change nothing, and a trigger would need tables that aren’t placed yet.
  for (const { table, name } of triggers) await sql`drop trigger ${sql.id(name)} on ${sql.raw(table)}`.execute(tx);
  for (const table of listPlaced('reference')) await sql`select create_reference_table(${table})`.execute(tx);
  // The rows of a game are on one server: every table follows the first one.
  const [first, ...others] = listPlaced('distributed');
  await sql`select create_distributed_table(${first}, 'game_id', colocate_with => 'none')`.execute(tx);
  for (const table of others) await sql`select create_distributed_table(${table}, 'game_id', colocate_with => ${first})`.execute(tx);
  for (const { definition } of triggers) await sql.raw(definition).execute(tx);
  for (const { table, name, definition } of keys)
    await sql`alter table ${sql.raw(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(tx);
  // Citus replaces the sequences.
  for (const { table, column, last, isUsed } of numbers)
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last}::bigint, ${isUsed})`.execute(tx);
  const { unplaced, misplaced } = comparePlacements(await listPlacedTables(tx));
  if (unplaced.length + misplaced.length > 0)
    throw new NotDistributable(`Citus placed tables otherwise than listed: ${[...unplaced, ...misplaced].join(', ')}.`);
}

function listPlaced(kind: Placement['is']): string[] {
  return Object.entries(PLACEMENTS).flatMap(([table, { is }]) => (is === kind ? [table] : []));
}

async function listForeignKeys(db: Db): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conrelid::regclass::text as "table", confrelid::regclass::text as target, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace`.execute(db);
  return rows;
}

/** The triggers of the tables that are placed. */
async function listTriggers(db: Db): Promise<Omit<ForeignKey, 'target'>[]> {
  const { rows } = await sql<Omit<ForeignKey, 'target'>>`
    select tgrelid::regclass::text as "table", tgname as name, pg_get_triggerdef(pg_trigger.oid) as definition
    from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace = 'public'::regnamespace and not tgisinternal order by 1, 2`.execute(
    db,
  );
  const placed = new Set([...listPlaced('reference'), ...listPlaced('distributed')]);
  return rows.filter(({ table }) => placed.has(table));
}

/** The numbers that identities of every table have reached: tables that stay on the coordinator are converted too, where a key leads to one that is placed. */
async function listNumbers(db: Db): Promise<{ table: string; column: string; last: string; isUsed: boolean }[]> {
  const { rows } = await sql<{ table: string; column: string; sequence: string }>`
    select relname as "table", attname as "column", pg_get_serial_sequence(quote_ident(relname), attname) as sequence from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attidentity <> '' and not attisdropped`.execute(db);
  const numbers: { table: string; column: string; last: string; isUsed: boolean }[] = [];
  for (const { table, column, sequence } of rows) {
    const { rows: states } = await sql<{
      last: string;
      isUsed: boolean;
    }>`select last_value::text as last, is_called as "isUsed" from ${sql.raw(sequence)}`.execute(db);
    numbers.push(...states.map((state) => ({ table, column, ...state })));
  }
  return numbers;
}
