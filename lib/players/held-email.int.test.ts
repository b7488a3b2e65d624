import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readFreshFacts } from '../refunds/read-refund-facts.ts';
import { search } from '../search/search.ts';
import { readCardFacts } from '../subscriptions/read-change-facts.ts';
import { type ChangeGround, MIRA, openChangeGround } from '../subscriptions/testing/change-ground.ts';
import { readPlayerDetail } from './read-player-detail.ts';

const PERIOD = 2024128001;
const PLAYER_ID = 910_001;

let ground: ChangeGround;
beforeAll(async () => {
  ground = await openChangeGround();
});
afterAll(() => ground.close());
beforeEach(async () => {
  await ground.startOver();
  await ground.pool.query('truncate known_player');
  await ground.fault('missing_field', 'subscription', { path: 'subscription.player.player_email', times: 9 });
});

async function read() {
  const [cards, facts] = [await readCardFacts(ground.desk, MIRA), await readFreshFacts(ground.desk, PERIOD)];
  if (cards.kind !== 'read' || 'sentence' in facts) throw new Error('was not read');
  return { cards: cards.cards?.map(({ last_four }) => last_four) ?? null, wallets: facts.wallets };
}

async function hold(player_email: string): Promise<void> {
  await ground.pool.query('insert into known_player (game_id, player_id, player_email, seen_at) values ($1, $2, $3, now())', [
    ground.desk.game.gameId,
    PLAYER_ID,
    player_email,
  ]);
}

test('without an e-mail from Invo, and with none held, cards and wallet are not known', async () => {
  expect(await read()).toEqual({ cards: null, wallets: null });
});

test('the e-mail a look-up left serves where Invo tells none', async () => {
  await search(ground.desk, 'mira.holt@players.example', { scope: 'invo', canSeeEmails: true });
  expect(await read()).toEqual({
    cards: ['0005', '5454'],
    wallets: [{ currency_name: 'Lumens', available_balance: '350.00' }],
  });
});

test.each(['tomas.vey@players.example', 'nobody@players.example', 'mira', ''])(
  'an e-mail held that is not theirs, or none, never brings cards or a wallet: %j',
  async (email) => {
    await hold(email);
    expect(await read()).toEqual({ cards: null, wallets: null });
  },
);

test.each(['mira', ''])('a player whose e-mail nobody can ask by is read as one without: %j', async (email) => {
  await hold(email);
  expect(await readPlayerDetail(ground.desk, PLAYER_ID)).toMatchObject({ kind: 'no_email' });
});

test.each(['', 'hidden', ' @ '])('an e-mail that Invo tells and nobody can ask by counts as none: %j', async (email) => {
  await ground.control('DELETE', 'faults');
  await ground.fault('put', 'subscription', { puts: { 'subscription.player.player_email': email }, times: 9 });
  expect(await read()).toEqual({ cards: null, wallets: null });
});
