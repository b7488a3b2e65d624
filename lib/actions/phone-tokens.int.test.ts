// @module-tag no-retry
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSendEnvironment, type SendEnvironment } from '#e2e/support/actions/send-environment.ts';

// Case A15 of the page on desk actions: tokens that Invo refuses, and answers that name other hosts.
const proof = { tags: ['proof'] };

let testEnv: SendEnvironment;
let startId = 0;
beforeAll(async () => {
  testEnv = await openSendEnvironment();
});
beforeEach(async () => {
  await testEnv.startOver();
  startId = await testEnv.transferApproved();
  expect(await testEnv.start(startId)).toMatchObject({ ok: true, state: 'with_player' });
  await testEnv.forgetCalls();
});
afterAll(() => testEnv.close());

const fail = async (route: string, status: number, code: string, times = 1): Promise<unknown> =>
  await testEnv.control('POST', 'faults', [{ kind: 'refuse', match: { route }, status, code, codeIn: 'code', times }]);
const calls = async (route: string): Promise<number> => (await testEnv.calls()).filter((call) => call.route === route).length;

test.each([
  [403, 'TENANT_NOT_MIGRATED'],
  [404, 'player_not_found'],
  [422, 'identity_unavailable'],
  [503, 'sdk_verification_disabled'],
])('A15: a token refused with %i %s is a setting: no grant begins, and nothing is tried again', proof, async (status, code) => {
  await fail('player-token', status, code);
  expect(await testEnv.ask(startId)).toMatchObject({ ok: false, reason: 'no_answer' });
  expect([await calls('player-token'), await calls('device-begin')]).toEqual([1, 0]);
  // The next press mints another.
  expect(await testEnv.ask(startId)).toMatchObject({ ok: true });
});

test('A15: a secret that Invo refuses for tokens is tried as for any call of the game', proof, async () => {
  await fail('player-token', 401, 'INVALID_GAME_SECRET');
  expect(await testEnv.ask(startId)).toMatchObject({ ok: false, reason: 'no_answer' });
  expect(await calls('device-begin')).toBe(0);
});

test('A15: a token that Invo refuses is minted once more, and the secret of the game stays', async () => {
  await fail('device-begin', 401, 'SDK_TOKEN_MALFORMED');
  expect(await testEnv.ask(startId)).toMatchObject({ ok: true });
  expect([await calls('player-token'), await calls('device-begin')]).toEqual([2, 2]);
  await fail('device-begin', 401, 'SDK_TOKEN_MALFORMED', 2);
  expect(await testEnv.ask(startId)).toEqual({ ok: false, reason: 'token_refused' });
  // A refused token turns no secret: the game's calls are accepted as before.
  expect((await testEnv.calls()).filter(({ route, status }) => route !== 'device-begin' && status === 401)).toEqual([]);
  expect(await testEnv.ask(startId)).toMatchObject({ ok: true });
});

test('A15: a token of another player or game is refused in Invo’s words', proof, async () => {
  await fail('device-begin', 403, 'not_transfer_sender');
  expect(await testEnv.ask(startId)).toMatchObject({
    ok: false,
    reason: 'refused',
    sentence: expect.stringContaining('not_transfer_sender'),
  });
  expect([await calls('player-token'), await calls('device-begin')]).toEqual([1, 1]);
});

test('A15: a token that is over while the phone is silent is replaced by the next poll', proof, async () => {
  expect(await testEnv.ask(startId)).toMatchObject({ ok: true });
  await fail('device-poll', 401, 'SDK_TOKEN_MALFORMED');
  expect(await testEnv.watch(startId)).toMatchObject({ state: 'waiting' });
  await testEnv.phone('approve');
  expect(await testEnv.watch(startId)).toMatchObject({ state: 'approved' });
  expect(await calls('player-token')).toBe(2);
});

test('A15: an answer that names another host leads nowhere', proof, async () => {
  await testEnv.control('POST', 'shape', { 'approval-status': 'extra' });
  await testEnv.control('POST', 'faults', [
    {
      kind: 'put',
      match: { route: 'device-begin' },
      puts: { verification_uri_complete: 'https://elsewhere.example/phone?code=AAAA-BBBB' },
    },
  ]);
  const grant = await testEnv.ask(startId);
  expect(grant).toMatchObject({ ok: true, shown: { verification_uri_complete: null } });
  await testEnv.watch(startId);
  expect((await testEnv.calls()).every(({ path }) => path.startsWith('/api/'))).toBe(true);
});
