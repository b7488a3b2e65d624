import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { GameContext } from '../games/game-context.ts';
import { search } from '../search/search.ts';
import { readSubscriptionDetail } from '../subscriptions/read-subscription-detail.ts';
import { readBilling } from './read-billing.ts';
import {
  type KnownPlayer,
  readPlayer,
  readPlayerCards,
  readPlayerItems,
  readPlayerLoyalty,
  readPlayerSubscriptions,
} from './read-player.ts';

const GUILD_HOUSE = { email: 'guild.house@players.example', playerId: 910_014 };
const OWEN = 'SUB_1734508800_DESKOWEN';

/** Longer than Invo takes on a busy machine. */
const LONG_DEADLINE = { limit_ms: 60_000 };

let environment: TestEnvironment;
let context: GameContext;
beforeAll(async () => {
  environment = await openTestEnvironment();
  context = { game: await environment.game(), config: environment.config };
});
afterAll(() => environment.close());
beforeEach(async () => {
  await environment.control('DELETE', 'faults');
  await environment.pool.query('truncate detail_read, known_player, known_subscription, known_id');
});

/** A player with every part that is read by itself. */
async function readWhole(playerId: number, deadline: { limit_ms: number; offset?: number } = LONG_DEADLINE) {
  const player = await readPlayer(context, playerId, deadline);
  return player.kind === 'player' ? { ...player, ...(await readParts(player, deadline)) } : player;
}

async function readParts(player: KnownPlayer, deadline: { limit_ms: number; offset?: number }) {
  const [subscriptions, cards] = [
    await readPlayerSubscriptions(context, player, deadline),
    await readPlayerCards(context, player, deadline),
  ];
  return { subscriptions, cards };
}

const fail = () => environment.control('POST', 'faults', [{ kind: '500', times: 20 }]);
const know = (email: string) => search(context, email, { scope: 'invo', canSeeEmails: true, canReadDesk: true });

