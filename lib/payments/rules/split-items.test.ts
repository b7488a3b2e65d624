import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ACH_SENDER,
  achAccount,
  BANK_SENDER,
  PAYPAL_SENDER,
  paypalEmail,
  sampleBatch,
  sampleItem,
  sepaAccount,
} from '#e2e/support/payments/sample-payments.ts';
import { compareMoney, sumMoney } from '#lib/core/money.ts';
import type { PaymentAccount } from './payment.ts';
import { groupItems, listFileLimits, splitItems } from './split-items.ts';

const amounts = (...list: string[]) => list.map((amount) => ({ amount }));
const OFFSET = { routingNumber: '021000021', accountNumber: '1', accountKind: 'checking' } as const;

describe('the limits', () => {
  test.each([
    ['paypal_web', 'paypal', PAYPAL_SENDER, 5_000, null, null],
    ['paypal_api', 'paypal', PAYPAL_SENDER, 15_000, null, null],
    ['wise', 'wise', { family: 'wise', templateHeader: '' }, 1_000, null, null],
    ['pain_001_09', 'sepa', BANK_SENDER, 5_000, '999999999.99', '9999999999999999.99'],
    ['pain_001_03', 'wire_usd', { ...BANK_SENDER, itemsMax: 100 }, 100, '9999999999999999.99', '9999999999999999.99'],
    ['nacha_ppd', 'ach', ACH_SENDER, 9_999, '99999999.99', '9999999999.99'],
    ['nacha_ccd', 'ach', { ...ACH_SENDER, offset: OFFSET }, 9_998, '99999999.99', '99999999.99'],
    ['generic', 'other', { family: 'generic' }, null, null, null],
  ] as const)('of %s by %s are those of its standard', (format, method, sender, items_max, amount_max, total_max) => {
    expect(listFileLimits(format, method, sender)).toEqual({ items_max, amount_max, total_max });
  });
});

describe('parts of a file', () => {
  test('5,001 PayPal payments make two', () => {
    const items = Array.from({ length: 5_001 }, (_, index) => ({ amount: '0.01', itemNo: index + 1 }));
    const parts = splitItems(items, listFileLimits('paypal_web', 'paypal', PAYPAL_SENDER));
    expect(parts.map((part) => part.length)).toEqual([5_000, 1]);
    expect(parts.flat()).toEqual(items);
  });

  test('end where the next payment would pass the total, and a full part has exactly the total', () => {
    expect(splitItems(amounts('6.00', '4.00', '0.01', '10.00'), { items_max: null, total_max: '10.00' })).toEqual([
      amounts('6.00', '4.00'),
      amounts('0.01'),
      amounts('10.00'),
    ]);
  });

  test('have a payment above the total on its own', () => {
    expect(splitItems(amounts('1.00', '11.00', '1.00'), { items_max: null, total_max: '10.00' })).toEqual([
      amounts('1.00'),
      amounts('11.00'),
      amounts('1.00'),
    ]);
  });

  test('of no payments are none', () => {
    expect(splitItems([], { items_max: 1, total_max: null })).toEqual([]);
  });

  test('are consecutive, within the limits, and as full as they can be', () => {
    const cents = fc.integer({ min: 1, max: 1_000 }).map((value) => ({ amount: (value / 100).toFixed(2) }));
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), (items, items_max) => {
        const total_max = '12.00';
        const parts = splitItems(items, { items_max, total_max });
        expect(parts.flat()).toEqual(items);
        const fits = (part: { amount: string }[]) =>
          part.length <= items_max && compareMoney(sumMoney(part.map(({ amount }) => amount)), total_max) <= 0;
        for (const [index, part] of parts.entries()) {
          expect(fits(part)).toBe(true);
          const next = parts[index + 1]?.[0];
          if (next) expect(fits([...part, next])).toBe(false);
        }
      }),
    );
  });
});

describe('groups of payments', () => {
  const batch = sampleBatch({ format: 'paypal_web', method: 'paypal' });
  const accounts: [PaymentAccount, 'person' | 'company'][] = [
    [sepaAccount('AT611904300234573201'), 'person'],
    [paypalEmail('a@mail.example'), 'person'],
    [achAccount(), 'company'],
    [{ method: 'paypal', receiverKind: 'payer_id', receiver: 'ODEGARD000002' }, 'company'],
    [achAccount(), 'person'],
    [paypalEmail('b@mail.example'), 'company'],
    [{ method: 'other', paymentAddress: 'Cash', country: null }, 'person'],
    [achAccount(), 'company'],
  ];
  const items = accounts.map(([account, holderKind], index) => sampleItem(batch, index + 1, account, { holderKind }));
  const shape = (groups: ReturnType<typeof groupItems>) =>
    groups.map(({ format, items: group }) => [format, group.map(({ itemNo }) => itemNo)]);

  test('have one method, one recipient type of PayPal and one kind of holder by ACH, in the order of item numbers', () => {
    expect(shape(groupItems(items))).toEqual([
      ['paypal_web', [2, 6]],
      ['paypal_web', [4]],
      ['pain_001_09', [1]],
      ['nacha_ccd', [3, 8]],
      ['nacha_ppd', [5]],
      ['generic', [7]],
    ]);
  });

  test('have the chosen layout', () => {
    expect(shape(groupItems(items.slice(0, 2), { paypal: 'paypal_api', sepa: 'pain_001_03' }))).toEqual([
      ['paypal_api', [2]],
      ['pain_001_03', [1]],
    ]);
  });

  test('of no payments are none', () => {
    expect(groupItems([])).toEqual([]);
  });
});
