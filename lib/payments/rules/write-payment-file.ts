import { parseInstant } from '#lib/core/instant.ts';
import { compareMoney } from '#lib/core/money.ts';
import { isPlainCell, writeBankLetters } from './bank-letters.ts';
import { fileAmount, isPayableAmount, sumPayments } from './convert-usd.ts';
import { FORMAT_ALPHABET, formatLetters, listItemBlockers } from './list-item-blockers.ts';
import { listSenderBlockers } from './list-sender-blockers.ts';
import {
  FORMAT_FAMILY,
  METHOD_FORMATS,
  type PaymentAccount,
  type PaymentBatch,
  type PaymentFile,
  type PaymentFormat,
  type PaymentItem,
  type PaymentSender,
} from './payment.ts';
import { fileBlocker, itemBlocker, type PaymentBlocker } from './payment-blocker.ts';
import { type FileLimits, listFileLimits } from './split-items.ts';
import { writeGeneric } from './write-generic.ts';
import { writeNacha } from './write-nacha.ts';
import { remittance, writePain001 } from './write-pain-001.ts';
import { writePaypalApi, writePaypalWeb } from './write-paypal.ts';
import { writeWise } from './write-wise.ts';

/** A file as text, whose bytes are its UTF-8; or every reason against it. */
export type PaymentFileResult = { ok: true; text: string } | { ok: false; blockers: PaymentBlocker[] };

/** What recipients read beside the reference, in letters: PayPal's note, and pain.001's 140 less ten letters and a space. */
const PAYPAL_NOTE_LENGTH_MAX = 400;
const REMITTANCE_LENGTH_MAX = 140;

/** Writes a payment file, if nothing blocks it. The same batch, sender and payments always give the same bytes. */
export function writePaymentFile(file: Omit<PaymentFile, 'sender'> & { sender: PaymentSender | null }): PaymentFileResult {
  const blockers = listPaymentBlockers(file);
  if (blockers.length > 0 || file.sender === null) return { ok: false, blockers };
  return { ok: true, text: WRITERS[file.batch.format]({ ...file, sender: file.sender }) };
}

/** Everything that blocks a payment file, first what concerns the whole file, then its payments in their order. Empty: it can be written. */
export function listPaymentBlockers({
  batch,
  sender,
  items,
}: Omit<PaymentFile, 'sender'> & { sender: PaymentSender | null }): PaymentBlocker[] {
  requireStored(batch);
  if (batch.environment === 'sandbox') return [fileBlocker('sandbox')];
  if (!METHOD_FORMATS[batch.method].includes(batch.format)) return [fileBlocker('method_in_other_layout')];
  if (items.length === 0) return [fileBlocker('no_payments')];
  if (sender === null || sender.family !== FORMAT_FAMILY[batch.format]) return [fileBlocker('sender_missing')];
  const limits = listFileLimits(batch.format, batch.method, sender);
  return [
    ...listSenderBlockers({ batch, sender, items }),
    ...listBatchBlockers(batch),
    ...listNoteBlockers(batch),
    ...listTotalBlockers(batch, items, limits),
    ...items.flatMap((item, index) => [...listOrderBlockers(item, items[index - 1]), ...listItemBlockers(item, batch, limits)]),
  ];
}

/** Columns of a batch that code writes, so that a wrong one is a bug. */
function requireStored({ batchId, createdAt }: PaymentBatch): void {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,33}[A-Za-z0-9])?$/.test(batchId))
    throw new Error(`no ID of a batch that every layout can carry: ${JSON.stringify(batchId)}`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(createdAt)) throw new Error(`no wall-clock time: ${JSON.stringify(createdAt)}`);
}

function listBatchBlockers(batch: PaymentBatch): PaymentBlocker[] {
  const isBank = batch.format.startsWith('pain') || batch.format.startsWith('nacha');
  const isDate = /^\d{4}-\d\d-\d\d$/.test(batch.executionDate ?? '') && parseInstant(batch.executionDate) !== null;
  return [
    ...(isBank && !isDate ? [fileBlocker('execution_date_missing')] : []),
    ...(isBank && isDate && (batch.executionDate ?? '') < batch.createdAt.slice(0, 10) ? [fileBlocker('execution_date_past')] : []),
    ...(batch.format.startsWith('nacha') && !/^[A-Z0-9]$/.test(batch.fileIdModifier ?? '') ? [fileBlocker('modifier_missing')] : []),
    ...(fileAmount(batch, '1.00') === null ? [fileBlocker('rate_missing')] : []),
  ];
}

