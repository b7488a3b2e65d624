// @module-tag no-retry
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { chainAudit, verifyAudit } from './chain-audit.ts';
import { findAuditHead } from './reads.ts';
import { recordAudit } from './writes.ts';

let testDb: TestDb;
let recorded = 0;

beforeAll(async () => {
  testDb = await createTestDb();
});
// Every test starts with a chain of at least five rows and no tail.
beforeEach(async () => {
  for (let row = 0; row < 5; row += 1) await record();
  await chainAudit(testDb.db);
});
afterAll(() => testDb.close());

async function record(): Promise<void> {
  recorded += 1;
  await recordAudit(testDb.db, {
    actor: 'ada@studio.example',
    act: `was refused thing ${recorded}`,
    subject: 'a thing',
    detail: { b: [1, 2], a: 'x' },
  });
}

const linkedIds = async (): Promise<number[]> =>
  (await testDb.pool.query<{ audit_id: number }>('select audit_id from audit_link order by position')).rows.map((row) => row.audit_id);

describe('the chain of the audit', () => {
  test('has every row once, and a tail is counted without being an error', async () => {
    await record();
    await record();
    expect(await verifyAudit(testDb.db)).toEqual({ linked: recorded - 2, unlinked: 2, violations: [] });
    expect(await chainAudit(testDb.db)).toBe(2);
    expect(await chainAudit(testDb.db)).toBe(0);
    expect(await verifyAudit(testDb.db)).toEqual({ linked: recorded, unlinked: 0, violations: [] });
  });

  test('follows the order of commits: a row that commits late gets its link late, whatever its id', async () => {
    const slow = await testDb.pool.connect();
    await slow.query('begin');
    const { rows } = await slow.query<{ audit_id: number }>(
      `insert into audit (actor, act, subject) values ('ada@studio.example', 'was slow', 'a thing') returning audit_id`,
    );
    await record();
    expect(await chainAudit(testDb.db)).toBe(1);
    await slow.query('commit');
    slow.release();
    recorded += 1;
    expect(await chainAudit(testDb.db)).toBe(1);
    expect((await linkedIds()).at(-1)).toBe(rows[0]?.audit_id);
    expect(await verifyAudit(testDb.db)).toMatchObject({ unlinked: 0, violations: [] });
  });

  test('is extended by several processes at once without a gap', async () => {
    for (let row = 0; row < 20; row += 1) await record();
    const chained = await Promise.all(Array.from({ length: 4 }, () => chainAudit(testDb.db)));
    expect(chained.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(await verifyAudit(testDb.db)).toEqual({ linked: recorded, unlinked: 0, violations: [] });
  });
});

test.each([
  ['a changed actor', `update audit set actor = 'eve' where audit_id = 2`, 'audit_digest'],
  ['a changed detail', `update audit set detail = '{}' where audit_id = 2`, 'audit_digest'],
  ['a changed time', `update audit set at = at + interval '1 microsecond' where audit_id = 2`, 'audit_digest'],
  ['a removed row', `delete from audit where audit_id = 2`, 'audit_digest'],
  ['a removed link', `delete from audit_link where position = 2`, 'audit_has_no_gap'],
  [
    'a removed row with its link',
    `with l as (delete from audit_link where audit_id = 2) delete from audit where audit_id = 2`,
    'audit_has_no_gap',
  ],
  ['a digest', `update audit_link set digest = sha256('x') where position = 2`, 'audit_digest'],
  [
    'a row of an earlier time that was added',
    `insert into audit (at, actor, act, subject) values (clock_now() - interval '2 hours', 'eve', 'did nothing', 'x')`,
    'audit_is_chained',
  ],
])('%s is found', async (_, statement, name) => {
  const found = await withTampering(
    testDb.pool,
    async (client) => void (await client.query(statement)),
    (view) => verifyAudit(view),
  );
  expect(found.violations.map((violation) => violation.name)).toContain(name);
});

test('an audit that was chained again contradicts the link that was exported before', async () => {
  const head = await findAuditHead(testDb.db);
  const rows = recorded;
  const found = await withTampering(
    testDb.pool,
    async (client, view) => {
      await client.query('delete from audit_link');
      await client.query(`update audit set actor = 'eve' where audit_id = 1`);
      expect(await chainAudit(view)).toBe(rows);
    },
    async (view) => ({ alone: await verifyAudit(view), compared: await verifyAudit(view, head) }),
  );
  expect(found.alone.violations).toEqual([]);
  expect(found.compared.violations.map(({ name }) => name)).toEqual(['exported_head']);
});
