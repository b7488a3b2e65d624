import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { recordKnown } from '#lib/subscriptions/writes.ts';
import { listReceivedTransfers } from '#lib/transfers/reads.ts';
import { recordTransfer } from '#lib/transfers/writes.ts';
import type { GameContext } from '../games/game-context.ts';
import { search } from '../search/search.ts';
import { listWithTimes, readItemHistory, readOrderDetail, readOrderInBooks } from './read-order.ts';
import { listOrdersOfPlayer, listOrdersOfText } from './reads.ts';
import { type OrderFound, recordOrder } from './writes.ts';

const LONG = { limit_ms: 60_000 };
const ASA = { playerId: 910_023, email: 'asa.venn@players.example' };

let environment: TestEnvironment;
let context: GameContext;
beforeAll(async () => {
  environment = await openTestEnvironment();
  context = { game: await environment.game(), config: environment.config };
});
afterAll(() => environment.close());
beforeEach(async () => {
  await environment.control('DELETE', 'faults');
  await shape('nested', 'items');
  await environment.forgetCalls();
  await environment.pool.query('truncate detail_read, known_order, known_player, known_subscription, known_id, known_transfer');
});

const shape = (order: string, history = 'items') =>
  environment.control('POST', 'shape', { 'order-details': order, 'item-order-details': order, 'item-history': history });
const fail = () => environment.control('POST', 'faults', [{ kind: '500', times: 20 }]);

