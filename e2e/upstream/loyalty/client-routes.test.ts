import { expect, test } from 'vitest';
import { type Answered, openInvo, type TestInvo } from '../testing/test-client.ts';
import { ASA, asPlayer, setTime } from '../testing/test-players.ts';

const STALL = {
  event_type: 'game.milestone.reached',
  event_id: '6f1c0d52-8f4e-4a57-9a3e-1f2b3c4d5e6f',
  payload: { milestone_key: 'stall_visited' },
};
const send = async (invo: TestInvo, more: object = {}): Promise<Answered> =>
  invo.post('/api/sdk/loyalty/events', { ...STALL, ...more }, await asPlayer(invo, ASA));

test('an event of the client moves a card, and its reward is checked before release', async () => {
  const invo = await openInvo();
  for (let time = 0; time < 2; time += 1) expect((await send(invo)).status).toBe(202);
  const { cards } = (await invo.ask(`/api/sdk/loyalty/players/rewards?player_email=${ASA}`)).body;
  expect(cards[3]).toMatchObject({ status: 'in_review', steps_complete: 1, rewards: [] });
  expect((await invo.control('GET', 'executed?kind=client-events')).body.executed).toMatchObject([
    { subject: STALL.event_id, executions: 1, calls: 2 },
  ]);
});

test.each([
  [{ event_type: 'purchase.completed' }, 400, 'RESERVED_EVENT_TYPE'],
  [{ event_id: 'one' }, 400, 'INVALID_EVENT_ID'],
  [{ payload: {} }, 422, 'validation_failed'],
])('an event of the client with %j is %i %s', async (more, status, code) => {
  const invo = await openInvo();
  expect(await send(invo, more)).toMatchObject({ status, body: { code } });
});

test('an event of the client needs a token, and a game with loyalty', async () => {
  const invo = await openInvo();
  expect((await invo.post('/api/sdk/loyalty/events', STALL)).status).toBe(401);
  await invo.control('POST', 'shape', { loyalty: 'not_set_up' });
  expect((await send(invo)).status).toBe(409);
});

test('a link to the rewards page is personal, short-lived and another one with each call', async () => {
  const invo = await openInvo();
  const headers = await asPlayer(invo, ASA);
  const mint = (): Promise<Answered> => invo.post('/api/sdk/loyalty/me/rewards-page', undefined, headers);
  const { body } = await mint();
  expect(body).toEqual({ url: expect.stringMatching(/\/rewards\?token=rwt_/), expires_at: '2026-11-21T12:05:00.000Z' });
  expect((await mint()).body.url).not.toBe(body.url);
  expect(await (await fetch(body.url)).text()).toContain('Reward 01: unlocked');
  expect((await invo.control('GET', 'secrets')).body.secrets).toContainEqual({ kind: 'rewards_url', value: body.url });
  expect((await invo.control('GET', 'executed?kind=rewards-page')).body.executed).toMatchObject([
    { subject: 'idn_desk_910023', executions: 2, calls: 2 },
  ]);
  await setTime(invo, '12:05:00');
  expect((await fetch(body.url)).status).toBe(404);
  await invo.control('POST', 'shape', { loyalty: 'not_set_up' });
  expect((await mint()).status).toBe(409);
});
