import { sql } from 'kysely';
import { PLACEMENTS, type Placement } from '../distribution.ts';
import { type Db, inTransaction, openDb } from './open.ts';
import { grantRights } from './rights.ts';

const CITUS_MAJOR_MIN = 14;

/** Why a database can't be spread over several servers; nothing was changed. */
class NotDistributable extends Error {
  override name = 'NotDistributable';
}

interface ForeignKey {
  table: string;
  target: string;
  name: string;
  definition: string;
}

/**
 * Distributes the tables of a migrated database, with their rows, over the servers of its Citus cluster as `db/distribution.ts` lists them, in one
 * transaction; then gives the logins their rights. Tables that are distributed already stay as they are. `url` is the administrator's.
 * Errors: `NotDistributable`.
 */
export async function distributeDatabase(url: string): Promise<void> {
  const { db, close } = openDb(url, { poolSize: 1, statement_ms: 0 });
  try {
    await checkCluster(db);
    await inTransaction(db, distributeTables);
    await grantRights(db);
  } finally {
    await close();
  }
}

async function checkCluster(db: Db): Promise<void> {
  const { rows } = await sql<{ version: string }>`select extversion as version from pg_extension where extname = 'citus'`.execute(db);
  const version = rows[0]?.version;
  if (version === undefined) throw new NotDistributable('This database has no extension citus, so it is on one server.');
  if (Number.parseInt(version, 10) < CITUS_MAJOR_MIN)
    throw new NotDistributable(`Citus ${version} is too old: use ${CITUS_MAJOR_MIN} or newer.`);
  const { rows: workers } = await sql<{ name: string; answers: boolean }>`
    select n.nodename || ':' || n.nodeport as name, coalesce(h.result, false) as answers
    from pg_dist_node n left join citus_check_cluster_node_health() h on h.to_nodename = n.nodename and h.to_nodeport = n.nodeport
    where n.noderole = 'primary' and n.isactive and n.shouldhaveshards group by 1, 2`.execute(db);
  if (workers.length === 0) throw new NotDistributable('The cluster has no worker: add one with citus_add_node.');
  const away = workers.filter(({ answers }) => !answers).map(({ name }) => name);
  if (away.length > 0) throw new NotDistributable(`${away.join(', ')} can't be reached by every server of the cluster.`);
}

async function distributeTables(tx: Db): Promise<void> {
  await sql`set local citus.enable_unsafe_triggers = on`.execute(tx);
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx);
  const { rows } = await sql<{ table: string }>`
    select logicalrelid::text as "table" from pg_dist_partition where partmethod = 'h' or repmodel = 't'`.execute(tx);
  const placed = new Set(rows.map(({ table }) => table));
  const distributed = listPlaced('distributed');
  const isNew = (table: string): boolean => !placed.has(table);
  const newReferences = listPlaced('reference').filter(isNew);
  const newDistributed = distributed.filter(isNew);
  const added = new Set([...newReferences, ...newDistributed]);
  // No table is distributed while a key leads from or to it.
  const keys = (await listForeignKeys(tx)).filter(({ table, target }) => added.has(table) || added.has(target));
  for (const { table, name } of keys) await sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`.execute(tx);
  for (const table of newReferences) await sql`select create_reference_table(${table})`.execute(tx);
  // The rows of a game are on one server: every table follows the first one.
  const [first] = distributed;
  for (const table of newDistributed)
    await sql`select create_distributed_table(${table}, 'game_id', colocate_with => ${table === first ? 'none' : first})`.execute(tx);
  for (const { table, name, definition } of keys)
    await sql`alter table ${sql.raw(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(tx);
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
