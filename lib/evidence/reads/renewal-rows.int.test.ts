import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sortsOf } from '#db/kit/list.ts';
import type { Direction, PageRequest } from '#db/kit/paging.ts';
import type { Database } from '#db/types.ts';
import { type SeedSlice, seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { type LineFilter, listRenewalRows, listReversalRows } from '#e2e/support/evidence/list-sheets.ts';
import { proofCases } from '#e2e/support/proof.ts';
import { findMonthSnapshot, type MonthSnapshot } from './month-snapshot.ts';
import { RENEWALS } from './renewals-sheet.ts';

const ALL: LineFilter = { find: '', chip: 'all', recipient: null };
const EVERY_REVERSAL: LineFilter = { find: '', chip: 'all', recipient: null };
const DEFAULT: PageRequest = { sort: 'recipient_player_id', dir: 'asc', after: null, limit: 200 };
const TOTAL: PageRequest = { ...DEFAULT, limit: 1, withTotal: true };
let testDb: TestDb;
let month: MonthSnapshot;

beforeAll(async () => {
  testDb = await createTestDb();
  const gameId = await seedGame(testDb.db);
  const game = { gameId, slug: 'starfall', environment: 'production', timeZone: 'UTC' } as const;
  for (let no = 1; no <= 6; no += 1) {
    const start = `2026-${String(no).padStart(2, '0')}-01T00:00:00Z`;
    const end = `2026-${String(no + 1).padStart(2, '0')}-01T00:00:00Z`;
    await seedSnapshot(testDb.db, gameId, {
      start,
      end,
      slices: [lines(start, end, no * 10_000, 2000)],
      recipients: [{ recipient_player_id: 3 }],
    });
  }
  await sql`analyze`.execute(testDb.db);
  const found = await findMonthSnapshot(testDb.db, game, '2026-05');
  if (!found) throw new Error('no snapshot of May');
  month = found;
});
afterAll(() => testDb.close());

function lines(start: string, end: string, from: number, count: number): SeedSlice {
  const ids = Array.from({ length: count }, (_, index) => from + index);
  const common = (id: number) => ({
    period_id: id,
    recipient_player_id: id % 40,
    paid_at: `${start.slice(0, 17)}${String(id % 7).padStart(2, '0')}.5Z`,
  });
  return {
    start,
    end,
    renewals: ids.map((id) => ({
      ...common(id),
      amount_usd: `${id % 9}.50`,
      item_name: id % 2 ? 'Gold' : null,
      base_matches_settled_fee: id % 100 !== 0,
    })),
    reversals: ids.map((id) => ({ ...common(id), reversed_attributed_usd: '0.10' })),
    events: ids.map((id) => ({
      period_id: id,
      event_no: 1,
      recipient_player_id: id % 40,
      refunded_at: start,
      reversed_attributed_usd: '0.10',
    })),
  };
}

async function idsOf(request: PageRequest, filter = ALL): Promise<number[]> {
  const ids: number[] = [];
  let after: string | null = null;
  do {
    const page = await listRenewalRows(testDb.db, month, filter, { ...request, after });
    ids.push(...page.rows.map((row) => row.period_id));
    after = page.next;
  } while (after !== null && ids.length < 10_000);
  return ids;
}

test.each(proofCases(3, Object.keys(sortsOf(RENEWALS))))(
  'by %s: ten pages list every line once, and the reverse order is exact',
  async (sort) => {
    const down = await idsOf({ ...DEFAULT, sort, dir: 'desc' });
    expect(new Set(down).size).toBe(2000);
    expect(down.length).toBe(2000);
    expect(await idsOf({ ...DEFAULT, sort, dir: 'asc', limit: 700 })).toEqual(down.toReversed());
  },
);

test('the total covers every line of the filter, exactly', async () => {
  expect((await listRenewalRows(testDb.db, month, ALL, TOTAL)).total).toMatchObject({ count: 2000, sums: { amount_usd: '9003.00' } });
  expect((await listRenewalRows(testDb.db, month, { ...ALL, chip: 'base' }, TOTAL)).total).toMatchObject({ count: 20 });
});

test.each([
  ['a period', { ...ALL, find: '50007' }, 1],
  ['a recipient', { ...ALL, find: '7' }, 50],
  ['a subscription', { ...ALL, find: 'sub_50001' }, 1],
  ['an item', { ...ALL, find: 'gold' }, 1000],
  ['one recipient alone', { ...ALL, recipient: 3, find: 'GOLD' }, 50],
  ['what is a pattern elsewhere', { ...ALL, find: 'sub%' }, 0],
  ['an id beyond bounds', { ...ALL, find: '9'.repeat(18) }, 0],
])('looking for %s', async (_, filter, count) => {
  expect((await listRenewalRows(testDb.db, month, filter, TOTAL)).total?.count).toBe(count);
});

test('no list and no total scans a whole table of lines', async () => {
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  const watched = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: testDb.pool }),
    log: ({ query }) => void statements.push(query),
  });
  for (const dir of ['asc', 'desc'] satisfies Direction[]) {
    const first = await listRenewalRows(watched, month, ALL, { ...DEFAULT, dir });
    await listRenewalRows(watched, month, ALL, { ...DEFAULT, dir, after: first.next });
    await listReversalRows(watched, month, EVERY_REVERSAL, { ...DEFAULT, dir });
  }
  await listRenewalRows(watched, month, ALL, TOTAL);
  await listReversalRows(watched, month, EVERY_REVERSAL, TOTAL);
  expect(statements).toHaveLength(8);
  for (const query of statements) {
    const plan = await testDb.pool.query<{ 'QUERY PLAN': string }>(`explain ${query.sql}`, [...query.parameters]);
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).not.toMatch(/Seq Scan on (renewal_line|reversal_line|refund_event)/);
  }
});
