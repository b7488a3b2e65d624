import { spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogins, ensureDatabase } from '#db/kit/administer.ts';
import { identifyProcess, isSameProcess, withFileLock } from '../file-lock.mjs';
import { findFreePort } from '../free-port.ts';
import { chooseRunAs, findBinaries, type RunAs } from './programs.ts';
import { findRunningServer, readPostmaster, stopServer } from './running-server.ts';

export type EmbeddedPostgres = {
  /** Connection to the database `postgres`. */
  url: string;
  /** The connection of the server's administrator to a database. */
  databaseUrl: (name: string) => string;
  /** Creates the database and its roles unless they exist, and returns their connections. */
  openDatabase: (name: string) => Promise<DatabaseUrls>;
  /** True when the server was running already. */
  isReused: boolean;
  /** The data directory; outside `folder` only when the server runs as `nobody`, who cannot reach it. */
  dataFolder: string;
  /** Stops using the server. It stops when no other living process uses it. */
  stop: () => Promise<void>;
};

/** The connections of a database's three logins (`db/roles.sql`). */
export type DatabaseUrls = Record<'web' | 'worker' | 'migrate', string>;

export type EmbeddedPostgresOptions = { folder: string; flags?: string[]; runAs?: 'nobody' };

const ROLES = path.join(import.meta.dirname, '../../../db/roles.sql');
const LOG_SIZE_MAX = 5_000_000;
const LAUNCH_ATTEMPTS_MAX = 8;

/**
 * Starts PostgreSQL over the data in `folder` (created the first time), on 127.0.0.1 and a free port, or joins the server
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
    const user = registerUser(home);
    return {
      url: url(port),
      databaseUrl: (name) => url(port, name),
      openDatabase: (name) => withFileLock(path.join(home, 'lock'), () => openDatabase((database) => url(port, database), name)),
      isReused: running !== null,
      dataFolder,
      stop: () => withFileLock(path.join(home, 'lock'), () => stopUsing(home, dataFolder, user)),
    };
  });
}

async function openDatabase(urlOf: (name?: string) => string, name: string): Promise<DatabaseUrls> {
  await ensureDatabase(urlOf(), name);
  const administrator = urlOf(name);
  const logins = loginsOf(administrator);
  await createLogins(administrator, fs.readFileSync(ROLES, 'utf8'), Object.values(logins));
  return { web: logins.web.href, worker: logins.worker.href, migrate: logins.migrate.href };
}

/** Their passwords follow from the administrator's, which doesn't follow from them: no more secrets to keep. */
function loginsOf(administrator: string): Record<keyof DatabaseUrls, URL> {
  const { password } = new URL(administrator);
  const login = (username: string): URL =>
    Object.assign(new URL(administrator), { username, password: createHmac('sha256', password).update(username).digest('hex') });
  return { web: login('sharebook_web'), worker: login('sharebook_worker'), migrate: login('sharebook_migrate') };
}

/** Removes an embedded PostgreSQL with all its data, unless a living process uses it. Only for data made for tests. */
export async function removeAbandonedPostgres(folder: string): Promise<void> {
  if (countUsers(folder) > 0) return;
  if (!fs.existsSync(folder)) return;
  const link = path.join(folder, 'data');
  const data = fs.existsSync(link) ? fs.realpathSync(link) : null;
  if (data && readPostmaster(data)) await stopServer(data);
  const outside = data && path.dirname(data) !== fs.realpathSync(folder) ? path.dirname(data) : null;
  for (const used of [outside, folder]) if (used) fs.rmSync(used, { recursive: true, force: true });
}

type Launched = { dataFolder: string; port: number };

