import { describe, expect, it, test } from 'vitest';
import { sendJson } from '#e2e/support/invo/canned-server.ts';
import { failureOf, type Talk, talkTo } from '#e2e/support/invo/talk-to.ts';
import { readInboundTransfers } from '../undocumented/inbound-transfers.ts';
import { readItemPurchases, readOrder } from '../undocumented/orders.ts';
import { maskCode, readLoyaltyCards } from './loyalty.ts';
import { sendRefund } from './send-refund.ts';
import { readApprovalStatus, readTransferStatus } from './transfers.ts';

const answering = (status: number, body: unknown, headers = {}): Promise<Talk> =>
  talkTo((_request, response) => sendJson(response, status, body, headers));

describe('a read of the desk', () => {
  it('sends the game secret and never a token, and an email only where Invo needs it', async () => {
    const { invo, server, diary } = await answering(200, { card_version: 1, cards: [] });
    expect(await readLoyaltyCards(invo, ' fay+rook/1@players.example ')).toEqual({ card_version: 1, cards: [] });
    expect(server.seen[0]?.url).toBe('/api/sdk/loyalty/players/rewards?player_email=fay%2Brook%2F1%40players.example');
    expect(server.seen[0]?.headers).toMatchObject({ 'x-game-secret-key': 'canary-current-1f9' });
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
    expect(diary.log.join()).toContain('player_email=•');
    expect(diary.log.join()).not.toContain('fay');
    expect(JSON.parse(diary.log[0] ?? '')).toMatchObject({ route: { kind: 'loyalty' } });
  });

  it('of an id that would lead to another route is refused before it is sent', async () => {
    const { invo, server } = await answering(200, {});
    for (const id of ['..', 'a/b', 'a?b=c', 'a b', '', 'x'.repeat(101)]) {
      await expect(readTransferStatus(invo, id)).rejects.toThrow('not an id');
      await expect(readApprovalStatus(invo, id)).rejects.toThrow('not an id');
    }
    expect(server.seen).toEqual([]);
  });

  it('whose answer repeats the game secret is refused', async () => {
    const { invo } = await answering(200, { status: 'success', transaction_id: 'T_1', note: 'canary-current-1f9' });
    expect(await failureOf(readTransferStatus(invo, 'T_1'))).toMatchObject({ code: 'malformed', evidence: null });
  });

  it('says which field a transfer lacks, and takes an id as a number', async () => {
    const { invo } = await answering(200, { status: 'success', verification_state: 'approved' });
    expect(await failureOf(readTransferStatus(invo, 'T_1'))).toMatchObject({ code: 'malformed', path: 'transaction_id' });
    const { invo: other } = await answering(200, { transaction_id: 77, amount: '1.00' });
    expect((await readTransferStatus(other, '77')).value).toMatchObject({ transactionId: '77', amount: '1.00', net_amount: null });
  });

  it('of a guardian about another transaction is no answer', async () => {
    for (const approval of [{ transaction_id: 'T_2' }, { transaction_id: 'T_2', replaces: { transaction_id: 'T_1' } }]) {
      const { invo } = await answering(200, { status: 'ok', approval: { state: 'approved', ...approval } });
      expect(await failureOf(readApprovalStatus(invo, 'T_1'))).toMatchObject({ code: 'malformed', path: 'transaction_id' });
    }
  });
});

describe('the receiver of a transfer', () => {
  it.each([
    ['absent', {}, { toIdentityId: null, sharesNumber: false }],
    ['null', { to_identity_id: null }, { toIdentityId: null, sharesNumber: true }],
    ['an id', { to_identity_id: 'idn_1' }, { toIdentityId: 'idn_1', sharesNumber: false }],
  ])('whose identity is %s shares a number only where Invo reports null', async (_, identity, expected) => {
    const { invo } = await answering(200, { transaction_id: 'T_1', to_phone: '+4915112345678', ...identity });
    expect((await readTransferStatus(invo, 'T_1')).value).toMatchObject({ isDestination: true, ...expected });
  });
});

