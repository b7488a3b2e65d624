import { describe, expect, test } from 'vitest';
import { OCTOBER, sampleEvent, sampleReversal } from '#lib/evidence/testing/sample-slice.ts';
import type { RefundEvent, ReversalLine } from '../evidence.ts';
import { type Check, CheckBook } from './check.ts';
import { proveReversal } from './prove-reversal.ts';

const WHOLE_HERE = { paid_at: '2026-10-02T10:00:00Z', settled_in_this_window: true, nets_to_zero_in_window: true };

describe('a reversal holds against its refund events', () => {
  test.each<[string, Partial<ReversalLine>]>([
    ['of an earlier window', {}],
    ['settled and refunded here', WHOLE_HERE],
    ['with flags that were not recorded', { settled_in_this_window: null, nets_to_zero_in_window: null }],
    ['whose first event here continues an earlier one', { reversed_attributed_usd: '0.42', refund_events: [lastEvent()] }],
    ['with two refunds at one instant', { refund_events: [sampleEvent({ refunded_at: lastEvent().refunded_at }), lastEvent()] }],
    ['coarse, without events', { reversal_basis: 'period_row', refund_events: [] }],
    ['of a basis nobody has heard of, with its events', { reversal_basis: 'something_new' }],
  ])('%s', (_, fields) => {
    expect(broken(sampleReversal(fields))).toEqual([]);
  });
});

describe('one thing wrong with a reversal', () => {
  test.each<[string, Partial<ReversalLine>, string[]]>([
    ['its amount is a cent off', { reversed_attributed_usd: '0.69' }, ['refund_events_sum_to_reversal']],
    ['it has no event and is not coarse', { refund_events: [] }, ['refund_events_sum_to_reversal']],
    [
      'a coarse one has events that do not add up',
      { reversal_basis: 'period_row', reversed_attributed_usd: '0.60' },
      ['refund_events_sum_to_reversal'],
    ],
    [
      'an event does not add to what was refunded before',
      { refund_events: [sampleEvent({ refunded_amount_usd: '4.01' }), lastEvent()] },
      ['refund_events_chain'],
    ],
    [
      'an event does not continue the one before',
      { refund_events: [sampleEvent(), lastEvent({ cumulative_refunded_before_usd: '4.01', refunded_amount_usd: '5.99' })] },
      ['refund_events_chain'],
    ],
    [
      'events stand in the wrong order',
      { refund_events: [sampleEvent({ refunded_at: '2026-10-22T10:00:00Z' }), lastEvent()] },
      ['refund_events_chain'],
    ],
    [
      'a full refund is followed by another',
      { refund_events: [sampleEvent({ is_full_refund: true }), lastEvent()] },
      ['full_refund_comes_last'],
    ],
    ['it says it settled here and did not', { settled_in_this_window: true }, ['nets_to_zero_is_whole']],
    ['it settled here and says it did not', { ...WHOLE_HERE, settled_in_this_window: false }, ['nets_to_zero_is_whole']],
    ['it says it nets to zero and settled before', { nets_to_zero_in_window: true }, ['nets_to_zero_is_whole']],
    ['it says it nets to zero and a part is left', { ...WHOLE_HERE, originally_attributed_usd: '0.71' }, ['nets_to_zero_is_whole']],
    ['it takes back more than was attributed', { originally_attributed_usd: '0.69' }, ['reversed_within_attributed']],
    [
      'it takes back less than nothing',
      { reversed_attributed_usd: '-0.01' },
      ['refund_events_sum_to_reversal', 'reversed_within_attributed'],
    ],
  ])('%s', (_, fields, names) => {
    expect(
      broken(sampleReversal(fields))
        .map((check) => check.name)
        .toSorted(),
    ).toEqual(names);
  });
});

test('the end of the window is not in it: a period that settled at that instant did not settle here', () => {
  const atTheEnd = sampleReversal({ paid_at: OCTOBER.end, settled_in_this_window: false });
  const atTheStart = sampleReversal({ paid_at: OCTOBER.start, settled_in_this_window: true });
  expect(broken(atTheEnd)).toEqual([]);
  expect(broken(atTheStart)).toEqual([]);
});

function lastEvent(fields: Partial<RefundEvent> = {}): RefundEvent {
  const event = sampleReversal().refund_events[1];
  if (!event) throw new Error('the sample has two events');
  return { ...event, ...fields };
}

function broken(reversal: ReversalLine): Check[] {
  const book = new CheckBook();
  proveReversal(book, reversal, OCTOBER);
  return book.close().filter((check) => !check.ok);
}
