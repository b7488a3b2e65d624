import fs from 'node:fs';
import { expect, test } from 'vitest';
import {
  ACH_SENDER,
  achAccount,
  BANK_SENDER,
  PAYPAL_SENDER,
  paypalEmail,
  sampleBatch,
  sampleItem,
  sepaAccount,
  wireAccount,
} from '#e2e/support/payments/sample-payments.ts';
import type { PaymentAccount, PaymentBatch, PaymentSender } from './payment.ts';
import { writePaymentFile } from './write-payment-file.ts';
import { WISE_HEADER } from './write-wise.ts';

// Written by hand, byte for byte: when one differs, find out which side is right before changing it.
interface Golden {
  file: string;
  batch: Partial<PaymentBatch> & Pick<PaymentBatch, 'format' | 'method'>;
  sender: PaymentSender;
  /** By the number of the payment. */
  accounts: Record<number, PaymentAccount>;
}

const EMAILS = {
  1: paypalEmail('mira.vale@mail.example'),
  2: paypalEmail('sales@odegard.example'),
  3: paypalEmail('zoe@mail.example'),
};

const PAYER_IDS = Object.fromEntries(
  ['MIRAVALE00001', 'ODEGARD000002', 'ZOEONEILL0003'].map((receiver, index) => [
    index + 1,
    { method: 'paypal' as const, receiverKind: 'payer_id' as const, receiver },
  ]),
);

const GOLDENS: Golden[] = [
  { file: 'paypal-web-dot.csv', batch: { format: 'paypal_web', method: 'paypal' }, sender: PAYPAL_SENDER, accounts: EMAILS },
  {
    file: 'paypal-web-comma.csv',
    batch: { format: 'paypal_web', method: 'paypal' },
    sender: { ...PAYPAL_SENDER, decimalSign: ',' },
    accounts: EMAILS,
  },
  {
    file: 'paypal-api.json',
    batch: { format: 'paypal_api', method: 'paypal' },
    sender: { ...PAYPAL_SENDER, emailSubject: 'Your revenue share' },
    accounts: PAYER_IDS,
  },
  {
    file: 'wise.csv',
    batch: { format: 'wise', method: 'wise' },
    sender: { family: 'wise', templateHeader: WISE_HEADER },
    accounts: {
      1: { method: 'wise', wiseRecipientId: '40000001', email: 'mira.vale@mail.example', detail: null, payeeCurrency: 'USD' },
      2: { method: 'wise', wiseRecipientId: '40000002', email: null, detail: 'DE, ends in 3000', payeeCurrency: 'EUR' },
      3: { method: 'wise', wiseRecipientId: '40000003', email: 'zoe@mail.example', detail: null, payeeCurrency: 'GBP' },
    },
  },
  {
    file: 'pain-001-09-sepa.xml',
    batch: { format: 'pain_001_09', method: 'sepa' },
    sender: BANK_SENDER,
    accounts: {
      1: sepaAccount('FR1420041010050500013M02606'),
      2: sepaAccount('AT611904300234573201', { address: { postCode: null, town: 'Wien', country: 'AT' } }),
      3: sepaAccount('CH9300762011623852957', { bic: 'UBSWCHZH80A', address: { postCode: '8001', town: 'Zürich', country: 'CH' } }),
    },
  },
  {
    file: 'pain-001-03-sepa.xml',
    batch: { format: 'pain_001_03', method: 'sepa' },
    sender: { ...BANK_SENDER, bic: null, address: null, isBatchBooked: false },
    accounts: {
      1: sepaAccount('FR1420041010050500013M02606', { bic: 'PSSTFRPPPAR' }),
      2: sepaAccount('AT611904300234573201', { address: { postCode: null, town: 'Wien', country: 'AT' } }),
    },
  },
  {
    file: 'pain-001-09-wire.xml',
    batch: { format: 'pain_001_09', method: 'wire_usd' },
    sender: BANK_SENDER,
    accounts: {
      1: wireAccount(),
      2: wireAccount({
        account: { iban: 'GB29NWBK60161331926819' },
        bic: 'NWBKGB2L',
        address: { postCode: null, town: 'London', country: 'GB' },
      }),
    },
  },
  {
    file: 'pain-001-03-wire.xml',
    batch: { format: 'pain_001_03', method: 'wire_usd' },
    sender: {
      ...BANK_SENDER,
      name: 'Dragon Games Inc.',
      account: { accountNumber: '9876543210' },
      bic: 'CHASUS33XXX',
      address: { postCode: '10001', town: 'New York', country: 'US' },
      isBatchBooked: false,
    },
    accounts: {
      3: wireAccount({ account: { accountNumber: '1234567' }, bic: 'BOTKJPJT', address: { postCode: null, town: 'Tokyo', country: 'JP' } }),
    },
  },
  {
    file: 'nacha-ppd.txt',
    batch: { format: 'nacha_ppd', method: 'ach' },
    sender: ACH_SENDER,
    accounts: { 1: achAccount(), 3: achAccount({ routingNumber: '011401533', accountNumber: '4242-0099', accountKind: 'savings' }) },
  },
  {
    file: 'nacha-ccd-balanced.txt',
    batch: { format: 'nacha_ccd', method: 'ach', fileIdModifier: 'B' },
    sender: { ...ACH_SENDER, offset: { routingNumber: '021000021', accountNumber: '55501', accountKind: 'checking' } },
    accounts: { 2: achAccount({ routingNumber: '091000019', accountNumber: '778899001' }) },
  },
  {
    file: 'generic.csv',
    batch: { format: 'generic', method: 'other' },
    sender: { family: 'generic' },
    accounts: {
      1: { method: 'other', paymentAddress: 'Cash, desk 3', country: 'DE' },
      2: { method: 'other', paymentAddress: '-12 Main Street', country: null },
      3: { method: 'other', paymentAddress: 'mobile money 0700 900 100', country: 'KE' },
    },
  },
];

test.each(GOLDENS)('$file is written byte for byte', ({ file, batch: changes, sender, accounts }) => {
  const batch = sampleBatch(changes);
  const items = Object.entries(accounts).map(([itemNo, account]) => sampleItem(batch, Number(itemNo), account));
  const result = writePaymentFile({ batch, sender, items });
  expect(result).toEqual({ ok: true, text: fs.readFileSync(`e2e/golden/payments/${file}`, 'utf8') });
});
