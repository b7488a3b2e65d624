import { expect, test } from 'vitest';
import { sampleSlice } from '#lib/evidence/testing/sample-slice.ts';
import { proveSliceAlone } from './prove-window.ts';

const slice = sampleSlice();
const broken = (changed: typeof slice): string[] =>
  proveSliceAlone(changed)
    .filter((check) => !check.ok)
    .map((check) => check.name);

test('a sound slice settles and refunds inside its window', () => {
  expect(broken(slice)).toEqual([]);
});

test.each(['2026-09-30T23:59:59.999Z', '2026-11-01T00:00:00Z'])('a line that settled at %s is not of October', (paid_at) => {
  const renewals = slice.renewals.map((line, at) => (at === 0 ? { ...line, paid_at } : line));
  expect(broken({ ...slice, renewals })).toContain('renewals_settled_in_window');
});

test('a refund of another month is not of October', () => {
  const reversals = slice.reversals.map((line) => ({
    ...line,
    refund_events: line.refund_events.map((event) => ({ ...event, refunded_at: '2026-06-01T00:00:00Z' })),
  }));
  expect(broken({ ...slice, reversals })).toContain('refunds_in_window');
});