describe('an order', () => {
  test('that was read is listed with the time Invo reports for it, and one whose answer is gone without', async () => {
    for (const id of ['ORD_BREE_08', 'ORD_BREE_02']) await readOrderDetail(context, id, LONG);
    const listed = async () => {
      const orders = await listOrdersOfPlayer(context.game.db, context.game.gameId, 910_024);
      return new Map((await listWithTimes(context.game, orders)).map(({ orderId, createdAt }) => [orderId, createdAt]));
    };
    const reported = await readOrderDetail(context, 'ORD_BREE_08', LONG);
    const created = 'value' in reported ? reported.value.dates.find(({ field }) => field === 'created_at')?.at : undefined;
    expect(created).toMatch(/^2026-/);
    expect((await listed()).get('ORD_BREE_08')).toBe(created);
    await environment.pool.query(`delete from detail_read where subject = 'ORD_BREE_08'`);
    expect([...(await listed())].map(([id, index]) => [id, index === null]).toSorted()).toEqual([
      ['ORD_BREE_02', false],
      ['ORD_BREE_08', true],
    ]);
  });

  test.each(['nested', 'flat', 'data', 'list', 'numbers'])('is read from the shape %s', { tags: 'proof' }, async (name) => {
    await shape(name);
    const order = await readOrderDetail(context, 'ORD_BREE_08', LONG);
    expect(order).toMatchObject({
      kind: 'live',
      value: {
        orderId: 'ORD_BREE_08',
        transactionId: 'TXN_BREE_08',
        paymentIntentId: 'pi_bree_08',
        status: 'completed',
        amounts: [
          { field: 'usd_amount', amount: '9.99' },
          { field: 'currency_amount', amount: '999.00' },
          { field: 'usd_refunded', amount: '4.99' },
        ],
        currencyName: 'Lumens',
        playerId: 910_024,
      },
    });
  });

  test('stores the answer to the later request, whichever comes first', async () => {
    await environment.control('POST', 'faults', [{ kind: 'hold', match: { route: 'order-details' } }]);
    const earlier = readOrderDetail(context, 'ORD_BREE_08', LONG);
    await expect.poll(() => environment.heldCount()).toBe(1);
    await readOrderDetail(context, 'ORD_BREE_08', LONG);
    const before = await listOrdersOfText(context.game.db, context.game.gameId, 'ORD_BREE_08');
    expect(before).toMatchObject([{ status: 'completed' }]);
    await environment.release();
    expect(await earlier).toMatchObject({ kind: 'live' });
    expect(await listOrdersOfText(context.game.db, context.game.gameId, 'ORD_BREE_08')).toEqual(before);
  });

  test.each([
    ['flat+by_transaction_id', 'TXN_BREE_03', ['order_id', 'transaction_id'], ['transaction_id']],
    ['nested+by_purchase_reference', 'demo-purchase-03', ['transaction_id', 'purchase_reference'], ['purchase_reference']],
    ['nested', 'ORD_BREE_03', ['purchase_reference', 'order_id'], ['order_id']],
  ])('in the shape %s is requested by the field that a 400 names, and at once the next time', async (name, id, first, then) => {
    await shape(name);
    const listRequests = async (): Promise<string[]> => {
      await environment.forgetCalls();
      expect(await readOrderDetail(context, id, LONG)).toMatchObject({ kind: 'live', value: { orderId: 'ORD_BREE_03' } });
      return (await environment.calls()).map(({ path }) => path.replace(/^.*\?(\w+)=.*$/, '$1'));
    };
    expect([await listRequests(), await listRequests()]).toEqual([first, then]);
  });

  test('whose id goes by another field than that of the one before is requested by order_id too before it counts as not found', async () => {
    await shape('nested+by_id_kind');
    const readWithRequests = async (id: string): Promise<[string, string[]]> => {
      await environment.forgetCalls();
      const { kind } = await readOrderDetail(context, id, LONG);
      return [kind, (await environment.calls()).map(({ path }) => path.replace(/^.*\?(\w+)=.*$/, '$1'))];
    };
    expect(await readWithRequests('ORD_BREE_03')).toEqual(['live', ['order_id']]);
    expect(await readWithRequests('TXN_BREE_03')).toEqual(['live', ['order_id', 'transaction_id']]);
    expect(await readWithRequests('ORD_BREE_04')).toEqual(['live', ['transaction_id', 'order_id']]);
    expect(await readWithRequests('TXN_BREE_03')).toEqual(['live', ['order_id', 'transaction_id']]);
    expect(await readWithRequests('demo-purchase-03')).toEqual(['live', ['transaction_id', 'order_id', 'purchase_reference']]);
    expect(await readWithRequests('ORD_NONE')).toEqual(['not_found', ['purchase_reference', 'order_id']]);
    await shape('nested+by_transaction_id');
    expect((await readWithRequests('TXN_BREE_03'))[0]).toBe('live');
    expect(await readWithRequests('TXN_NONE'), 'the 400 that order_id gets says nothing of the order').toEqual([
      'not_found',
      ['transaction_id', 'order_id'],
    ]);
  });

  test.each([
    ['pending_payment', '01'],
    ['requires_action', '02'],
    ['completed', '03'],
    ['failed', '04'],
    ['cancelled', '05'],
    ['refunded', '06'],
    ['disputed_lost', '07'],
    ['held_for_review', '10'],
  ])('has the status %s as Invo wrote it', { tags: 'proof' }, async (status, tail) => {
    expect(await readOrderDetail(context, `ORD_BREE_${tail}`, LONG)).toMatchObject({ kind: 'live', value: { status } });
  });

  test('that answers another order than requested is no answer', async () => {
    await shape('other');
    expect(await readOrderDetail(context, 'ORD_BREE_03', LONG)).toMatchObject({ kind: 'nothing', error: { code: 'malformed' } });
    expect((await environment.pool.query('select 1 from known_order')).rowCount).toBe(0);
  });

  test('with an amount that is a JSON number shows it as not readable', async () => {
    await shape('nested+number_money');
    const order = await readOrderDetail(context, 'ORD_BREE_03', LONG);
    expect(order).toMatchObject({ value: { unreadable: ['usd_amount'], amounts: [{ field: 'currency_amount', amount: '999.00' }] } });
  });

  test('is shown from storage when Invo is away, without secrets and emails, and stays its player’s', async () => {
    await search(context, 'bree.okoro@players.example', { scope: 'invo', canSeeEmails: true, canReadDesk: true });
    await readOrderDetail(context, 'ORD_BREE_02', LONG);
    await readOrderDetail(context, 'ORD_BREE_03', LONG);
    await fail();
    const stored = await readOrderDetail(context, 'ORD_BREE_03', LONG);
    expect(stored).toMatchObject({
      kind: 'stored',
      value: { orderId: 'ORD_BREE_03', playerEmail: null },
      error: { code: 'upstream_fault' },
    });
    const { rows } = await environment.pool.query<{ body: Buffer }>(`select body from detail_read where kind = 'order'`);
    const { gunzipSync } = await import('node:zlib');
    const text = rows.map(({ body }) => gunzipSync(body).toString('utf8')).join('\n');
    expect(rows).toHaveLength(2);
    expect(text).not.toMatch(/canary|@players\.example/);
    expect(text).toContain('b•••@p•••.example');
    const known = await listOrdersOfPlayer(context.game.db, context.game.gameId, 910_024);
    expect(known.map(({ orderId, status, amount }) => [orderId, status, amount])).toEqual([
      ['ORD_BREE_03', 'completed', { field: 'usd_amount', amount: '9.99' }],
      ['ORD_BREE_02', 'requires_action', { field: 'usd_amount', amount: '9.99' }],
    ]);
  });

  test('of items is listed with the price of all of them, not of one', async () => {
    await readOrderInBooks(context, 'ITO_ASA_01', LONG);
    const known = await listOrdersOfPlayer(context.game.db, context.game.gameId, ASA.playerId);
    expect(known).toMatchObject([{ orderId: 'ITO_ASA_01', amount: { field: 'total_price', amount: '37.50' } }]);
  });

  test('is found again by each of its ids', async () => {
    await readOrderDetail(context, 'ORD_BREE_03', LONG);
    for (const text of ['ORD_BREE_03', 'TXN_BREE_03', 'pi_bree_03', 'demo-purchase-03'])
      expect((await listOrdersOfText(context.game.db, context.game.gameId, text)).map(({ orderId }) => orderId)).toEqual(['ORD_BREE_03']);
  });

  test('that Invo doesn’t know is not found, and a proxy’s 404 is no statement', async () => {
    expect(await readOrderDetail(context, 'ORD_NONE', LONG)).toEqual({ kind: 'not_found' });
    await environment.control('POST', 'faults', [{ kind: 'html', status: 404, times: 9 }]);
    expect(await readOrderDetail(context, 'ORD_NONE', LONG)).toMatchObject({ kind: 'nothing' });
  });

  test('that both books know is shown by both, and one that only one book knows by that one', async () => {
    const both = await readOrderInBooks(context, 'ORD_BREE_05', LONG);
    expect(both).toMatchObject({ currency: { value: { status: 'cancelled' } }, items: { value: { item: 'Sail dye', quantity: '1' } } });
    expect(await readOrderInBooks(context, 'ITO_ASA_01', LONG)).toMatchObject({ currency: { kind: 'not_found' }, items: { kind: 'live' } });
  });

  test('whose id would lead to another route is never requested', async () => {
    await expect(readOrderDetail(context, '../secrets', LONG)).rejects.toThrow('not an order id');
    expect(await environment.calls()).toEqual([]);
  });
});

