import { sql } from 'kysely';
import { PLACEMENTS } from '../distribution.ts';
import { type Db, inTransaction, openDb } from './open.ts';
import { grantRights } from './rights.ts';

const CITUS_MAJOR_MIN = 14;

/** Why a database can't be spread over several servers; nothing was changed. */
class NotDistributable extends Error {
  override name = 'NotDistributable';
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * Distributes the tables of a migrated database, with their rows, over the servers of its Citus cluster as `db/distribution.ts` lists them. One
 * transaction: stopped, it changes nothing, and run again, it distributes what isn't distributed yet. `url` is the administrator's. Returns the number of
 * tables. Errors: `NotDistributable`.
 */
export async function distributeDatabase(url: string, say: (line: string) => void = () => undefined): Promise<number> {
  const { db, close } = openDb(url, { poolSize: 1, statement_ms: 0 });
  try {
    await checkCluster(db);
    const count = await inTransaction(db, (tx) => placeTables(tx, say));
    await grantRights(db);
    return count;
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

async function placeTables(tx: Db, say: (line: string) => void): Promise<number> {
  await sql`set local citus.enable_unsafe_triggers = on`.execute(tx);
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx);
  const { rows: placed } = await sql<{ table: string; kind: string; key: string | null }>`
    select logicalrelid::text as "table", partmethod::text || repmodel::text as kind, column_to_column_name(logicalrelid, partkey) as key from pg_dist_partition`.execute(
    tx,
  );
  const found = new Map(placed.map(({ table, kind, key }) => [table, { kind, key }]));
  const wanted = Object.entries(PLACEMENTS).filter(([, { is }]) => is !== 'local');
  const missing = wanted.filter(([table]) => !found.has(table)).map(([table]) => table);
  if (missing.length === 0) return 0;
  const keys = await listForeignKeys(tx);
  for (const { table, name } of keys) await sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`.execute(tx);
  for (const table of missing) {
    if (PLACEMENTS[table]?.is === 'reference') await sql`select create_reference_table(${table})`.execute(tx);
  }
  let first: string | null = null;
  for (const table of missing) {
    if (PLACEMENTS[table]?.is !== 'distributed') continue;
    await sql`select create_distributed_table(${table}, 'game_id', colocate_with => ${first ?? 'none'})`.execute(tx);
    first ??= table;
    say(table);
  }
  for (const { table, name, definition } of keys)
    await sql`alter table ${sql.raw(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(tx);
  return missing.length;
}

async function listForeignKeys(db: Db): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace`.execute(db);
  return rows;
}
