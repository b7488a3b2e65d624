import { expect, test } from 'vitest';
import { sampleSubscription } from '../testing/sample-subscription.ts';
import { type RequestedChange, verifyChange } from './change-verdict.ts';
import type { SubscriptionFacts } from './subscription.ts';

const LATER: RequestedChange = { what: 'cancel', when: 'period_end' };
const NOW: RequestedChange = { what: 'cancel', when: 'now' };
const RAISE: RequestedChange = { what: 'price', amount_usd: '25.00', isClearing: false };
const CLEAR: RequestedChange = { what: 'price', amount_usd: '20.00', isClearing: true };
const CARD: RequestedChange = { what: 'card', isConversion: false };
const CONVERT: RequestedChange = { what: 'card', isConversion: true };

test.each<[RequestedChange, Partial<SubscriptionFacts>, string]>([
  [LATER, { cancel_at_period_end: true }, 'there'],
  [LATER, { status: 'canceled' }, 'there'],
  [LATER, {}, 'not_there'],
  [NOW, { cancel_at_period_end: true }, 'not_there'],
  [NOW, { status: 'canceled' }, 'there'],
  [RAISE, { pending_amount_usd: '25.0' }, 'there'],
  [RAISE, { amount_usd: '25.00' }, 'there'],
  [RAISE, { pending_amount_usd: '24.00' }, 'not_there'],
  [RAISE, {}, 'not_there'],
  [CLEAR, {}, 'there'],
  [CLEAR, { pending_amount_usd: '25.00' }, 'not_there'],
  [CARD, {}, 'cannot_tell'],
  [CONVERT, { wallet_only: false }, 'there'],
  [CONVERT, { wallet_only: true }, 'not_there'],
])('the change %j, read back as %j, is %s', (asked, facts, verdict) => {
  expect(verifyChange(asked, sampleSubscription(facts))).toBe(verdict);
});
