import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Body, openInvo } from '../testing/test-client.ts';

const REFUND = '/api/subscriptions/SUB_1767225600_WITN01AL/refund';
const OTHER = '/api/subscriptions/SUB_1767225600_WITN02AL/refund';

test('a key returns its receipt on every repeat, whatever else the body says', async () => {
  const invo = await openInvo();
  const first = await invo.post(REFUND, { client_request_id: 'k-1', period_seq: 10, amount_usd: '5.00' });
  const replays = [
    await invo.post(REFUND, { client_request_id: 'k-1', period_seq: 10, amount_usd: '5.00' }),
    await invo.post(REFUND, { client_request_id: 'k-1', period_seq: 'ten', amount_usd: '-9' }),
    await invo.post(OTHER, { client_request_id: 'k-1' }),
  ];
  for (const replay of replays) expect([replay.status, replay.body]).toEqual([200, { ...first.body, idempotent_replay: true }]);
  const { body } = await invo.control('GET', 'refunds');
  expect(body.refunds).toEqual([
    {
      environment: 'production',
      client_request_id: 'k-1',
      subscription_id: 'SUB_1767225600_WITN01AL',
      period_id: 2026100001,
      transaction_id: first.body.transaction_id,
      amount_usd: '5.00',
      executed: 1,
      receipt_lost: null,
    },
  ]);
  expect(body.calls.map((call: Body) => call.outcome)).toEqual(['executed', 'replayed', 'replayed', 'replayed']);
});

test('a key that other routes used is new to the refund route', async () => {
  const invo = await openInvo();
  const { client_request_id } = (await invo.ask(REFUND.replace('/refund', ''))).body.subscription;
  expect((await invo.post(REFUND, { client_request_id, amount_usd: '1.00' })).body.idempotent_replay).toBe(false);
});

test('a refused key may be used again, and another key is another refund', async () => {
  const invo = await openInvo();
  expect((await invo.post(REFUND, { client_request_id: 'k-1', amount_usd: '20.01' })).status).toBe(400);
  expect((await invo.post(REFUND, { client_request_id: 'k-1', amount_usd: '1.00' })).body.idempotent_replay).toBe(false);
  expect((await invo.post(REFUND, { client_request_id: 'k-2', amount_usd: '1.00' })).body.total_refunded_amount_usd).toBe('2.00');
});

test('fifty identical requests at once execute once', async () => {
  const invo = await openInvo();
  const text = JSON.stringify({ client_request_id: 'k-1', period_seq: 10, amount_usd: '5.00' });
  const answers = await Promise.all(Array.from({ length: 50 }, () => invo.post(REFUND, text)));
  expect(answers.filter(({ body }) => body.idempotent_replay === false)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body.transaction_id)).size).toBe(1);
  const { refunds, calls } = (await invo.control('GET', 'refunds')).body;
  expect([refunds.length, refunds[0].executed, calls.length]).toEqual([1, 1, 50]);
  const sha256 = createHash('sha256').update(text).digest('hex');
  expect(calls.every((call: Body) => call.body_sha256 === sha256 && call.client_request_id === 'k-1')).toBe(true);
  expect((await invo.ask('/api/subscriptions/reporting/periods/2026100001')).body.refunds.refund_count).toBe(1);
});

test('fifty requests with fifty keys at once never refund more than the price', async () => {
  const invo = await openInvo();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => invo.post(REFUND, { client_request_id: `k-${index}`, period_seq: 10, amount_usd: '1.00' })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error_code))).toEqual(new Set(['ALREADY_REFUNDED']));
});

test('a key belongs to one game', async () => {
  const invo = await openInvo();
  const sandbox = { 'x-game-secret-key': 'upstream-sandbox-secret' };
  const { body } = await invo.ask('/sandbox/api/subscriptions/reporting/attribution?start=2026-10-01&end=2026-11-01', sandbox);
  const line = body.recipients
    .flatMap((each: Body) => each.periods)
    .find((each: Body) => each.funding.rail === 'card' && each.status === 'paid');
  await invo.post(REFUND, { client_request_id: 'k-1', amount_usd: '1.00' });
  const path = `/sandbox/api/subscriptions/${line.subscription_id}/refund`;
  const made = await invo.post(path, { client_request_id: 'k-1', period_seq: line.period_seq, amount_usd: '1.00' }, sandbox);
  expect(made.body).toMatchObject({ idempotent_replay: false, subscription_id: line.subscription_id });
  const { refunds } = (await invo.control('GET', 'refunds')).body;
  expect(refunds.map((each: Body) => [each.environment, each.executed])).toEqual([
    ['production', 1],
    ['sandbox', 1],
  ]);
});

test('receipts, coins and changes survive a restart', async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), 'upstream-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true }));
  const first = await openInvo({ stateFolder });
  const { body: receipt } = await first.post(REFUND, { client_request_id: 'k-1', period_seq: 10, amount_usd: '5.00' });
  await first.post('/api/subscriptions/SUB_1767225600_WITN02AL/cancel', { reason: 'Enough.' });
  await first.post('/api/subscriptions/SUB_1767225600_WITN03AL/amount', { amount_usd: '30.00' });
  await first.close();
  const second = await openInvo({ stateFolder });
  expect((await second.post(REFUND, { client_request_id: 'k-1' })).body).toEqual({ ...receipt, idempotent_replay: true });
  expect((await second.control('GET', 'refunds')).body.refunds).toMatchObject([{ client_request_id: 'k-1', executed: 1 }]);
  const wallet = await second.control('GET', 'wallet?player_email=witness-202601-0%40players.example');
  expect(wallet.body.coins).toBe(receipt.new_balance);
  const event = (await second.ask('/api/subscriptions/reporting/periods/2026100001')).body.refunds.events[0];
  expect(event.refund_transaction_id).toBe(receipt.transaction_id);
  expect((await second.ask('/api/subscriptions/SUB_1767225600_WITN02AL')).body.subscription.cancel_at_period_end).toBe(true);
  expect((await second.ask('/api/subscriptions/SUB_1767225600_WITN03AL')).body.subscription.pending_amount_usd).toBe('30.00');
  await second.control('POST', 'clock', { now: '2026-12-31T23:59:59.999Z' });
  expect((await second.ask('/api/subscriptions/SUB_1767225600_WITN02AL')).body.subscription.status).toBe('canceled');
  expect((await second.ask('/api/subscriptions/reporting/periods/2026120002')).status).toBe(404);
  await second.control('POST', 'reset');
  expect((await second.control('GET', 'refunds')).body).toEqual({ refunds: [], calls: [] });
  expect((await second.ask('/api/subscriptions/SUB_1767225600_WITN02AL')).body.subscription.cancel_at_period_end).toBe(false);
});
