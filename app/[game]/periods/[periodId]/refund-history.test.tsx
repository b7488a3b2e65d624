import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { samplePeriodReport } from '#e2e/support/invo/sample-answers.ts';
import { type PeriodReport, periodReport, reshapePeriodFacts } from '#lib/invo/routes/period-report.ts';
import { PeriodRefunds } from './refund-history.tsx';

const SAMPLE = samplePeriodReport() as { refunds: { events: Record<string, unknown>[] }; period: Record<string, unknown> };
const [EVENT] = SAMPLE.refunds.events;

/** The text of the card, without tags. */
function textOf(refunds: Record<string, unknown>, ofLine: Record<string, unknown> = {}): string {
  const report: PeriodReport = periodReport.parse({ ...SAMPLE, refunds, period: { ...SAMPLE.period, ...ofLine } });
  const markup = renderToStaticMarkup(<PeriodRefunds answer={{ report, facts: reshapePeriodFacts(report) }} timeZone="UTC" />);
  return markup.replaceAll('<wbr/>', '').replaceAll(/<[^>]*>/g, ' ');
}

test('refunds are listed oldest first, in whatever order Invo sends them', () => {
  const later = {
    ...EVENT,
    refunded_at: '2026-03-10T10:00:00Z',
    cumulative_refunded_before_usd: '4.00',
    cumulative_refunded_after_usd: '8.00',
  };
  const text = textOf({ ...SAMPLE.refunds, events: [later, EVENT] });
  expect(text.indexOf('9 Mar 2026 10:00:00')).toBeGreaterThan(-1);
  expect(text.lastIndexOf('10 Mar 2026 10:00:00')).toBeGreaterThan(text.indexOf('9 Mar 2026 10:00:00'));
  expect(text.indexOf('Partial')).toBeGreaterThan(text.indexOf('9 Mar 2026 10:00:00'));
  expect(text.lastIndexOf('9 Mar 2026 10:00:00')).toBeLessThan(text.lastIndexOf('10 Mar 2026 10:00:00'));
});

test('the figures for all refunds together are shown with their field names', () => {
  const text = textOf(SAMPLE.refunds);
  for (const name of ['refunds.refund_count', 'refunds.refunded_to_date_usd', 'refunds.latest_refund_at', 'refunds.basis'])
    expect(text).toContain(name);
  expect(text).toContain('refunds.events[].partner_revenue_reversal_basis');
});

test('a refund that is reported but not listed is not shown as none', () => {
  expect(textOf({ events: [], refunded_to_date_usd: '0.00' })).toContain('No refunds for this period.');
  expect(textOf({ events: [], refunded_to_date_usd: '4.00' })).toContain('Invo reports a refunded amount but lists no refunds.');
  expect(textOf({ events: [] }, { status: 'refunded' })).not.toContain('No refunds');
});

test('the history shows no refunds only when the period and the count agree', () => {
  const none = { ...SAMPLE.refunds, events: [], refunded_to_date_usd: '0.00', refund_count: 0 };
  const unsaid = { ...none, refunded_to_date_usd: null };
  expect(textOf(none, { refund: null, status: 'paid' })).toContain('No refunds for this period.');
  expect(textOf({ ...unsaid, refund_count: 2 }, { refund: null, status: 'paid' })).not.toContain('No refunds');
  expect(textOf(unsaid, { refund: { refunded_amount_usd: '4.00', refunded_at: null }, status: 'paid' })).not.toContain('No refunds');
});
