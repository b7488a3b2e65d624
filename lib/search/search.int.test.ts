import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { GameContext } from '../games/game-context.ts';
import { type SearchResult, search } from './search.ts';

const MIRA = { email: 'mira.holt@players.example', playerId: 910_001 };
const SUBSCRIPTION = 'SUB_1767225600_WITN04AL';

let testEnv: TestEnvironment;
let context: GameContext;
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  context = { game: await testEnv.game(), config: testEnv.config };
});
afterAll(() => testEnv.close());
beforeEach(async () => {
  await testEnv.control('DELETE', 'faults');
  await testEnv.pool.query('truncate detail_read, known_player, known_subscription, known_id');
  await testEnv.forgetCalls();
});

const searchLocally = (text: string, canSeeEmails = true): Promise<SearchResult> =>
  search(context, text, { scope: 'local', canSeeEmails, canReadDesk: true });
const searchInvo = (text: string, canSeeEmails = true): Promise<SearchResult> =>
  search(context, text, { scope: 'invo', canSeeEmails, canReadDesk: true });
const fail = () => testEnv.control('POST', 'faults', [{ kind: '500', times: 20 }]);

describe('searching by email', () => {
  test('an unknown player is found at Invo, and locally from then on', async () => {
    expect(await searchLocally(MIRA.email)).toMatchObject({ kind: 'no_local_match', canAskInvo: true });
    expect(await testEnv.calls()).toEqual([]);
    const player = { kind: 'player', playerId: MIRA.playerId, name: 'Mira Holt', email: MIRA.email };
    expect(await searchInvo(MIRA.email)).toMatchObject({ kind: 'found', hits: [player], canAskInvo: false });
    await testEnv.forgetCalls();
    expect(await searchLocally(MIRA.email.toUpperCase())).toMatchObject({ kind: 'found', hits: [player], canAskInvo: true });
    expect(await searchLocally(String(MIRA.playerId))).toMatchObject({ kind: 'found', hits: [player] });
    expect(await testEnv.calls()).toEqual([]);
  });

  test('answers are stored under ids, never under an email', async () => {
    await searchInvo(MIRA.email);
    const storedReads = await testEnv.pool.query<{ kind: string; subject: string }>('select kind, subject from detail_read order by kind');
    expect(storedReads.rows).toEqual([
      { kind: 'balances', subject: '910001' },
      { kind: 'subscriptions', subject: '910001 0' },
    ]);
  });

  test('no such player and a player without subscriptions are different results', async () => {
    expect(await searchInvo('nobody@players.example')).toMatchObject({
      kind: 'not_found',
      sentence: expect.stringMatching(/^No such player/) as string,
    });
    expect(await searchInvo('wren.ashby@players.example')).toMatchObject({ kind: 'found', hits: [{ playerId: 910_013 }] });
  });

  test('a 404 that doesn’t come from Invo says nothing about a player', async () => {
    await testEnv.control('POST', 'faults', [
      { kind: 'refuse', status: 404, code: null, facts: {}, times: 9, match: { route: 'balances' } },
    ]);
    expect(await searchInvo('nobody@players.example')).toMatchObject({ kind: 'unavailable' });
  });

  test('a player without a wallet is found by their subscriptions, with the email', async () => {
    await testEnv.control('POST', 'faults', [{ kind: '404', code: 'PLAYER_NOT_FOUND', match: { route: 'balances' } }]);
    expect(await searchInvo(MIRA.email)).toMatchObject({ kind: 'found', hits: [{ playerId: MIRA.playerId, email: MIRA.email }] });
    expect(await searchLocally(MIRA.email)).toMatchObject({ kind: 'found', hits: [{ playerId: MIRA.playerId }] });
  });

  test('a role with masked emails can’t search by email and sees masked emails in results', async () => {
    expect(await searchInvo(MIRA.email, false)).toMatchObject({ kind: 'refused' });
    expect(await testEnv.calls()).toEqual([]);
    await searchInvo(MIRA.email);
    const found = await searchLocally(String(MIRA.playerId), false);
    expect(found).toMatchObject({ kind: 'found', hits: [{ name: 'Mira Holt', email: 'm•••@p•••.example' }] });
    expect(JSON.stringify(found)).not.toContain(MIRA.email);
  });

  test('a local match is shown when Invo can’t be called', async () => {
    await searchInvo(MIRA.email);
    await fail();
    expect(await searchInvo(MIRA.email)).toMatchObject({
      kind: 'unavailable',
      hits: [{ playerId: MIRA.playerId }],
      error: { code: 'upstream_fault' },
    });
  });
});

