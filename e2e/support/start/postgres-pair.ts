import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, removeAbandonedPostgres, startPostgres } from '#lib/start/postgres/embedded-postgres.ts';

/** The copy of a server that follows it by streaming replication. */
export interface Replica extends EmbeddedPostgres {
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'server.log']);

/**
 * For tests: makes a replica of a running embedded server as `pg_basebackup` would, which isn't among the binaries: a backup is started, the
 * files are copied, the backup is ended, and the copy starts as a standby that fetches what is missing. Resolves when it answers.
 */
export async function startReplica(primary: EmbeddedPostgres, flags: string[] = []): Promise<Replica> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-replica-'));
  fs.chmodSync(folder, 0o711);
  const { password } = new URL(primary.url);
  fs.writeFileSync(path.join(folder, 'password'), `${password}\n`, { mode: 0o600 });
  const data = path.join(folder, 'data');
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', fast => true)`);
    copyData(primary.dataFolder, data);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(wait_for_archive => false)');
    fs.writeFileSync(path.join(data, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  fs.mkdirSync(path.join(data, 'pg_wal'), { mode: 0o700 });
  const { hostname, port, username } = new URL(primary.url);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  fs.appendFileSync(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  fs.writeFileSync(path.join(data, 'standby.signal'), '');
  const server = await startPostgres({ folder, flags: ['fsync=off', ...flags] });
  return {
    ...server,
    remove: async () => {
      await server.stop();
      await removeAbandonedPostgres(folder);
    },
  };
}

/** Copies a data directory in use. Files may change or go meanwhile: the log of the backup repairs what was copied in pieces. */
function copyData(from: string, to: string): void {
  fs.mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    if (NOT_COPIED.has(entry.name)) continue;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copyData(source, target);
    else copyFile(source, target);
  }
}

function copyFile(source: string, target: string): void {
  try {
    fs.copyFileSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
