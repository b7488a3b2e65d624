import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountOfOrder, type OrderEvent, type OrderRemarks, summarizeOrderEvents } from './order.ts';

const summarize = (events: OrderEvent[], status = 'completed'): OrderRemarks => summarizeOrderEvents(events, status);
const event = (eventType: string, facts: Record<string, unknown>, isUsable = true): OrderEvent => ({ eventType, facts, isUsable });

const REFUNDED = event('purchase.refunded', { usd_refunded: '4.99', fully_refunded: false });
const REFUNDED_WHOLE = event('purchase.refunded', { usd_refunded: '9.99', fully_refunded: true });
const OPENED = event('purchase.disputed', { dispute_id: 'dp_1', reason: 'fraudulent' });
const WON = event('purchase.disputed', { dispute_id: 'dp_1', dispute_status: 'won' });
const LOST = event('purchase.disputed', { dispute_id: 'dp_2', dispute_status: 'lost' });

describe('what webhooks say of an order', () => {
  test('a partial refund is one while no event says that all of it was refunded', () => {
    expect(summarize([REFUNDED, REFUNDED]).isPartlyRefunded).toBe(true);
    expect(summarize([REFUNDED, REFUNDED_WHOLE]).isPartlyRefunded).toBe(false);
    expect(summarize([REFUNDED], 'refunded').isPartlyRefunded, 'Invo says that all of it was').toBe(false);
    expect(summarize([event('purchase.refunded', {})]).isPartlyRefunded).toBe(false);
  });

  test('a dispute that was opened and closed is one, and another is another', () => {
    expect(summarize([OPENED]).disputes).toEqual([{ disputeId: 'dp_1', state: 'open' }]);
    expect(summarize([WON, OPENED]).disputes).toEqual([{ disputeId: 'dp_1', state: 'won' }]);
    expect(summarize([LOST, OPENED]).disputes).toEqual([
      { disputeId: 'dp_2', state: 'lost' },
      { disputeId: 'dp_1', state: 'open' },
    ]);
  });

  test('a conflict or a stale delivery says nothing', () => {
    expect(
      summarize([
        { ...REFUNDED, isUsable: false },
        { ...LOST, isUsable: false },
      ]),
    ).toEqual({
      isPartlyRefunded: false,
      disputes: [],
      hasFraudWarning: false,
      unreadableCount: 0,
    });
  });

  test('an event whose body is no longer stored leaves no dispute open and no partial refund, and is counted', () => {
    const purged = (eventType: string | null): OrderEvent => ({ eventType, isUsable: true, facts: null });
    expect(summarize([purged('purchase.disputed'), purged('purchase.refunded'), purged(null)])).toEqual({
      isPartlyRefunded: false,
      disputes: [],
      hasFraudWarning: false,
      unreadableCount: 3,
    });
    expect(summarize([WON, purged('purchase.disputed')]).disputes).toEqual([{ disputeId: 'dp_1', state: 'won' }]);
    expect(summarize([purged('purchase.completed'), { ...purged('purchase.disputed'), isUsable: false }]).unreadableCount).toBe(0);
  });

  test('any order and any repeats of the events say the same', () => {
    const events = [REFUNDED, OPENED, WON, LOST, event('purchase.fraud_warning', {}), event('purchase.completed', {})];
    const wholeOf = (received: OrderEvent[]): unknown => {
      const { disputes, ...rest } = summarize(received);
      return { ...rest, disputes: disputes.map((each) => JSON.stringify(each)).toSorted() };
    };
    const expected = wholeOf(events);
    fc.assert(
      fc.property(fc.shuffledSubarray([...events, ...events], { minLength: 6 }), (received) => {
        if (events.every((each) => received.includes(each))) expect(wholeOf(received)).toEqual(expected);
      }),
    );
  });
});

test.each([
  [['unit_price', 'total_price'], 'total_price'],
  [['currency_amount', 'new_balance', 'usd_amount'], 'usd_amount'],
  [['unit_price'], null],
  [['new_balance', 'usd_refunded'], null],
])('of an order with %j the amount is %j', (fields, expected) => {
  expect(amountOfOrder(fields.map((field) => ({ field })))?.field ?? null).toBe(expected);
});
