import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withFileLock } from '../file-lock.ts';
import { findFreePort } from '../free-port.ts';
import { findData, OWNER, prepareData, readOrCreatePassword } from './data-directory.ts';
import { findBinaries } from './programs.ts';
import { chooseRunAs, type RunAs } from './run-as.ts';
import { findRunningServer, readPostmaster, stopServer } from './running-server.ts';
import { enterServer, leaveServer } from './users.ts';

export type EmbeddedPostgres = {
  /** Connection to the database `postgres`. */
  url: string;
  databaseUrl: (name: string) => string;
  /** True when the server was running already. */
  isReused: boolean;
  /** Where the data lies; outside the folder only when the server runs as `nobody` and could not reach it. */
  dataFolder: string;
  /** Gives the server back; it stops when no other living process uses it. */
  stop: () => Promise<void>;
};

export type EmbeddedPostgresOptions = { folder: string; flags?: string[]; runAs?: 'nobody' };

const LOG_SIZE_MAX = 5_000_000;

/**
 * Starts PostgreSQL over the data in `folder` (made the first time), on 127.0.0.1 and a free port, or joins the server
 * that already runs there. `flags` are server settings, `name=value`.
 */
export async function startPostgres({ folder, flags = [], runAs }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = path.resolve(folder);
  fs.mkdirSync(home, { recursive: true });
  return withFileLock(path.join(home, 'lock'), async () => {
    const password = readOrCreatePassword(home);
    const url = (port: number, name = 'postgres'): string => `postgres://${OWNER}:${password}@127.0.0.1:${port}/${name}`;
    const existing = findData(home);
    const running = existing ? await findRunningServer(existing, url) : null;
    const { dataFolder, port } = running && existing ? { dataFolder: existing, port: running.port } : await launch(home, flags, runAs);
    const note = enterServer(home);
    return {
      url: url(port),
      databaseUrl: (name) => url(port, name),
      isReused: running !== null,
      dataFolder,
      stop: () => withFileLock(path.join(home, 'lock'), () => giveBack(home, dataFolder, note)),
    };
  });
}

/** Creates the database unless it exists. The name is of lower-case letters, digits and underscores. */
export async function ensureDatabase(server: Pick<EmbeddedPostgres, 'url'>, name: string): Promise<void> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`"${name}" is no name for a database.`);
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${name}`).catch(ignoreExisting);
  } finally {
    await client.end();
  }
}

function ignoreExisting(error: unknown): void {
  const code = (error as { code?: string }).code;
  if (code !== '42P04' && code !== '23505') throw error;
}

async function giveBack(home: string, dataFolder: string, note: string): Promise<void> {
  if (leaveServer(home, note).isLast) await stopServer(dataFolder);
}

type Launched = { dataFolder: string; port: number };

async function launch(home: string, flags: string[], runAs?: 'nobody'): Promise<Launched> {
  const as = chooseRunAs(findBinaries(), home, runAs);
  const dataFolder = prepareData(home, as, flags.includes('fsync=off'));
  const log = path.join(dataFolder, 'server.log');
  if ((fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_SIZE_MAX) fs.renameSync(log, `${log}.1`);
  return { dataFolder, port: await launchPatiently(dataFolder, as, flags) };
}

/** After a killed server its last processes may hold the shared memory, and a free port may be taken meanwhile: try again. */
async function launchPatiently(dataFolder: string, as: RunAs, flags: string[]): Promise<number> {
  const log = path.join(dataFolder, 'server.log');
  for (let attempt = 1; ; attempt += 1) {
    const settings = serverSettings(await findFreePort(), flags);
    try {
      as.run('pg_ctl', ['-D', dataFolder, '-w', '-t', '60', '-l', log, '-o', settings, 'start']);
      const started = readPostmaster(dataFolder);
      if (started) return started.port;
      throw new Error('It left no postmaster.pid.');
    } catch (error) {
      if (attempt === 8) throw new Error(`PostgreSQL did not start. Its log is ${log}.`, { cause: error });
      await sleep(500);
    }
  }
}

function serverSettings(port: number, flags: string[]): string {
  const all = ['listen_addresses=127.0.0.1', "unix_socket_directories=''", 'timezone=UTC', 'log_timezone=UTC', ...flags];
  return `-p ${port} ${all.map((flag) => `-c ${flag}`).join(' ')}`;
}
