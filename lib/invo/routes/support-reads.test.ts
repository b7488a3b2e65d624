import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Answering, sendJson } from '#e2e/support/invo/canned-server.ts';
import { withValue } from '#e2e/support/invo/sample-answers.ts';
import {
  SAMPLE_EMAIL,
  SAMPLE_SUBSCRIPTION,
  samplePlayerBalances,
  samplePlayerCards,
  samplePlayerSubscriptions,
  sampleSubscription,
} from '#e2e/support/invo/sample-support.ts';
import { failureOf, type Talk, talkTo } from '#e2e/support/invo/talk-to.ts';
import type { Invo } from '../invo.ts';
import { formatInvoError } from '../text.ts';
import { readInboundTransfers } from '../undocumented/inbound-transfers.ts';
import { readBalanceBatch } from '../undocumented/player-balances.ts';
import {
  playerBalances,
  playerCards,
  readBalancesOfPlayer,
  readCardsOfPlayer,
  readSubscription,
  readSubscriptionsOfPlayer,
  subscriptionRead,
} from './support-reads.ts';
import { readTransferStatus } from './transfers.ts';

const ask = (answer: Answering): Promise<Talk> => talkTo(answer, { prefix: '/sandbox', limits: { tries: 2 } });
const talkWith = (body: unknown, status = 200): Promise<Talk> => ask((_request, response) => sendJson(response, status, body));

const reads: [string, unknown, (invo: Invo) => Promise<unknown>, string, object][] = [
  [
    'a subscription',
    sampleSubscription(),
    (invo) => readSubscription(invo, SAMPLE_SUBSCRIPTION),
    `/sandbox/api/subscriptions/${SAMPLE_SUBSCRIPTION}?include_player=true`,
    { kind: 'other', subscriptionId: SAMPLE_SUBSCRIPTION },
  ],
  [
    'a player’s subscriptions',
    samplePlayerSubscriptions(),
    (invo) => readSubscriptionsOfPlayer(invo, { playerEmail: ` ${SAMPLE_EMAIL} `, status: ['live', 'canceled'], limit: 50, offset: 0 }),
    '/sandbox/api/subscriptions/player?player_email=ada%2Bguild%40example.test&status=live%2Ccanceled&limit=50&offset=0',
    { kind: 'other' },
  ],
  [
    'a player’s wallet',
    samplePlayerBalances(),
    (invo) => readBalancesOfPlayer(invo, SAMPLE_EMAIL),
    '/sandbox/api/player-balances/player/by-email/ada%2Bguild%40example.test',
    { kind: 'balance' },
  ],
  [
    'a player’s cards',
    samplePlayerCards(),
    (invo) => readCardsOfPlayer(invo, SAMPLE_EMAIL),
    '/sandbox/api/currency-purchases/player-cards?player_email=ada%2Bguild%40example.test',
    { kind: 'other' },
  ],
];

