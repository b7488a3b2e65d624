import { describe, expect, it, test } from 'vitest';
import { PERIOD_STATES } from './rules/subscription.ts';
import { nextChargeText, PENDING_PRICE_TEXT, PERIOD_STATE_TEXT, reasonTextOf, subscriptionStatusText } from './text.ts';

describe('the text of a subscription status', () => {
  it.each([
    ['active', 'Active', 'Next charge'],
    ['retrying', 'Payment failed, retrying', 'Next payment retry'],
    ['awaiting_authentication', 'Awaiting bank authentication', 'Authentication deadline'],
    ['pending_pcstore_authorization', 'Awaiting game store authorization', 'Next action by Invo'],
    ['on_ice', 'Unknown status: on_ice', 'Next action by Invo'],
    ['constructor', 'Unknown status: constructor', 'Next action by Invo'],
    [null, 'Status not reported', 'Next action by Invo'],
  ])('for %s is “%s”, and its next charge is “%s”', (status, label, nextCharge) => {
    expect(subscriptionStatusText(status)).toMatchObject({ label, nextCharge });
    expect(nextChargeText(status, false).label).toBe(nextCharge);
  });
  it('shows no next charge for a subscription that is set to end', () => {
    expect(nextChargeText('active', true).none).toBe('none, set to end with the paid period');
    expect(nextChargeText('canceled', true).none).toBe('none, canceled');
  });
  it('shows the authentication deadline of a subscription that is set to end', () => {
    expect(nextChargeText('awaiting_authentication', true)).toEqual({ label: 'Authentication deadline', none: 'no deadline set' });
  });
});

test('a pending price that applies states the price the current period is billed at', () => {
  expect(PENDING_PRICE_TEXT.applies).toContain('first bills the current period at the old price');
});

test('every period state has its own label', () => {
  expect(new Set(PERIOD_STATES.map((state) => PERIOD_STATE_TEXT[state].label)).size).toBe(PERIOD_STATES.length);
});

test('an unknown reason without attribution is shown as Invo wrote it', () => {
  expect(reasonTextOf('toString')).toMatchObject({ title: 'toString', isBlocking: false });
  expect(reasonTextOf('spend_order_not_found').isBlocking).toBe(true);
});
