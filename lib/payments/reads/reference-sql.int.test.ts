import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { formatPaymentReference } from '../rules/payment-reference.ts';
import { referenceSql } from './reference-sql.ts';

let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

test('the database writes the same payment references as code, check letter included', async () => {
  for (const [gameId, runNo] of [
    [2, 7],
    [0, 1],
    [703, 32_767],
  ] as const) {
    const itemNos = [1, 2, 31, 32, 33, 1_868, 1_023, 1_024, 32_767, 32_768, 99_999, 1_048_575];
    const { rows } = await sql<{ text: string }>`
      select ${referenceSql({ gameId, runNo }, 'n.item_no')} as text from unnest(${itemNos}::int[]) with ordinality as n (item_no, place) order by place`.execute(
      testDb.db,
    );
    expect(rows.map(({ text }) => text)).toEqual(itemNos.map((itemNo) => formatPaymentReference({ gameId, runNo, itemNo })));
  }
});
