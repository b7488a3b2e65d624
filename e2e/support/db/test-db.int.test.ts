import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { listPendingMigrations } from '#db/kit/administer.ts';
import { MIGRATIONS_FOLDER } from '#db/kit/migrate.ts';
import { createTestDb } from './test-db.ts';

it('gives each caller its own migrated database', async () => {
  const [mine, other] = await Promise.all([createTestDb(), createTestDb()]);
  await sql`create table mine (n int)`.execute(mine.db);
  const found = await sql<{ there: string | null }>`select to_regclass('mine') as there`.execute(other.db);
  expect(found.rows[0]?.there).toBeNull();
  expect(await listPendingMigrations(other.db, MIGRATIONS_FOLDER)).toEqual([]);
  await Promise.all([mine.close(), other.close()]);
});
