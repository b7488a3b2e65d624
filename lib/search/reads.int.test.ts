import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { findLocalMatches, type Hit } from './reads.ts';
import { parseSearch } from './rules/parse-search.ts';

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const PAID = '2026-10-05T00:00:00Z';

let testDb: TestDb;
let gameId: number;

beforeAll(async () => {
  testDb = await createTestDb();
  gameId = await seedGame(testDb.db);
  const line = { recipient_player_id: 7, paid_at: PAID, subscription_id: 'SUB_1_LINES', period_seq: 1 };
  await seedSnapshot(testDb.db, gameId, {
    ...OCTOBER,
    status: 'open',
    slices: [
      {
        ...OCTOBER,
        renewals: [
          { ...line, period_id: 501, item_name: 'Old pass', transaction_id: 'TXN_A', mint_order_id: 'BOTH' },
          { ...line, period_id: 502, item_name: 'New pass', period_seq: 2, transaction_id: 'BOTH' },
        ],
        reversals: [{ ...line, period_id: 503, subscription_id: 'SUB_1_BACK', amount_usd: '9.50' }],
      },
    ],
    recipients: [
      { recipient_player_id: 7, player_email: 'Shared@creators.example', player_name: 'Seven' },
      { recipient_player_id: 8, player_email: 'shared@creators.example', player_name: 'Eight, before' },
      { recipient_player_id: 9, player_email: 'nine@creators.example', player_name: 'Nine' },
    ],
  });
  await seedSnapshot(testDb.db, gameId, {
    ...OCTOBER,
    recipients: [
      { recipient_player_id: 8, player_email: 'SHARED@creators.example', player_name: 'Eight' },
      { recipient_player_id: 9, resolved: false, player_email: null },
    ],
  });
  const seen = { game_id: gameId, seen_at: '2026-11-01T00:00:00Z' };
  const known = { ...seen, player_email: 'shared@creators.example', identity_id: null };
  await testDb.db
    .insertInto('known_player')
    .values([
      { ...known, player_id: 5, player_name: 'Five' },
      { ...known, player_id: 7, player_name: null },
    ])
    .execute();
  const ids = { ...seen, kind: 'transaction', id_text: 'TXN_A', subscription_id: 'SUB_1_LINES' };
  await testDb.db
    .insertInto('known_id')
    .values([
      { ...ids, period_id: 501 },
      { ...ids, period_id: 599 },
      { ...ids, kind: 'client_request', id_text: 'request-1', period_id: 0 },
      { ...ids, kind: 'client_request', id_text: 'order-7@shop.example', period_id: 0 },
    ])
    .execute();
});
afterAll(() => testDb.close());

async function findMatches(text: string): Promise<Hit[]> {
  const read = parseSearch(text);
  if (!read.ok) throw new Error(read.error);
  return findLocalMatches(testDb.db, gameId, read.query);
}

test('an email finds every player it was reported for, once, from the newest source', async () => {
  expect(await findMatches('sharED@creators.example')).toEqual([
    { kind: 'player', playerId: 5, name: 'Five', email: 'shared@creators.example', isRecipient: false },
    { kind: 'player', playerId: 7, name: 'Seven', email: 'shared@creators.example', isRecipient: true },
    { kind: 'player', playerId: 8, name: 'Eight', email: 'SHARED@creators.example', isRecipient: true },
  ]);
  expect(await findMatches('nobody@creators.example')).toEqual([]);
});

test('a recipient without a name in the newest snapshot is found by the earlier name', async () => {
  expect(await findMatches('9')).toEqual([
    { kind: 'player', playerId: 9, name: 'Nine', email: 'nine@creators.example', isRecipient: true },
  ]);
});

test('a period is found by its line or its reversal', async () => {
  expect(await findMatches('502')).toMatchObject([{ kind: 'period', periodId: 502, itemName: 'New pass', by: 'period' }]);
  expect(await findMatches('503')).toMatchObject([{ kind: 'period', periodId: 503, subscriptionId: 'SUB_1_BACK', amount_usd: '9.50' }]);
});

test('a text finds each period once, a line before an earlier read', async () => {
  expect(await findMatches('TXN_A')).toMatchObject([
    { periodId: 501, itemName: 'Old pass', by: 'transaction' },
    { periodId: 599, itemName: null, by: 'transaction' },
  ]);
  expect(await findMatches('BOTH')).toMatchObject([
    { periodId: 501, by: 'order' },
    { periodId: 502, by: 'transaction' },
  ]);
});

test('a subscription never read is found in its newest line, else in a reversal, and by its request', async () => {
  expect(await findMatches('SUB_1_LINES')).toMatchObject([{ kind: 'subscription', itemName: 'New pass', status: null }]);
  expect(await findMatches('SUB_1_BACK')).toMatchObject([{ kind: 'subscription', subscriptionId: 'SUB_1_BACK', itemName: null }]);
  expect(await findMatches('request-1')).toMatchObject([{ kind: 'subscription', subscriptionId: 'SUB_1_LINES', itemName: 'New pass' }]);
  expect(await findMatches('SUB_1_NONE')).toEqual([]);
});

test('a key written like an email is found among the keys', async () => {
  expect(await findMatches('order-7@shop.example')).toMatchObject([{ kind: 'subscription', subscriptionId: 'SUB_1_LINES' }]);
});
