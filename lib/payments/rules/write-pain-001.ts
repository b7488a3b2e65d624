import { writeBankLetters } from './bank-letters.ts';
import { sumPayments } from './convert-usd.ts';
import type { BankAccount, BankSender, PaymentFile, PaymentItem, PostalAddress, SepaAccount, WireAccount } from './payment.ts';

/** An element of XML: its name, then its text or its elements in order. */
type Element = readonly [name: string, content: string | readonly Element[]];

type Version = '03' | '09';
type BankItem = PaymentItem<SepaAccount | WireAccount>;

/**
 * A credit transfer initiation of ISO 20022, pain.001.001.09 or .03: one message with one payment information. SEPA in EUR, or a wire in USD (service level
 * NURG, shared charges). All texts are in EPC's letters, which need no escapes.
 */
export function writePain001(file: PaymentFile<BankSender, SepaAccount | WireAccount>): string {
  const version: Version = file.batch.format === 'pain_001_03' ? '03' : '09';
  const message: Element = ['CstmrCdtTrfInitn', [groupHeader(file), paymentInformation(file, version)]];
  const namespace = `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">\n${writeElement(message, '  ')}</Document>\n`;
}

function groupHeader({ batch, sender, items }: PaymentFile<BankSender>): Element {
  return [
    'GrpHdr',
    [['MsgId', batch.batchId], ['CreDtTm', batch.createdAt], ...controlSums(items), ['InitgPty', [['Nm', writeName(sender.name)]]]],
  ];
}

function paymentInformation({ batch, sender, items }: PaymentFile<BankSender, SepaAccount | WireAccount>, version: Version): Element {
  const isSepa = batch.method === 'sepa';
  const date = batch.executionDate ?? '';
  return [
    'PmtInf',
    [
      ['PmtInfId', batch.batchId],
      ['PmtMtd', 'TRF'],
      ['BtchBookg', String(sender.isBatchBooked)],
      ...controlSums(items),
      ['PmtTpInf', [['SvcLvl', [['Cd', isSepa ? 'SEPA' : 'NURG']]]]],
      ['ReqdExctnDt', version === '09' ? [['Dt', date]] : date],
      ['Dbtr', [['Nm', writeName(sender.name)], ...postalAddress(sender.address)]],
      ['DbtrAcct', accountId(sender.account)],
      ['DbtrAgt', [['FinInstnId', sender.bic === null ? [['Othr', [['Id', 'NOTPROVIDED']]]] : [bicElement(sender.bic, version)]]]],
      ['ChrgBr', isSepa ? 'SLEV' : 'SHAR'],
      ...items.map((item) => creditTransfer(item, batch.note, version)),
    ],
  ];
}

function creditTransfer({ reference, currency, amount, holderName, account }: BankItem, note: string, version: Version): Element {
  return [
    'CdtTrfTxInf',
    [
      [
        'PmtId',
        [
          ['InstrId', reference],
          ['EndToEndId', reference],
        ],
      ],
      ['Amt', [[`InstdAmt Ccy="${currency}"`, amount]]],
      ...(account.bic === null ? [] : ([['CdtrAgt', [['FinInstnId', [bicElement(account.bic, version)]]]]] as const)),
      ['Cdtr', [['Nm', writeName(holderName)], ...postalAddress(account.address)]],
      ['CdtrAcct', accountId(account.method === 'sepa' ? account : account.account)],
      ['RmtInf', [['Ustrd', remittance(reference, note)]]],
    ],
  ];
}

/** What recipients read: the reference, for banks that lose it elsewhere, and the note. At most 140 letters. */
export function remittance(reference: string, note: string): string {
  return `${reference} ${writeBankLetters(note, 'epc').text}`.trim();
}

function writeName(name: string): string {
  return writeBankLetters(name, 'epc').text;
}

function controlSums(items: readonly PaymentItem[]): Element[] {
  return [
    ['NbOfTxs', String(items.length)],
    ['CtrlSum', sumPayments(items).total_file],
  ];
}

/** Structured only: banks reject address lines from 15 November 2026. */
function postalAddress(address: PostalAddress | null): Element[] {
  if (address === null) return [];
  const postCode: Element[] = address.postCode === null ? [] : [['PstCd', writeName(address.postCode)]];
  return [['PstlAdr', [...postCode, ['TwnNm', writeName(address.town)], ['Ctry', address.country]]]];
}

function accountId(account: BankAccount): Element[] {
  return [['Id', 'iban' in account ? [['IBAN', account.iban]] : [['Othr', [['Id', account.accountNumber]]]]]];
}

function bicElement(bic: string, version: Version): Element {
  return [version === '09' ? 'BICFI' : 'BIC', bic];
}

function writeElement([name, content]: Element, indent: string): string {
  const end = `</${name.split(' ', 1)[0]}>\n`;
  if (typeof content === 'string') return `${indent}<${name}>${requirePlain(content)}${end}`;
  return `${indent}<${name}>\n${content.map((each) => writeElement(each, `${indent}  `)).join('')}${indent}${end}`;
}

function requirePlain(text: string): string {
  if (text === '' || /[^A-Za-z0-9/\-?:().,'+ ]/.test(text)) throw new Error(`not in the letters of a bank: ${JSON.stringify(text)}`);
  return text;
}