describe.each(reads)('%s', (name, sample, read, url, route) => {
  it(`${name}: read from a route of its own, with the email escaped`, async () => {
    const { invo, server, diary } = await talkWith(sample);
    await read(invo);
    expect(server.seen.map((request) => [request.method, request.url])).toEqual([['GET', url]]);
    expect(JSON.parse(diary.log[0] ?? '')).toMatchObject({ route, outcome: 'answered' });
  });
  it(`${name}: read again after a 5xx`, async () => {
    const { invo, server } = await ask((_request, response, nth) =>
      nth === 1 ? sendJson(response, 500, { error_code: 'INTERNAL_ERROR' }) : sendJson(response, 200, sample),
    );
    await read(invo);
    expect(server.seen).toHaveLength(2);
  });
  it(`${name}: no email is left in log, evidence, errors or sentences`, async () => {
    const { invo, diary } = await talkWith(sample);
    const { evidence } = (await read(invo)) as { evidence: { request: string } };
    const refused = await ask((request, response) =>
      sendJson(response, 400, {
        error: SAMPLE_EMAIL,
        error_code: 'NO',
        error_id: SAMPLE_EMAIL,
        player_email: SAMPLE_EMAIL,
        path: request.url,
        [SAMPLE_EMAIL]: 1,
        note: 'kept',
      }),
    );
    const refusedError = await failureOf(read(refused.invo));
    expect(refusedError.facts).toMatchObject({ note: 'kept' });
    const broken = await failureOf(read((await talkWith({ wrong: SAMPLE_EMAIL })).invo));
    const printed = [
      evidence.request,
      ...diary.log,
      ...refused.diary.log,
      ...[refusedError, broken].flatMap((error) => [
        inspect(error, { depth: 9 }),
        JSON.stringify(error),
        formatInvoError(error),
        error.evidence?.request ?? '',
      ]),
    ];
    expect(printed.join('\n')).not.toMatch(/ada|example\.test|%40/);
    expect(refusedError.evidence?.received.toString()).toContain(SAMPLE_EMAIL);
  });
  it(`${name}: unknown to Invo is not_found, and read once`, async () => {
    const { invo, server } = await talkWith({ error_code: 'PLAYER_NOT_FOUND', error_id: 'err_4' }, 404);
    expect(await failureOf(read(invo))).toMatchObject({ code: 'not_found', errorId: 'err_4', isRetryable: false });
    expect(server.seen).toHaveLength(1);
  });
});

describe('an email in logs and evidence', () => {
  it('evidence and log have a dot where the email was', async () => {
    const list = await talkWith(samplePlayerSubscriptions());
    const { evidence } = await readSubscriptionsOfPlayer(list.invo, { playerEmail: SAMPLE_EMAIL, limit: 50 });
    expect(evidence.request).toBe('/sandbox/api/subscriptions/player?player_email=•&limit=50');
    const wallet = await talkWith(samplePlayerBalances());
    await readBalancesOfPlayer(wallet.invo, SAMPLE_EMAIL);
    expect(wallet.diary.log[0]).toContain('/sandbox/api/player-balances/player/by-email/•');
  });
  it.each(['', 'ada', '../x', '@', 'a b@c', 'a@b\0', '\ud800@x.test', `${'a'.repeat(1_000)}@x.test`])(
    '%j is refused as an email and not repeated',
    async (text) => {
      const { invo, server } = await talkWith(samplePlayerCards());
      for (const call of [
        () => readCardsOfPlayer(invo, text),
        () => readBalancesOfPlayer(invo, text),
        () => readSubscriptionsOfPlayer(invo, { playerEmail: text }),
      ])
        expect(call).toThrow(/^not an email$/);
      expect(server.seen).toHaveLength(0);
    },
  );
});

describe('a subscription', () => {
  const read = async (body: unknown) => readSubscription((await talkWith(body)).invo, SAMPLE_SUBSCRIPTION);
  it('a subscription has its player inside or beside it, or none', async () => {
    const sample = sampleSubscription() as { subscription: { player?: unknown } };
    const { player, ...alone } = sample.subscription;
    expect((await read(sample)).value.player?.player_id).toBe(9);
    expect((await read({ subscription: alone, player })).value.player?.player_id).toBe(9);
    expect((await read({ subscription: alone })).value.player).toBeNull();
    expect((await read(sample)).value.subscription).toEqual({ ...alone, game_id: '77', item_id: '55' });
  });
  it('a subscription with an unknown status and without fields that decide nothing is read', async () => {
    expect((await read(withValue(sampleSubscription(), 'subscription.status', 'past_due'))).value.subscription.status).toBe('past_due');
    const bare = { subscription: { subscription_id: SAMPLE_SUBSCRIPTION, player_id: 9 } };
    expect((await read(bare)).value.subscription).toMatchObject({ amount_usd: null, paid_through: null, cancel_at_period_end: null });
  });
  it.each([
    ['subscription.subscription_id', 'SUB_2'],
    ['subscription.game_id', 78],
    ['subscription.player_id', undefined],
    ['subscription.amount_usd', 20],
    ['subscription.paid_through', 'soon'],
    ['subscription.revenue_share.settled_by_invo', true],
  ])('a subscription with %s %j is malformed', async (path, value) => {
    expect(await failureOf(read(withValue(sampleSubscription(), path, value)))).toMatchObject({ code: 'malformed', path });
  });
  it.each([10, '10'])('a subscription of another player than the one beside it is malformed, as number or text: %j', async (other) => {
    const swapped = withValue(sampleSubscription(), 'subscription.player.player_id', other);
    expect(await failureOf(read(swapped))).toMatchObject({ code: 'malformed', path: 'player.player_id' });
  });
});

