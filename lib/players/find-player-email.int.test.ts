import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { seedGame } from '#e2e/support/db/row-page-seed.ts';
import { type ChangeEnvironment, MIRA, openChangeEnvironment } from '#e2e/support/subscriptions/change-environment.ts';
import { readFreshFacts } from '../refunds/read-refund-facts.ts';
import { search } from '../search/search.ts';
import { readCardFacts } from '../subscriptions/read-change-facts.ts';
import { readPlayer } from './read-player.ts';
import { findPlayerWithOthers } from './reads.ts';

const PERIOD = 2024128001;
const PLAYER_ID = 910_001;

let environment: ChangeEnvironment;
beforeAll(async () => {
  environment = await openChangeEnvironment();
});
afterAll(() => environment.close());
beforeEach(async () => {
  await environment.startOver();
  await environment.pool.query('truncate known_player');
  await environment.fault('missing_field', 'subscription', { path: 'subscription.player.player_email', times: 9 });
});

async function read() {
  const [cards, facts] = [await readCardFacts(environment.context, MIRA), await readFreshFacts(environment.context, PERIOD)];
  if (cards.kind !== 'read' || 'sentence' in facts) throw new Error('was not read');
  return { cards: cards.cards?.map(({ last_four }) => last_four) ?? null, wallets: facts.wallets };
}

async function storeEmail(player_email: string): Promise<void> {
  await environment.pool.query('insert into known_player (game_id, player_id, player_email, seen_at) values ($1, $2, $3, now())', [
    environment.context.game.gameId,
    PLAYER_ID,
    player_email,
  ]);
}

test('without a reported and a stored email, cards and wallet are not read', async () => {
  expect(await read()).toEqual({ cards: null, wallets: null });
});

test('an email stored by a search is used when Invo reports none', async () => {
  await search(environment.context, 'mira.holt@players.example', { scope: 'invo', canSeeEmails: true, canReadDesk: true });
  expect(await read()).toEqual({
    cards: ['0005', '5454'],
    wallets: [{ currency_name: 'Lumens', available_balance: '350.00' }],
  });
});

test.each(['tomas.vey@players.example', 'nobody@players.example', 'mira', ''])(
  'a stored email that isn’t the player’s never leads to cards or a wallet: %j',
  async (email) => {
    await storeEmail(email);
    expect(await read()).toEqual({ cards: null, wallets: null });
  },
);

test.each(['mira', ''])('a player with an email that can’t be sent to Invo counts as having none: %j', async (email) => {
  await storeEmail(email);
  expect(await readPlayer(environment.context, PLAYER_ID)).toMatchObject({ kind: 'no_email' });
});

test.each(['', 'hidden', ' @ '])('a reported email that can’t be sent to Invo counts as none: %j', async (email) => {
  await environment.control('DELETE', 'faults');
  await environment.fault('put', 'subscription', { puts: { 'subscription.player.player_email': email }, times: 9 });
  expect(await read()).toEqual({ cards: null, wallets: null });
});

test('a player of the same identity in another game of ours is found, and no other', async () => {
  const { gameId } = environment.context.game;
  const [other, third] = [await seedGame(environment.db, 'emberfall'), await seedGame(environment.db, 'third')];
  const long = 'idn_'.padEnd(254, 'x');
  for (const [game, playerId, identity] of [
    [gameId, 1, `${long}1`],
    [other, 501, `${long}1`],
    [other, 502, `${long}2`],
    [other, 503, null],
    [third, 601, `${long}1`],
    [gameId, 2, null],
  ])
    await environment.pool.query(
      `insert into known_player (game_id, player_id, player_email, identity_id, seen_at) values ($1, $2::bigint, $2 || '@players.example', $3, now())`,
      [game, playerId, identity],
    );
  const find = async (playerId: number, otherGameIds: number[]) =>
    (await findPlayerWithOthers(environment.db, { gameId, playerId, otherGameIds }, sql<null>`null`))?.elsewhere;
  expect(await find(1, [other])).toEqual([{ gameId: other, playerId: 501 }]);
  expect(await find(1, [other, third])).toEqual([
    { gameId: other, playerId: 501 },
    { gameId: third, playerId: 601 },
  ]);
  expect(await find(1, [])).toEqual([]);
  expect(await find(2, [other, third])).toEqual([]);
});