describe('a player’s item purchases', () => {
  test.each([
    ['items', 4],
    ['bare', 4],
    ['purchases', 4],
    ['pages', 4],
    ['empty', 0],
    ['missing_404', 4],
  ])('are the rows of the shape %s', async (name, count) => {
    await shape('nested', name);
    const history = await readItemHistory(context, ASA, LONG);
    expect('value' in history && history.value.rows?.length).toBe(count);
  });

  test.each([
    ['items', false],
    ['pages', false],
    ['pages+more', true],
    ['more_flat', true],
    ['cursor', true],
    ['total', true],
  ])('in the shape %s have more rows: %s', { tags: 'proof' }, async (name, hasMore) => {
    await shape('nested', name);
    expect(await readItemHistory(context, ASA, LONG)).toMatchObject({ value: { rows: [{}, {}, {}, {}], hasMore } });
  });

  test('in a shape without a list are no rows, and not none', async () => {
    await shape('nested', 'none');
    expect(await readItemHistory(context, ASA, LONG)).toMatchObject({ kind: 'live', value: { rows: null } });
  });

  test('of an unknown player are not found, or an empty list', async () => {
    const nobody = { playerId: 1, email: 'nobody@players.example' };
    expect(await readItemHistory(context, nobody, LONG)).toEqual({ kind: 'not_found' });
    await shape('nested', 'missing_empty');
    expect(await readItemHistory(context, nobody, LONG)).toMatchObject({ kind: 'live', value: { rows: [] } });
  });
});