describe('a player', () => {
  test('that nothing stored mentions is unknown, and Invo isn’t called', async () => {
    await environment.forgetCalls();
    expect(await readWhole(123, LONG_DEADLINE)).toEqual({ kind: 'unknown' });
    expect(await environment.calls()).toEqual([]);
  });

  test('found by search has wallet, cards and subscriptions', async () => {
    await know('mira.holt@players.example');
    expect(await readWhole(910_001, LONG_DEADLINE)).toMatchObject({
      kind: 'player',
      balances: { kind: 'live', value: { balances: [{ available_balance: '350.00' }] } },
      subscriptions: { kind: 'live', value: { subscriptions: [{ status: 'active' }] } },
      cards: { kind: 'live', value: { cards: [{ last_four: '0005' }, { last_four: '5454' }] } },
    });
  });

  test('with more subscriptions than one page is listed page by page', async () => {
    await know(GUILD_HOUSE.email);
    const first = await readWhole(GUILD_HOUSE.playerId, LONG_DEADLINE);
    expect(first).toMatchObject({ subscriptions: { value: { pagination: { total_count: 63, has_more: false } } } });
    const later = await readWhole(GUILD_HOUSE.playerId, { ...LONG_DEADLINE, offset: 60 });
    expect(later.kind === 'player' && 'value' in later.subscriptions && later.subscriptions.value.subscriptions).toHaveLength(3);
    const storedReads = await environment.pool.query<{ subject: string }>(
      `select subject from detail_read where kind = 'subscriptions' order by subject`,
    );
    expect(storedReads.rows.map(({ subject }) => subject)).toEqual(['910014 0', '910014 60']);
  });

  test('is returned from storage when Invo can’t be reached', async () => {
    await know('mira.holt@players.example');
    await readWhole(910_001, LONG_DEADLINE);
    await fail();
    expect(await readWhole(910_001, LONG_DEADLINE)).toMatchObject({
      kind: 'player',
      balances: { kind: 'stored' },
      subscriptions: { kind: 'stored' },
      cards: { kind: 'stored', value: { cards: [{}, {}] } },
    });
  });

  test('without subscriptions differs from no player at all', async () => {
    await know('wren.ashby@players.example');
    expect(await readWhole(910_013, LONG_DEADLINE)).toMatchObject({
      kind: 'player',
      subscriptions: { value: { subscriptions: [] } },
    });
    await environment.pool.query(
      `insert into known_player (game_id, player_id, player_email, seen_at) values ($1, 55, 'gone@players.example', now())`,
      [context.game.gameId],
    );
    expect(await readWhole(55, LONG_DEADLINE)).toMatchObject({ kind: 'no_player' });
  });

  test('whose email now belongs to another player is never mixed up with them', async () => {
    await environment.pool.query(
      `insert into known_player (game_id, player_id, player_email, seen_at) values ($1, 56, 'mira.holt@players.example', now())`,
      [context.game.gameId],
    );
    expect(await readWhole(56, LONG_DEADLINE)).toMatchObject({ kind: 'other_player', playerId: 910_001 });
    await fail();
    expect(await readWhole(56, LONG_DEADLINE)).toMatchObject({ kind: 'other_player' });
  });

  test('gets no cards while Invo doesn’t confirm whose email it is', async () => {
    await environment.pool.query(
      `insert into known_player (game_id, player_id, player_email, seen_at) values ($1, 58, 'wren.ashby@players.example', now())`,
      [context.game.gameId],
    );
    await environment.control('POST', 'faults', [{ kind: '500', times: 20, match: { route: 'balances' } }]);
    await environment.forgetCalls();
    expect(await readWhole(58, LONG_DEADLINE)).toMatchObject({
      kind: 'player',
      cards: { kind: 'nothing', error: { code: 'upstream_fault' } },
    });
    expect((await environment.calls()).filter(({ path }) => path.includes('player-cards'))).toEqual([]);
    const player = await readPlayer(context, 58, LONG_DEADLINE);
    if (player.kind !== 'player') throw new Error(player.kind);
    expect(await readPlayerLoyalty(context, player, LONG_DEADLINE)).toMatchObject({ kind: 'nothing', error: { code: 'upstream_fault' } });
    expect(await readPlayerItems(context, player, LONG_DEADLINE)).toMatchObject({ kind: 'nothing' });
    expect((await environment.calls()).filter(({ path }) => /loyalty|purchase-history/.test(path))).toEqual([]);
  });

  test('whom Invo answers with 404 everywhere is never reported as a missing subscription', async () => {
    await know('mira.holt@players.example');
    await environment.pool.query('delete from detail_read');
    await environment.control('POST', 'faults', [{ kind: '404', times: 20 }]);
    const player = await readPlayer(context, 910_001, LONG_DEADLINE);
    if (player.kind !== 'player') throw new Error(player.kind);
    const parts = [
      await readPlayerCards(context, player, LONG_DEADLINE),
      await readPlayerSubscriptions(context, player, LONG_DEADLINE),
      await readPlayerLoyalty(context, player, LONG_DEADLINE),
    ];
    for (const part of parts)
      expect(part).toMatchObject({
        kind: 'nothing',
        error: {
          sentence: expect.stringMatching(/^Invo answered that it has no such record for this player \(SUBSCRIPTION_NOT_FOUND\)/) as string,
        },
      });
  });

  test('whose answer is fresh enough isn’t requested from Invo again, and is once it has aged', async () => {
    await know('mira.holt@players.example');
    await environment.forgetCalls();
    const fresh = { ...LONG_DEADLINE, freshFor_s: 600 };
    expect(await readPlayer(context, 910_001, fresh)).toMatchObject({ balances: { kind: 'live', age_s: expect.any(Number) as number } });
    expect(await environment.calls()).toEqual([]);
    await environment.pool.query(`update detail_read set read_at = read_at - interval '601 seconds'`);
    const read = await readPlayer(context, 910_001, fresh);
    expect(read).toMatchObject({ kind: 'player', balances: { kind: 'live' } });
    expect('balances' in read && 'age_s' in read.balances).toBe(false);
    expect(await environment.calls()).toHaveLength(1);
  });

  test('with many subscriptions has the periods of eight of them read, and of none while their list can’t be read', async () => {
    await know(GUILD_HOUSE.email);
    await environment.forgetCalls();
    const billing = await readBilling(context, GUILD_HOUSE, LONG_DEADLINE);
    expect(billing.subscriptions).toHaveLength(63);
    expect(billing.subscriptions.filter(({ periods }) => periods?.kind === 'live')).toHaveLength(8);
    expect(await environment.calls()).toHaveLength(9);
    await fail();
    await environment.forgetCalls();
    const stored = await readBilling(context, GUILD_HOUSE, LONG_DEADLINE);
    expect(stored.list.kind).toBe('stored');
    expect(stored.subscriptions.filter(({ periods }) => periods?.kind === 'stored')).toHaveLength(8);
    expect((await environment.calls()).filter(({ path }) => path.includes('reporting'))).toEqual([]);
  });

  test('known only from a subscription has no email', async () => {
    await environment.pool.query(
      `insert into known_subscription (game_id, subscription_id, player_id, seen_at) values ($1, 'SUB_1_A', 57, now())`,
      [context.game.gameId],
    );
    expect(await readWhole(57, LONG_DEADLINE)).toMatchObject({ kind: 'no_email' });
  });
});

describe('a subscription', () => {
  test('is read with its periods, and its player is known afterwards', async () => {
    expect(await readSubscriptionDetail(context, OWEN, LONG_DEADLINE)).toMatchObject({
      subscription: { kind: 'live', value: { subscription: { status: 'retrying' }, player: { player_id: 910_004 } } },
      periods: { kind: 'live', value: { periods: [{ status: 'pending', paid_at: null }, { status: 'paid' }] } },
    });
    expect(await readWhole(910_004, LONG_DEADLINE)).toMatchObject({
      kind: 'player',
      cards: { value: { cards: [{}, {}] } },
    });
  });

  test('is returned when its periods can’t be read, and the other way round', async () => {
    await readSubscriptionDetail(context, OWEN, LONG_DEADLINE);
    await environment.control('POST', 'faults', [{ kind: '500', times: 20, match: { route: 'subscription-attribution' } }]);
    expect(await readSubscriptionDetail(context, OWEN, LONG_DEADLINE)).toMatchObject({
      subscription: { kind: 'live' },
      periods: { kind: 'stored' },
    });
    expect(await readSubscriptionDetail(context, OWEN, { ...LONG_DEADLINE, offset: 100 })).toMatchObject({ periods: { kind: 'nothing' } });
  });

  test('of another game is not found', async () => {
    expect(await readSubscriptionDetail(context, 'SUB_1_NOTTHERE', LONG_DEADLINE)).toEqual({
      subscription: { kind: 'not_found' },
      periods: { kind: 'not_found' },
    });
  });
});
