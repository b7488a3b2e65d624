import { isBic, isIban, isInEea, isRoutingNumber } from './bank-accounts.ts';
import { type BankAlphabet, writeBankLetters } from './bank-letters.ts';
import type { AchSender, BankSender, PaymentFile, PaymentItem, PaymentMethod, PaymentSender, PostalAddress } from './payment.ts';
import { fileBlocker, type PaymentBlocker, type SenderSetting } from './payment-blocker.ts';
import { listTemplateBlockers } from './write-wise.ts';

/** PayPal's limit of the subject of its email. */
const SUBJECT_LENGTH_MAX = 255;

/** What a file needs of its sender and doesn't find. */
export function listSenderBlockers({ batch: { method }, sender, items }: PaymentFile): PaymentBlocker[] {
  return listSettingBlockers(method, sender, items.some(isPaidBeyondEea));
}

/** What files of a method need of their sender and don't find. `isBeyondEea`: a payment leaves the EEA, for which banks need to know both parties. */
export function listSettingBlockers(method: PaymentMethod, sender: PaymentSender, isBeyondEea = false): PaymentBlocker[] {
  if (sender.family === 'wise') return listTemplateBlockers(sender);
  return listMissingSettings(method, sender, isBeyondEea).map((setting) => fileBlocker('sender_setting', setting));
}

function listMissingSettings(method: PaymentMethod, sender: PaymentSender, isBeyondEea: boolean): SenderSetting[] {
  if (sender.family === 'bank') return bankSettings(method, sender, isBeyondEea);
  if (sender.family === 'ach') return achSettings(sender);
  const isSubject =
    sender.family !== 'paypal' || sender.emailSubject === null || isWritable(sender.emailSubject, 'unicode', SUBJECT_LENGTH_MAX);
  return isSubject ? [] : ['email_subject'];
}

function bankSettings(method: PaymentMethod, { name, account, bic, address, itemsMax }: BankSender, isBeyondEea: boolean): SenderSetting[] {
  const isSepa = method === 'sepa';
  const isIbanAccount = 'iban' in account && isIban(account.iban);
  const isAccount = isIbanAccount || (!isSepa && 'accountNumber' in account && isAccountNumber(account.accountNumber));
  // Within the EEA an IBAN is enough; beyond it banks need to know both parties.
  const isFar = !isSepa || (isIbanAccount && !isInEea(account.iban)) || isBeyondEea;
  const checks: [SenderSetting, boolean][] = [
    ['name', isWritable(name, 'epc', 70)],
    [isSepa ? 'iban' : 'account', isAccount],
    ['bic', bic === null ? !isFar : isBic(bic)],
    ['address', address === null ? !isFar : isAddress(address)],
    ['items_max', isCount(itemsMax, 1, 999_999)],
  ];
  return settingsThatFail(checks);
}

function isPaidBeyondEea({ account }: PaymentItem): boolean {
  return account.method === 'sepa' && !isInEea(account.iban);
}

function achSettings(sender: AchSender): SenderSetting[] {
  const { offset } = sender;
  return settingsThatFail([
    ['company_name', isWritable(sender.companyName, 'nacha', 16)],
    ['company_id', /^[0-9A-Z]{10}$/.test(sender.companyId)],
    ['entry_description', isWritable(sender.entryDescription, 'nacha', 10)],
    ['immediate_origin', /^[0-9A-Z]{9,10}$/.test(sender.immediateOrigin)],
    ['bank_name', isWritable(sender.bankName, 'nacha', 23)],
    ['bank_routing_number', isRoutingNumber(sender.bankRoutingNumber)],
    ['offset_account', offset === null || (isRoutingNumber(offset.routingNumber) && isAchAccountNumber(offset.accountNumber))],
    ['entries_max', isCount(sender.entriesMax, 2, 999_999)],
  ]);
}

function settingsThatFail(checks: readonly [SenderSetting, boolean][]): SenderSetting[] {
  return checks.filter(([, isUsable]) => !isUsable).map(([setting]) => setting);
}

function isCount(value: number, lowest: number, highest: number): boolean {
  return Number.isInteger(value) && value >= lowest && value <= highest;
}

function isWritable(typed: string, alphabet: BankAlphabet, lengthMax: number): boolean {
  const { text, unwritten } = writeBankLetters(typed, alphabet);
  return text !== '' && text.length <= lengthMax && unwritten.length === 0;
}

/** The most letters of a town and of a post code, as a bank writes them. */
export const [TOWN_LENGTH_MAX, POST_CODE_LENGTH_MAX] = [35, 16];

/** Whether a postal address has a town and a country in a bank's letters. */
export function isAddress({ postCode, town, country }: PostalAddress): boolean {
  return (
    isWritable(town, 'epc', TOWN_LENGTH_MAX) &&
    /^[A-Z]{2}$/.test(country) &&
    (postCode === null || isWritable(postCode, 'epc', POST_CODE_LENGTH_MAX))
  );
}

/** Whether a text is an account number of ISO 20022: at most 34 letters and digits. */
export function isAccountNumber(text: string): boolean {
  return /^[0-9A-Za-z]{1,34}$/.test(text);
}

/** Whether a text is an account number of an ACH entry: at most 17 letters, digits and hyphens. */
export function isAchAccountNumber(text: string): boolean {
  return /^[0-9A-Za-z-]{1,17}$/.test(text);
}
