import { expect, test } from 'vitest';
import { sampleBatch, sampleItem } from '#e2e/support/payments/sample-payments.ts';
import type { PaymentAccount } from './payment.ts';
import { writePaymentFile } from './write-payment-file.ts';

const account: PaymentAccount = { method: 'wise', wiseRecipientId: '40000001', email: null, detail: null, payeeCurrency: 'USD' };
const batch = sampleBatch({ format: 'wise', method: 'wise' });

function write(templateHeader: string, holderName = 'Mira Vale') {
  return writePaymentFile({ batch, sender: { family: 'wise', templateHeader }, items: [sampleItem(batch, 1, account, { holderName })] });
}

test('a template with a byte order mark, quotes, another order and a second line is filled by the names of its columns', () => {
  const header =
    '\ufeff"paymentReference", amount,amountCurrency,sourceCurrency,targetCurrency,recipientType,recipientId,name\r\nA1,1,source';
  expect(write(header)).toEqual({
    ok: true,
    text: 'paymentReference,amount,amountCurrency,sourceCurrency,targetCurrency,recipientType,recipientId,name\r\nA20070001T,120.35,target,USD,USD,PERSON,40000001,Mira Vale\r\n',
  });
});

test('a template of eleven columns leaves the address to Wise', () => {
  const header =
    'recipientId,name,recipientEmail,recipientDetail,sourceCurrency,targetCurrency,amountCurrency,amount,paymentReference,receiverType,addressCountryCode';
  expect(write(header)).toEqual({
    ok: true,
    text: `${header}\r\n40000001,Mira Vale,,,USD,USD,target,120.35,A20070001T,PERSON,\r\n`,
  });
});

test('an empty template names each column that it lacks', () => {
  const result = write('');
  expect(result.ok ? [] : result.blockers.map(({ reason, detail }) => `${reason} ${detail}`)).toEqual([
    'column_unknown ',
    'column_missing recipientId',
    'column_missing sourceCurrency',
    'column_missing targetCurrency',
    'column_missing amountCurrency',
    'column_missing amount',
    'column_missing paymentReference',
  ]);
});

test('names of methods of objects are no columns', () => {
  const result = write('recipientId,sourceCurrency,targetCurrency,amountCurrency,amount,paymentReference,constructor,__proto__');
  expect(result.ok ? [] : result.blockers.map(({ detail }) => detail)).toEqual(['constructor', '__proto__']);
});

test('a name with quotes, a comma and letters from right to left stays as it was typed', () => {
  const result = write('name,recipientId,sourceCurrency,targetCurrency,amountCurrency,amount,paymentReference', 'Levi "שלום", Inc.');
  expect(result.ok && result.text.split('\r\n')[1]).toBe('"Levi ""שלום"", Inc.",40000001,USD,USD,target,120.35,A20070001T');
});
