import { writeRecord } from '#lib/core/csv.ts';
import { writeBankLetters } from './bank-letters.ts';
import type { PaymentFile, PaymentItem, WiseAccount, WiseSender } from './payment.ts';
import { fileBlocker, type PaymentBlocker } from './payment-blocker.ts';

/** The first line of Wise's template for saved recipients. */
export const WISE_HEADER =
  'recipientId,name,recipientEmail,recipientDetail,sourceCurrency,targetCurrency,amountCurrency,amount,paymentReference,receiverType';

const holderKind = ({ holderKind }: PaymentItem): string => (holderKind === 'person' ? 'PERSON' : 'INSTITUTION');

/** What is written below each name. */
const CELLS: Readonly<Record<string, (item: PaymentItem<WiseAccount>) => string>> = {
  recipientId: ({ account }) => account.wiseRecipientId ?? '',
  name: ({ holderName }) => writeBankLetters(holderName, 'unicode').text,
  recipientEmail: ({ account }) => account.email ?? '',
  recipientDetail: ({ account }) => account.detail ?? '',
  sourceCurrency: ({ currency }) => currency,
  targetCurrency: ({ account }) => account.payeeCurrency,
  // A payee in USD gets the exact amount; otherwise the amount leaves, and Wise converts it less its fee.
  amountCurrency: ({ account, currency }) => (account.payeeCurrency === currency ? 'target' : 'source'),
  amount: ({ amount }) => amount,
  paymentReference: ({ reference }) => reference,
  receiverType: holderKind,
  recipientType: holderKind,
};

/** Columns that Wise fills from the saved recipient where they are empty. */
const LEFT_EMPTY = /^address[A-Z][A-Za-z]*$/;

/** Without these no payment is complete. */
const MANDATORY = ['recipientId', 'sourceCurrency', 'targetCurrency', 'amountCurrency', 'amount', 'paymentReference'];

/** Wise's batch CSV: the columns of the partner's own template, filled by their names. */
export function writeWise({ sender, items }: PaymentFile<WiseSender, WiseAccount>): string {
  const columns = parseTemplateHeader(sender.templateHeader);
  const rows = items.map((item) => columns.map((column) => CELLS[column]?.(item) ?? ''));
  return [columns, ...rows].map((cells) => writeRecord(cells)).join('');
}

/** What is wrong with a template: a column that nothing is known of may be mandatory, so it isn't left empty. */
export function listTemplateBlockers({ templateHeader }: WiseSender): PaymentBlocker[] {
  const columns = parseTemplateHeader(templateHeader);
  const unknown = columns.filter((column) => !Object.hasOwn(CELLS, column) && !LEFT_EMPTY.test(column));
  const twice = new Set(columns.filter((column, index) => columns.indexOf(column) !== index));
  return [
    ...unknown.map((column) => fileBlocker('column_unknown', column)),
    ...MANDATORY.filter((column) => !columns.includes(column)).map((column) => fileBlocker('column_missing', column)),
    ...[...twice].map((column) => fileBlocker('column_twice', column)),
  ];
}

/**
 * The names in the first line of a pasted template, without byte order mark and spaces around them. Names have no comma and no quote inside, so quotes around
 * them are left out.
 */
function parseTemplateHeader(line: string): string[] {
  const [first = ''] = line.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  return first.split(',').map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  );
}