describe('the status of an order', () => {
  it.each([
    ['its own', { order_id: 'O_1', status: 'completed', refund: { status: 'failed' } }, 'completed'],
    ['that of its envelope', { status: 'pending_payment', order: { order_id: 'O_1' } }, 'pending_payment'],
    ['never that of its refund', { order_id: 'O_1', refund: { status: 'failed' } }, null],
    ['never that of its refund inside an envelope', { status: 'success', order: { order_id: 'O_1', refund: { status: 'failed' } } }, null],
  ])('is %s', async (_, body, status) => {
    const { invo } = await answering(200, body);
    expect((await readOrder(invo, 'currency', 'O_1')).value.status).toBe(status);
  });
});

describe('an order', () => {
  const other = { order_id: 'O_2', status: 'failed', usd_amount: '99.00', player_id: 7 };
  it.each([
    ['that replaces the requested one', 'O_1', { order: { ...other, replaces: { order_id: 'O_1' } } }],
    ['that replaces the requested one, named in a list', 'O_1', { orders: [{ ...other, replaces: [{ order_id: 'O_1' }] }] }],
    ['that holds the requested one as its data', 'O_1', { ...other, data: { order_id: 'O_1' } }],
    ['of an item with the same id', '42', { order_id: 'O_2', status: 'completed', total_price: '10', item: { id: 42 } }],
    ['of an item with the same id, without an id of its own', '42', { status: 'completed', total_price: '10', items: [{ id: 42 }] }],
    [
      'whose refund has the requested transaction',
      'TX_1',
      { order: { id: 'O_2', usd_amount: '9.99', refund: { transaction_id: 'TX_1' } } },
    ],
  ])('%s is no answer', async (_, requested, body) => {
    const { invo } = await answering(200, body);
    expect(await failureOf(readOrder(invo, 'currency', requested))).toMatchObject({ code: 'malformed', path: 'order_id' });
  });

  it.each([
    ['id', '7', { id: 7, usd_amount: '20.00' }],
    ['id, as an order', '7', { status: 'success', data: { order: { id: 7, usd_amount: '20.00' } } }],
    ['id, in a list of one', '7', { status: 'success', orders: [{ id: 7, usd_amount: '20.00' }] }],
    ['transaction around it', 'O_1', { transaction_id: 'TX_1', order: { order_id: 'O_1', usd_amount: '20.00' } }],
    ['own id around its fields', 'O_1', { order_id: 'O_1', data: { usd_amount: '20.00' } }],
    ['own name for a record', 'O_1', { id: 'request-1', data: { purchase: { order_id: 'O_1', usd_amount: '20.00' } } }],
  ])('is found by its %s', async (_, requested, body) => {
    const { invo } = await answering(200, body);
    expect((await readOrder(invo, 'currency', requested)).value.amounts).toEqual([{ field: 'usd_amount', amount: '20.00' }]);
  });

  it('has no figure, id or status of its refund, its payment or another order beside it', async () => {
    const order = {
      order_id: 'O_1',
      usd_amount: '20.00',
      refund: { amount_usd: '5.00', transaction_id: 'TX_R' },
      payment: { order_status: 'settled', charge_id: 'ch_2' },
    };
    for (const body of [order, { order }, { orders: [order, { ...other, new_balance: '1.00' }], total_price: '119.00' }]) {
      const { invo } = await answering(200, body);
      expect((await readOrder(invo, 'currency', 'O_1')).value).toMatchObject({
        orderId: 'O_1',
        amounts: [{ field: 'usd_amount', amount: '20.00' }],
        transactionId: null,
        chargeId: null,
        status: null,
        playerId: null,
      });
    }
  });

  it('has the player and the item it names as objects', async () => {
    const { invo } = await answering(200, {
      order: { order_id: 'O_1', player: { player_id: 7, player_name: 'Bree' }, item: { item_name: 'Dye' } },
    });
    expect((await readOrder(invo, 'items', 'O_1')).value).toMatchObject({ playerId: 7, playerName: 'Bree', item: 'Dye' });
  });
});

