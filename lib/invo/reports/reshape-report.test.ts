import { expect, test } from 'vitest';
import { sampleReport, withValue } from '../testing/sample-answers.ts';
import { type AttributionReport, attributionReport } from './attribution.ts';
import { reshapeRecipients } from './reshape-report.ts';

type Event = AttributionReport['recipients'][number]['reversals'][number]['refund_events'][number];

test('refunds of one instant follow each other by what was refunded before them, however Invo lists them', () => {
  const [event] = attributionReport.parse(sampleReport()).recipients[0]?.reversals[0]?.refund_events ?? [];
  const named = (refunded_at: string, before: string): Event => ({
    ...(event as Event),
    refunded_at,
    cumulative_refunded_before_usd: before,
  });
  const listed = [named('2026-03-09T10:00:00Z', '10.00'), named('2026-03-09T10:00:00Z', '2.00'), named('2026-03-08T10:00:00Z', '0.00')];
  const report = attributionReport.parse(withValue(sampleReport(), 'recipients.0.reversals.0.refund_events', listed));
  const [recipient] = reshapeRecipients(report);
  const events = recipient?.reversals[0]?.refund_events ?? [];
  expect(events.map((each) => each.cumulative_refunded_before_usd)).toEqual(['0.00', '2.00', '10.00']);
});
