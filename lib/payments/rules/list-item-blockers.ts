import { compareMoney } from '#lib/core/money.ts';
import { isBic, isIban, isInEea, isInSepa, isRoutingNumber } from './bank-accounts.ts';
import { type BankAlphabet, isPlainCell, writeBankLetters } from './bank-letters.ts';
import { fileAmount, isPayableAmount } from './convert-usd.ts';
import { isAccountNumber, isAchAccountNumber, isAddress } from './list-sender-blockers.ts';
import type { PaymentAccount, PaymentBatch, PaymentFormat, PaymentItem } from './payment.ts';
import { type BlockerReason, itemBlocker, type PaymentBlocker } from './payment-blocker.ts';
import { parsePaymentReference } from './payment-reference.ts';
import type { FileLimits } from './split-items.ts';

/** A reason, and what its sentence names besides. */
type Found = readonly [reason: BlockerReason, detail?: string];

/** The letters of a layout. */
export const FORMAT_ALPHABET: Readonly<Record<PaymentFormat, BankAlphabet>> = {
  paypal_web: 'unicode',
  paypal_api: 'unicode',
  wise: 'unicode',
  pain_001_09: 'epc',
  pain_001_03: 'epc',
  nacha_ppd: 'nacha',
  nacha_ccd: 'nacha',
  generic: 'unicode',
};

/** Names of creditors in pain.001. A longer name would be paid under another one. NACHA's are cut. */
const EPC_NAME_LENGTH_MAX = 70;

/** PayPal's limit of a receiver. */
const EMAIL = /^[!#$%&'*+/=?^_`{|}~0-9A-Za-z.-]{1,64}@[0-9A-Za-z](?:[0-9A-Za-z.-]{0,250}[0-9A-Za-z])?\.[A-Za-z]{2,}$/;
const EMAIL_LENGTH_MAX = 127;

/** What blocks one payment of a file. The amounts of the file are computed again. */
export function listItemBlockers(item: PaymentItem, batch: PaymentBatch, limits: FileLimits): PaymentBlocker[] {
  if (item.account.method !== batch.method) return [itemBlocker('other_method', item)];
  const found = [
    ...referenceBlockers(item, batch),
    ...amountBlockers(item, batch, limits),
    ...listNameBlockers(item.holderName, batch.format),
    ...accountBlockers(item.account, batch.format),
  ];
  return found.map(([reason, detail]) => itemBlocker(reason, item, detail));
}

function referenceBlockers({ reference, itemNo, holderKind }: PaymentItem, { gameId, runNo, format }: PaymentBatch): Found[] {
  const parsed = parsePaymentReference(reference);
  const isOwn =
    parsed !== null &&
    parsed.gameId === gameId &&
    parsed.runNo === runNo &&
    parsed.itemNo === itemNo &&
    reference === reference.toUpperCase();
  const isOtherKind = (format === 'nacha_ppd' && holderKind === 'company') || (format === 'nacha_ccd' && holderKind === 'person');
  return [...blockIf(!isOwn, 'reference_differs'), ...blockIf(isOtherKind, 'other_holder_kind')];
}

function amountBlockers({ amount_usd, amount, currency }: PaymentItem, batch: PaymentBatch, { amount_max }: FileLimits): Found[] {
  if (!isPayableAmount(amount_usd)) return [['amount_not_payable']];
  const expected = fileAmount(batch, amount_usd);
  // Without a rate the file is blocked as a whole.
  if (expected === null) return [];
  if (expected.amount === '0.00') return [['rounds_to_zero']];
  if (expected.amount !== amount || expected.currency !== currency) return [['amount_differs', `${expected.amount} ${expected.currency}`]];
  return blockIf(amount_max !== null && compareMoney(amount, amount_max) > 0, 'amount_above_limit', `${amount_max} ${currency}`);
}

/** Why a file of a layout can’t carry the name of an account holder. Payment details are checked by it as they are entered. */
export function listNameBlockers(holderName: string, format: PaymentFormat): Found[] {
  // PayPal's files name nobody.
  if (format === 'paypal_web' || format === 'paypal_api') return [];
  const { text, unwritten } = writeBankLetters(holderName, FORMAT_ALPHABET[format]);
  if (unwritten.length > 0) return [['name_not_writable', formatLetters(unwritten)]];
  if (!/[\p{L}\p{N}]/u.test(text)) return [['name_empty']];
  return [
    ...blockIf(FORMAT_ALPHABET[format] === 'epc' && text.length > EPC_NAME_LENGTH_MAX, 'name_too_long', String(EPC_NAME_LENGTH_MAX)),
    ...blockIf(format === 'wise' && !isPlainCell(text), 'name_is_formula'),
  ];
}

/** Letters with their code points: some of them can't be seen, and an accent alone would join what is before it. */
export function formatLetters(letters: readonly string[]): string {
  const points = letters
    .flatMap((letter) => [...letter])
    .map((letter) => {
      const point = `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
      return /[\p{L}\p{N}\p{P}\p{S}]/u.test(letter) ? `${letter} (${point})` : point;
    });
  return [...new Set(points)].join(', ');
}

function accountBlockers(account: PaymentAccount, format: PaymentFormat): Found[] {
  switch (account.method) {
    case 'paypal':
      return blockIf(
        account.receiverKind === 'email' ? !isEmail(account.receiver) : !/^[0-9A-Z]{13}$/.test(account.receiver),
        'account_not_valid',
      );
    case 'wise':
      return blockIf(
        (account.wiseRecipientId === null
          ? account.email === null
          : !/^[0-9A-Za-z-]{1,36}$/.test(account.wiseRecipientId) || !isPlainCell(account.wiseRecipientId)) ||
          !/^[A-Z]{3}$/.test(account.payeeCurrency) ||
          (account.email !== null && !isEmail(account.email)) ||
          (account.detail !== null && !isPlainCell(account.detail)),
        'account_not_valid',
      );
    case 'sepa':
      if (!isIban(account.iban)) return [['account_not_valid']];
      return [
        ...blockIf(!isInSepa(account.iban), 'country_outside_sepa', account.iban.slice(0, 2)),
        ...(account.bic === null ? blockIf(!isInEea(account.iban), 'bic_missing') : blockIf(!isBic(account.bic), 'bic_not_valid')),
        ...blockIf(account.address !== null && !isAddress(account.address), 'address_not_valid'),
      ];
    case 'wire_usd':
      return [
        ...blockIf(
          'iban' in account.account ? !isIban(account.account.iban) : !isAccountNumber(account.account.accountNumber),
          'account_not_valid',
        ),
        ...(account.bic === null ? ([['bic_missing']] as const) : blockIf(!isBic(account.bic), 'bic_not_valid')),
        ...(account.address === null ? ([['address_missing']] as const) : blockIf(!isAddress(account.address), 'address_not_valid')),
      ];
    case 'ach':
      return blockIf(!isRoutingNumber(account.routingNumber) || !isAchAccountNumber(account.accountNumber), 'account_not_valid');
    case 'other':
      return blockIf(
        writeBankLetters(account.paymentAddress, FORMAT_ALPHABET[format]).text === '' || !isClean(account.paymentAddress),
        'account_not_valid',
      );
  }
}

function blockIf(isBlocked: boolean, reason: BlockerReason, detail: string = ''): Found[] {
  return isBlocked ? [[reason, detail]] : [];
}

/** An address that no spreadsheet takes for a formula: these files have no guard, which would change it. */
function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text) && !text.includes('..') && isPlainCell(text);
}

function isClean(text: string): boolean {
  return writeBankLetters(text, 'unicode').unwritten.length === 0;
}
