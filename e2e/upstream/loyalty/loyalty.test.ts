import { expect, test } from 'vitest';
import { type Body, openInvo } from '../testing/test-client.ts';

const path = (name: string): string => `/api/sdk/loyalty/players/rewards?player_email=${name}@players.example`;

test('a player’s cards have every status, step state and reward state the demo needs, and no code', async () => {
  const invo = await openInvo();
  const { body, text, headers } = await invo.ask(path('asa.venn'));
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body.cards.map((card: Body) => card.status)).toEqual(['in_progress', 'in_review', 'completed', 'available']);
  expect(body.cards[2].rewards.map((reward: Body) => reward.state)).toEqual(['unlocked', 'redeemed', 'reserved', 'revoked', 'expired']);
  expect(text).not.toMatch(/"code"/);
});

test('nothing to show, no such player, and no loyalty in the game are three answers', async () => {
  const invo = await openInvo();
  expect((await invo.ask(path('mira.holt'))).body).toEqual({ card_version: 1, cards: [] });
  expect(await invo.ask(path('nobody'))).toMatchObject({ status: 404, body: { code: 'PLAYER_NOT_FOUND' } });
  await invo.control('POST', 'shape', { loyalty: 'not_set_up' });
  expect((await invo.ask(path('asa.venn'))).status).toBe(409);
  expect(await invo.ask('/api/sdk/loyalty/players/rewards?player_email=x')).toMatchObject({
    status: 400,
    body: { code: 'INVALID_PLAYER_EMAIL' },
  });
});
