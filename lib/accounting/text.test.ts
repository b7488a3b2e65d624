import { describe, expect, test } from 'vitest';
import { formatCardFees, formatJournalGaps } from './text.ts';

describe('card fees', () => {
  test.each([
    ['not read', { state: 'not_read' }, null, 'Card fees: not read, so they are not in this report.'],
    [
      'of which every listed period is known, with refunds of renewals without attribution',
      { state: 'partial', readCount: 412, count: 412, unlistedCount: 8 },
      null,
      'Card fees: known for 412 of 412 refunded periods. 8 more refunds belong to renewals without attribution, whose card fees can’t be read. None are in this report: card fees are posted only when each is read, recorded and dated in this month.',
    ],
    [
      'known for some periods',
      { state: 'partial', readCount: 1, count: 4, unlistedCount: 1 },
      null,
      'Card fees: known for 1 of 4 refunded periods. 1 more refund belongs to renewals without attribution, whose card fees can’t be read. None are in this report: card fees are posted only when each is read, recorded and dated in this month.',
    ],
    ['of a month without refunds', { state: 'whole', count: 0, amount_usd: '0.00' }, '0.00', 'Card fees: none. This month has no refunds.'],
    ['posted', { state: 'whole', count: 1, amount_usd: '6.30' }, '0.00', 'Card fees: read for all of 1 refunded period, $6.30.'],
    [
      'not posted',
      { state: 'whole', count: 420, amount_usd: '6.30' },
      '6.30',
      'Card fees: read for all of 420 refunded periods, $6.30; not posted yet.',
    ],
    [
      'posted in part',
      { state: 'whole', count: 420, amount_usd: '6.30' },
      '0.30',
      'Card fees: read for all of 420 refunded periods, $6.30; $0.30 of it is not posted yet.',
    ],
  ] as const)('%s', (_, fees, toPost, sentence) => expect(formatCardFees(fees, toPost)).toBe(sentence));
});

describe('what Invo doesn’t report has no line but a sentence', () => {
  const facts = {
    settled_usd: '900.00',
    serviceFee_usd: '100.00',
    partnerReversed_usd: '0.00',
    earned_usd: '0.00',
    reversed_usd: '0.00',
    pinned_usd: '0.00',
    grew_usd: '0.00',
    shrank_usd: '0.00',
    adjustments: [],
  };
  test('a month without gaps has none', () => {
    expect(formatJournalGaps({ facts, gross_usd: '1000.0000', reversalsWithoutReceipts: 0 })).toEqual([]);
  });
  test('reversals without receipts, and a gross that differs', () => {
    expect(formatJournalGaps({ facts, gross_usd: '1010.00', reversalsWithoutReceipts: 2 })).toEqual([
      'Invo reports 2 reversals without receipts. The partner revenue it reversed is not reported, so it is not in this report.',
      'Invo’s gross of $1,010.00 differs from its fee and partner revenue by $10.00. Only the fee and partner revenue are posted.',
    ]);
  });
});
