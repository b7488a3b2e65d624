import { expect, test } from 'vitest';
import { samplePeriodReport } from '#e2e/support/invo/sample-answers.ts';
import type { PeriodFacts } from '#lib/refunds/rules/stored.ts';
import { periodReport, reshapePeriodFacts } from './period-report.ts';

interface Sample {
  period: Record<string, unknown>;
  refunds: { events: Record<string, unknown>[] };
}
const { period, refunds } = samplePeriodReport() as Sample;
const [event] = refunds.events;
const LOOSE = { ...event, cumulative_refunded_before_usd: null, cumulative_refunded_after_usd: null, is_full_refund: null };

function factsOf(reported: unknown, line: object = { refund: null }): PeriodFacts {
  return reshapePeriodFacts(periodReport.parse({ ...(samplePeriodReport() as object), period: { ...period, ...line }, refunds: reported }));
}

test.each<[string, unknown, object, string, boolean]>([
  ['the sum', { refunded_to_date_usd: '5.00', events: [event] }, {}, '5.00', true],
  ['the list alone', { events: [event] }, {}, '4.00', true],
  ['the line alone', null, { refund: { refunded_amount_usd: '3.00' } }, '3.00', true],
  ['an empty list', { refund_count: 0, events: [] }, {}, '0.00', true],
  ['nothing', null, {}, '0.00', false],
  ['a count without a sum', { refund_count: 2, events: [] }, {}, '0.00', false],
  [
    'a sum below what the line says',
    { refunded_to_date_usd: '0.00', events: [] },
    { refund: { refunded_amount_usd: '3.00' } },
    '0.00',
    false,
  ],
  ['refunds that are counted and come to nothing', { refunded_to_date_usd: '0.00', refund_count: 2, events: [] }, {}, '0.00', false],
  ['the sum without a list', { refunded_to_date_usd: '4.00' }, {}, '4.00', true],
  ['the sum and refunds that are no receipts', { refunded_to_date_usd: '4.00', events: [LOOSE] }, {}, '4.00', true],
])('what was refunded is read from %s', (_, reported, line, refunded_to_date_usd, refunds_told) => {
  expect(factsOf(reported, { refund: null, ...line })).toMatchObject({ refunded_to_date_usd, refunds_told });
});

test('a refund without a receipt has the reported fields', () => {
  const { events } = factsOf({ refunded_to_date_usd: '4.00', refund_count: 'one', latest_refund_at: '', events: [LOOSE] });
  expect(events).toMatchObject([{ refunded_amount_usd: '4.00', cumulative_refunded_after_usd: null, is_full_refund: null }]);
});

test.each([
  ['no list and no sum', { refund_count: 1 }],
  ['a list without a derivable sum, and no sum', { events: [LOOSE] }],
])('a period report whose refunds have %s is refused', (_, reported) => {
  expect(() => factsOf(reported)).toThrow('expected the sum, or a list it follows from');
});
