import { expect, test } from 'vitest';
import { openInvo } from '../testing/test-client.ts';

const EMBERFALL = { 'x-game-secret-key': 'upstream-emberfall-secret' };

test('both games of a transfer read its status, and only the destination sees the number', async () => {
  const invo = await openInvo();
  const source = await invo.ask('/api/transfers/TRF_CLAIM/status');
  expect(source.body).toEqual({
    status: 'success',
    transaction_id: 'TRF_CLAIM',
    transaction_status: 'pending_claim',
    verification_state: 'approved',
    amount: '100.00',
    net_amount: '95.00',
    claim_info: { claim_code_expires_at: '2026-11-21T17:00:00.000Z' },
  });
  const destination = await invo.ask('/api/transfers/TRF_CLAIM/status', EMBERFALL);
  expect(destination.body).toMatchObject({ ...source.body, to_phone: '+4915112345678', to_identity_id: 'idn_desk_910023' });
  expect((await invo.ask('/api/transfers/TRF_SHARED/status', EMBERFALL)).body.to_identity_id).toBeNull();
  expect((await invo.ask('/api/transfers/TRF_NONE/status')).status).toBe(404);
  expect((await invo.ask('/sandbox/api/transfers/TRF_CLAIM/status', { 'x-game-secret-key': 'upstream-sandbox-secret' })).status).toBe(404);
});

test('a guardian must agree to one transfer, and a 404 states that another needs none', async () => {
  const invo = await openInvo();
  expect((await invo.ask('/api/transactions/TRF_MINOR/approval-status')).body).toEqual({ status: 'ok', approval: { state: 'pending' } });
  expect((await invo.ask('/api/transactions/TRF_REFUSED/approval-status')).body.approval.state).toBe('rejected');
  expect((await invo.ask('/api/transactions/TRF_CLAIM/approval-status')).status).toBe(404);
});

test.each([
  ['array', '[{"transaction_id":"TRF_IN"'],
  ['transfers', '{"status":"success","transfers":[{'],
  ['items', '{"status":"success","items":[{'],
  ['pages', '{"status":"success","data":{"pagination"'],
  ['renamed', '{"status":"success","pending":[{"ref":"TRF_IN","how_much":"80.00"'],
  ['empty', '[]'],
  ['none', '{"status":"success","message"'],
])('what waits to be collected answers in the shape %s', async (shape, start) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'inbound-pending': shape });
  expect((await invo.ask('/api/transfers/inbound-pending')).text.startsWith(start)).toBe(true);
});

test('another game is another world: its own wallet, players and waiting transfers', async () => {
  const invo = await openInvo();
  const wallet = await invo.ask('/api/player-balances/player/by-email/asa.venn@players.example', EMBERFALL);
  expect(wallet.body.balances[0]).toMatchObject({ currency_id: 318, currency_name: 'Embers' });
  expect((await invo.ask('/api/transfers/inbound-pending', EMBERFALL)).text).toContain('TRF_CLAIM');
  expect((await invo.ask('/api/subscriptions/reporting/attribution?start=2026-10-01&end=2026-10-02', EMBERFALL)).body.report.game_id).toBe(
    '41300',
  );
});
