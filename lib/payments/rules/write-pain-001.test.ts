import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementsAt, readXml, textsAt, type XmlElement } from '#e2e/support/payments/read-xml.ts';
import { BANK_SENDER, sampleBatch, sampleItem, sepaAccount, wireAccount } from '#e2e/support/payments/sample-payments.ts';
import { sumMoney } from '#lib/core/money.ts';
import type { BankSender, PaymentAccount, PaymentBatch } from './payment.ts';
import { writePaymentFile } from './write-payment-file.ts';

// The order of elements by the public schemas of ISO 20022, as far as a file of this product may use them.
const ORDER: Record<string, string[]> = {
  Document: ['CstmrCdtTrfInitn'],
  CstmrCdtTrfInitn: ['GrpHdr', 'PmtInf'],
  GrpHdr: ['MsgId', 'CreDtTm', 'NbOfTxs', 'CtrlSum', 'InitgPty'],
  PmtInf: 'PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum PmtTpInf ReqdExctnDt Dbtr DbtrAcct DbtrAgt ChrgBr CdtTrfTxInf'.split(' '),
  PmtTpInf: ['SvcLvl'],
  CdtTrfTxInf: ['PmtId', 'Amt', 'CdtrAgt', 'Cdtr', 'CdtrAcct', 'RmtInf'],
  PmtId: ['InstrId', 'EndToEndId'],
  Dbtr: ['Nm', 'PstlAdr'],
  Cdtr: ['Nm', 'PstlAdr'],
  PstlAdr: ['PstCd', 'TwnNm', 'Ctry'],
};
const MAY_REPEAT = ['CdtTrfTxInf'];

