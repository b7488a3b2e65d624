import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANY_CHARACTER } from '#e2e/support/any-character.ts';
import { readNacha } from '#e2e/support/payments/read-nacha.ts';
import { readStrictCsv } from '#e2e/support/payments/read-strict-csv.ts';
import { readXml, textsAt } from '#e2e/support/payments/read-xml.ts';
import {
  ACH_SENDER,
  achAccount,
  BANK_SENDER,
  PAYPAL_SENDER,
  sampleBatch,
  sampleItem,
  wireAccount,
} from '#e2e/support/payments/sample-payments.ts';
import type { PaymentAccount, PaymentFormat, PaymentMethod, PaymentSender } from './payment.ts';
import { writePaymentFile } from './write-payment-file.ts';
import { WISE_HEADER } from './write-wise.ts';

/** Texts that broke other people's payment files, whole or in pieces. */
const HOSTILE = [
  '=HYPERLINK("http://x.example")',
  '+1',
  '-1',
  '@SUM(A1)',
  'a;=1',
  '",\r\n"',
  '</Nm><Amt>',
  '&amp;',
  '<!--',
  '\u0000',
  '\u0007',
  '\u0085',
  '\u2028',
  '\u202eelaV',
  '\ufeff',
  '\ud800',
  '😀👩‍👩‍👧',
  'שלום',
  'محمد',
  '株式会社',
  'ﬁ',
  'x'.repeat(100),
  'ß'.repeat(60),
  '9'.repeat(94),
  'a\u0301\u0301\u0301',
  ' ',
  '//',
];
const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: ANY_CHARACTER, maxLength: 40 }),
  fc.tuple(fc.constantFrom('Mira', '', 'A1'), fc.constantFrom(...HOSTILE), fc.constantFrom('Vale', '')).map((parts) => parts.join('')),
);

interface Sample {
  format: PaymentFormat;
  method: PaymentMethod;
  sender: (text: string) => PaymentSender;
  account: (text: string) => PaymentAccount;
  /** Fails unless the file holds one payment and nothing besides. */
  check: (text: string) => void;
}

function checkCsv(heads: number, cells: number): (text: string) => void {
  return (text) => expect(readStrictCsv(text).map((row) => row.length)).toEqual(Array(heads + 1).fill(cells));
}

const SAMPLES: Sample[] = [
  {
    format: 'paypal_web',
    method: 'paypal',
    sender: () => PAYPAL_SENDER,
    account: (receiver) => ({ method: 'paypal', receiverKind: 'email', receiver }),
    check: checkCsv(0, 6),
  },
  {
    format: 'paypal_api',
    method: 'paypal',
    sender: (emailSubject) => ({ ...PAYPAL_SENDER, emailSubject }),
    account: () => ({ method: 'paypal', receiverKind: 'email', receiver: 'mira@mail.example' }),
    check: (text) => expect((JSON.parse(text) as { items: unknown[] }).items).toHaveLength(1),
  },
  {
    format: 'wise',
    method: 'wise',
    sender: () => ({ family: 'wise', templateHeader: WISE_HEADER }),
    account: (detail) => ({ method: 'wise', wiseRecipientId: '40000001', email: null, detail, payeeCurrency: 'USD' }),
    check: checkCsv(1, 10),
  },
  {
    format: 'pain_001_09',
    method: 'wire_usd',
    sender: (name) => ({ ...BANK_SENDER, name }),
    account: (town) => wireAccount({ address: { postCode: null, town, country: 'US' } }),
    check: (text) => expect(textsAt(readXml(text), 'CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf/PmtId/EndToEndId')).toEqual(['A20070001T']),
  },
  {
    format: 'nacha_ppd',
    method: 'ach',
    sender: (bankName) => ({ ...ACH_SENDER, bankName }),
    account: (accountNumber) => achAccount({ accountNumber }),
    check: (text) => expect(readNacha(text).records.map(({ type }) => type)).toEqual(['1', '5', '6', '8', '9']),
  },
  {
    format: 'generic',
    method: 'other',
    sender: () => ({ family: 'generic' }),
    account: (paymentAddress) => ({ method: 'other', paymentAddress, country: null }),
    check: checkCsv(1, 16),
  },
];

describe('whatever is typed', () => {
  test.each(SAMPLES)(
    'a $format file is blocked, or holds one payment and nothing besides',
    ({ format, method, sender, account, check }) => {
      let written = 0;
      // One field at a time, so that some files are written.
      const anyField = fc.constantFrom('name', 'note', 'account', 'sender');
      fc.assert(
        fc.property(anyField, anyText, (field, text) => {
          const plain = {
            account: method === 'ach' ? '000123456789' : method === 'paypal' ? 'mira@mail.example' : 'Bern',
            sender: 'Drachen Spiele',
          };
          const batch = sampleBatch({ format, method, ...(field === 'note' ? { note: text } : {}) });
          const item = sampleItem(
            batch,
            1,
            account(field === 'account' ? text : plain.account),
            field === 'name' ? { holderName: text } : {},
          );
          const result = writePaymentFile({ batch, sender: sender(field === 'sender' ? text : plain.sender), items: [item] });
          if (!result.ok) return;
          written += 1;
          check(result.text);
          // Neither control characters beside line ends, nor turns of direction, nor halves of a pair.
          expect(result.text).not.toMatch(/(?![\r\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff\u2028\u2029]/u);
        }),
        { numRuns: 500 },
      );
      expect(written).toBeGreaterThan(50);
    },
  );

  test.each(SAMPLES)('no cell of a $format file begins like a formula', ({ format, method, sender, account }) => {
    if (!['paypal_web', 'wise', 'generic'].includes(format)) return;
    fc.assert(
      fc.property(anyText, (text) => {
        const batch = sampleBatch({ format, method, note: text });
        const item = sampleItem(batch, 1, account(text), { holderName: text });
        const result = writePaymentFile({ batch, sender: sender('x'), items: [item] });
        if (!result.ok) return;
        const cells = readStrictCsv(result.text).flat();
        for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
      }),
      { numRuns: 300 },
    );
  });
});