describe('a player’s pages', () => {
  it('lists of an unknown player may be empty', async () => {
    const none = { player_email: 'ADA+guild@example.test', subscriptions: [], pagination: { total_count: 0, offset: 0, has_more: false } };
    const { value } = await readSubscriptionsOfPlayer((await talkWith(none)).invo, { playerEmail: SAMPLE_EMAIL });
    expect(value).toMatchObject({ subscriptions: [], pagination: { total_count: 0 } });
    expect((await readCardsOfPlayer((await talkWith({ cards: [] })).invo, SAMPLE_EMAIL)).value.cards).toEqual([]);
  });
  it.each([
    ['player_email', 'eve@example.test'],
    ['pagination.offset', 50],
    ['subscriptions.0.game_id', 78],
    ['subscriptions.0.amount_usd', 'free'],
    ['pagination.has_more', undefined],
  ])('a list of subscriptions with %s %j is malformed', async (path, value) => {
    const { invo } = await talkWith(withValue(samplePlayerSubscriptions(), path, value));
    expect(await failureOf(readSubscriptionsOfPlayer(invo, { playerEmail: SAMPLE_EMAIL }))).toMatchObject({ code: 'malformed', path });
  });
  it.each([
    ['player.player_email', 'eve@example.test'],
    ['player.player_id', undefined],
    ['balances.0.available_balance', -12.5],
    ['balances', undefined],
  ])('balances with %s %j are malformed', async (path, value) => {
    const { invo } = await talkWith(withValue(samplePlayerBalances(), path, value));
    expect(await failureOf(readBalancesOfPlayer(invo, SAMPLE_EMAIL))).toMatchObject({ code: 'malformed', path });
  });
  it('a wallet may be below zero, and a card never shows more than four digits', async () => {
    expect(
      (await readBalancesOfPlayer((await talkWith(samplePlayerBalances())).invo, SAMPLE_EMAIL)).value.balances[0]?.available_balance,
    ).toBe('-12.50');
    const { invo } = await talkWith(withValue(samplePlayerCards(), 'cards.0.last_four', '4242424242424242'));
    expect((await readCardsOfPlayer(invo, SAMPLE_EMAIL)).value.cards).toMatchObject([{ id: 31, last_four: null, brand: 'visa' }]);
    const noHandle = await talkWith(withValue(samplePlayerCards(), 'cards.0.id', undefined));
    expect(await failureOf(readCardsOfPlayer(noHandle.invo, SAMPLE_EMAIL))).toMatchObject({ path: 'cards.0.id' });
  });
});

