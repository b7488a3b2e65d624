import { expect, test } from 'vitest';
import { type Answered, openInvo, type TestInvo } from '../testing/test-client.ts';
import { setTime, startSend } from '../testing/test-players.ts';

const PAIR = { phone: '+4915100910029', email: 'dara.finch@players.example' };
const DARA = { receiver_player_phone: PAIR.phone, receiver_player_email: PAIR.email };

const initiate = (invo: TestInvo, body: object = PAIR, headers?: Record<string, string>): Promise<Answered> =>
  invo.post('/api/wallet/phone-share/initiate', body, headers);
const status = (invo: TestInvo, pair = PAIR, headers?: Record<string, string>): Promise<Answered> =>
  invo.ask(`/api/wallet/phone-share/status?${new URLSearchParams(pair)}`, headers);
const decide = (invo: TestInvo, outcome: string): Promise<Answered> =>
  invo.control('POST', 'owner', { phone: PAIR.phone, player_email: PAIR.email, outcome });

test('the owner of a number is texted once by hand after a start that couldn’t, and the status says what they answer', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'phone-share-initiate': 'not_texted' });
  const held = (await startSend(invo, DARA)).body;
  expect([held.code_sent, (await status(invo)).body]).toEqual([false, { approved: false }]);
  expect(await initiate(invo)).toMatchObject({
    status: 200,
    body: { status: 'success', approval_id: held.approval_id, expires_at: held.expires_at, code_sent: true, already_approved: false },
  });
  await setTime(invo, '12:00:10');
  expect((await initiate(invo)).body).toMatchObject({ approval_id: held.approval_id, code_sent: false, cooldown_seconds: 20 });
  expect((await invo.control('GET', 'executed?kind=phone-share-initiate')).body.executed).toMatchObject([
    { subject: `${PAIR.phone} ${PAIR.email}`, executions: 1, calls: 2 },
  ]);
  await decide(invo, 'yes');
  expect((await status(invo)).body).toEqual({ approved: true });
  expect((await initiate(invo)).body).toMatchObject({ already_approved: true, code_sent: false });
  expect((await startSend(invo, DARA)).status).toBe(201);
});

test('a refusal and no answer yet look the same, and a refused number can be tried again', async () => {
  const invo = await openInvo();
  const first = (await startSend(invo, DARA)).body.approval_id;
  await decide(invo, 'no');
  expect((await status(invo)).body).toEqual({ approved: false });
  const second = (await initiate(invo)).body;
  expect([second.code_sent, second.approval_id === first]).toEqual([true, false]);
  await setTime(invo, '12:15:00');
  expect((await decide(invo, 'yes')).status).toBe(409);
});

test('forty texts an hour are sent to a number', async () => {
  const invo = await openInvo();
  for (let minute = 0; minute < 40; minute += 1) {
    await setTime(invo, `12:${String(minute).padStart(2, '0')}:00`);
    await initiate(invo);
  }
  await setTime(invo, '12:40:00');
  expect(await initiate(invo)).toMatchObject({ status: 429, body: { rate_limited: true, retry_after_seconds: 1200 } });
});

test('a number of one’s own is approved without a text', async () => {
  const invo = await openInvo();
  const own = { phone: '+49 151 12345678', email: 'Asa.Venn@players.example' };
  expect((await status(invo, own)).body).toEqual({ approved: true });
  expect((await initiate(invo, own)).status).toBe(400);
  expect((await status(invo, { phone: '1', email: 'x' })).status).toBe(400);
});

test('both routes need the game secret', async () => {
  const invo = await openInvo();
  for (const headers of [{}, { authorization: 'Bearer ptk_x' }])
    expect([(await initiate(invo, PAIR, headers)).status, (await status(invo, PAIR, headers)).status]).toEqual([401, 401]);
});

test.each([
  ['renamed', 200, { ok: true, request: { id: 'PSA_000001', sent: true } }],
  ['empty', 202, {}],
])('a text is confirmed in the shape %s', async (shape, code, body) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'phone-share-initiate': shape });
  const answered = await initiate(invo);
  expect([answered.status, answered.body]).toEqual([code, body]);
});
