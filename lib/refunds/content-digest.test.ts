import { expect, test } from 'vitest';
import { sampleFacts } from '#e2e/support/refunds/sample-refund.ts';
import { digestOf } from '#lib/core/canonical-digest.ts';
import { digestContent, writeRefundRequest } from './content-digest.ts';
import { digestBaseline } from './read-refund-facts.ts';
import { estimateRefund } from './rules/estimate.ts';
import type { RefundContent, RefundRequest } from './rules/refund.ts';

const FACTS = sampleFacts();
const ESTIMATE = estimateRefund(FACTS, '5.00', { now: '2026-11-21T12:00:00Z', timeZone: 'UTC' });
const REQUEST: RefundRequest = {
  subscription_id: 'SUB_1_sample',
  period_id: 4711,
  period_seq: 3,
  amount_usd: '5.00',
  reason_code: 'goodwill',
  reason_text: null,
};
const digest = (content: object, context: object): Buffer => digestContent({ ...content, ...context } as RefundContent);

const UUID = '0b54c1f2-3c44-4b3f-9d3e-000000000001';

const write = (request: Partial<RefundRequest> = {}): ReturnType<typeof writeRefundRequest> =>
  writeRefundRequest({ ...REQUEST, ...request }, { environment: 'sandbox', uuid: UUID, facts: FACTS, estimate: ESTIMATE });

test('the request states period and amount, under a key that names the environment', () => {
  const sent: unknown = JSON.parse(write().request_bytes.toString('utf8'));
  expect(sent).toEqual({ client_request_id: `sharebook-sandbox-${UUID}`, period_seq: 3, amount_usd: '5.00', reason: 'Goodwill' });
  expect(JSON.parse(write({ reason_text: 'She asked: “twice”' }).request_bytes.toString('utf8'))).toMatchObject({
    reason: 'She asked: “twice”',
  });
});

test('the digests of a request stay the same for ever, so that stored approvals stay valid', () => {
  const request = write();
  expect(request.request_digest.toString('hex')).toBe('61bdd365d55b855d6e64570f1bcb1007d234104534f16a195dd7c5d3ed08c61d');
  expect(request.baseline_digest.toString('hex')).toBe('ce79ca61ea58ad3253766c87e9343574ad58cd9ce59e170e8e455aa74150879b');
  // Facts as they were stored before chargebacks were read: the digest covers what is stored.
  const { chargeback_fees_usd: _, disputed_amount_held_usd: __, ...period } = FACTS.period;
  const stored = { environment: 'sandbox', facts: { ...FACTS, period }, estimate: ESTIMATE };
  expect(digest(request, stored).toString('hex')).toBe('435a72254c2315972af5dd47fc8b068a6a26eb79d11ab16dbe4c90a836ccfe4b');
});

test('an approval is void when any part of its content changes', () => {
  const context = { environment: 'sandbox', facts: FACTS, estimate: ESTIMATE };
  const request = write();
  const approved = digest(request, context).toString('hex');
  expect(request.content_digest.toString('hex')).toBe(approved);
  const altered = [
    digest({ ...request, amount_usd: '50.00' }, context),
    digest({ ...request, period_seq: 4 }, context),
    digest({ ...request, period_id: 4712 }, context),
    digest({ ...request, subscription_id: 'SUB_2' }, context),
    digest({ ...request, reason_code: 'fraud' }, context),
    digest({ ...request, reason_text: 'x' }, context),
    digest({ ...request, client_request_id: 'other' }, context),
    digest({ ...request, request_bytes: Buffer.from('{}') }, context),
    digest({ ...request, request_digest: Buffer.alloc(32) }, context),
    digest({ ...request, baseline_digest: Buffer.alloc(32) }, context),
    digest(request, { ...context, environment: 'production' }),
    digest(request, { ...context, estimate: { ...ESTIMATE, card_refunded_usd: '5.00' } }),
    digest(request, { ...context, facts: { ...FACTS, wallets: [] } }),
  ].map((digest) => digest.toString('hex'));
  expect(new Set([approved, ...altered]).size).toBe(altered.length + 1);
});

test('a digest ignores the order of keys and depends on their values', () => {
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
])('a changed %s changes the baseline digest', (field, value) => {
  expect(digestBaseline({ ...FACTS.period, [field]: value })).not.toEqual(digestBaseline(FACTS.period));
});
