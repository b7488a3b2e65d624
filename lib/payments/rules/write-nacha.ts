import { writeBankLetters } from './bank-letters.ts';
import { sumPayments } from './convert-usd.ts';
import type { AchAccount, AchSender, PaymentFile, PaymentItem } from './payment.ts';

/** Letters of a name in an entry. Receiving banks don't match names, so a longer one is cut, as NACHA has it. */
const ACH_NAME_LENGTH = 22;

/** Records in a block; a file is filled up with nines. */
const BLOCK = 10;

/** What one entry states, a payment's or the sender's own debit. */
interface Entry {
  code: '22' | '32' | '27' | '37';
  routingNumber: string;
  accountNumber: string;
  cents: string;
  identification: string;
  name: string;
}

/**
 * A NACHA file of one batch: PPD for persons, CCD for companies. Records of 94 letters, CRLF after each, in blocks of ten. Unbalanced, or with a debit of the
 * sender's account at its end.
 */
export function writeNacha({ batch, sender, items }: PaymentFile<AchSender, AchAccount>): string {
  const entries = [...items.map(entryOf), ...offsetOf(sender, items)];
  const traces = listTraceNumbers(sender, entries.length);
  const service = sender.offset === null ? '220' : '200';
  const bank = sender.bankRoutingNumber.slice(0, 8);
  const credits = centsOf(sumPayments(items).total_file);
  const hash = entries.reduce((sum, { routingNumber }) => sum + BigInt(routingNumber.slice(0, 8)), 0n) % 10n ** 10n;
  const totals = number(hash, 10) + number(sender.offset === null ? '0' : credits, 12) + number(credits, 12);
  const companyId = text(sender.companyId, 10);
  const description = text(sender.entryDescription, 10);
  const date = (batch.executionDate ?? '').slice(2).replaceAll('-', '');
  const records = [
    fileHeader({ batch, sender }),
    `5${service}${text(sender.companyName, 16)}${text('', 20)}${companyId}${batch.format === 'nacha_ccd' ? 'CCD' : 'PPD'}${description}${text('', 6)}${date}   1${bank}0000001`,
    ...entries.map((entry, index) => writeEntry(entry, traces[index] ?? '')),
    `8${service}${number(entries.length, 6)}${totals}${companyId}${text('', 25)}${bank}0000001`,
  ];
  const blocks = Math.ceil((records.length + 1) / BLOCK);
  records.push(`9${number(1, 6)}${number(blocks, 6)}${number(entries.length, 8)}${totals}${text('', 39)}`);
  while (records.length < blocks * BLOCK) records.push('9'.repeat(94));
  return records.map((record) => `${requireWhole(record)}\r\n`).join('');
}

/** The trace numbers of a file's entries in their order: the first eight digits of the sender's bank and 1, 2, 3 … A return names them. */
export function listTraceNumbers({ bankRoutingNumber }: Pick<AchSender, 'bankRoutingNumber'>, count: number): string[] {
  return Array.from({ length: count }, (_, index) => bankRoutingNumber.slice(0, 8) + number(index + 1, 7));
}

function fileHeader({ batch, sender }: Pick<PaymentFile<AchSender>, 'batch' | 'sender'>): string {
  const created = batch.createdAt.replaceAll(/[-:T]/g, '').slice(2, 12);
  const origin = sender.immediateOrigin.padStart(10);
  return `101 ${sender.bankRoutingNumber}${origin}${created}${batch.fileIdModifier}094101${text(sender.bankName, 23)}${text(sender.companyName, 23)}${text('', 8)}`;
}

function entryOf({ account, amount, reference, holderName }: PaymentItem<AchAccount>): Entry {
  return {
    code: account.accountKind === 'checking' ? '22' : '32',
    routingNumber: account.routingNumber,
    accountNumber: account.accountNumber,
    cents: centsOf(amount),
    identification: reference,
    name: holderName,
  };
}

/** The sender's debit of a balanced file. */
function offsetOf({ offset, companyName }: AchSender, items: readonly PaymentItem[]): Entry[] {
  if (offset === null) return [];
  const { routingNumber, accountNumber, accountKind } = offset;
  const cents = centsOf(sumPayments(items).total_file);
  return [
    { code: accountKind === 'checking' ? '27' : '37', routingNumber, accountNumber, cents, identification: 'OFFSET', name: companyName },
  ];
}

function writeEntry({ code, routingNumber, accountNumber, cents, identification, name }: Entry, trace: string): string {
  return `6${code}${routingNumber}${accountNumber.padEnd(17)}${number(cents, 10)}${text(identification, 15)}${text(name, ACH_NAME_LENGTH)}  0${trace}`;
}

function centsOf(amount: string): string {
  return amount.replace('.', '');
}

/** Letters from the left, spaces after them. */
function text(typed: string, length: number): string {
  return writeBankLetters(typed, 'nacha').text.slice(0, length).padEnd(length);
}

/** Digits to the right, zeros before them. */
function number(value: bigint | number | string, length: number): string {
  return String(value).padStart(length, '0');
}

function requireWhole(record: string): string {
  if (!/^[\x20-\x7e]{94}$/.test(record))
    throw new Error(`a record of ${record.length} letters, not of 94: ${JSON.stringify(record.slice(0, 3))}`);
  return record;
}
