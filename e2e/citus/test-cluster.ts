import pg from 'pg';

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
