import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** How the server's programs are run: as ourselves, in a user namespace, or as `nobody`. */
export type RunAs = {
  kind: 'self' | 'namespace' | 'nobody';
  binaries: string;
  /** Where data may be created, whole path; `null` means in the folder that was asked for. */
  elsewhere: string | null;
  uid: number | null;
  run: (program: string, args: string[]) => void;
};

const NOBODY = 65534;
const NAMESPACE = ['--user', '--map-user=1000', '--map-group=1000'];

/** PostgreSQL refuses to run as root; finds the way that works here, for data in `folder`. */
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

function runner(binaries: string, prefix: string[], options: { uid?: number; gid?: number; cwd?: string }): RunAs['run'] {
  return (program, args) => {
    const [command, ...rest] = [...prefix, path.join(binaries, 'bin', program), ...args];
    const result = spawnSync(command ?? program, rest, {
      ...options,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { NODE_ENV: 'production', PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    });
    if (result.status === 0) return;
    throw new Error(`${program} failed (${result.error?.message ?? result.signal ?? result.status}): ${result.stderr ?? ''}`);
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

/** A folder below a shared one, that nobody else can have prepared for us. */
function privateFolder(base: string, purpose: string): string {
  const folder = path.join(base, `sharebook-${createHash('sha256').update(purpose).digest('hex').slice(0, 16)}`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o711 });
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${folder} belongs to somebody else.`);
  fs.chmodSync(folder, 0o711);
  return folder;
}
