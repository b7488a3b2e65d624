import { expect, test } from 'vitest';
import { formatNotice, formatReaches } from './text.ts';

const RUN = {
  gameName: 'Starfall',
  slug: 'demo',
  environment: 'production',
  timeZone: 'UTC',
  actorName: null,
  windowStart: '2026-09-01T00:00:00Z',
};

test('a notice of payments that may be paid twice leads to the report whose rows are decided', () => {
  const notice = formatNotice({ ...RUN, kind: 'payment_alarm', runNo: 2, reportNo: 7, amount_usd: '13.5', recipientCount: 1 });
  expect(notice.path).toBe('/demo/payouts/reports/7');
  expect(notice.title).toBe('Run 2: a payment may be paid twice');
  expect(notice.sentence).toContain(
    'bank report 7 shows $13.50 for a payment that was paid or replaced before, or whose file wasn’t handed over.',
  );
});

test('a group of kinds states how many of them are emailed and how many are off', () => {
  expect(formatReaches(['email', 'email'])).toBe('All by email');
  expect(formatReaches(['email', 'product', 'off'])).toBe('1 of 3 by email, 1 off');
  expect(formatReaches(['product', 'product'])).toBe('None by email');
});