describe('a subscription', () => {
  it.each([
    ['no id', { player_email: SAMPLE_EMAIL }, { player_id: 9, player_email: SAMPLE_EMAIL, date_joined: null }],
    ['an id as text', { player_id: 'p-9', player_email: SAMPLE_EMAIL }, { player_id: 9, player_email: SAMPLE_EMAIL }],
    ['no day of joining', { player_id: 9, date_joined: '', identity_id: {} }, { player_id: 9, date_joined: null, identity_id: null }],
    ['nothing', {}, { player_id: 9, player_email: null }],
    ['a list', [], null],
    ['a number', 9, null],
  ])('a subscription is read with a player block of %s', (_, block, player) => {
    const { subscription, player: read } = subscriptionRead.parse(withValue(sampleSubscription(), 'subscription.player', block));
    expect(subscription.amount_usd).toBe('20.00');
    expect(read).toEqual(player && expect.objectContaining(player));
  });
  it.each([
    'interval_count',
    'item_id',
    'current_period_start',
    'current_period_end',
    'period_seq',
    'next_charge_at',
    'trial_end',
    'canceled_at',
    'ended_at',
    'created_at',
    'updated_at',
    'revenue_share.percent',
    'revenue_share.recipient_player_id',
  ])('a subscription is read with a %s that says nothing', (field) => {
    for (const nothing of ['', {}]) {
      const read = subscriptionRead.parse(withValue(sampleSubscription(), `subscription.${field}`, nothing));
      expect(JSON.stringify(read.subscription)).toContain(`"${field.split('.').at(-1)}":null`);
    }
  });
});

describe('a player’s pages', () => {
  it.each([
    ['summary.total_value', 42],
    ['summary', 'rich'],
    ['last_updated', ''],
    ['player.date_joined', ''],
    ['player.identity_id', {}],
    ['balances.0.currency_id', {}],
    ['balances.0.total_balance', 12],
  ])('balances are read with %s %j', (path, value) => {
    const wallet = playerBalances.parse(withValue(samplePlayerBalances(), path, value));
    expect(wallet.balances[0]?.available_balance).toBe('-12.50');
  });
  it.each(['created_at', 'exp_month', 'exp_year'])('cards are read whatever the %s', (field) => {
    const { cards } = playerCards.parse(withValue(samplePlayerCards(), `cards.0.${field}`, ''));
    expect(cards).toMatchObject([{ id: 31, last_four: '4242', [field]: null }]);
  });
});

describe('a batch of balances that is refused', () => {
  const words = Buffer.from(JSON.stringify({ error: 'Send player_emails.', filler: ' '.repeat(5_000) }));
  it.each([
    ['whole, is requested again by the name it gives', gzipSync(words), 10_000, 2],
    ['cut off, still has its reason', gzipSync(words).subarray(0, -12), 10_000, 1],
    ['longer than accepted once inflated, is not inflated', gzipSync(words), 1_000, 1],
  ])('in a compressed answer that is %s', async (_, bytes, inflatedBytes, calls) => {
    const { invo, server } = await talkTo(
      (_request, response) => void response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bytes),
      { limits: { inflatedBytes } },
    );
    expect(await failureOf(readBalanceBatch(invo, ['a@players.example']))).toMatchObject({ code: 'rejected', status: 400 });
    expect(server.seen).toHaveLength(calls);
  });
});

it('a figure of coins that is a JSON number is not readable, wherever it is, and one that is absent is not reported', async () => {
  const { invo: transfers } = await talkWith({ transaction_id: 'T_1', amount: 12.5 });
  expect((await readTransferStatus(transfers, 'T_1')).value).toMatchObject({ amount: null, net_amount: null, unreadable: ['amount'] });
  const { invo: waiting } = await talkWith([{ transaction_id: 'T_1', amount: 12.5, net_amount: '12.00' }]);
  expect((await readInboundTransfers(waiting)).value.rows).toMatchObject([
    { amounts: [{ field: 'net_amount', amount: '12.00' }], unreadable: ['amount'] },
  ]);
  const held = { currency_id: 1, available_balance: '1.00', reserved_balance: 0.5 };
  const { invo: wallet } = await talkWith({ player: { player_id: 7 }, balances: [held] });
  expect((await readBalancesOfPlayer(wallet, 'a@players.example')).value.balances).toMatchObject([
    { reserved_balance: null, total_balance: null, unreadable: ['reserved_balance'] },
  ]);
});