// What each text may be, by its path.
const CONTENTS: [path: string, content: RegExp][] = [
  ['GrpHdr/MsgId', /^[A-Za-z0-9-]{1,35}$/],
  ['GrpHdr/CreDtTm', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/],
  ['GrpHdr/NbOfTxs', /^[1-9]\d{0,14}$/],
  ['GrpHdr/InitgPty/Nm', /^[A-Za-z0-9/\-?:().,'+ ]{1,70}$/],
  ['PmtInf/PmtMtd', /^TRF$/],
  ['PmtInf/BtchBookg', /^(true|false)$/],
  ['PmtInf/DbtrAcct/Id/IBAN', /^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/],
  ['PmtInf/CdtTrfTxInf/PmtId/EndToEndId', /^[0-9A-Z]{10}$/],
  ['PmtInf/CdtTrfTxInf/Amt/InstdAmt', /^\d{1,16}\.\d\d$/],
  ['PmtInf/CdtTrfTxInf/Cdtr/Nm', /^[A-Za-z0-9/\-?:().,'+ ]{1,70}$/],
  ['PmtInf/CdtTrfTxInf/Cdtr/PstlAdr/TwnNm', /^[A-Za-z0-9/\-?:().,'+ ]{1,35}$/],
  ['PmtInf/CdtTrfTxInf/Cdtr/PstlAdr/Ctry', /^[A-Z]{2}$/],
  ['PmtInf/CdtTrfTxInf/RmtInf/Ustrd', /^[A-Za-z0-9/\-?:().,'+ ]{1,140}$/],
];

const IBANS = ['FR1420041010050500013M02606', 'AT611904300234573201', 'NO9386011117947'];

function write(changes: Partial<PaymentBatch> & Pick<PaymentBatch, 'format' | 'method'>, accounts: PaymentAccount[], sender: BankSender) {
  const batch = sampleBatch(changes);
  const items = accounts.map((account, index) => sampleItem(batch, index + 1, account));
  const result = writePaymentFile({ batch, sender, items });
  if (!result.ok) throw new Error(JSON.stringify(result.blockers));
  return { document: readXml(result.text), items, text: result.text };
}

function checkOrder(element: XmlElement): void {
  const names = element.children.map(({ name }) => name);
  const order = ORDER[element.name];
  if (order) expect(names.map((name) => order.indexOf(name))).toEqual(names.map((name) => order.indexOf(name)).toSorted((a, b) => a - b));
  for (const name of names) if (order) expect(order).toContain(name);
  const once = names.filter((name) => !MAY_REPEAT.includes(name));
  expect(new Set(once).size).toBe(once.length);
  element.children.forEach(checkOrder);
}

describe.each(['pain_001_09', 'pain_001_03'] as const)('%s', (format) => {
  const nameOfBic = format === 'pain_001_09' ? 'BICFI' : 'BIC';

  test.each([
    ['sepa', IBANS.map((iban) => sepaAccount(iban)), 'SEPA', 'SLEV', 'EUR'],
    ['wire_usd', [wireAccount(), wireAccount({ account: { iban: 'GB29NWBK60161331926819' } })], 'NURG', 'SHAR', 'USD'],
  ] as const)('by %s has its elements in the order of the schema, with what each may hold', (method, accounts, level, bearer, currency) => {
    const { document, items } = write({ format, method }, [...accounts], BANK_SENDER);
    checkOrder(document);
    expect(document.attributes).toBe(`xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${format.slice(-2)}"`);
    const [message] = document.children;
    if (!message) throw new Error('no message');
    for (const [path, content] of CONTENTS) for (const found of textsAt(message, path)) expect(found).toMatch(content);

    const transactions = elementsAt(message, 'PmtInf/CdtTrfTxInf');
    const amounts = textsAt(message, 'PmtInf/CdtTrfTxInf/Amt/InstdAmt');
    expect(amounts).toEqual(items.map(({ amount }) => amount));
    for (const path of ['GrpHdr', 'PmtInf']) {
      expect(textsAt(message, `${path}/NbOfTxs`)).toEqual([String(transactions.length)]);
      expect(textsAt(message, `${path}/CtrlSum`)).toEqual([sumMoney(amounts)]);
    }
    expect(textsAt(message, 'GrpHdr/MsgId')).toEqual(textsAt(message, 'PmtInf/PmtInfId'));
    expect(textsAt(message, 'PmtInf/CdtTrfTxInf/PmtId/InstrId')).toEqual(items.map(({ reference }) => reference));
    expect(textsAt(message, 'PmtInf/CdtTrfTxInf/PmtId/EndToEndId')).toEqual(items.map(({ reference }) => reference));
    expect(elementsAt(message, 'PmtInf/CdtTrfTxInf/Amt/InstdAmt').map(({ attributes }) => attributes)).toEqual(
      items.map(() => `Ccy="${currency}"`),
    );
    expect(textsAt(message, 'PmtInf/PmtTpInf/SvcLvl/Cd')).toEqual([level]);
    expect(textsAt(message, 'PmtInf/ChrgBr')).toEqual([bearer]);
    expect(textsAt(message, `PmtInf/ReqdExctnDt${format === 'pain_001_09' ? '/Dt' : ''}`)).toEqual(['2026-11-05']);
    expect(textsAt(message, `PmtInf/DbtrAgt/FinInstnId/${nameOfBic}`)).toEqual(['COBADEFFXXX']);
  });

  test('leaves out a bank of a recipient without BIC, and states NOTPROVIDED only for the sender’s', () => {
    const { document, text } = write({ format, method: 'sepa' }, [sepaAccount(IBANS[0] ?? '')], { ...BANK_SENDER, bic: null });
    const path = 'CstmrCdtTrfInitn/PmtInf/DbtrAgt/FinInstnId/Othr/Id';
    expect(textsAt(document, path)).toEqual(['NOTPROVIDED']);
    expect(text.match(/NOTPROVIDED/g)).toHaveLength(1);
    expect(text).not.toContain('CdtrAgt');
  });

  test('never has an address line', () => {
    expect(write({ format, method: 'wire_usd' }, [wireAccount()], BANK_SENDER).text).not.toContain('AdrLine');
  });
});

test('the sum of a file is the sum of its payments, for any amounts', () => {
  const cents = fc.array(fc.integer({ min: 2, max: 9_999_999_999 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(cents, (amounts) => {
      const batch = sampleBatch({ format: 'pain_001_09', method: 'sepa' });
      const items = amounts.map((amount, index) =>
        sampleItem(batch, index + 1, sepaAccount('AT611904300234573201'), {
          amount_usd: `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`,
        }),
      );
      const result = writePaymentFile({ batch, sender: BANK_SENDER, items });
      if (!result.ok) throw new Error(JSON.stringify(result.blockers));
      const message = readXml(result.text).children[0] as XmlElement;
      const eurCents = textsAt(message, 'PmtInf/CdtTrfTxInf/Amt/InstdAmt').map((amount) => BigInt(amount.replace('.', '')));
      const total = eurCents.reduce((sum, amount) => sum + amount, 0n);
      expect(BigInt(textsAt(message, 'GrpHdr/CtrlSum').join('').replace('.', ''))).toBe(total);
    }),
    { numRuns: 50 },
  );
});