describe('a transfer that waits to be collected', () => {
  const amount = (field: string, text: string) => ({ field, amount: text });
  it.each([
    ['not that of its fee', { gross_amount: '10.00', fee: { amount: '0.50' } }, [amount('gross_amount', '10.00')]],
    ['its own before that of its transfer', { amount: '10.00', transfer: { net_amount: '9.00' } }, [amount('amount', '10.00')]],
    ['that of its transfer', { note: 'x', transfer: { amount: '10.00' } }, [amount('amount', '10.00')]],
    ['none where only others have one', { fee: { amount: '0.50' } }, []],
  ])('has as amount %s', async (_, row, amounts) => {
    const { invo } = await answering(200, [row]);
    expect((await readInboundTransfers(invo)).value.rows).toMatchObject([{ amounts }]);
  });

  it.each([
    ['its own', { id: 'TRF_2', origin: { transaction_id: 'PAY_9' } }, 'TRF_2'],
    ['its own before that of its transaction', { id: 'TRF_2', transaction: { transaction_id: 'PAY_9' } }, 'TRF_2'],
    ['that of its transaction', { transaction: { transaction_id: 'TRF_2' } }, 'TRF_2'],
    ['none where only others have one', { origin: { transaction_id: 'PAY_9' }, sender: { id: 7 } }, null],
  ])('has as ID %s', async (_, row, transactionId) => {
    const { invo } = await answering(200, [row]);
    expect((await readInboundTransfers(invo)).value.rows).toMatchObject([{ transactionId }]);
  });
});

describe('a long answer that Invo may send', () => {
  const many = <T>(count: number, make: (position: number) => T): T[] => Array.from({ length: count }, (_, position) => make(position));
  it('is read whole', async () => {
    const names = many(12, (position) => `field_${position}`);
    const row = (position: number) => ({ transaction_id: `T_${position}`, ...Object.fromEntries(names.map((name) => [name, name])) });
    const { invo: waiting } = await answering(200, many(2_100, row));
    expect((await readInboundTransfers(waiting)).value.rows).toHaveLength(2_100);
    const { invo: bought } = await answering(200, { items: many(2_100, row) });
    expect((await readItemPurchases(bought, 'a@players.example')).value.rows).toHaveLength(2_100);
    const steps = many(500, (position) => ({
      step_id: `S_${position}`,
      index: position,
      action: 'visit',
      label: 'Visit',
      state: 'open',
      progress: { current: 0, target: 1 },
    }));
    const { invo: loyal } = await answering(200, {
      card_version: 1,
      cards: many(100, (position) => ({ program_id: position, title: 'A', steps })),
    });
    const { cards } = await readLoyaltyCards(loyal, 'a@players.example');
    expect(cards.map((each) => each.kind === 'known' && each.card.steps?.length)).toEqual(many(100, () => 500));
  });
});

it('a refusal that carries a one-time code has no error code, and the code is in no message, log or fact', async () => {
  const { invo, diary } = await answering(409, { error: 'Approval needed', code: '482913', error_code: '482913' });
  const error = await failureOf(readOrder(invo, 'currency', 'O_1'));
  expect(error).toMatchObject({ code: 'rejected', errorCode: null });
  expect(JSON.stringify([error.message, error.facts, error.prose]) + diary.log.join()).not.toContain('482913');
});

describe('a 429', () => {
  it('of one player pauses nobody: it is a refusal, said in its own words', async () => {
    const { invo, diary, server } = await answering(429, {
      error: 'spending_limit_exceeded',
      message: 'Daily cap reached.',
      retry_after: 3600,
    });
    expect(await failureOf(readOrder(invo, 'currency', 'O_1'))).toMatchObject({
      code: 'rejected',
      errorCode: 'spending_limit_exceeded',
      retryAfterMs: 3_600_000,
    });
    expect([diary.blocks, diary.sleeps, server.seen.length]).toEqual([[], [], 1]);
  });

  it('of the game pauses it', async () => {
    const { invo, diary } = await answering(429, { error_code: 'rate_limit_exceeded', retry_after: 7 });
    expect(await failureOf(readOrder(invo, 'currency', 'O_1'))).toMatchObject({ code: 'rate_limited' });
    expect(diary.blocks[0]).toBe(1_007_000);
  });

  it.each([
    ['spending_limit_exceeded', []],
    ['rate_limit_exceeded', [1_007_000]],
  ])('of a write with the code %s pauses the game at %j', async (error_code, blocks) => {
    const { invo, diary } = await answering(429, { error_code, retry_after: 7 });
    await sendRefund(invo, { subscriptionId: 'SUB_1_A', body: Buffer.from('{}') });
    expect(diary.blocks).toEqual(blocks);
  });
});