describe('searching by an id', () => {
  test('a subscription is found at Invo, and by its key from then on', async () => {
    expect(await searchLocally(SUBSCRIPTION)).toMatchObject({ kind: 'no_local_match', canAskInvo: true });
    expect(await searchInvo(SUBSCRIPTION.toLowerCase().replace('witn04al', 'WITN04AL'))).toMatchObject({
      kind: 'found',
      hits: [{ kind: 'subscription', subscriptionId: SUBSCRIPTION, itemName: 'Witness pass', status: 'active' }],
    });
    expect(await searchLocally(`create-${SUBSCRIPTION.toLowerCase()}`)).toMatchObject({
      kind: 'found',
      hits: [{ subscriptionId: SUBSCRIPTION }],
    });
  });

  test('a period is found at Invo, and by its transaction and order from then on', async () => {
    expect(await searchLocally('2026100004')).toMatchObject({ kind: 'no_local_match', canAskInvo: true });
    expect(await searchInvo('2026100004')).toMatchObject({
      kind: 'found',
      hits: [{ kind: 'period', periodId: 2026100004, amount_usd: '50.00' }],
    });
    expect(await searchLocally('TXN_2026100004')).toMatchObject({ hits: [{ periodId: 2026100004, by: 'transaction' }], mayBeMore: false });
    expect(await searchLocally('MINT_2026100004')).toMatchObject({ hits: [{ periodId: 2026100004, by: 'order' }] });
    expect(await searchLocally('RFD_2026100004_1')).toMatchObject({ hits: [{ periodId: 2026100004, by: 'transaction' }] });
    expect(await searchLocally('2026100004')).toMatchObject({ hits: [{ kind: 'period', by: 'period' }], mayBeMore: false });
  });

  test('“not found” needs Invo’s own answer', async () => {
    expect(await searchInvo('77')).toMatchObject({
      kind: 'not_found',
      sentence: expect.stringContaining('No period, order or transfer has this number in this game and environment') as string,
    });
    expect(await searchInvo('SUB_1_NOTTHERE')).toMatchObject({ kind: 'not_found' });
    await testEnv.forgetCalls();
    const miss = await searchInvo('TXN_77');
    expect(miss).toMatchObject({ kind: 'not_found' });
    expect(miss.kind === 'not_found' && miss.sentence).toContain('No order and no transfer has this ID');
    expect((await testEnv.calls()).map(({ path }) => path)).toHaveLength(3);
    expect(await searchInvo('Ab+/='), 'no id a path may carry').toMatchObject({ kind: 'no_local_match', canAskInvo: false });
    await fail();
    expect(await searchInvo('77')).toMatchObject({ kind: 'unavailable', hits: [] });
  });

  test('an order is found at Invo, and by each of its ids from then on', async () => {
    expect(await searchLocally('ORD_BREE_03')).toMatchObject({ kind: 'no_local_match', canAskInvo: true });
    const order = { kind: 'order', orderId: 'ORD_BREE_03', status: 'completed' };
    expect(await searchInvo('ORD_BREE_03')).toMatchObject({ kind: 'found', hits: [order] });
    for (const id of ['ORD_BREE_03', 'TXN_BREE_03', 'pi_bree_03', 'demo-purchase-03'])
      expect(await searchLocally(id), id).toMatchObject({ kind: 'found', hits: [order] });
  });

  test('a transfer is found at Invo, and locally from then on', async () => {
    const transfer = { kind: 'transfer', transactionId: 'TRF_CLAIM', state: 'approved' };
    expect(await searchInvo('TRF_CLAIM')).toMatchObject({ kind: 'found', hits: [transfer] });
    expect(await searchLocally('TRF_CLAIM')).toMatchObject({ kind: 'found', hits: [transfer] });
  });

  test('an id of an order and of a transfer shows both', async () => {
    const both = [
      { kind: 'order', orderId: 'TRF_FAILED' },
      { kind: 'transfer', transactionId: 'TRF_FAILED' },
    ];
    expect(await searchInvo('TRF_FAILED')).toMatchObject({ kind: 'found', hits: both });
    expect(await searchLocally('TRF_FAILED')).toMatchObject({ kind: 'found', hits: both });
  });

  test('an id that both order books know is one order', async () => {
    expect(await searchInvo('ORD_BREE_05')).toMatchObject({ kind: 'found', hits: [{ kind: 'order', orderId: 'ORD_BREE_05' }] });
  });

  test('a number that is no period is looked for among orders and transfers, and found locally from then on', async () => {
    const order = { kind: 'order', orderId: '4100000000001', status: 'completed' };
    expect(await searchInvo('4100000000001')).toMatchObject({ kind: 'found', hits: [order] });
    expect(await searchLocally('4100000000001')).toMatchObject({ kind: 'found', hits: [order] });
    await testEnv.forgetCalls();
    expect(await searchInvo('4100000000001')).toMatchObject({ kind: 'found', hits: [order] });
    expect(await testEnv.calls(), 'what is known is requested as a period only').toHaveLength(1);
  });

  test('a number can be a player and a period at once', async () => {
    await searchInvo('2026100004');
    await testEnv.pool.query(
      `insert into known_player (game_id, player_id, player_email, seen_at) values ($1, 2026100004, 'both@example.test', now())`,
      [context.game.gameId],
    );
    const found = await searchLocally('2026100004');
    expect(found.kind === 'found' && found.hits.map(({ kind }) => kind)).toEqual(['player', 'period']);
  });

  test('a number with a local player may also be a period until Invo is called', async () => {
    await testEnv.pool.query(
      `insert into known_player (game_id, player_id, player_email, seen_at) values ($1, 2026100006, 'both@example.test', now())`,
      [context.game.gameId],
    );
    expect(await searchLocally('2026100006')).toMatchObject({ hits: [{ kind: 'player' }], canAskInvo: true, mayBeMore: true });
    expect(await searchInvo('2026100006')).toMatchObject({ hits: [{ kind: 'period' }, { kind: 'player' }], mayBeMore: false });
    expect(await searchLocally('both@example.test')).toMatchObject({ hits: [{ kind: 'player' }], mayBeMore: false });
  });

  test('everything in the pulled months is found without asking Invo', async () => {
    await testEnv.pull({ start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' });
    await testEnv.forgetCalls();
    expect(await searchLocally('2026100013')).toMatchObject({ hits: [{ kind: 'period', itemName: 'Witness pass', amount_usd: '100.00' }] });
    expect(await searchLocally('TXN_2026100013')).toMatchObject({ hits: [{ periodId: 2026100013, by: 'transaction' }] });
    expect(await searchLocally('MINT_2026100013')).toMatchObject({ hits: [{ periodId: 2026100013, by: 'order' }] });
    expect(await searchLocally('SUB_1767225600_WITN13AL')).toMatchObject({ hits: [{ kind: 'subscription', itemName: 'Witness pass' }] });
    expect(await searchLocally('9003')).toMatchObject({ hits: [{ kind: 'player', playerId: 9003, isRecipient: true }] });
    expect(await searchLocally('Witness-9003@creators.example')).toMatchObject({ hits: [{ playerId: 9003 }] });
    expect(await testEnv.calls()).toEqual([]);
  });
});

test.each(['', 'ann@', 'x'.repeat(300)])('%j gets a sentence and sends no call to Invo', async (typed) => {
  expect(await searchInvo(typed)).toMatchObject({ kind: 'refused', sentence: expect.stringMatching(/\.$/) as string });
  expect(await testEnv.calls()).toEqual([]);
});

test('a text with spaces is searched locally alone, and the sentence says what can be searched for', async () => {
  const none = { kind: 'no_local_match', canAskInvo: false };
  expect(await searchInvo('two words')).toMatchObject({
    ...none,
    sentence: expect.stringMatching(/without spaces\. You can’t search by name\.$/),
  });
  expect(await searchInvo('05.11. A200701TC9 13.50')).toMatchObject({
    ...none,
    sentence: expect.stringMatching(/its check letter doesn’t fit/),
  });
  expect(await testEnv.calls()).toEqual([]);
});
