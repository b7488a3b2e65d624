import { expect, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';

const EVENTS = '/api/sdk/loyalty/server-events';
const ASA = 'asa.venn@players.example';
const LANTERN = {
  player_email: ASA,
  event_type: 'game.custom.recorded',
  event_id: '6f1c0d52-8f4e-4a57-9a3e-1f2b3c4d5e6f',
  occurred_at: '2026-11-21T11:00:00Z',
  payload: { event_name: 'lantern_lit' },
};
const STALL = { ...LANTERN, event_type: 'game.milestone.reached', payload: { milestone_key: 'stall_visited' } };
const idOf = (number: number): string => `6f1c0d52-8f4e-4a57-9a3e-${String(number).padStart(12, '0')}`;

const send = (invo: TestInvo, more: object = {}): Promise<Answered> => invo.post(EVENTS, { ...LANTERN, ...more });
const cardsOf = async (invo: TestInvo): Promise<Body[]> =>
  (await invo.ask(`/api/sdk/loyalty/players/rewards?player_email=${ASA}`)).body.cards;

test('an event counts once under its id, however often it is sent', async () => {
  const invo = await openInvo();
  for (let time = 0; time < 3; time += 1) expect(await send(invo)).toMatchObject({ status: 202, body: { status: 'recorded' } });
  expect((await cardsOf(invo))[0].steps[1]).toMatchObject({ state: 'open', progress: { current: 3, target: 5 } });
  expect((await invo.control('GET', 'executed?kind=server-events')).body.executed).toMatchObject([
    { subject: LANTERN.event_id, executions: 1, calls: 3 },
  ]);
  for (const number of [1, 2, 3]) await send(invo, { event_id: idOf(number) });
  const [harbour] = await cardsOf(invo);
  expect([harbour.steps_complete, harbour.steps.map(({ state }: Body) => state)]).toEqual([2, ['complete', 'complete', 'open']]);
  expect(harbour.steps[1].progress).toEqual({ current: 5, target: 5 });
});

test('a milestone that ends a program unlocks its reward', async () => {
  const invo = await openInvo();
  expect((await cardsOf(invo))[3]).toMatchObject({ status: 'available', rewards: [] });
  await send(invo, STALL);
  expect((await cardsOf(invo))[3]).toMatchObject({
    status: 'completed',
    steps_complete: 1,
    rewards: [{ state: 'unlocked', can_redeem: true }],
  });
});

test.each([
  [{ player_email: undefined }, 400, 'MISSING_PLAYER_EMAIL'],
  [{ event_type: undefined }, 400, 'MISSING_EVENT_TYPE'],
  [{ event_type: 'purchase.completed' }, 400, 'EVENT_TYPE_NOT_ALLOWED'],
  [{ event_id: 'one' }, 400, 'INVALID_EVENT_ID'],
  [{ occurred_at: '2026-11-21T11:00:00' }, 400, 'INVALID_OCCURRED_AT'],
  [{ occurred_at: 'yesterday' }, 400, 'INVALID_OCCURRED_AT'],
  [{ payload: [] }, 400, 'INVALID_PAYLOAD'],
  [{ surface_id: 7 }, 400, 'INVALID_SURFACE_ID'],
  [{ player_email: 'nobody@players.example' }, 404, 'PLAYER_NOT_FOUND'],
  [{ payload: { event_name: 'toString' } }, 422, 'validation_failed'],
  [{ payload: { event_name: 'lantern_lit', value: 11 } }, 422, 'validation_failed'],
  [{ payload: { event_name: 'lantern_lit', value: '3' } }, 422, 'validation_failed'],
  [{ event_type: 'game.milestone.reached' }, 422, 'validation_failed'],
  [{ event_type: 'game.session.started' }, 422, 'validation_failed'],
  [{ event_type: 'game.something.else' }, 422, 'validation_failed'],
])('an event with %j is %i %s, and nothing is recorded', async (more, status, code) => {
  const invo = await openInvo();
  const { body, ...answered } = await send(invo, more);
  expect([answered.status, body.code, body.error_code]).toEqual([status, code, undefined]);
  const counts = (await invo.control('GET', 'executed?kind=server-events')).body.executed;
  expect(counts.filter(({ executions }: Body) => executions > 0)).toEqual([]);
});

test('an unreadable body and a missing secret have codes, and a game without loyalty is a 409', async () => {
  const invo = await openInvo();
  expect((await invo.post(EVENTS, '[1')).body.code).toBe('INVALID_BODY');
  expect(await invo.post(EVENTS, LANTERN, {})).toMatchObject({ status: 401, body: { code: 'INVALID_GAME_SECRET' } });
  await invo.control('POST', 'shape', { loyalty: 'not_set_up' });
  expect((await send(invo)).status).toBe(409);
});

test.each([
  ['empty', 202, ''],
  ['ok', 200, '{"status":"recorded"}'],
])('a recorded event answers in the shape %s with %i and %j', async (shape, status, text) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'server-events': shape });
  expect(await send(invo)).toMatchObject({ status, text });
});

test('in the shape old_422 an event older than a day is refused', async () => {
  const invo = await openInvo();
  const old = { occurred_at: '2026-11-20T11:59:59Z' };
  expect((await send(invo, { ...old, event_id: idOf(7) })).status).toBe(202);
  await invo.control('POST', 'shape', { 'server-events': 'old_422' });
  expect((await send(invo, old)).status).toBe(422);
  expect((await send(invo, { occurred_at: '2026-11-20T12:00:00Z' })).status).toBe(202);
});

test('an event that was recorded in silence can be answered 409 before it is answered 202', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'faults', [{ kind: 'event_409_after_silence' }]);
  await expect(send(invo)).rejects.toThrow();
  expect([(await send(invo)).status, (await send(invo)).status]).toEqual([409, 202]);
  expect((await invo.control('GET', 'executed')).body.executed).toMatchObject([{ executions: 1, calls: 3 }]);
});

test('an event sent during an outage is recorded once it is over', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'faults', [{ kind: '503', times: 3 }]);
  for (const status of [503, 503, 503, 202]) expect((await send(invo)).status).toBe(status);
  const { calls } = (await invo.control('GET', 'calls')).body;
  expect(new Set(calls.map(({ bodySha256, clientRequestId }: Body) => `${bodySha256} ${clientRequestId}`)).size).toBe(1);
});