describe('an id longer than an index takes', () => {
  const LONG_ID = Array.from({ length: 600 }, (_, position) => `${position * 7_919_999}`).join('-');
  const FOUND: Omit<OrderFound, 'gameId' | 'orderId'> = {
    book: 'currency',
    playerId: null,
    status: 'completed',
    transactionId: LONG_ID,
    paymentIntentId: LONG_ID,
    purchaseReference: LONG_ID,
    amount: null,
    sentAt_ms: 0,
  };
  const TRANSFER = {
    transaction_status: null,
    verification_state: null,
    amount: null,
    net_amount: null,
    claimExpiresAt: null,
    isDestination: true,
    toIdentityId: null,
  };

  test('is left out of what is stored to find an order, and the order stays', async () => {
    const { db, gameId } = context.game;
    await recordOrder(db, { ...FOUND, gameId, orderId: 'ORD_1' });
    expect(await listOrdersOfText(db, gameId, 'ORD_1')).toMatchObject([{ orderId: 'ORD_1', transactionId: null }]);
    for (const orderId of ['x'.repeat(301), LONG_ID]) await recordOrder(db, { ...FOUND, gameId, orderId });
    expect(await listOrdersOfText(db, gameId, 'x'.repeat(301))).toEqual([]);
  });

  test('is left out of known transfers, subscriptions and ids', async () => {
    const { db, gameId } = context.game;
    await recordTransfer(db, gameId, { ...TRANSFER, transactionId: LONG_ID }, 0);
    await recordTransfer(db, gameId, { ...TRANSFER, transactionId: 'TRF_1', toIdentityId: LONG_ID }, 0);
    expect(await listReceivedTransfers(db, gameId, LONG_ID)).toMatchObject([{ transactionId: 'TRF_1' }]);
    await environment.pool.query('delete from known_transfer where transaction_id = $1', ['TRF_1']);
    const subscription = { subscription_id: LONG_ID, player_id: 1, item_name: null, status: null };
    const player = { player_id: 1, player_email: `${LONG_ID}@players.example`, player_name: LONG_ID, identity_id: LONG_ID };
    const id = { kind: 'order' as const, id_text: LONG_ID, subscription_id: 'SUB_1', period_id: 0 };
    const ids = [id, { ...id, id_text: 'ORD_1', subscription_id: LONG_ID }, { ...id, id_text: 'ORD_1' }];
    await recordKnown(db, gameId, { players: [player], subscriptions: [subscription], ids }, 0);
    const { rows } = await environment.pool.query(
      `select id_text from known_id union all select subscription_id from known_subscription union all select transaction_id from known_transfer`,
    );
    expect(rows).toEqual([{ id_text: 'ORD_1' }]);
  });
});

test('what is known of a player and a subscription stays as the later request reported it', async () => {
  const { db, gameId } = context.game;
  const known = (name: string): Parameters<typeof recordKnown>[2] => ({
    players: [{ player_id: 1, player_email: 'a@players.example', player_name: name, identity_id: null }],
    subscriptions: [{ subscription_id: 'SUB_1', player_id: 1, item_name: null, status: name }],
    ids: [],
  });
  const now = performance.now();
  await recordKnown(db, gameId, known('later'), now);
  await recordKnown(db, gameId, known('earlier'), now - 600);
  const { rows } = await environment.pool.query(
    `select player_name as word from known_player union all select status from known_subscription`,
  );
  expect(rows).toEqual([{ word: 'later' }, { word: 'later' }]);
});
