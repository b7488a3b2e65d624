import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readNacha } from '#e2e/support/payments/read-nacha.ts';
import { ACH_SENDER, achAccount, sampleBatch, sampleItem } from '#e2e/support/payments/sample-payments.ts';
import type { AchSender, PaymentBatch, PaymentItem } from './payment.ts';
import { listTraceNumbers } from './write-nacha.ts';
import { writePaymentFile } from './write-payment-file.ts';

const BATCH = sampleBatch({ format: 'nacha_ppd', method: 'ach' });
const OFFSET = { routingNumber: '021000021', accountNumber: '55501', accountKind: 'savings' } as const;

function read(items: PaymentItem[], sender: AchSender = ACH_SENDER, batch: PaymentBatch = BATCH) {
  const result = writePaymentFile({ batch, sender, items });
  if (!result.ok) throw new Error(JSON.stringify(result.blockers));
  return readNacha(result.text);
}

const person = (itemNo: number, changes: Partial<PaymentItem> = {}, account = achAccount()) =>
  sampleItem(BATCH, itemNo, account, { holderName: 'Mira Vale', holderKind: 'person', ...changes });

describe('a NACHA file', () => {
  test('has its fields at the positions of the standard', () => {
    const { records } = read([person(1, { amount_usd: '120.35' })]);
    expect(records).toEqual([
      {
        type: '1',
        fields: {
          priority: '01',
          destination: ' 021000021',
          origin: '1123456789',
          date: '261104',
          time: '0930',
          modifier: 'A',
          recordSize: '094',
          blockingFactor: '10',
          formatCode: '1',
          destinationName: 'JPMORGAN CHASE         ',
          originName: 'DRACHEN SPIELE         ',
          referenceCode: '        ',
        },
      },
      {
        type: '5',
        fields: {
          serviceClass: '220',
          companyName: 'DRACHEN SPIELE  ',
          discretionary: ' '.repeat(20),
          companyId: '1123456789',
          entryClass: 'PPD',
          description: 'REVSHARE  ',
          descriptiveDate: '      ',
          effectiveDate: '261105',
          settlementDate: '   ',
          originatorStatus: '1',
          bank: '02100002',
          batchNumber: '0000001',
        },
      },
      {
        type: '6',
        fields: {
          code: '22',
          bank: '12100035',
          checkDigit: '8',
          accountNumber: '000123456789     ',
          amount: '0000012035',
          identification: 'A20070001T     ',
          name: 'MIRA VALE             ',
          discretionary: '  ',
          addenda: '0',
          trace: '021000020000001',
        },
      },
      {
        type: '8',
        fields: {
          serviceClass: '220',
          entryCount: '000001',
          hash: '0012100035',
          debit: '000000000000',
          credit: '000000012035',
          companyId: '1123456789',
          authentication: ' '.repeat(19),
          reserved: '      ',
          bank: '02100002',
          batchNumber: '0000001',
        },
      },
      {
        type: '9',
        fields: {
          batchCount: '000001',
          blockCount: '000001',
          entryCount: '00000001',
          hash: '0012100035',
          debit: '000000000000',
          credit: '000000012035',
          reserved: ' '.repeat(39),
        },
      },
    ]);
  });

  test('of an origin with nine digits has a space before it', () => {
    expect(read([person(1)], { ...ACH_SENDER, immediateOrigin: '123456789' }).records[0]?.fields.origin).toBe(' 123456789');
  });

  test('cuts a name after 22 letters, in capitals and without accents', () => {
    const { records } = read([person(1, { holderName: `Zoë ${'x'.repeat(100)}` })]);
    expect(records[2]?.fields.name).toBe(`ZOE ${'X'.repeat(18)}`);
  });

  // Header, batch header, control and file control are four records, so six entries fill a block of ten.
  test.each([
    [1, 1, 5],
    [6, 1, 0],
    [7, 2, 9],
    [16, 2, 0],
    [17, 3, 9],
  ])('with %i payments has %i blocks of ten, filled by %i records of nines', (count, blocks, fillers) => {
    const file = read(Array.from({ length: count }, (_, index) => person(index + 1)));
    expect(file.records.at(-1)?.fields.blockCount).toBe(String(blocks).padStart(6, '0'));
    expect(file.fillers).toBe(fillers);
  });

  test('has the last ten digits of the sum of the banks as its hash', () => {
    // 322271627 is a valid routing number; 400 × 32,227,162 = 12,890,864,800, of which the first digit is dropped.
    const items = Array.from({ length: 400 }, (_, index) => person(index + 1, {}, achAccount({ routingNumber: '322271627' })));
    expect(read(items).records.at(-1)?.fields.hash).toBe('2890864800');
  });

  test('that is balanced debits the sender’s account by the total', () => {
    const { records } = read([person(1, { amount_usd: '120.35' }), person(2, { amount_usd: '0.65' })], { ...ACH_SENDER, offset: OFFSET });
    const [debit, control, end] = records.slice(-3);
    expect(debit?.fields).toMatchObject({ code: '37', bank: '02100002', amount: '0000012100', name: 'DRACHEN SPIELE        ' });
    expect(records[1]?.fields.serviceClass).toBe('200');
    expect(control?.fields).toMatchObject({ serviceClass: '200', entryCount: '000003', debit: '000000012100', credit: '000000012100' });
    expect(end?.fields).toMatchObject({ entryCount: '00000003', debit: '000000012100', credit: '000000012100' });
  });

  test('has totals, hash and traces that follow from its entries, for any payments', () => {
    const anyItem = fc.record({
      cents: fc.integer({ min: 1, max: 9_999_999_999 }),
      routingNumber: fc.constantFrom('021000021', '121000358', '011401533', '091000019', '322271627'),
      accountKind: fc.constantFrom('checking' as const, 'savings' as const),
    });
    fc.assert(
      fc.property(fc.array(anyItem, { minLength: 1, maxLength: 25 }), (drawn) => {
        const items = drawn.map(({ cents, ...account }, index) => {
          const digits = String(cents).padStart(3, '0');
          return person(index + 1, { amount_usd: `${digits.slice(0, -2)}.${digits.slice(-2)}` }, achAccount(account));
        });
        const { records } = read(items);
        const entries = records.filter(({ type }) => type === '6').map(({ fields }) => fields);
        const sum = (name: string): bigint => entries.reduce((total, fields) => total + BigInt(fields[name] ?? ''), 0n);
        for (const { fields } of records.slice(-2)) {
          expect(BigInt(fields.credit ?? '')).toBe(sum('amount'));
          expect(BigInt(fields.hash ?? '')).toBe(sum('bank') % 10n ** 10n);
          expect(Number(fields.entryCount)).toBe(items.length);
        }
        expect(sum('amount')).toBe(drawn.reduce((total, { cents }) => total + BigInt(cents), 0n));
        expect(entries.map(({ trace }) => trace)).toEqual(listTraceNumbers(ACH_SENDER, items.length));
        expect(entries.map(({ identification }) => identification?.trim())).toEqual(items.map(({ reference }) => reference));
      }),
      { numRuns: 40 },
    );
  });
});
