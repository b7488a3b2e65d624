import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { RefundSummary } from '#lib/refunds/reads/refund-preconditions.ts';
import { OwnRefunds } from './own-refunds.tsx';

const refunds = (count: number): RefundSummary[] =>
  Array.from({ length: count }, (_, index) => ({
    refundId: count - index,
    subscription_id: 'SUB_1_sample',
    period_id: 7001,
    period_seq: 3,
    amount_usd: '1.00',
    state: 'landed',
    isProcessed: false,
    requestedAt: '2026-11-21T12:00:00Z',
  }));
const shown = (count: number): string => renderToStaticMarkup(<OwnRefunds slug="demo" refunds={refunds(count)} />);

test('the newest 50 refunds are shown, with a link to all of them when there are more', () => {
  expect(shown(50).match(/<tr/g)).toHaveLength(51);
  expect(shown(50)).not.toContain('Showing the newest');
  expect(shown(51).match(/<tr/g)).toHaveLength(51);
  expect(shown(51)).toContain('Refund 51<');
  expect(shown(51)).toMatch(/Showing the newest 50\. <a href="\/demo\/refunds">View all refunds<\/a>/);
});
