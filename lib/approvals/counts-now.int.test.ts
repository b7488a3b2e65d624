import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { accountStatus, countsNow } from './reads.ts';

let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

test('the condition of changes and the function of the database count the same accounts', async () => {
  const instants = sql`(values (null::timestamptz), (clock_now() - interval '1 second'), (clock_now() + interval '1 hour'))`;
  const { rows } = await sql<{ status: string; counts: boolean }>`
    select ${accountStatus('person')} as status, ${countsNow('person')} as counts
    from (select * from ${instants} d (disabled_at), ${instants} c (account_confirmed_at), ${instants} f (counts_from)) person`.execute(
    testDb.db,
  );
  expect(rows).toHaveLength(27);
  expect(rows.filter(({ status, counts }) => (status === 'counts') !== counts)).toEqual([]);
  expect(rows.filter(({ counts }) => counts)).toHaveLength(4);
});