function listNoteBlockers({ note, format }: PaymentBatch): PaymentBlocker[] {
  // NACHA's entries and Wise's template have no room for a note.
  if (format === 'wise' || format.startsWith('nacha')) return [];
  const { text, unwritten } = writeBankLetters(note, FORMAT_ALPHABET[format]);
  if (unwritten.length > 0) return [fileBlocker('note_not_writable', formatLetters(unwritten))];
  const [length, most] =
    FORMAT_ALPHABET[format] === 'epc'
      ? [remittance('A200701TC8', note).length, REMITTANCE_LENGTH_MAX]
      : [[...text].length, PAYPAL_NOTE_LENGTH_MAX];
  return [
    ...(length > most ? [fileBlocker('note_too_long', String(FORMAT_ALPHABET[format] === 'epc' ? most - 11 : most))] : []),
    ...(format === 'paypal_web' && !isPlainCell(text) ? [fileBlocker('note_is_formula')] : []),
  ];
}

function listTotalBlockers(batch: PaymentBatch, items: readonly PaymentItem[], { items_max, total_max }: FileLimits): PaymentBlocker[] {
  const kinds = new Set(items.map(({ account }) => (account.method === 'paypal' ? account.receiverKind : '')));
  const isSummable = items.every(({ amount, amount_usd }) => isPayableAmount(amount) && isPayableAmount(amount_usd));
  const isAbove = isSummable && total_max !== null && compareMoney(sumPayments(items).total_file, total_max) > 0;
  return [
    ...(batch.method === 'paypal' && kinds.size > 1 ? [fileBlocker('mixed_recipient_types')] : []),
    ...(items_max !== null && items_max > 0 && items.length > items_max ? [fileBlocker('too_many_payments', String(items_max))] : []),
    ...(isAbove ? [fileBlocker('total_above_limit', total_max)] : []),
  ];
}

function listOrderBlockers(item: PaymentItem, before: PaymentItem | undefined): PaymentBlocker[] {
  return before !== undefined && before.itemNo >= item.itemNo ? [itemBlocker('not_in_order', item)] : [];
}

const WRITERS: Readonly<Record<PaymentFormat, (file: PaymentFile) => string>> = {
  paypal_web: (file) => writePaypalWeb(narrow(file, 'paypal', ['paypal'])),
  paypal_api: (file) => writePaypalApi(narrow(file, 'paypal', ['paypal'])),
  wise: (file) => writeWise(narrow(file, 'wise', ['wise'])),
  pain_001_09: (file) => writePain001(narrow(file, 'bank', ['sepa', 'wire_usd'])),
  pain_001_03: (file) => writePain001(narrow(file, 'bank', ['sepa', 'wire_usd'])),
  nacha_ppd: (file) => writeNacha(narrow(file, 'ach', ['ach'])),
  nacha_ccd: (file) => writeNacha(narrow(file, 'ach', ['ach'])),
  generic: (file) => writeGeneric(narrow(file, 'generic', ['other'])),
};

type Narrow<Family extends PaymentSender['family'], Method extends PaymentAccount['method']> = PaymentFile<
  Extract<PaymentSender, { family: Family }>,
  Extract<PaymentAccount, { method: Method }>
>;

/** Guarantee of the cast: the family of the sender and the method of every account were compared. */
function narrow<Family extends PaymentSender['family'], Method extends PaymentAccount['method']>(
  file: PaymentFile,
  family: Family,
  methods: readonly Method[],
): Narrow<Family, Method> {
  const isFitting = file.sender.family === family && file.items.every(({ account }) => methods.some((method) => method === account.method));
  if (!isFitting) throw new Error(`a ${file.batch.format} file with another sender or method`);
  return file as unknown as Narrow<Family, Method>;
}
