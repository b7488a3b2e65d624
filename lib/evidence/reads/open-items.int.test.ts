import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { noteUnattributed } from '#lib/fees/note-unattributed.ts';
import { recordNamed } from '#lib/fees/writes/record-unattributed.ts';
import { listOpenItems } from './open-items.ts';
import { findReconciliation } from './snapshots.ts';

const WINDOW = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const paid_at = '2026-10-05T10:00:00Z';

let testDb: TestDb;
let gameId: number;
let snapshotId: number;
beforeAll(async () => {
  testDb = await createTestDb();
  gameId = await seedGame(testDb.db);
  ({ snapshotId } = await seedSnapshot(testDb.db, gameId, {
    ...WINDOW,
    recipients: [{ recipient_player_id: 7 }, { recipient_player_id: 8, resolved: false, net_attributed_usd: '-3.0000' }],
    slices: [
      {
        ...WINDOW,
        renewals: [
          { period_id: 1, recipient_player_id: 7, paid_at, base_matches_settled_fee: true },
          {
            period_id: 2,
            recipient_player_id: 7,
            paid_at,
            base_matches_settled_fee: false,
            recorded_base_usd: '9.00',
            expected_base_usd: '8.9999',
          },
          { period_id: 3, recipient_player_id: 7, paid_at },
        ],
        reversals: [
          { period_id: 4, recipient_player_id: 8, paid_at, reversal_basis: 'period_row', reversed_attributed_usd: '3.0000' },
          { period_id: 5, recipient_player_id: 8, paid_at },
        ],
      },
    ],
  }));
});
afterAll(() => testDb.close());

test('only rows that need a review are listed, with both sides and every digit', async () => {
  const openItems = await listOpenItems(testDb.db, gameId, { snapshotId, window: WINDOW });
  expect(openItems.unresolved).toMatchObject([{ recipientPlayerId: 8, net_attributed_usd: '-3.0000' }]);
  expect(openItems.baseMismatches).toMatchObject([
    { periodId: 2, recorded_base_usd: '9.00', expected_base_usd: '8.9999', paidAt: paid_at },
  ]);
  expect(openItems.coarseReversals).toMatchObject([{ periodId: 4, reversalBasis: 'period_row', reversed_attributed_usd: '3.0000' }]);
});

test('open items belong to their own snapshot only', async () => {
  expect(await listOpenItems(testDb.db, gameId, { snapshotId: snapshotId + 1, window: WINDOW })).toEqual({
    unresolved: [],
    baseMismatches: [],
    coarseReversals: [],
    repeatedReversals: [],
    unattributed: [],
    isSearched: false,
  });
});

test('renewals without attribution are listed with their finding, and those without a configured share are left out', async () => {
  const person = { id: 'p1', email: 'fiona@studio.example', name: 'Fiona', roles: ['finance'] } as const;
  await testDb.pool.query(`insert into person (id, email, name, roles) values ($1, $2, $3, $4)`, Object.values(person));
  const item = { reason: 'spend_order_not_found', paid_at, amount_usd: '12.0000', invo_fee_usd: null, partner_revenue_settled_usd: null };
  const benign = { ...item, reason: 'no_revenue_share_configured', period_id: 12, subscription_id: 'SUB_12' };
  await recordNamed(testDb.db, gameId, WINDOW, [{ ...item, period_id: 11, subscription_id: 'SUB_11' }, benign]);
  await recordNamed(testDb.db, gameId, WINDOW, [{ ...item, period_id: 11, subscription_id: 'SUB_11' }]);
  const read = async () => (await listOpenItems(testDb.db, gameId, { snapshotId, window: WINDOW })).unattributed;
  const [named] = await read();
  expect(named).toMatchObject({ periodId: 11, subscriptionId: 'SUB_11', amount_usd: '12.0000', assignedTo: null, note: null });
  const about = { gameId, itemId: named?.itemId ?? 0 };
  expect(await noteUnattributed(testDb.db, person, { ...about, note: ' asked a@b.example ', assignee: 'me' })).toEqual({ ok: true });
  expect(await read()).toMatchObject([{ note: 'asked a@b.example', notedBy: 'Fiona', assignedTo: { id: 'p1', name: 'Fiona' } }]);
  expect(await noteUnattributed(testDb.db, person, { ...about, note: '', assignee: 'same' })).toEqual({ ok: true });
  expect(await read()).toMatchObject([{ note: null, notedBy: null, notedAt: null, assignedTo: { id: 'p1' } }]);
  expect(await noteUnattributed(testDb.db, person, { ...about, note: 'x'.repeat(1_001), assignee: 'me' })).toEqual({
    ok: false,
    reason: 'too_long',
  });
  expect(await noteUnattributed(testDb.db, person, { gameId, itemId: 99, note: '', assignee: 'me' })).toEqual({
    ok: false,
    reason: 'gone',
  });
  const { rows } = await testDb.pool.query(
    `select actor, detail from audit where act = 'noted a renewal without attribution' order by audit_id limit 1`,
  );
  expect(rows, 'emails in a note are masked in the audit log').toEqual([
    { actor: 'fiona@studio.example', detail: { assignedTo: 'p1', note: expect.stringContaining('•••') as string } },
  ]);
});

test('checks are in the order of the reconciliation with their offenders, and the evidence is counted', async () => {
  const check = { game_id: gameId, snapshot_id: snapshotId, severity: 'hard', ok: true, expected: '1', actual: '1' };
  const offenders = JSON.stringify([{ subject: 'period 2', expected: '9.00', actual: '8.9999' }]);
  await testDb.db
    .insertInto('snapshot_check')
    .values([
      { ...check, check_no: 2, name: 'second', offenders: '[]' },
      { ...check, check_no: 1, name: 'first', offenders },
    ])
    .execute();
  const found = await findReconciliation(testDb.db, gameId, { window: WINDOW, snapshotId, newerId: null });
  expect(found.checks).toMatchObject([
    { name: 'first', offenders: [{ subject: 'period 2', expected: '9.00', actual: '8.9999' }] },
    { name: 'second', offenders: [], difference: null },
  ]);
  expect(found).toMatchObject({ newerChecks: [], evidence: { sliceCount: 1, responseCount: 0, responseByteCount: 0, callCount: 0 } });
});

test('amounts and instants of the history are the text that is stored', async () => {
  const stored = await testDb.db
    .selectFrom('snapshot')
    .select(['snapshot_id as snapshotId', 'created_at as createdAt', 'covered_until as coveredUntil', 'net_attributed_usd'])
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirstOrThrow();
  const { snapshots } = await findReconciliation(testDb.db, gameId, { window: WINDOW, snapshotId, newerId: null });
  expect(snapshots).toEqual([expect.objectContaining(stored)]);
});
