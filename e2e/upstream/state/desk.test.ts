import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Body, openInvo, SECRET } from '../testing/test-client.ts';
import { asPlayer, coinsOf, HOUSE, startSend } from '../testing/test-players.ts';

const CONFIRM = '/api/currency-purchases/confirm-payment';
const IVO = '/api/player-balances/player/by-email/ivo.lark@players.example';

test('what players changed, its counts and its secrets survive a restart, and a reset forgets them', async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), 'upstream-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true }));
  const first = await openInvo({ stateFolder });
  await first.control('POST', 'challenge', { order_id: 'ORD_BREE_02', outcome: 'done' });
  await first.post(CONFIRM, { payment_intent_id: 'pi_bree_02', order_id: 'ORD_BREE_02' });
  await first.post('/api/checkout/sessions', { player_email: 'asa.venn@players.example', usd_amount: '20.00' });
  const read = async (invo: typeof first): Promise<unknown[]> => [
    (await invo.ask('/api/currency-purchases/order-details?order_id=ORD_BREE_02')).body.order.order_status,
    (await invo.control('GET', 'executed')).body.executed.length,
    (await invo.control('GET', 'secrets')).body.secrets.length,
  ];
  const before = await read(first);
  expect(before.slice(0, 2)).toEqual(['completed', 2]);
  await first.close();
  const second = await openInvo({ stateFolder });
  expect(await read(second)).toEqual(before);
  await second.control('POST', 'reset');
  expect((await read(second)).slice(0, 2)).toEqual(['requires_action', 0]);
});

test('a send, its approval on the phone and the player’s token survive a restart', async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), 'upstream-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true }));
  const first = await openInvo({ stateFolder });
  const id = (await startSend(first)).body.transaction_id;
  const headers = await asPlayer(first, HOUSE);
  const { device_code } = (await first.post('/api/sdk/approvals/device/begin', { transaction_id: id, flow: 'send' }, headers)).body;
  await first.control('POST', 'phone', { transaction_id: id, outcome: 'approve' });
  await first.close();
  const second = await openInvo({ stateFolder });
  expect(await coinsOf(second)).toEqual(['49975.00', '25.00']);
  const again = await second.post('/api/sdk/approvals/device/poll', { device_code }, headers);
  expect(again.body.status).toBe('approved');
  expect((await second.post(`/api/sdk/send/${id}/approve`, { device_code }, headers)).body.next).toBe('pending_claim');
  await second.control('POST', 'reset');
  expect(await coinsOf(second)).toEqual(['50000.00', '0.00']);
  expect((await second.ask(`/api/transfers/${id}/status`)).status).toBe(404);
});

test('an email that moved names another player, and its old order the first', async () => {
  const invo = await openInvo();
  expect((await invo.ask(IVO)).body.player.player_id).toBe(910_126);
  expect((await invo.ask('/api/currency-purchases/order-details?order_id=ORD_IVO_01')).body.order.player_id).toBe(910_026);
  await invo.control('POST', 'move', { player_email: 'ivo.lark@players.example', player_id: 910_026 });
  expect((await invo.ask(IVO)).body).toMatchObject({ player: { player_id: 910_026 }, balances: [{ available_balance: '750.00' }] });
  await invo.control('POST', 'move', { player_email: 'ivo.lark@players.example' });
  expect((await invo.ask(IVO)).body.player.player_id).toBe(910_126);
});

test('three of support’s people have players of their own in the sandbox', async () => {
  const invo = await openInvo();
  const sandbox = { 'x-game-secret-key': 'upstream-sandbox-secret' };
  const ids = [];
  for (const name of ['asa.venn', 'ivo.lark', 'gus.hale', 'mira.holt']) {
    const answered = await invo.ask(`/sandbox/api/player-balances/player/by-email/${name}@players.example`, sandbox);
    ids.push(answered.body.player?.player_id ?? answered.status);
  }
  expect(ids).toEqual([920_023, 920_026, 920_027, 404]);
});

test('the call log states which credentials a call had, and a token is no game secret', async () => {
  const invo = await openInvo();
  const [secret, token] = [{ 'x-game-secret-key': SECRET }, { authorization: 'Bearer ptk_unknown' }];
  for (const headers of [secret, token, { ...secret, ...token }, {}]) await invo.post(CONFIRM, {}, headers);
  const { calls } = (await invo.control('GET', 'calls')).body;
  expect(calls.map(({ credential, status }: Body) => [credential, status])).toEqual([
    ['secret', 400],
    ['token', 401],
    ['both', 401],
    ['none', 401],
  ]);
});
