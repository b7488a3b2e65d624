import { describe, expect, test } from 'vitest';
import { type Body, openInvo } from '../testing/test-client.ts';

const balancesOf = (email: string): string => `/api/player-balances/player/by-email/${encodeURIComponent(email)}`;
const cardsOf = (email: string): string => `/api/currency-purchases/player-cards?player_email=${encodeURIComponent(email)}`;
const listOf = (email: string, more = ''): string => `/api/subscriptions/player?player_email=${encodeURIComponent(email)}${more}`;

describe('balances', () => {
  test('show the player, the coins and their total', async () => {
    const invo = await openInvo();
    const { status, body } = await invo.ask(balancesOf('Wren.Ashby@players.example'));
    expect([status, body]).toEqual([
      200,
      {
        player: {
          player_id: 910_013,
          player_name: 'Wren Ashby',
          player_email: 'wren.ashby@players.example',
          identity_id: 'idn_desk_910013',
          date_joined: '2023-11-06T15:30:00.000Z',
        },
        balances: [
          { currency_id: 311, currency_name: 'Lumens', available_balance: '4200.00', reserved_balance: '0.00', total_balance: '4200.00' },
        ],
        summary: { total_value: '4200.00', currency_count: 1, has_funds: true },
        last_updated: '2026-11-21T12:00:00.000Z',
      },
    ]);
  });

  test('below zero are reported with their sign', async () => {
    const invo = await openInvo();
    expect((await invo.control('POST', 'wallet', { player_id: 910_013, coins: '-12.50' })).body).toEqual({
      player_id: 910_013,
      coins: '-12.50',
      reserved: '0.00',
    });
    const { body } = await invo.ask(balancesOf('wren.ashby@players.example'));
    expect([body.balances[0].available_balance, body.summary.has_funds]).toEqual(['-12.50', false]);
  });

  test('may have two currencies or none', async () => {
    const invo = await openInvo();
    const two = (await invo.ask(balancesOf('juno.marl@players.example'))).body;
    expect(two.balances.map((held: Body) => [held.currency_id, held.currency_name, held.available_balance, held.total_balance])).toEqual([
      [311, 'Lumens', '1200.00', '1200.00'],
      [318, 'Embers', '-45.50', '-45.50'],
    ]);
    expect(two.summary).toEqual({ total_value: '1154.50', currency_count: 2, has_funds: true });
    const none = (await invo.ask(balancesOf('ilse.brand@players.example'))).body;
    expect([none.balances, none.summary]).toEqual([[], { total_value: '0.00', currency_count: 0, has_funds: false }]);
  });

  test('exist for subscribers and recipients too, and are 404 for an unknown player', async () => {
    const invo = await openInvo();
    expect((await invo.ask(balancesOf('witness-202601-0@players.example'))).body.player.player_id).toBe(40_202_600);
    expect((await invo.ask(balancesOf('witness-9009@creators.example'))).body.player.player_name).toBe('Halcyon Drift');
    for (const email of ['nobody@players.example', 'witness-9008@creators.example', 'x9009@creators.example', '%'])
      expect(await invo.ask(balancesOf(email))).toMatchObject({ status: 404, body: { error_code: 'PLAYER_NOT_FOUND' } });
    await invo.control('POST', 'clock', { now: '2025-12-31T00:00:00Z' });
    expect((await invo.ask(balancesOf('witness-202601-0@players.example'))).status).toBe(404);
  });

  test('may be read 1500 times a minute', { tags: ['proof'] }, async () => {
    const invo = await openInvo({ isRateLimited: true, meterNowMs: () => 0 });
    const path = balancesOf('nobody@players.example');
    for (let batch = 0; batch < 30; batch += 1) await Promise.all(Array.from({ length: 50 }, () => invo.ask(path)));
    expect((await invo.ask(path)).body.error_code).toBe('rate_limit_exceeded');
  });
});