async function launch(home: string, flags: string[], runAs?: 'nobody'): Promise<Launched> {
  const as = chooseRunAs(findBinaries(), home, runAs);
  const dataFolder = await prepareData(home, as, flags.includes('fsync=off'));
  const log = path.join(dataFolder, 'server.log');
  if ((fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_SIZE_MAX) fs.renameSync(log, `${log}.1`);
  return { dataFolder, port: await launchWithRetries(dataFolder, as, flags) };
}

/** After a killed server its last processes may still hold the shared memory, and a free port may be taken meanwhile. */
async function launchWithRetries(dataFolder: string, as: RunAs, flags: string[]): Promise<number> {
  const log = path.join(dataFolder, 'server.log');
  for (let attempt = 1; ; attempt += 1) {
    const settings = serverSettings(await findFreePort(), flags);
    try {
      await as.run('pg_ctl', ['-D', dataFolder, '-w', '-t', '60', '-l', log, '-o', settings, 'start']);
      const started = readPostmaster(dataFolder);
      if (started) return started.port;
      throw new Error('It left no postmaster.pid.');
    } catch (error) {
      if (attempt === LAUNCH_ATTEMPTS_MAX) throw new Error(`PostgreSQL did not start. Its log is ${log}.`, { cause: error });
      await sleep(500);
    }
  }
}

function serverSettings(port: number, flags: string[]): string {
  const all = ['listen_addresses=127.0.0.1', "unix_socket_directories=''", 'timezone=UTC', 'log_timezone=UTC', ...flags];
  return `-p ${port} ${all.map((flag) => `-c ${flag}`).join(' ')}`;
}

/** Records that this process uses the server, so that another one does not stop it; returns the path of the record. */
function registerUser(folder: string): string {
  const record = path.join(folder, 'users', `${process.pid}-${randomBytes(4).toString('hex')}`);
  fs.mkdirSync(path.dirname(record), { recursive: true });
  fs.writeFileSync(record, identifyProcess(process.pid) ?? String(process.pid));
  return record;
}

async function stopUsing(home: string, dataFolder: string, user: string): Promise<void> {
  fs.rmSync(user, { force: true });
  if (countUsers(home) === 0) await stopServer(dataFolder);
}

/** Counts the living processes that use the server and clears the records of dead ones. */
function countUsers(folder: string): number {
  const users = path.join(folder, 'users');
  const records = fs.existsSync(users) ? fs.readdirSync(users) : [];
  return records.filter((record) => isLiving(path.join(users, record))).length;
}

function isLiving(record: string): boolean {
  const identity = fs.existsSync(record) ? fs.readFileSync(record, 'utf8') : '';
  if (identity && isSameProcess(identity)) return true;
  fs.rmSync(record, { force: true });
  return false;
}

const OWNER = 'sharebook';

const INITDB_FLAGS = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'];

/** Finds the data directory (through a link when `nobody` could not reach the folder), or null when there is none yet. */
export function findData(folder: string): string | null {
  const directory = path.join(folder, 'data');
  return fs.existsSync(directory) ? fs.realpathSync(directory) : null;
}

/**
 * Makes sure `folder` holds a complete database cluster that `as` can run, and returns its data directory.
 * `isThrowAway` skips the writes that only matter when the machine loses power.
 */
async function prepareData(folder: string, as: RunAs, isThrowAway: boolean): Promise<string> {
  const found = findData(folder);
  if (found && isComplete(found)) return changeOwner(found, as);
  setAsideIncomplete(folder, found);
  const directory = as.elsewhere ?? path.join(folder, 'data');
  await initialise(directory, as, readOrCreatePassword(folder), isThrowAway ? ['--no-sync'] : []);
  if (as.elsewhere) fs.symlinkSync(directory, path.join(folder, 'data'));
  return directory;
}

/** Reads the owner's password, stored beside the data and readable by this user only; creates one the first time. */
function readOrCreatePassword(folder: string): string {
  const file = path.join(folder, 'password');
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim();
  const data = findData(folder);
  if (data && isComplete(data)) throw new Error(`${file} is missing. The database beside it can't be opened without it.`);
  const password = randomBytes(24).toString('hex');
  fs.writeFileSync(`${file}.part`, `${password}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.part`, file);
  return password;
}

/** `initdb` writes `pg_control` near its end; a folder without it never was a cluster. */
function isComplete(data: string): boolean {
  return fs.existsSync(path.join(data, 'PG_VERSION')) && fs.existsSync(path.join(data, 'global', 'pg_control'));
}

/** Renames an incomplete folder instead of deleting it: it may not be ours. */
function setAsideIncomplete(folder: string, found: string | null): void {
  if (found && fs.readdirSync(found).length > 0) fs.renameSync(found, `${found}.incomplete-${process.pid}-${fs.statSync(found).ino}`);
  fs.rmSync(path.join(folder, 'data'), { recursive: true, force: true });
}

async function initialise(data: string, as: RunAs, password: string, flags: string[]): Promise<void> {
  const part = `${data}.part`;
  fs.rmSync(part, { recursive: true, force: true });
  fs.mkdirSync(part, { recursive: true, mode: 0o700 });
  const passwordFile = `${data}.pw`;
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (as.uid !== null) for (const created of [part, passwordFile]) fs.chownSync(created, as.uid, as.uid);
  try {
    await as.run('initdb', ['-D', part, '-U', OWNER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, ...INITDB_FLAGS, ...flags]);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
  fs.renameSync(part, data);
}

/** The way PostgreSQL runs may change between two starts, for example after an upgrade of the machine. */
function changeOwner(data: string, as: RunAs): string {
  if (as.uid === null || fs.statSync(data).uid === as.uid) return data;
  const changed = spawnSync('chown', ['-R', `${as.uid}:${as.uid}`, data]);
  if (changed.status !== 0) throw new Error(`${data} belongs to another user, and its owner could not be changed.`);
  return data;
}
