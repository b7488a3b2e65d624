import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';

const USAGE = `node e2e/citus/build-cluster.ts --postgres FILE --citus FOLDER --into FOLDER [--port PORT]

Builds PostgreSQL and Citus and starts a cluster of a coordinator and two workers on this machine, for tests: nothing survives a power failure.
--postgres  the sources: the .orig.tar.bz2 of Debian's source package postgresql-18
--citus     a checkout of github.com/citusdata/citus at a release tag, v14.0.1 or newer
--into      where programs and data go; what is built already is used again, and the data are replaced
--port      of the coordinator, 6000 unless given; the workers take the next two
Needs gcc, make, bison, flex and perl. PostgreSQL refuses to run as root: started by root, it runs as "nobody".
`;

/** Small, and fast rather than safe. Without the last, a table with triggers can't be distributed. */
const SETTINGS: Readonly<Record<string, string>> = {
  shared_preload_libraries: 'citus',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  max_prepared_transactions: '400',
  max_locks_per_transaction: '512',
  wal_level: 'logical',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.shard_count': '8',
  'citus.enable_unsafe_triggers': 'on',
};
const WORKERS = 2;
const NOBODY = 65_534;
const AS_NOBODY = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const { values } = parseArgs({
  options: { postgres: { type: 'string' }, citus: { type: 'string' }, into: { type: 'string' }, port: { type: 'string', default: '6000' } },
});
if (values.postgres === undefined || values.citus === undefined || values.into === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const into = path.resolve(values.into);
const programs = path.join(into, 'programs');
fs.mkdirSync(into, { recursive: true });
if (!fs.existsSync(path.join(programs, 'bin/postgres'))) buildPostgres(path.resolve(values.postgres));
if (!fs.existsSync(path.join(programs, 'lib/postgresql/citus.so'))) buildCitus(path.resolve(values.citus));
const ports = Array.from({ length: WORKERS + 1 }, (_, index) => Number(values.port) + index);
for (const port of ports) startServer(port);
process.stdout.write(`SHAREBOOK_CITUS_URL=${await joinServers(ports)}\n`);

function buildPostgres(archive: string): void {
  const sources = path.join(into, 'postgres-sources');
  fs.mkdirSync(sources, { recursive: true });
  run('tar', ['xf', archive, '-C', sources, '--strip-components=1'], into);
  run('./configure', [`--prefix=${programs}`, '--without-readline', '--without-icu', '--without-zlib'], sources);
  run('make', ['-s', 'install-world-bin'], sources);
}

function buildCitus(checkout: string): void {
  const sources = path.join(into, 'citus-sources');
  fs.cpSync(checkout, sources, { recursive: true });
  const options = ['--without-libcurl', '--without-lz4', '--without-zstd', '--without-pg-version-check'];
  run('./configure', options, sources, { PG_CONFIG: path.join(programs, 'bin/pg_config') });
  // A checkout gives all files one time, and make would generate the newer-looking of them again.
  for (const generated of ['aclocal.m4', 'configure', 'src/include/citus_config.h.in', 'config.status', 'Makefile.global']) {
    const file = path.join(sources, generated);
    if (fs.existsSync(file)) fs.utimesSync(file, new Date(), new Date());
  }
  run('make', ['-s', 'install-all'], sources);
}

function startServer(port: number): void {
  const data = path.join(into, `data-${port}`);
  const control = (...args: string[]): void => run(path.join(programs, 'bin/pg_ctl'), ['-D', data, ...args], into, {}, AS_NOBODY);
  if (fs.existsSync(path.join(data, 'postmaster.pid'))) control('-m', 'immediate', '-w', 'stop');
  fs.rmSync(data, { recursive: true, force: true });
  fs.mkdirSync(data, { mode: 0o700 });
  if (AS_NOBODY.uid !== undefined) fs.chownSync(data, AS_NOBODY.uid, AS_NOBODY.gid);
  const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  run(
    path.join(programs, 'bin/initdb'),
    ['-D', data, '-U', 'sharebook', '--auth=trust', '--no-instructions', ...encoding],
    into,
    {},
    AS_NOBODY,
  );
  const settings = Object.entries({ ...SETTINGS, port: String(port) }).map(([name, value]) => `${name} = '${value}'\n`);
  fs.appendFileSync(path.join(data, 'postgresql.conf'), settings.join(''));
  control('-w', '-l', path.join(data, 'server.log'), 'start');
}

/** Makes the databases "postgres" of the servers one cluster and returns the administrator's connection to the coordinator. */
async function joinServers([coordinator = 0, ...workers]: readonly number[]): Promise<string> {
  const urlOf = (port: number): string => `postgres://sharebook@127.0.0.1:${port}/postgres`;
  for (const port of [coordinator, ...workers]) await query(urlOf(port), 'create extension citus');
  await query(urlOf(coordinator), `select citus_set_coordinator_host('127.0.0.1', $1)`, coordinator);
  for (const port of workers) await query(urlOf(coordinator), `select citus_add_node('127.0.0.1', $1)`, port);
  return urlOf(coordinator);
}

async function query(connectionString: string, text: string, ...values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(text, values);
  await client.end();
}

function run(program: string, args: string[], cwd: string, env: NodeJS.Dict<string> = {}, as: { uid?: number; gid?: number } = {}): void {
  process.stderr.write(`${path.basename(program)} ${args.slice(0, 3).join(' ')}\n`);
  // A server would hold this process for as long as it has its output open.
  const { status, error } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, HOME: into, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    ...as,
  });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}`);
}
