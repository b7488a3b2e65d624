import { fileAmount } from '#lib/payments/rules/convert-usd.ts';
import type {
  AchAccount,
  AchSender,
  BankSender,
  PaymentAccount,
  PaymentBatch,
  PaymentItem,
  PaypalSender,
  SepaAccount,
  WireAccount,
} from '#lib/payments/rules/payment.ts';
import { formatPaymentReference } from '#lib/payments/rules/payment-reference.ts';

/** Run 7 of game 2 for October 2026, as the golden files have it. */
export function sampleBatch(changes: Partial<PaymentBatch> & Pick<PaymentBatch, 'format' | 'method'>): PaymentBatch {
  return {
    batchId: 'SB7K2DEMO000042',
    gameId: 2,
    game: 'demo',
    environment: 'production',
    runId: 42,
    runNo: 7,
    month: '2026-10',
    window: { start: '2026-09-30T22:00:00Z', end: '2026-10-31T23:00:00Z' },
    partNo: 1,
    partCount: 1,
    reissueNo: null,
    createdAt: '2026-11-04T09:30:00',
    executionDate: '2026-11-05',
    fileIdModifier: 'A',
    note: 'Revenue share, October 2026',
    rate: changes.method === 'sepa' ? { usd_per_eur: '1.15', source: 'ECB, 3 Nov 2026' } : null,
    ...changes,
  };
}

/** The three recipients of the golden files. */
const RECIPIENTS = [
  { recipientId: 71, holderName: 'Mira Vale', holderKind: 'person', amount_usd: '120.35' },
  { recipientId: 78, holderName: 'Ødegård & Söhne GmbH', holderKind: 'company', amount_usd: '15.00' },
  { recipientId: 79, holderName: 'Zoë O’Neill', holderKind: 'person', amount_usd: '50.00' },
] as const;

/** A payment to one of the three, or to Mira where the number is higher. The reference and the amount of the file follow. */
export function sampleItem(batch: PaymentBatch, itemNo: number, account: PaymentAccount, changes: Partial<PaymentItem> = {}): PaymentItem {
  const recipient = { ...(RECIPIENTS[itemNo - 1] ?? RECIPIENTS[0]), ...changes };
  const reference = formatPaymentReference({ gameId: batch.gameId, runNo: batch.runNo, itemNo });
  const { currency, amount } = fileAmount(batch, recipient.amount_usd) ?? { currency: 'USD', amount: recipient.amount_usd };
  return { itemNo, reference, currency, amount, account, ...recipient };
}

export const PAYPAL_SENDER: PaypalSender = { family: 'paypal', decimalSign: '.', emailSubject: null };

export const BANK_SENDER: BankSender = {
  family: 'bank',
  name: 'Drachen Spiele GmbH',
  account: { iban: 'DE89370400440532013000' },
  bic: 'COBADEFFXXX',
  address: { postCode: '50667', town: 'Köln', country: 'DE' },
  isBatchBooked: true,
  itemsMax: 5_000,
};

export const ACH_SENDER: AchSender = {
  family: 'ach',
  companyName: 'Drachen Spiele',
  companyId: '1123456789',
  entryDescription: 'REVSHARE',
  immediateOrigin: '1123456789',
  bankName: 'JPMorgan Chase',
  bankRoutingNumber: '021000021',
  offset: null,
  entriesMax: 9_999,
};

/** An email address of PayPal. */
export function paypalEmail(receiver: string): PaymentAccount {
  return { method: 'paypal', receiverKind: 'email', receiver };
}

/** A SEPA account without BIC and address unless they are given. */
export function sepaAccount(iban: string, changes: Partial<SepaAccount> = {}): SepaAccount {
  return { method: 'sepa', iban, bic: null, address: null, ...changes };
}

/** An account in the US that a wire reaches. */
export function wireAccount(changes: Partial<WireAccount> = {}): WireAccount {
  return {
    method: 'wire_usd',
    account: { accountNumber: '000123456789' },
    bic: 'BOFAUS3NXXX',
    address: { postCode: '94105', town: 'San Francisco', country: 'US' },
    ...changes,
  };
}

/** A checking account in the US. */
export function achAccount(changes: Partial<AchAccount> = {}): AchAccount {
  return { method: 'ach', routingNumber: '121000358', accountNumber: '000123456789', accountKind: 'checking', ...changes };
}
