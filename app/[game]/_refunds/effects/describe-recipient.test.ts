import { expect, test } from 'vitest';
import { sampleFacts } from '#lib/refunds/testing/sample-refund.ts';
import { describeRecipient } from './describe-recipient.ts';

const RECIPIENT = { recipient_player_id: 901, original_usd: '9.00', refunded_usd: '9.00', net_usd: '0.00' };
const withTaken = (reversed_attributed_usd: string | null) =>
  sampleFacts({
    attribution: { recipient_player_id: 901, percent_at_renewal: '25', attributed_amount_usd: '9.00', reversed_attributed_usd },
  });

test.each([
  ['0.00', 'Player 901: 0.00 USD left of 9.00 attributed'],
  [null, 'Player 901: 0.00 USD left of 9.00 attributed'],
  ['2.70', 'Player 901: 0.00 USD left of 9.00 attributed, 6.30 before this refund'],
])('with %s taken before, what is left says what there was', (taken, said) => {
  expect(describeRecipient(withTaken(taken), RECIPIENT)).toBe(said);
});

test('nobody, and a share that cannot be told, are told apart', () => {
  const without = (attribution_unavailable_reason: string | null): string =>
    describeRecipient(sampleFacts({ attribution: null, attribution_unavailable_reason }), null);
  expect(without('no_revenue_share_configured')).toBe('Nobody has a share in this period');
  for (const reason of ['spend_order_not_found', 'a new one', null]) expect(without(reason)).toMatch(/^Not known: Invo has no attribution/);
  expect(describeRecipient(withTaken('0.00'), null)).toBe('not known');
});
