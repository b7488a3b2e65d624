import { describe, expect, test } from 'vitest';
import { sampleFacts } from '#e2e/support/refunds/sample-refund.ts';
import { REFUND_BLOCKERS } from './rules/limits.ts';
import { REFUND_STATES } from './rules/state.ts';
import type { PeriodFacts } from './rules/stored.ts';
import {
  BLOCKER_TEXT,
  formatActivity,
  formatAmountError,
  formatChanges,
  formatCharged,
  formatCoins,
  formatCost,
  formatReading,
  formatRecipient,
  formatSummary,
  REFUND_STATE_TEXT,
  refundStatusText,
} from './text.ts';

test('every refund state has a label of its own', () => {
  expect(new Set(REFUND_STATES.map((state) => REFUND_STATE_TEXT[state].label)).size).toBe(REFUND_STATES.length);
});

test('a refund that Invo confirms while it is checked doesn’t read as unconfirmed, and not as complete', () => {
  const { label, tone, sentence } = refundStatusText({ state: 'verifying', isProcessed: true });
  expect([label, tone]).toEqual(['Processed at Invo', 'wait']);
  expect(sentence).toContain('Invo confirms that it processed this refund');
  expect(refundStatusText({ state: 'verifying', isProcessed: false })).toBe(REFUND_STATE_TEXT.verifying);
});

test('every reason a period can’t be refunded has a sentence of its own', () => {
  expect(new Set(REFUND_BLOCKERS.map((each) => BLOCKER_TEXT[each])).size).toBe(REFUND_BLOCKERS.length);
});

test('an amount above what remains names the remaining amount where it is known', () => {
  expect(formatAmountError('more_than_left', '1250.5')).toBe('The amount exceeds the remaining $1,250.50 for this period.');
  expect(formatAmountError('more_than_left')).toBe('The amount exceeds what remains for this period.');
  expect(formatAmountError('not_above_zero', '5.00')).toBe('Enter an amount greater than zero.');
});

test.each([
  [
    { actor: 'Sami Okafor', act: 'asked for a refund', detail: { approval: 'policy', amount_usd: '5.00' } },
    'Sami Okafor requested this refund, approved automatically within the auto-approval limit.',
    null,
  ],
  [{ actor: 'Sami Okafor', act: 'asked for a refund', detail: { approval: null } }, 'Sami Okafor requested this refund.', null],
  [
    { actor: 'worker', act: 'let the approval lapse', detail: { from: 'waiting', to: 'awaiting_approval' } },
    'Sharebook let the approval expire. State: awaiting approval.',
    null,
  ],
  [
    { actor: 'Fiona Hale', act: 'said what became of a refund', detail: { decision: 'not_landed', text: 'Nothing at Invo.' } },
    'Fiona Hale recorded an outcome: not refunded.',
    'Nothing at Invo.',
  ],
  [{ actor: 'Ada Moreau', act: 'rejected a refund', detail: { why: 'Twice' } }, 'Ada Moreau rejected this refund.', 'Twice'],
  [{ actor: 'Ada Moreau', act: 'toString', detail: { decision: 'toString' } }, 'Ada Moreau toString: tostring.', null],
])('the audit entry %j is shown as “%s”', (entry, sentence, quote) => {
  expect(formatActivity(entry)).toEqual({ sentence, quote });
});

test.each([
  [
    { card_charged_usd: '12.00', pcstore_charged_usd: '0.00', balance_applied_coins: '80.00' },
    '$12.00 by card and 80.00 coins from the wallet',
  ],
  [{ card_charged_usd: null, pcstore_charged_usd: '15.00', balance_applied_coins: null }, '$15.00 through the game store'],
  [{ card_charged_usd: '0.00', pcstore_charged_usd: '0.00', balance_applied_coins: '2000.00' }, '2,000.00 coins from the wallet'],
  [{ card_charged_usd: null, pcstore_charged_usd: null, balance_applied_coins: null }, 'not reported'],
  [{ card_charged_usd: '0.00', pcstore_charged_usd: null, balance_applied_coins: '0.00' }, 'nothing by card or store'],
])('the charges %j are shown as “%s”', (funding, text) => {
  expect(formatCharged(funding as PeriodFacts)).toBe(text);
});

