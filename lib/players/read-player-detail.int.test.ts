import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GameContext } from '../games/game-context.ts';
import { search } from '../search/search.ts';
import { readSubscriptionDetail } from '../subscriptions/read-subscription-detail.ts';
import { type Ground, openGround } from '../testing/open-ground.ts';
import { readPlayerDetail } from './read-player-detail.ts';

const GUILD_HOUSE = { email: 'guild.house@players.example', playerId: 910_014 };
const OWEN = 'SUB_1734508800_DESKOWEN';

/** Longer than Invo takes, however busy the machine. */
const PATIENT = { limit_ms: 60_000 };

let ground: Ground;
let desk: GameContext;
beforeAll(async () => {
  ground = await openGround();
  desk = { game: await ground.game(), config: ground.config };
});
afterAll(() => ground.close());
beforeEach(async () => {
  await ground.control('DELETE', 'faults');
  await ground.pool.query('truncate detail_read, known_player, known_subscription, known_id');
});

const fail = () => ground.control('POST', 'faults', [{ kind: '500', times: 20 }]);
const know = (email: string) => search(desk, email, { scope: 'invo', canSeeEmails: true });

describe('a player', () => {
  test('nobody ever named is unknown, and Invo is not asked', async () => {
    await ground.forgetCalls();
    expect(await readPlayerDetail(desk, 123, PATIENT)).toEqual({ kind: 'unknown' });
    expect(await ground.calls()).toEqual([]);
  });

  test('of a look-up has wallet, cards and subscriptions', async () => {
    await know('mira.holt@players.example');
    expect(await readPlayerDetail(desk, 910_001, PATIENT)).toMatchObject({
      kind: 'player',
      balances: { kind: 'live', value: { balances: [{ available_balance: '350.00' }] } },
      subscriptions: { kind: 'live', value: { subscriptions: [{ status: 'active' }] } },
      cards: { kind: 'live', value: { cards: [{ last_four: '0005' }, { last_four: '5454' }] } },
    });
  });

  test('with more subscriptions than a page is listed page by page', async () => {
    await know(GUILD_HOUSE.email);
    const first = await readPlayerDetail(desk, GUILD_HOUSE.playerId, PATIENT);
    expect(first).toMatchObject({ subscriptions: { value: { pagination: { total_count: 63, has_more: false } } } });
    const later = await readPlayerDetail(desk, GUILD_HOUSE.playerId, { ...PATIENT, offset: 60 });
    expect(later.kind === 'player' && 'value' in later.subscriptions && later.subscriptions.value.subscriptions).toHaveLength(3);
    const kept = await ground.pool.query<{ subject: string }>(
      `select subject from detail_read where kind = 'subscriptions' order by subject`,
    );
    expect(kept.rows.map(({ subject }) => subject)).toEqual(['910014 0', '910014 60']);
  });

  test('is shown as held when Invo cannot be asked', async () => {
    await know('mira.holt@players.example');
    await readPlayerDetail(desk, 910_001, PATIENT);
    await fail();
    expect(await readPlayerDetail(desk, 910_001, PATIENT)).toMatchObject({
      kind: 'player',
      balances: { kind: 'stored' },
      subscriptions: { kind: 'stored' },
      cards: { kind: 'stored', value: { cards: [{}, {}] } },
    });
  });

  test('without subscriptions is told from no player at all', async () => {
    await know('wren.ashby@players.example');
    expect(await readPlayerDetail(desk, 910_013, PATIENT)).toMatchObject({
      kind: 'player',
      subscriptions: { value: { subscriptions: [] } },
    });
    await ground.pool.query(
      `insert into known_player (game_id, player_id, player_email, seen_at) values ($1, 55, 'gone@players.example', now())`,
      [desk.game.gameId],
    );
    expect(await readPlayerDetail(desk, 55, PATIENT)).toMatchObject({ kind: 'no_player' });
  });

  test('whose e-mail is somebody else’s by now is not mixed up with them, later neither', async () => {
    await ground.pool.query(
      `insert into known_player (game_id, player_id, player_email, seen_at) values ($1, 56, 'mira.holt@players.example', now())`,
      [desk.game.gameId],
    );
    expect(await readPlayerDetail(desk, 56, PATIENT)).toMatchObject({ kind: 'other_player', playerId: 910_001 });
    await fail();
    expect(await readPlayerDetail(desk, 56, PATIENT)).toMatchObject({ kind: 'other_player' });
  });

  test('is shown no cards while Invo does not say whose the e-mail is now', async () => {
    await ground.pool.query(
      `insert into known_player (game_id, player_id, player_email, seen_at) values ($1, 58, 'wren.ashby@players.example', now())`,
      [desk.game.gameId],
    );
    await ground.control('POST', 'faults', [{ kind: '500', times: 20, match: { route: 'balances' } }]);
    await ground.forgetCalls();
    expect(await readPlayerDetail(desk, 58, PATIENT)).toMatchObject({
      kind: 'player',
      cards: { kind: 'nothing', trouble: { code: 'upstream_fault' } },
    });
    expect((await ground.calls()).filter(({ path }) => path.includes('player-cards'))).toEqual([]);
  });

  test('named by a subscription alone has no e-mail to ask by', async () => {
    await ground.pool.query(
      `insert into known_subscription (game_id, subscription_id, player_id, seen_at) values ($1, 'SUB_1_A', 57, now())`,
      [desk.game.gameId],
    );
    expect(await readPlayerDetail(desk, 57, PATIENT)).toMatchObject({ kind: 'no_email' });
  });
});

describe('a subscription', () => {
  test('is read with its cycles, and afterwards its player is known', async () => {
    expect(await readSubscriptionDetail(desk, OWEN, PATIENT)).toMatchObject({
      subscription: { kind: 'live', value: { subscription: { status: 'retrying' }, player: { player_id: 910_004 } } },
      cycles: { kind: 'live', value: { periods: [{ status: 'pending', paid_at: null }, { status: 'paid' }] } },
    });
    expect(await readPlayerDetail(desk, 910_004, PATIENT)).toMatchObject({ kind: 'player', cards: { value: { cards: [{}, {}] } } });
  });

  test('whose cycles cannot be read is still shown, and the other way round', async () => {
    await readSubscriptionDetail(desk, OWEN, PATIENT);
    await ground.control('POST', 'faults', [{ kind: '500', times: 20, match: { route: 'subscription-attribution' } }]);
    expect(await readSubscriptionDetail(desk, OWEN, PATIENT)).toMatchObject({ subscription: { kind: 'live' }, cycles: { kind: 'stored' } });
    expect(await readSubscriptionDetail(desk, OWEN, { ...PATIENT, offset: 100 })).toMatchObject({ cycles: { kind: 'nothing' } });
  });

  test('that is another game’s is not found', async () => {
    expect(await readSubscriptionDetail(desk, 'SUB_1_NOTTHERE', PATIENT)).toEqual({
      subscription: { kind: 'not_found' },
      cycles: { kind: 'not_found' },
    });
  });
});