describe('saved cards', () => {
  test('are listed newest first, without expired ones', async () => {
    const invo = await openInvo();
    expect((await invo.ask(cardsOf('mira.holt@players.example'))).body).toEqual({
      cards: [
        { id: 9_100_013, last_four: '0005', brand: 'amex', exp_month: 11, exp_year: 2035, created_at: '2025-11-03T14:53:00.000Z' },
        { id: 9_100_012, last_four: '5454', brand: 'mastercard', exp_month: 4, exp_year: 2034, created_at: '2024-11-03T14:52:00.000Z' },
      ],
    });
    await invo.control('POST', 'clock', { now: '2025-09-30T23:59:59Z' });
    expect((await invo.ask(cardsOf('mira.holt@players.example'))).body.cards.map(({ id }: { id: number }) => id)).toEqual([
      9_100_012, 9_100_011,
    ]);
  });

  test('of a subscriber are never older than the player', async () => {
    const invo = await openInvo();
    let seen = 0;
    for (let number = 0; number < 20; number += 1) {
      const email = `fan-202609-${number}@players.example`;
      const joined = (await invo.ask(balancesOf(email))).body?.player?.date_joined;
      const { cards } = (await invo.ask(cardsOf(email))).body;
      if (joined === undefined) continue;
      expect(cards).toHaveLength(1);
      expect(cards[0].created_at > joined).toBe(true);
      seen += 1;
    }
    expect(seen).toBeGreaterThan(14);
  });

  test('are an empty list for an unknown player and for one without cards', async () => {
    const invo = await openInvo();
    for (const email of ['nobody@players.example', 'guild.house@players.example', 'ruth.amsel@players.example'])
      expect(await invo.ask(cardsOf(email))).toMatchObject({ status: 200, body: { cards: [] } });
  });

  test.each([
    ['/api/currency-purchases/player-cards', 'PLAYER_EMAIL_REQUIRED'],
    [cardsOf(`${'a'.repeat(250)}@b.example`), 'PLAYER_EMAIL_TOO_LONG'],
    [`${cardsOf('a@b.example')}&page=2`, 'INVALID_FIELD_VALUE'],
  ])('%s is %s', async (path, code) => {
    const invo = await openInvo();
    expect((await invo.ask(path)).body.error_code).toBe(code);
  });
});

describe('the subscriptions of a player', () => {
  const GUILD = 'guild.house@players.example';

  test('span several pages, each subscription once', async () => {
    const invo = await openInvo();
    const first = (await invo.ask(listOf(GUILD))).body;
    expect([first.subscriptions.length, first.pagination]).toEqual([50, { total_count: 63, limit: 50, offset: 0, has_more: true }]);
    const second = (await invo.ask(listOf(GUILD, '&offset=50'))).body;
    expect([second.subscriptions.length, second.pagination.has_more]).toEqual([13, false]);
    const ids = [...first.subscriptions, ...second.subscriptions].map(({ subscription_id }) => subscription_id);
    expect(new Set(ids).size).toBe(63);
    expect(ids[0]).toBe('SUB_1733814840_DESK0063');
    expect((await invo.ask(listOf(GUILD, '&status=live&limit=2'))).body.pagination).toMatchObject({ total_count: 3, has_more: true });
    expect((await invo.ask(listOf(GUILD, '&status=live,expired'))).body.pagination.total_count).toBe(63);
    expect((await invo.ask(listOf('wren.ashby@players.example'))).body).toMatchObject({
      subscriptions: [],
      pagination: { total_count: 0 },
    });
  });

  test.each([
    ['&limit=0', 'PAGINATION_INVALID'],
    ['&limit=101', 'PAGINATION_INVALID'],
    ['&limit=ten', 'PAGINATION_INVALID'],
    ['&offset=100001', 'PAGINATION_INVALID'],
    ['&offset=-1', 'PAGINATION_INVALID'],
    ['&status=live,lively', 'STATUS_INVALID'],
    ['&status=', 'STATUS_INVALID'],
    ['&include_player=perhaps', 'INVALID_FIELD_VALUE'],
    ['&sort=asc', 'INVALID_FIELD_VALUE'],
  ])('with %s is %s', async (more, code) => {
    const invo = await openInvo();
    const answered = await invo.ask(listOf(GUILD, more));
    expect([answered.status, answered.body.error_code]).toEqual([400, code]);
  });

  test('include the player if requested', async () => {
    const invo = await openInvo();
    const [shown] = (await invo.ask(listOf('mira.holt@players.example', '&include_player=true'))).body.subscriptions;
    expect(shown.player).toEqual({
      player_id: 910_001,
      player_name: 'Mira Holt',
      player_email: 'mira.holt@players.example',
      identity_id: 'idn_desk_910001',
    });
  });
});
