import { expect, test } from 'vitest';
import type { RefundRow } from '#lib/refunds/reads/list-refunds.ts';
import { refundTable, refundTableRow } from './refund-table.ts';

const ROW: RefundRow = {
  refund_id: 7,
  state: 'landed',
  is_processed: false,
  asked_usd: '12.50',
  landed_usd: '12.50',
  item_name: 'Supporter pass',
  period_id: 2024128001,
  subscription_id: 'SUB_1_DESKMIRA',
  requested_by: 'Sami Okafor',
  requested_at: '2026-11-21T09:00:00.000000Z',
  owner: 'Fiona Hale',
  ended_at: '2026-11-21T09:00:05.000000Z',
  share: 'attributed' as const,
  refunded_at: '2026-11-30T23:30:00Z',
  reversal_seen_at: null,
  read_at: '2026-11-21T12:00:00.000000Z',
};
const AT = 'Europe/Berlin';

test('the reversal of a completed refund is expected in the month of the refund, in the game’s time zone', () => {
  expect(refundTableRow('demo', ROW, AT).cells).toMatchObject({ reversal: 'Expected in Dec 2026', age: '3 hours ago' });
});

test.each([
  [{ reversal_seen_at: '2026-12-02T06:00:00Z' }, 'Reported 2 Dec 2026'],
  [{ share: 'not_attributed' as const }, 'None expected'],
  [{ share: 'unknown' as const }, 'Unknown'],
  [{ refunded_at: null }, 'Expected in Nov 2026'],
  [{ state: 'refused' as const }, ''],
])('a refund with %j shows its reversal as “%s”', (part, shown) => {
  expect(refundTableRow('demo', { ...ROW, ...part }, AT).cells['reversal']).toBe(shown);
});

test('only a person who can request refunds is offered the refunds assigned to them', () => {
  const chipsOf = (mayRequest: boolean): string[] => refundTable('demo', { mayRequest, mayExport: true }).chips.map(({ key }) => key);
  expect(chipsOf(false)).not.toContain('mine');
  expect(chipsOf(true)).toContain('mine');
});

test('every column has the label of the register’s column', () => {
  const labels = refundTable('demo', { mayRequest: true, mayExport: true }).columns.map(({ label }) => label);
  expect(labels.join(', ')).toBe(
    'Refund, State, Amount, Refunded, Item, Period, Subscription, Requested by, Assignee, Requested, Ended, Reversal',
  );
});

test('only a person who can export files is offered the register as a file', () => {
  expect(refundTable('demo', { mayRequest: true, mayExport: false }).fileHref).toBeUndefined();
  expect(refundTable('demo', { mayRequest: true, mayExport: true })).toMatchObject({
    fileHref: '/demo/lists/refunds/file',
    isOnlyFile: true,
  });
});
