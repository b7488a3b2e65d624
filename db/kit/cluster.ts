import { sql } from 'kysely';
import { PLACEMENTS, type Placement } from '../distribution.ts';
import { type Db, findCitusVersion } from './open.ts';

/** The oldest Citus whose coordinator and workers run every statement. */
const CITUS_MAJOR_MIN = 14;

/** The servers of a Citus cluster, as its coordinator reports them. */
export interface Cluster {
  /** Of the extension, such as "14.0-1". */
  version: string;
  /** Those that hold rows of games, each by host and port. */
  workers: string[];
  /** Servers that don't answer, or that another server can't reach. */
  away: string[];
  /** Servers on which a table with triggers can't be distributed. */
  refusesTriggers: string[];
  tables: PlacedTable[];
}

/** A table of a cluster: distributed by a column, copied to every server, or on the coordinator alone. */
export interface PlacedTable {
  table: string;
  is: Placement['is'];
  /** What it is distributed by; null: nothing. */
  column: string | null;
  /** Distributed tables with the same number keep the rows of a game together. */
  colocation: number;
}

/** Reads what the coordinator knows of its cluster; null: the database is on one server. */
export async function readCluster(db: Db): Promise<Cluster | null> {
  const version = await findCitusVersion(db);
  if (version === null) return null;
  const { rows: nodes } = await sql<{ name: string; holdsRows: boolean; unreachable: boolean; refusesTriggers: boolean }>`
    with setting as materialized (select nodeid, success, result from run_command_on_all_nodes('show citus.enable_unsafe_triggers')),
      answering as materialized (select nodename, nodeport from setting join pg_dist_node using (nodeid) where success),
      health as materialized (select to_nodename, to_nodeport, bool_and(coalesce(result, false)) as is_reached from citus_check_cluster_node_health()
        where (from_nodename, from_nodeport) in (select nodename, nodeport from answering) group by 1, 2)
    select node.nodename || ':' || node.nodeport as name, node.shouldhaveshards as "holdsRows",
      not coalesce(setting.success and health.is_reached, false) as unreachable, coalesce(setting.success and setting.result <> 'on', false) as "refusesTriggers"
    from pg_dist_node node left join setting using (nodeid) left join health on to_nodename = nodename and to_nodeport = nodeport
    where node.noderole = 'primary' and node.isactive order by node.groupid`.execute(db);
  return {
    version,
    workers: nodes.filter(({ holdsRows }) => holdsRows).map(({ name }) => name),
    away: nodes.filter(({ unreachable }) => unreachable).map(({ name }) => name),
    refusesTriggers: nodes.filter(({ refusesTriggers }) => refusesTriggers).map(({ name }) => name),
    tables: await listPlacedTables(db),
  };
}

/** Lists the tables of the schema with where they are; none in a database on one server. */
export async function listPlacedTables(db: Db): Promise<PlacedTable[]> {
  if ((await findCitusVersion(db)) === null) return [];
  const { rows } = await sql<PlacedTable>`
    select relname as "table", case when partmethod = 'h' then 'distributed' when repmodel = 't' then 'reference' else 'local' end as "is",
      case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey) end as "column", coalesce(colocationid, 0) as colocation
    from pg_class left join pg_dist_partition on logicalrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and not relation_is_a_known_shard(pg_class.oid) order by 1`.execute(db);
  return rows;
}

/** How the tables of a cluster lie, compared with `db/distribution.ts`. */
export interface ComparedPlacements {
  /** Listed as distributed or copied, and still on the coordinator. */
  unplaced: string[];
  /** Placed in another way than listed, with the way: "slice is distributed by recipient_key". */
  misplaced: string[];
  /** Not listed. On the coordinator alone they harm nothing. */
  unlisted: string[];
}

/** Compares the tables that exist with the list. */
export function comparePlacements(
  tables: readonly PlacedTable[],
  listed: Readonly<Record<string, Placement>> = PLACEMENTS,
): ComparedPlacements {
  const ours = tables.filter(({ table }) => table in listed);
  const colocation = ours.find(({ is }) => is === 'distributed')?.colocation;
  const isRight = ({ table, is, column, colocation: own }: PlacedTable): boolean =>
    listed[table]?.is === is && (is !== 'distributed' || (column === 'game_id' && own === colocation));
  const others = ours.filter((table) => !isRight(table));
  return {
    unplaced: others.filter(({ is }) => is === 'local').map(({ table }) => table),
    misplaced: others.filter(({ is }) => is !== 'local').map(describePlace),
    unlisted: tables.filter(({ table }) => !(table in listed)).map(({ table }) => table),
  };
}

function describePlace({ table, is, column }: PlacedTable): string {
  if (is === 'reference') return `${table} is copied to every server`;
  return column === 'game_id'
    ? `${table} is distributed apart from the other tables`
    : `${table} is distributed by ${column ?? 'no column'}`;
}

/** What of the servers of a cluster is in the way of its tables, in a sentence that says what to do; null: nothing. */
export function findClusterProblem({ version, workers, away, refusesTriggers }: Cluster): string | null {
  if (Number.parseInt(version, 10) < CITUS_MAJOR_MIN) return `Citus ${version} is too old: use ${CITUS_MAJOR_MIN} or newer.`;
  if (workers.length === 0) return 'The cluster has no worker: add one with citus_add_node.';
  if (away.length > 0) return `${away.join(', ')} can’t be reached by every server of the cluster.`;
  if (refusesTriggers.length > 0)
    return `Set citus.enable_unsafe_triggers to on for ${refusesTriggers.join(', ')}: evidence is protected by triggers.`;
  return null;
}

/**
 * Why a database of a cluster must be neither used, migrated nor distributed: its tables are distributed in part, or otherwise than listed. Sharebook distributes all or none, so
 * others did that. null: nothing is wrong.
 */
export function findPlacementProblem(tables: readonly PlacedTable[]): string | null {
  const { unplaced, misplaced } = comparePlacements(tables);
  const undo = 'Undo that with undistribute_table, and run sharebook distribute.';
  if (misplaced.length > 0) return `Tables are placed otherwise than db/distribution.ts lists them: ${misplaced.join(', ')}. ${undo}`;
  if (unplaced.length === 0 || tables.every(({ is }) => is === 'local')) return null;
  const named = [...unplaced.slice(0, 3), ...(unplaced.length > 3 ? ['…'] : [])].join(', ');
  const others = unplaced.length === 1 ? 'another one isn’t' : `${unplaced.length} others aren’t`;
  return `Some tables are distributed, and ${others} (${named}). ${undo}`;
}

/** The server that holds the rows of each of these games, by host and port. Games aren't there while the tables aren't distributed. */
export async function findServersOfGames(db: Db, gameIds: readonly number[]): Promise<Map<number, string>> {
  const { rows: known } = await sql`select 1 from pg_dist_partition where logicalrelid = 'slice'::regclass and partmethod = 'h'`.execute(
    db,
  );
  if (known.length === 0) return new Map();
  const { rows } = await sql<{ gameId: number; server: string }>`
    select game_id as "gameId", node.nodename || ':' || node.nodeport as server
    from unnest(${[...gameIds]}::int[]) game_id join pg_dist_placement placement on placement.shardid = get_shard_id_for_distribution_column('slice', game_id)
      join pg_dist_node node on node.groupid = placement.groupid and node.noderole = 'primary'`.execute(db);
  return new Map(rows.map(({ gameId, server }) => [gameId, server]));
}
