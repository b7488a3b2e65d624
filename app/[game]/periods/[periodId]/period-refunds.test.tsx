import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type PeriodReport, periodReport, reshapePeriodFacts } from '#lib/invo/routes/period-report.ts';
import { samplePeriodReport } from '#lib/invo/testing/sample-answers.ts';
import { PeriodRefunds } from './period-refunds.tsx';

const SAMPLE = samplePeriodReport() as { refunds: { events: Record<string, unknown>[] }; period: Record<string, unknown> };
const [EVENT] = SAMPLE.refunds.events;

/** What the card says, without its tags. */
function told(refunds: Record<string, unknown>, ofLine: Record<string, unknown> = {}): string {
  const report: PeriodReport = periodReport.parse({ ...SAMPLE, refunds, period: { ...SAMPLE.period, ...ofLine } });
  const markup = renderToStaticMarkup(<PeriodRefunds answer={{ report, facts: reshapePeriodFacts(report) }} timeZone="UTC" />);
  return markup.replaceAll('<wbr/>', '').replaceAll(/<[^>]*>/g, ' ');
}

test('refunds stand oldest first, whatever order Invo lists them in', () => {
  const later = {
    ...EVENT,
    refunded_at: '2026-03-10T10:00:00Z',
    cumulative_refunded_before_usd: '4.00',
    cumulative_refunded_after_usd: '8.00',
  };
  const text = told({ ...SAMPLE.refunds, events: [later, EVENT] });
  expect(text.indexOf('9 Mar 2026 10:00:00')).toBeGreaterThan(-1);
  expect(text.lastIndexOf('10 Mar 2026 10:00:00')).toBeGreaterThan(text.indexOf('9 Mar 2026 10:00:00'));
  expect(text.indexOf('a part')).toBeGreaterThan(text.indexOf('9 Mar 2026 10:00:00'));
  expect(text.lastIndexOf('9 Mar 2026 10:00:00')).toBeLessThan(text.lastIndexOf('10 Mar 2026 10:00:00'));
});

test('what Invo says of all refunds together stands above them by name', () => {
  const text = told(SAMPLE.refunds);
  for (const name of ['refunds.refund_count', 'refunds.refunded_to_date_usd', 'refunds.latest_refund_at', 'refunds.basis'])
    expect(text).toContain(name);
  expect(text).toContain('refunds.events[].partner_revenue_reversal_basis');
});

test('a refund that is told and not listed is not none', () => {
  expect(told({ events: [], refunded_to_date_usd: '0.00' })).toContain('None. Nothing of this period was given back.');
  expect(told({ events: [], refunded_to_date_usd: '4.00' })).toContain('Invo says that something was given back and lists no refund.');
  expect(told({ events: [] }, { status: 'refunded' })).not.toContain('None.');
});

test('no refund is named, and none is said to be there only where the line and the count say so too', () => {
  const none = { ...SAMPLE.refunds, events: [], refunded_to_date_usd: '0.00', refund_count: 0 };
  const unsaid = { ...none, refunded_to_date_usd: null };
  expect(told(none, { refund: null, status: 'paid' })).toContain('None. Nothing of this period was given back.');
  expect(told({ ...unsaid, refund_count: 2 }, { refund: null, status: 'paid' })).not.toContain('None.');
  expect(told(unsaid, { refund: { refunded_amount_usd: '4.00', refunded_at: null }, status: 'paid' })).not.toContain('None.');
});
