import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { RunAs } from './run-as.ts';

export const OWNER = 'sharebook';

const INITDB_FLAGS = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'];

/** Finds where the data lies (a link when `nobody` could not reach the folder), or null when there is none yet. */
export function findData(folder: string): string | null {
  const at = path.join(folder, 'data');
  return fs.existsSync(at) ? fs.realpathSync(at) : null;
}

/**
 * Makes sure `folder` holds a whole database cluster that `as` can run, and tells where its data lies.
 * `isThrowAway` spares the writes that only matter when the machine loses power.
 */
export function prepareData(folder: string, as: RunAs, isThrowAway: boolean): string {
  const found = findData(folder);
  if (found && isWhole(found)) return giveTo(found, as);
  removeHalfMade(folder, found);
  const at = as.elsewhere ?? path.join(folder, 'data');
  initialise(at, as, readOrCreatePassword(folder), isThrowAway ? ['--no-sync'] : []);
  if (as.elsewhere) fs.symlinkSync(at, path.join(folder, 'data'));
  return at;
}

/** Reads the owner's password, kept beside the data for this user's eyes only; makes one the first time. */
export function readOrCreatePassword(folder: string): string {
  const file = path.join(folder, 'password');
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim();
  const data = findData(folder);
  if (data && isWhole(data)) throw new Error(`${file} is missing; the data beside it cannot be opened without it.`);
  const password = randomBytes(24).toString('hex');
  fs.writeFileSync(`${file}.part`, `${password}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.part`, file);
  return password;
}

/** `pg_control` is written last but one by `initdb`; a folder without it never was a cluster. */
function isWhole(data: string): boolean {
  return fs.existsSync(path.join(data, 'PG_VERSION')) && fs.existsSync(path.join(data, 'global', 'pg_control'));
}

/** Sets a half-made folder aside instead of deleting it: what we did not finish may not be ours. */
function removeHalfMade(folder: string, found: string | null): void {
  if (found && fs.readdirSync(found).length > 0) fs.renameSync(found, `${found}.incomplete-${process.pid}-${fs.statSync(found).ino}`);
  fs.rmSync(path.join(folder, 'data'), { recursive: true, force: true });
}

function initialise(data: string, as: RunAs, password: string, flags: string[]): void {
  const part = `${data}.part`;
  fs.rmSync(part, { recursive: true, force: true });
  fs.mkdirSync(part, { recursive: true, mode: 0o700 });
  const passwordFile = `${data}.pw`;
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (as.uid !== null) for (const mine of [part, passwordFile]) fs.chownSync(mine, as.uid, as.uid);
  try {
    as.run('initdb', ['-D', part, '-U', OWNER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, ...INITDB_FLAGS, ...flags]);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
  fs.renameSync(part, data);
}

/** The same data may be run another way than the last time, for example after an upgrade of the machine. */
function giveTo(data: string, as: RunAs): string {
  if (as.uid === null || fs.statSync(data).uid === as.uid) return data;
  const given = spawnSync('chown', ['-R', `${as.uid}:${as.uid}`, data]);
  if (given.status !== 0) throw new Error(`${data} belongs to another user and could not be taken over.`);
  return data;
}
