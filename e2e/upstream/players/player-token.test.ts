import { expect, test } from 'vitest';
import { type Answered, openInvo, SECRET, type TestInvo } from '../testing/test-client.ts';

const TOKEN = '/api/sdk/player-token';
const ASA = 'asa.venn@players.example';

const mint = (invo: TestInvo, email: unknown = ASA, headers?: Record<string, string>): Promise<Answered> =>
  invo.post(TOKEN, { player_email: email }, headers);

test('each call mints another token of a quarter of an hour, and both are secrets', async () => {
  const invo = await openInvo();
  const { status, body } = await mint(invo, ' Asa.Venn@players.example');
  expect([status, body]).toEqual([
    200,
    { token: expect.stringMatching(/^ptk_[a-z]{32}$/), expires_at: '2026-11-21T12:15:00.000Z', identity_id: 'idn_desk_910023' },
  ]);
  expect((await mint(invo)).body.token).not.toBe(body.token);
  const { secrets } = (await invo.control('GET', 'secrets')).body;
  expect(secrets).toContainEqual({ kind: 'token', value: body.token });
  expect((await invo.control('GET', 'executed?kind=player-token')).body.executed).toMatchObject([
    { subject: ASA, executions: 2, calls: 2 },
  ]);
  expect((await invo.control('GET', 'calls')).text).not.toContain('ptk_');
});

test.each([
  ['not_migrated', 403, 'TENANT_NOT_MIGRATED'],
  ['no_identity', 422, 'identity_unavailable'],
  ['disabled', 503, 'sdk_verification_disabled'],
])('in the shape %s no token is minted: %i %s', async (shape, status, code) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'player-token': shape });
  expect(await mint(invo)).toMatchObject({ status, body: { code } });
  expect((await invo.control('GET', 'executed')).body.executed).toMatchObject([{ executions: 0, calls: 1 }]);
});

test('an unknown player has no token, and neither has a caller without the secret or with a token beside it', async () => {
  const invo = await openInvo();
  expect(await mint(invo, 'nobody@players.example')).toMatchObject({ status: 404, body: { code: 'player_not_found' } });
  expect((await mint(invo, 7)).status).toBe(404);
  const { token } = (await mint(invo)).body;
  const bearer = { authorization: `Bearer ${token}` };
  for (const headers of [{}, bearer, { 'x-game-secret-key': SECRET, ...bearer }])
    expect(await mint(invo, ASA, headers)).toMatchObject({ status: 401, body: { code: 'INVALID_GAME_SECRET' } });
});
