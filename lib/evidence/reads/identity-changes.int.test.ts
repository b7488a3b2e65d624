import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SeedSnapshot, seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { type IdentityChanges, maskChanges } from './drift.ts';
import { findMonth } from './months.ts';
import { findReconciliation } from './snapshots.ts';

const MARCH = { start: '2026-03-01T00:00:00Z', end: '2026-04-01T00:00:00Z' };
let testDb: TestDb;
let gameId: number;
beforeAll(async () => {
  testDb = await createTestDb();
  gameId = await seedGame(testDb.db);
});
afterAll(() => testDb.close());

const seed = async (recipients: NonNullable<SeedSnapshot['recipients']>): Promise<number> =>
  (await seedSnapshot(testDb.db, gameId, { ...MARCH, recipients })).snapshotId;

const find = async (snapshotId: number): Promise<IdentityChanges | null> =>
  (await findReconciliation(testDb.db, gameId, { window: MARCH, snapshotId, newerId: null })).identityChanges;

const kes = {
  recipient_player_id: 7,
  player_name: 'Kes',
  player_email: 'kes@creators.example',
  identity_id: 'idn_7',
  net_attributed_usd: '3.00',
};

test('a recipient with another name is shown with both sides, and is no drift', async () => {
  const [first, second] = [await seed([kes]), await seed([{ ...kes, player_name: 'Kestrel', player_email: 'kestrel@creators.example' }])];
  expect(await find(first)).toBeNull();
  const changes = await find(second);
  expect(changes).toEqual({
    before: { snapshotId: first },
    count: 1,
    recipients: [
      {
        playerId: 7,
        before: { player_email: 'kes@creators.example', player_name: 'Kes', identity_id: 'idn_7' },
        after: { player_email: 'kestrel@creators.example', player_name: 'Kestrel', identity_id: 'idn_7' },
      },
    ],
  });
  if (changes === null) throw new Error('no changes');
  expect(JSON.stringify(maskChanges(changes, false))).not.toMatch(/kes(trel)?@/);
  const { month } = await findMonth(testDb.db, gameId, { window: MARCH, before: { start: '2026-02-01T00:00:00Z', end: MARCH.start } });
  expect(month.drift).toBeNull();
});

test('it stays shown when a later snapshot repeats it, and at most twenty recipients are named', async () => {
  const again = await seed([{ ...kes, player_name: 'Kestrel', player_email: 'kestrel@creators.example' }]);
  expect(await find(again)).toMatchObject({ count: 1 });
  const many = Array.from({ length: 25 }, (_, index) => ({ recipient_player_id: 100 + index, player_name: 'A' }));
  await seed(many);
  const renamed = await find(await seed(many.map((each) => ({ ...each, player_name: 'B' }))));
  expect([renamed?.count, renamed?.recipients.length]).toEqual([25, 20]);
});
