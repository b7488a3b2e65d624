import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStrictCsv } from '#e2e/support/payments/read-strict-csv.ts';
import { PAYPAL_SENDER, paypalEmail, sampleBatch, sampleItem } from '#e2e/support/payments/sample-payments.ts';
import { sumMoney } from '#lib/core/money.ts';
import { sumPayments } from './convert-usd.ts';
import type { PaymentAccount, PaymentBatch, PaymentFormat, PaymentItem, PaymentSender } from './payment.ts';
import { describePaymentFile, formatPaymentFileName } from './payment-manifest.ts';
import { listFileLimits, splitItems } from './split-items.ts';
import { writePaymentFile } from './write-payment-file.ts';
import { WISE_HEADER } from './write-wise.ts';

function write(batch: PaymentBatch, sender: PaymentSender, items: PaymentItem[]): string {
  const result = writePaymentFile({ batch, sender, items });
  if (!result.ok) throw new Error(JSON.stringify(result.blockers));
  return result.text;
}

test('5,001 PayPal payments make two files, whose totals and references are those of all payments', () => {
  const whole = sampleBatch({ format: 'paypal_web', method: 'paypal', partCount: 2 });
  const items = Array.from({ length: 5_001 }, (_, index) =>
    sampleItem(whole, index + 1, paypalEmail(`p${index}@mail.example`), {
      amount_usd: `${(index % 97) + 1}.${String(index % 100).padStart(2, '0')}`,
    }),
  );
  const parts = splitItems(items, listFileLimits('paypal_web', 'paypal', PAYPAL_SENDER)).map((part, index) => {
    const batch = { ...whole, partNo: index + 1, batchId: `SB7K2DEMO00004${index}` };
    return { batch, items: part, rows: readStrictCsv(write(batch, PAYPAL_SENDER, part)) };
  });
  expect(parts.map((part) => part.rows.length)).toEqual([5_000, 1]);
  expect(parts.map(({ batch }) => formatPaymentFileName(batch))).toEqual([
    'demo-2026-10-run7-paypal-1of2.csv',
    'demo-2026-10-run7-paypal-2of2.csv',
  ]);
  const found = parts.flatMap((part) => part.rows);
  expect(found.map((row) => row[3])).toEqual(items.map(({ reference }) => reference));
  expect(sumMoney(found.map((row) => row[1] ?? ''))).toBe(sumPayments(items).total_usd);
  const manifests = parts.map((part) => describePaymentFile(part, { runDigest: '', sha256: '', fileName: '' }));
  expect(sumMoney(manifests.map(({ total_usd }) => total_usd))).toBe(sumPayments(items).total_usd);
  expect(manifests.map(({ first_reference, last_reference }) => [first_reference, last_reference])).toEqual([
    [items[0]?.reference, items[4_999]?.reference],
    [items[5_000]?.reference, items[5_000]?.reference],
  ]);
});

// The position of the amount, and the rows before the first payment.
const CSVS: [PaymentFormat, 'paypal' | 'wise' | 'other', PaymentSender, PaymentAccount, position: number, heads: number][] = [
  ['paypal_web', 'paypal', PAYPAL_SENDER, paypalEmail('mira@mail.example'), 1, 0],
  ['paypal_web', 'paypal', { ...PAYPAL_SENDER, decimalSign: ',' }, paypalEmail('mira@mail.example'), 1, 0],
  [
    'wise',
    'wise',
    { family: 'wise', templateHeader: WISE_HEADER },
    { method: 'wise', wiseRecipientId: '40000001', email: null, detail: null, payeeCurrency: 'EUR' },
    7,
    1,
  ],
  ['generic', 'other', { family: 'generic' }, { method: 'other', paymentAddress: 'Cash', country: null }, 13, 1],
];

describe('the total of a file is that of its payments, for any amounts', () => {
  const cents = fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 1, maxLength: 30 });

  test.each(CSVS)('%s', (format, method, sender, account, position, heads) => {
    fc.assert(
      fc.property(cents, (drawn) => {
        const batch = sampleBatch({ format, method });
        const items = drawn.map((amount, index) => sampleItem(batch, index + 1, account, { amount_usd: (amount / 100).toFixed(2) }));
        const amounts = readStrictCsv(write(batch, sender, items))
          .slice(heads)
          .map((row) => BigInt((row[position] ?? '').replace(/[.,]/, '')));
        expect(amounts).toEqual(drawn.map(BigInt));
        expect(BigInt(sumPayments(items).total_file.replace('.', ''))).toBe(amounts.reduce((sum, amount) => sum + amount, 0n));
      }),
      { numRuns: 50 },
    );
  });

  test('paypal_api', () => {
    fc.assert(
      fc.property(cents, (drawn) => {
        const batch = sampleBatch({ format: 'paypal_api', method: 'paypal' });
        const items = drawn.map((amount, index) =>
          sampleItem(batch, index + 1, paypalEmail('mira@mail.example'), { amount_usd: (amount / 100).toFixed(2) }),
        );
        const body = JSON.parse(write(batch, PAYPAL_SENDER, items)) as { items: { amount: { value: string } }[] };
        expect(sumMoney(body.items.map(({ amount }) => amount.value))).toBe(sumPayments(items).total_usd);
      }),
      { numRuns: 50 },
    );
  });
});
