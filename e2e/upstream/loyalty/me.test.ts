import { expect, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';
import { ASA, asPlayer, HOUSE, setTime } from '../testing/test-players.ts';

const ME = '/api/sdk/loyalty/me';
const entry = (number: number): string => `00000000-0000-4000-8000-0000000000${String(number).padStart(2, '0')}`;
const redeem = async (invo: TestInvo, number: number, email = ASA): Promise<Answered> =>
  invo.post(`${ME}/vault/${entry(number)}/redeem`, undefined, await asPlayer(invo, email));
const vaultOf = async (invo: TestInvo): Promise<Body[]> => (await invo.ask(`${ME}/vault`, await asPlayer(invo, ASA))).body.items;

test('offers list the programs of the token’s player, with a count of each', async () => {
  const invo = await openInvo();
  const { items } = (await invo.ask(`${ME}/offers`, await asPlayer(invo, ASA))).body;
  expect(items[0]).toEqual({
    quest_id: 'qst_harbour',
    quest_version: 3,
    program_id: 'prg_harbour',
    campaign: true,
    title: 'Harbour week',
    reward_ref: 'ref_rwd_harbour',
    xp_award: 50,
    objectives_required: 3,
    objectives_complete: 1,
    progress_state: 'in_progress',
    window_ends_at: '2026-11-22T18:00:00.000Z',
    completed_at: null,
  });
  expect(items).toHaveLength(4);
  expect((await invo.ask(`${ME}/offers`, await asPlayer(invo, HOUSE))).body).toEqual({ items: [] });
});

test('a reward is redeemed once, its code is shown again for ten minutes and never in the vault or on a card', async () => {
  const invo = await openInvo();
  expect((await vaultOf(invo)).map(({ state }) => state)).toEqual(['unlocked', 'redeemed', 'reserved', 'revoked', 'expired']);
  const first = await redeem(invo, 1);
  expect([first.status, first.headers.get('cache-control'), first.body]).toEqual([
    200,
    'no-store',
    {
      vault_entry_id: entry(1),
      reward_ref: 'ref_rwd_01',
      state: 'redeemed',
      redeemed_at: '2026-11-21T12:00:00.000Z',
      code: expect.stringMatching(/^RWD-[a-z]{32}$/),
      code_masked: `••••••••${first.body.code.slice(-4)}`,
      revealed_again: false,
      reveal_until: '2026-11-21T12:10:00.000Z',
    },
  ]);
  await setTime(invo, '12:09:59');
  expect((await redeem(invo, 1)).body).toEqual({ ...first.body, revealed_again: true });
  await setTime(invo, '12:10:00');
  expect(await redeem(invo, 1)).toMatchObject({ status: 409, body: { code: 'already_redeemed' } });
  const [item] = await vaultOf(invo);
  expect(item).toMatchObject({ state: 'redeemed', redeemed_at: first.body.redeemed_at, code_masked: first.body.code_masked, units: '1' });
  expect(item).not.toHaveProperty('code');
  const cards = await invo.ask(`/api/sdk/loyalty/players/rewards?player_email=${ASA}`);
  expect(cards.text).not.toContain(first.body.code);
  expect((await invo.control('GET', 'secrets')).body.secrets).toContainEqual({ kind: 'code', value: first.body.code });
  expect((await invo.control('GET', 'executed?kind=redeem')).body.executed).toMatchObject([{ subject: entry(1), executions: 1, calls: 3 }]);
});

test('a redemption whose answer is lost is in the vault', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'faults', [{ kind: 'redeem_then_reset', match: { route: 'redeem' } }]);
  await expect(redeem(invo, 1)).rejects.toThrow();
  expect((await vaultOf(invo))[0]?.state).toBe('redeemed');
  expect((await redeem(invo, 1)).body).toMatchObject({ revealed_again: true, code: expect.any(String) });
});

test.each([
  [3, 404, 'vault_entry_not_found'],
  [4, 404, 'vault_entry_not_found'],
  [5, 410, 'vault_entry_expired'],
  [9, 404, 'vault_entry_not_found'],
])('reward %i is refused: %i %s', async (number, status, code) => {
  const invo = await openInvo();
  expect(await redeem(invo, number)).toMatchObject({ status, body: { code } });
  expect(await redeem(invo, number, HOUSE)).toMatchObject({ status: 404, body: { code: 'vault_entry_not_found' } });
});

test.each(['404', '409', '410', '422'])('every refusal of a redemption can be a %s', async (shape) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { redeem: shape });
  for (const number of [5, 9]) expect((await redeem(invo, number)).status).toBe(Number(shape));
});

test('a redemption can answer without its code', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { redeem: 'no_code' });
  expect((await redeem(invo, 1)).body).not.toHaveProperty('code');
});

test('control takes a reward back, and time ends it', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'vault', { vault_entry_id: entry(1), outcome: 'revoked' });
  expect((await vaultOf(invo))[0]?.state).toBe('revoked');
  await invo.control('POST', 'vault', { vault_entry_id: entry(1), outcome: 'unlocked' });
  await invo.control('POST', 'clock', { now: '2026-12-15T10:00:00Z' });
  expect((await redeem(invo, 1)).body.code).toBe('vault_entry_expired');
});

test.each([
  ['code', ['code', 'error', 'error_id', 'timestamp']],
  ['error', ['error', 'error_id', 'message', 'timestamp']],
  ['words', ['error']],
  ['nothing', []],
])('without a valid token the answer is a 401 in the shape %s', async (shape, fields) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'me-token': shape });
  const late = await asPlayer(invo, ASA);
  await setTime(invo, '12:15:00');
  for (const headers of [late, {}, { 'x-game-secret-key': 'upstream-secret' }]) {
    const { status, body } = await invo.ask(`${ME}/vault`, headers);
    expect([status, Object.keys(body).sort()]).toEqual([401, fields]);
  }
});

test('a game without loyalty has no offers, vault or rewards', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { loyalty: 'not_set_up' });
  const headers = await asPlayer(invo, ASA);
  for (const path of ['offers', 'vault']) expect((await invo.ask(`${ME}/${path}`, headers)).status).toBe(409);
  expect((await redeem(invo, 1)).status).toBe(409);
});
