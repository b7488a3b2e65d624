import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import type { Bench } from '../goal.ts';

/** A generated database is thrown away when it breaks, so nothing of it has to survive a crash. */
export const LARGE_SERVER_FLAGS = [
  'fsync=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=8GB',
  'shared_buffers=2GB',
  'maintenance_work_mem=1GB',
  'autovacuum=off',
];

/** The server of the generated databases, which stay for the next run: the largest takes ten minutes to fill and 16 GB. */
export async function startLargeServer({ folder }: Pick<Bench, 'folder'>): Promise<EmbeddedPostgres> {
  const home = path.join(folder, 'large');
  mkdirSync(home, { recursive: true });
  return await startPostgres({ folder: home, flags: LARGE_SERVER_FLAGS });
}