describe('changes of a period', () => {
  const BEFORE = { status: 'paid', refunded_to_date_usd: '0.00', refund_count: 0, amount_usd: '20.00', rail: null } as PeriodFacts;

  test('a period that stayed as it was has no changes', () => {
    expect(formatChanges(BEFORE, { ...BEFORE, item_name: 'Renamed' })).toEqual([]);
  });

  test('a changed fact is shown with both sides, money as money and a missing value as not reported', () => {
    expect(formatChanges(BEFORE, { ...BEFORE, refunded_to_date_usd: '1250.5', refund_count: 1, rail: 'card', amount_usd: null })).toEqual([
      'Price changed from $20.00 to not reported.',
      'Refunded amount changed from $0.00 to $1,250.50.',
      'Number of refunds changed from 0 to 1.',
      'Payment method changed from not reported to card.',
    ]);
  });
});

test('a reading shows what was refunded, and distinguishes missing refund data from no refunds', () => {
  const read = { refunds_told: true, refunded_to_date_usd: '0.00', amount_usd: '10.00', refund_count: null, events: [] };
  expect(formatReading(read)).toBe('$0.00 of $10.00 refunded, 0 refunds.');
  expect(formatReading({ ...read, amount_usd: null })).toBe('$0.00 refunded, 0 refunds.');
  expect(formatReading({ ...read, refunds_told: false })).toBe('Invo reported no refund data.');
  expect(formatReading({ ...read, refunded_to_date_usd: '5.00' }), 'a sum alone').toBe('$5.00 of $10.00 refunded.');
  expect(formatReading({ ...read, refunded_to_date_usd: '5.00', refund_count: 1 })).toBe('$5.00 of $10.00 refunded, 1 refund.');
});

test.each([
  ['125.00', '+125.00 coins to the wallet'],
  ['-1200.00', '−1,200.00 coins from the wallet'],
  ['0.00', 'None'],
  [null, 'Unknown'],
])('a change of %s coins is shown as “%s”', (delta, text) => {
  expect(formatCoins(delta)).toBe(text);
});

test.each<[string | null, string | null, string]>([
  ['18.00', '2.00', '$20.00: $18.00 revenue reversed and $2.00 card fee'],
  ['18.00', null, '$18.00 revenue reversed; card fee unknown'],
  [null, '2.00', '$2.00 card fee; revenue reversed unknown'],
  [null, null, 'Unknown'],
])('%s of revenue and %s of card fee cost the partner “%s”', (partner_revenue_reversed_usd, card_fee_charged_to_partner_usd, text) => {
  expect(formatCost({ refunded_amount_usd: '20.00', partner_revenue_reversed_usd, card_fee_charged_to_partner_usd })).toBe(text);
});

describe('the recipient of a refunded period', () => {
  const RECIPIENT = { recipient_player_id: 901, original_usd: '9.00', refunded_usd: '9.00', net_usd: '0.00' };
  const withTaken = (reversed_attributed_usd: string | null) =>
    sampleFacts({
      attribution: { recipient_player_id: 901, percent_at_renewal: '25', attributed_amount_usd: '9.00', reversed_attributed_usd },
    });

  test.each([
    ['0.00', 'Player 901 keeps $0.00 of $9.00 attributed'],
    [null, 'Player 901 keeps $0.00 of $9.00 attributed'],
    ['2.70', 'Player 901 keeps $0.00 of $9.00 attributed ($6.30 before this refund)'],
  ])('with %s reversed before, the sentence names what was left before this refund', (taken, text) => {
    expect(formatRecipient(withTaken(taken), RECIPIENT)).toBe(text);
  });

  test('no recipient and an unknown share are distinguished', () => {
    const without = (attribution_unavailable_reason: string | null): string =>
      formatRecipient(sampleFacts({ attribution: null, attribution_unavailable_reason }), null);
    expect(without('no_revenue_share_configured')).toBe('No recipient has a share in this period');
    for (const reason of ['spend_order_not_found', 'a new one', null])
      expect(without(reason)).toBe('Unknown: Invo reports no attribution for this period');
    expect(formatRecipient(withTaken('0.00'), null)).toBe('Unknown');
  });
});

test.each<[boolean, string | null, string | null, string]>([
  [true, '45.00', '0.00', 'Completes the period. $45.00 to the card; no coins.'],
  [true, '45.00', '-40.00', 'Completes the period. $45.00 to the card; −40.00 coins from the wallet.'],
  [true, '0.00', '200.00', 'Completes the period. Nothing to the card; +200.00 coins to the wallet.'],
  [true, null, null, 'Completes the period. Card refund unknown; coins unknown.'],
  [false, '0.00', '25.00', 'Partial refund. Nothing to the card; +25.00 coins to the wallet.'],
])(
  'an estimate that is full %s, with card %s and coins %s, is summed up as “%s”',
  (is_full_refund, card_refunded_usd, balance_delta_coins, text) => {
    expect(formatSummary({ is_full_refund, card_refunded_usd, balance_delta_coins })).toBe(text);
  },
);
