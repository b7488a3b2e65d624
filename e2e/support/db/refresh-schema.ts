import '#lib/start/exit-with-parent.ts';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { ROOT } from '#lib/start/data-folder.ts';
import { removeAbandonedPostgres, startPostgres } from '#lib/start/postgres/embedded-postgres.ts';

const NAME = 'sharebook_schema';

await refreshSchema();

/** Writes `db/types.ts` and `db/schema.sql` from the migrations, by applying them to an empty database that is removed afterwards. */
async function refreshSchema(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-schema-'));
  fs.chmodSync(folder, 0o711);
  const server = await startPostgres({ folder, flags: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] });
  try {
    await migrateDatabase((await server.openDatabase(NAME)).migrate);
    write('e2e/support/db/write-types.ts');
    write('e2e/support/db/write-schema.ts', server.databaseUrl(NAME));
  } finally {
    await server.stop();
    await removeAbandonedPostgres(folder);
  }
}

function write(file: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [file, ...args], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${file} failed.`);
}
