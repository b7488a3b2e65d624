// @module-tag no-retry
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { sampleSlice } from '#e2e/support/evidence/sample-slice.ts';
import { ensureGame } from '#lib/games/writes.ts';
import { insertSlice } from './writes/insert-slice.ts';
import { claimPull, insertPull, type Lease } from './writes/pull-queue.ts';

// Every table whose rows are evidence. A new table of evidence is added here and to the triggers.
const EVIDENCE = [
  'slice',
  'slice_recipient',
  'renewal_line',
  'reversal_line',
  'refund_event',
  'snapshot',
  'snapshot_slice',
  'snapshot_check',
  'snapshot_recipient',
  'recheck',
  'response',
  'report_read',
  'recipient_salt',
  'recipient_erasure',
  'refund',
  'refund_attempt',
  'refund_decision',
  'refund_read',
  'payout_pause',
  'refund_pause',
  'action_pause',
  'database_restore',
  'audit',
  'audit_link',
  'payee_detail',
  'payout_minimum',
  'payout_note',
  'payout_editor',
  'payout_approval',
  'unattributed_finding',
  'payout_item',
  'payout_sender',
  'payout_batch',
  'ach_file_id',
  'payment_report',
  'payment_confirmation',
  'payment_report_row',
  'account_map',
  'journal_entry',
  'journal_transfer',
  'notice',
  'delivery',
  'delivery_subject',
  'delivery_repeat',
  'verification',
  'desk_action_attempt',
  'desk_action_decision',
  'desk_action_read',
];
const FILLED = ['slice', 'slice_recipient', 'renewal_line', 'reversal_line', 'refund_event', 'audit'];

let testDb: TestDb;
let lease: Lease;

beforeAll(async () => {
  testDb = await createTestDb();
  const { gameId } = await ensureGame(testDb.db, { slug: 'aurora', environment: 'sandbox', name: 'Aurora', timeZone: 'UTC' });
  await insertPull(testDb.db, { gameId, window: sampleSlice().window, isFresh: false, requestedBy: 'test' });
  const claimed = await claimPull(testDb.db, 'test', { gameId });
  if (!claimed) throw new Error('the pull was not claimed');
  lease = claimed;
  await insertSlice(testDb.db, lease, { evidence: sampleSlice(), digest: Buffer.alloc(32), isConsistent: true, responses: [] });
});
afterAll(() => testDb.close());

describe('evidence', () => {
  test.each(EVIDENCE)('%s refuses update, delete and truncate', async (table) => {
    const { rows } = await testDb.pool.query<{ column: string }>(
      `select attname as column from pg_attribute where attrelid = $1::regclass and attnum > 0 and attidentity = '' limit 1`,
      [table],
    );
    const column = rows[0]?.column ?? '';
    // A trigger of a table that is spread sees the name of a part of it.
    const refusal = new RegExp(`${table}(_\\d+)? is evidence`);
    if (FILLED.includes(table)) {
      await expect(testDb.pool.query(`update ${table} set ${column} = ${column}`)).rejects.toThrow(refusal);
      await expect(testDb.pool.query(`delete from ${table}`)).rejects.toThrow(refusal);
    }
    await expect(testDb.pool.query(`truncate ${table} cascade`)).rejects.toThrow('is evidence');
  });

  test('every table of evidence has both triggers, and no other table does', async () => {
    const { rows } = await testDb.pool.query<{ table: string }>(
      `select tgrelid::regclass::text as table from pg_trigger where not tgisinternal and tgfoid = any('{refuse_change,keep_recipient,keep_salt,keep_refund,keep_until_end,keep_delivery,keep_bytes,keep_payee_detail,keep_set_once}'::regproc[]) and tgenabled = 'O' group by 1
       having bool_or(tgtype & 1 = 1 and tgtype & 8 = 8) and bool_or(tgtype & 1 = 1 and tgtype & 16 = 16) and bool_or(tgtype & 32 = 32)`,
    );
    expect(rows.map((row) => row.table).toSorted()).toEqual(EVIDENCE.toSorted());
  });

  test('pulling a window again stores a new version beside the old one', async () => {
    const again = await insertSlice(testDb.db, lease, {
      evidence: sampleSlice(),
      digest: Buffer.alloc(32, 1),
      isConsistent: true,
      responses: [],
    });
    const { rows } = await testDb.pool.query('select version, supersedes_slice_id from slice where game_id = $1 and slice_id = $2', [
      lease.gameId,
      again,
    ]);
    expect(rows).toEqual([{ version: 2, supersedes_slice_id: again - 1 }]);
  });

  test('a slice that can’t be stored completely isn’t stored at all', async () => {
    const before = await count('slice');
    const renewals = [...sampleSlice().renewals, ...sampleSlice().renewals];
    await expect(
      insertSlice(testDb.db, lease, { evidence: sampleSlice({ renewals }), digest: Buffer.alloc(32), isConsistent: true, responses: [] }),
    ).rejects.toThrow('duplicate key');
    expect(await count('slice')).toBe(before);
  });

  test('a process that lost its lease stores nothing', async () => {
    const before = await count('slice');
    const lost = { ...lease, owner: 'another process' };
    await expect(
      insertSlice(testDb.db, lost, { evidence: sampleSlice(), digest: Buffer.alloc(32), isConsistent: true, responses: [] }),
    ).rejects.toThrow();
    expect(await count('slice')).toBe(before);
  });
});

describe('money columns', () => {
  test.each(['NaN', 'Infinity', '-Infinity', 'nan', 'inf'])('refuse %s', async (value) => {
    await expect(testDb.pool.query('select $1::usd', [value])).rejects.toThrow('violates check');
    await expect(testDb.pool.query('select $1::coins', [value])).rejects.toThrow('violates check');
  });

  test.each(['9007199254740993.01', '0.000000000000000001', '-12.50', '1.500', '999999999999999999999999999999.999999999999999999'])(
    'give %s back as it was',
    async (value) => {
      const { rows } = await testDb.pool.query('select $1::usd as amount, array[$1::usd] as list', [value]);
      expect(rows[0]).toMatchObject({ amount: value });
    },
  );
});

async function count(table: string): Promise<number> {
  const { rows } = await testDb.pool.query<{ count: number }>(`select count(*) from ${table}`);
  return rows[0]?.count ?? -1;
}
