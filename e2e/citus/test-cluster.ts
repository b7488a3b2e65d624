import pg from 'pg';

/**
 * Whether tests run on a cluster. Those that find a row by its place in the files of one server, or change what a cluster can't, are skipped there:
 * `shard-tampers.int.test.ts` changes rows of shards.
 */
export const IS_CLUSTER = process.env['SHAREBOOK_CITUS_URL'] !== undefined;

/** Connections of the administrator to one database on each server of a cluster, the coordinator first. */
export async function listServers(coordinator: string): Promise<string[]> {
  const { rows } = await query<{ nodename: string; nodeport: number }>(
    coordinator,
    `select nodename, nodeport from pg_dist_node where noderole = 'primary' and isactive and groupid > 0 order by groupid`,
  );
  const workers = rows.map(
    ({ nodename, nodeport }) => Object.assign(new URL(coordinator), { hostname: nodename, port: String(nodeport) }).href,
  );
  return [coordinator, ...workers];
}

/** Creates a database of that name on each server and makes them one: the workers hold the shards. Returns its connection on the coordinator. */
export async function createOnCluster(servers: readonly string[], name: string): Promise<string> {
  const [coordinator = '', ...workers] = servers.map((url) => inDatabase(url, name));
  for (const server of servers) {
    await query(server, `create database ${name}`);
    await query(inDatabase(server, name), 'create extension citus');
  }
  await query(coordinator, 'select citus_set_coordinator_host($1, $2)', hostOf(coordinator));
  for (const worker of workers) await query(coordinator, 'select citus_add_node($1, $2)', hostOf(worker));
  await query(coordinator, `select citus_set_node_property($1, $2, 'shouldhaveshards', false)`, hostOf(coordinator));
  return coordinator;
}

/** Connection of the administrator to the server that holds the rows of a game, in the same database. */
export async function findServerOf({ pool, url }: { pool: pg.Pool; url: string }, gameId: number): Promise<string> {
  const { rows } = await pool.query(
    `select nodename, nodeport from pg_dist_placement join pg_dist_node using (groupid)
     where shardid = get_shard_id_for_distribution_column('slice', $1::int)`,
    [gameId],
  );
  return Object.assign(new URL(url), { hostname: rows[0].nodename, port: String(rows[0].nodeport) }).href;
}

/** Throws when a table that every server has a copy of isn't the same on all: a statement changed one copy alone. */
export async function compareCopies(coordinator: string): Promise<void> {
  const { rows: tables } = await query<{ name: string }>(
    coordinator,
    `select table_name::text as name from citus_tables where citus_table_type = 'reference'`,
  );
  for (const { name } of tables) {
    const { rows } = await query<{ result: string }>(
      coordinator,
      `select distinct result from run_command_on_all_nodes(format('select md5(string_agg(t::text, chr(10) order by t::text)) from %I t', $1::text))`,
      [name],
    );
    if (rows.length !== 1) throw new Error(`the copies of ${name} differ: a statement changed one of them alone`);
  }
}

/** Drops the databases whose names begin so, from each server. */
export async function dropFromCluster(servers: readonly string[], prefixes: readonly string[]): Promise<void> {
  for (const server of servers) {
    const { rows } = await query<{ name: string }>(
      server,
      'select datname as name from pg_database where exists (select from unnest($1::text[]) prefix where datname ^@ prefix)',
      [prefixes],
    );
    for (const { name } of rows) await query(server, `drop database if exists ${name} with (force)`);
  }
}

/** The same connection to another database of the server. */
function inDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

function hostOf(url: string): [string, number] {
  const { hostname, port } = new URL(url);
  return [hostname, Number(port || 5432)];
}

/** Lets the servers of a cluster log in to each other as the owner of the tables: they run each statement under its own role. */
export async function letOwnerLogIn(coordinator: string): Promise<void> {
  await query(coordinator, 'alter role sharebook_owner login');
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Row>(text, values);
  } finally {
    await client.end();
  }
}

/** Whether a statement in the database waits for a lock, on any of its servers. */
export async function isBlocked(pool: pg.Pool): Promise<boolean> {
  const waiting = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const { rows } = await pool.query<{ count: string }>(
    IS_CLUSTER ? `select sum(result::int) as count from run_command_on_all_nodes($q$${waiting}$q$)` : waiting,
  );
  return Number(rows[0]?.count) > 0;
}

const NOT_SUPPORTED = '0A000';
/** What is between semicolons that are in no text. */
const STATEMENT = /(?:[^;']|'(?:[^']|'')*')+/g;
const COLUMN_MOVED = /\b([a-z_]+(?:\.[a-z_]+)?) ([-+]) (interval '[^']+')/g;

/** A change whose instants depend on no time zone of a session: a cluster makes no other. */
export function inUtc(text: string): string {
  return text.replace(COLUMN_MOVED, "($1 at time zone 'UTC' $2 $3) at time zone 'UTC'");
}

/** An update or delete that a test makes in a way that a cluster doesn't, sent to each shard of its table. */
async function changeOnShards(
  query: (text: string, values: unknown[]) => Promise<pg.QueryResult>,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult> {
  const filled = text.trim().replace(/\$(\d+)/g, (_, no: string) => literal(values[Number(no) - 1]));
  const [, table = ''] = /^(?:update|delete from)\s+"?(\w+)/.exec(filled) ?? [];
  const command = filled.replaceAll('%', '%%').replace(/^(update|delete from)\s+"?\w+"?/, `$1 %s as ${table}`);
  const result = await query('select success, result from run_command_on_shards($1, $2)', [table, command]);
  const refused = result.rows.find(({ success }) => success !== true);
  if (refused !== undefined) throw new Error(String(refused.result));
  // Each shard reports the command with how many rows it changed.
  const rowCount = result.rows.reduce((sum, each) => sum + Number(String(each.result).split(' ').at(-1)), 0);
  return { ...result, rows: [], rowCount };
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value));
}

/**
 * Sends statements in one text one after another, in one transaction: a cluster refuses several in one where one of them changes a table. Tests that tamper with
 * rows then do it on the shards too: SET LOCAL goes to every server.
 */
export function sendOneByOne(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
  const send = async (given: unknown, ...values: unknown[]): Promise<pg.QueryResult> => {
    const text = typeof given === 'string' && /\bupdate\b/.test(given) ? inUtc(given) : given;
    const statements =
      typeof text === 'string' && !text.includes('$$') ? (text.match(STATEMENT) ?? []).filter((each) => each.trim() !== '') : [];
    if (statements.length < 2)
      return await query(text, ...values).catch(async (error: unknown) => {
        if ((error as { code?: unknown }).code !== NOT_SUPPORTED || !/^\s*(update|delete)/.test(String(text))) throw error;
        return await changeOnShards(query, String(text), values[0] as unknown[]);
      });
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`set local citus.propagate_set_commands = 'local'`);
      await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
      const results: pg.QueryResult[] = [];
      for (const each of statements)
        results.push(await client.query(each.trim().replace(/^set (?=session_replication_role)/, 'set local ')));
      await client.query('commit');
      return results.at(-1) as pg.QueryResult;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };
  pool.query = send as typeof pool.query;
}
