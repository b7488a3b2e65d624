import { expect, test } from 'vitest';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';
import { describeChanges } from './describe-changes.ts';

const BEFORE = { status: 'paid', refunded_to_date_usd: '0.00', refund_count: 0, amount_usd: '20.00', rail: null } as PeriodFacts;

test('a period that stayed as it was has no changes', () => {
  expect(describeChanges(BEFORE, { ...BEFORE, item_name: 'Renamed' })).toEqual([]);
});

test('what changed is said with both sides, money as money and what is not recorded as that', () => {
  expect(describeChanges(BEFORE, { ...BEFORE, refunded_to_date_usd: '1250.5', refund_count: 1, rail: 'card', amount_usd: null })).toEqual([
    'The price was 20.00 USD and is not recorded.',
    'Refunded so far was 0.00 USD and is 1,250.50 USD.',
    'The number of refunds was 0 and is 1.',
    'How it was charged was not recorded and is card.',
  ]);
});
