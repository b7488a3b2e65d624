import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { RunAs } from './programs.ts';

export const OWNER = 'sharebook';

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
export async function prepareData(folder: string, as: RunAs, isThrowAway: boolean): Promise<string> {
  const found = findData(folder);
  if (found && isComplete(found)) return changeOwner(found, as);
  setAsideIncomplete(folder, found);
  const directory = as.elsewhere ?? path.join(folder, 'data');
  await initialise(directory, as, readOrCreatePassword(folder), isThrowAway ? ['--no-sync'] : []);
  if (as.elsewhere) fs.symlinkSync(directory, path.join(folder, 'data'));
  return directory;
}

/** Reads the owner's password, stored beside the data and readable by this user only; creates one the first time. */
export function readOrCreatePassword(folder: string): string {
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
