import { expect, test } from 'vitest';
import { digestOf } from '#lib/core/canonical-digest.ts';
import { sampleFacts } from '../testing/sample-refund.ts';
import { estimateRefund } from './estimate-refund.ts';
import { digestBaseline } from './period-facts.ts';
import { digestContent, type RefundWish, writeRefundRequest } from './refund-request.ts';

const FACTS = sampleFacts();
const ESTIMATE = estimateRefund(FACTS, '5.00', { now: '2026-11-21T12:00:00Z', timeZone: 'UTC' });
const WISH: RefundWish = {
  subscription_id: 'SUB_1_sample',
  period_id: 4711,
  period_seq: 3,
  amount_usd: '5.00',
  reason_code: 'goodwill',
  reason_text: null,
};
const UUID = '0b54c1f2-3c44-4b3f-9d3e-000000000001';

const write = (wish: Partial<RefundWish> = {}): ReturnType<typeof writeRefundRequest> =>
  writeRefundRequest({ ...WISH, ...wish }, { environment: 'sandbox', uuid: UUID, facts: FACTS, estimate: ESTIMATE });

test('period and amount are always stated, under a key that names the environment', () => {
  const sent: unknown = JSON.parse(write().request_bytes.toString('utf8'));
  expect(sent).toEqual({ client_request_id: `sharebook-sandbox-${UUID}`, period_seq: 3, amount_usd: '5.00', reason: 'Goodwill' });
  expect(JSON.parse(write({ reason_text: 'She asked: “twice”' }).request_bytes.toString('utf8'))).toMatchObject({
    reason: 'She asked: “twice”',
  });
});

test('whatever is altered, an approval no longer fits', () => {
  const context = { environment: 'sandbox', facts: FACTS, estimate: ESTIMATE };
  const request = write();
  const approved = digestContent(request, context).toString('hex');
  expect(request.content_digest.toString('hex')).toBe(approved);
  const altered = [
    digestContent({ ...request, amount_usd: '50.00' }, context),
    digestContent({ ...request, period_seq: 4 }, context),
    digestContent({ ...request, period_id: 4712 }, context),
    digestContent({ ...request, subscription_id: 'SUB_2' }, context),
    digestContent({ ...request, reason_code: 'fraud' }, context),
    digestContent({ ...request, reason_text: 'x' }, context),
    digestContent({ ...request, client_request_id: 'other' }, context),
    digestContent({ ...request, request_bytes: Buffer.from('{}') }, context),
    digestContent({ ...request, request_digest: Buffer.alloc(32) }, context),
    digestContent({ ...request, baseline_digest: Buffer.alloc(32) }, context),
    digestContent(request, { ...context, environment: 'production' }),
    digestContent(request, { ...context, estimate: { ...ESTIMATE, card_refunded_usd: '5.00' } }),
    digestContent(request, { ...context, facts: { ...FACTS, wallets: [] } }),
  ].map((digest) => digest.toString('hex'));
  expect(new Set([approved, ...altered]).size).toBe(altered.length + 1);
});

test('the order of keys does not matter, what they hold does', () => {
  expect(digestOf({ a: 1, b: [1, 'x', null] })).toEqual(digestOf({ b: [1, 'x', null], a: 1, c: undefined }));
  expect(digestOf({ a: '1' })).not.toEqual(digestOf({ a: 1 }));
  expect(digestOf([['a'], 'b'])).not.toEqual(digestOf([['a', 'b']]));
});

test.each([
  ['status', 'refunded'],
  ['refunded_to_date_usd', '1.00'],
  ['refund_count', 1],
  ['amount_usd', '21.00'],
  ['card_charged_usd', null],
  ['latest_refund_at', '2026-11-20T00:00:00Z'],
])('another %s is another baseline', (field, value) => {
  expect(digestBaseline({ ...FACTS.period, [field]: value })).not.toEqual(digestBaseline(FACTS.period));
});