test.each([
  ['CANARY-7K2Q', '••••7K2Q'],
  ['••••••••7K2Q', '••••7K2Q'],
  ['****7K2Q', '••••7K2Q'],
  ['AB', '••••AB'],
])('of a code %s at most the last four characters are left', (text, masked) => {
  expect(maskCode(text)).toBe(masked);
});

test.each([
  [1, 1, 'known'],
  [1, 2, 'other_version'],
  [2, 1, 'other_version'],
  [1, null, 'known'],
  [null, null, 'other_version'],
])('in a list of version %j a card of version %j is %s', async (ofList, ofCard, kind) => {
  const versions = { list: ofList === null ? {} : { card_version: ofList }, card: ofCard === null ? {} : { card_version: ofCard } };
  const { invo } = await answering(200, { ...versions.list, cards: [{ ...versions.card, title: 'A', status: 'completed' }] });
  expect((await readLoyaltyCards(invo, 'a@players.example')).cards).toMatchObject([{ kind }]);
});

test.each([
  ['2', undefined, 'other_version', 2],
  ['1', undefined, 'known', null],
  [undefined, '2', 'other_version', 2],
  ['two', undefined, 'other_version', null],
  [undefined, { major: 1 }, 'other_version', null],
])('a card whose version is %j in a list of version %j is %s', async (ofCard, ofList, kind, card_version) => {
  const { invo } = await answering(200, {
    card_version: ofList ?? 1,
    cards: [{ card_version: ofCard, title: 'A', status: 'completed' }],
  });
  const [card] = (await readLoyaltyCards(invo, 'a@players.example')).cards;
  expect(card).toMatchObject(kind === 'known' ? { kind } : { kind, raw: { card_version } });
});

test('a card of another version shows no text that may be a code, and everything else', async () => {
  const plain = {
    title: 'Harbour',
    state: 'unlocked',
    vault_entry_id: 'VE_77',
    note: 'Ask at the harbour',
    ends_at: '2026-12-01T00:00:00Z',
    tier: 'gold',
  };
  const codes = { promo: 'SAVE-20-NOW', coupon: 'canaryABCD', value: 'XK7Q2911', voucher: 'two words', code_masked: '••••••••7K2Q' };
  const { invo } = await answering(200, { card_version: 2, cards: [{ ...plain, rewards: [codes] }] });
  const [card] = (await readLoyaltyCards(invo, 'a@players.example')).cards;
  expect(card).toMatchObject({
    raw: {
      fields: {
        ...plain,
        rewards: [{ promo: '••••-NOW', coupon: '••••ABCD', value: '••••2911', voucher: '••••ords', code_masked: '••••7K2Q' }],
      },
    },
  });
});

test('of a card’s steps and rewards each that can’t be read is one that can’t, and a list that is none is not readable', async () => {
  const cards = [
    { steps: [{ step_id: 'S_1', state: 'complete' }, 'broken', { step_id: 'S_3', state: 'open' }], rewards: [7, { state: 'unlocked' }] },
    { steps: 'three', rewards: null },
  ];
  const { invo } = await answering(200, { card_version: 1, cards });
  expect((await readLoyaltyCards(invo, 'a@players.example')).cards).toMatchObject([
    { card: { steps: [{ state: 'complete' }, null, { state: 'open' }], rewards: [null, { state: 'unlocked' }] }, unreadable: [] },
    { card: { steps: null, rewards: null }, unreadable: ['steps'] },
  ]);
});
