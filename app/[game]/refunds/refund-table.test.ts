import { expect, test } from 'vitest';
import type { RefundRow } from '#db/refunds/reads/list-refunds.ts';
import { refundTable, refundTableRow } from './refund-table.ts';

const ROW: RefundRow = {
  refund_id: 7,
  state: 'landed',
  amount_usd: '12.50',
  item_name: 'Supporter pass',
  period_id: 2024128001,
  period_seq: 1,
  subscription_id: 'SUB_1_DESKMIRA',
  requested_by_name: 'Sami Okafor',
  requested_at: '2026-11-21T09:00:00.000000Z',
  owner_name: 'Fiona Hale',
  ended_at: '2026-11-21T09:00:05.000000Z',
  share: 'attributed' as const,
  refunded_at: '2026-11-30T23:30:00Z',
  reversal_seen_at: null,
};
const AT = { now: '2026-11-21T12:00:00.000000Z', timeZone: 'Europe/Berlin' };

test('a landed refund waits for the month Invo refunded it in, cut in the game’s zone', () => {
  expect(refundTableRow('demo', ROW, AT).cells).toMatchObject({ reversal: 'waiting for Dec 2026', age: '3 hours ago' });
});

test.each([
  [{ reversal_seen_at: '2026-12-02T06:00:00Z' }, 'seen 2 Dec 2026'],
  [{ share: 'not_attributed' as const }, 'none expected'],
  [{ share: 'unknown' as const }, 'not known'],
  [{ refunded_at: null }, 'waiting for Nov 2026'],
  [{ state: 'refused' as const }, ''],
])('with %j its reversal is “%s”', (part, said) => {
  expect(refundTableRow('demo', { ...ROW, ...part }, AT).cells['reversal']).toBe(said);
});

test('whoever may ask for none has none to see through', () => {
  const chipsOf = (mayAsk: boolean): string[] => refundTable('demo', { mayAsk, mayTake: true }).chips.map(({ key }) => key);
  expect(chipsOf(false)).not.toContain('mine');
  expect(chipsOf(true)).toContain('mine');
});

test('only whoever takes files is offered the register as one', () => {
  expect(refundTable('demo', { mayAsk: true, mayTake: false }).fileHref).toBeUndefined();
  expect(refundTable('demo', { mayAsk: true, mayTake: true })).toMatchObject({ fileHref: '/demo/refunds/export', isOnlyFile: true });
});
