import { compareMoney, formatUsd, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import type { MappingError, MappingField } from './rules/account-map.ts';
import { ACCOUNT_LABELS, type Account, type AccrualFacts, type CardFees, type JournalKind, type TransferKind } from './rules/journal.ts';
import type { Layout } from './rules/layouts.ts';

/** Layouts of a journal by the name of the program that imports them. */
export const LAYOUT_LABELS: Readonly<Record<Layout, string>> = { xero: 'Xero', quickbooks: 'QuickBooks', generic: 'Generic CSV' };

export const JOURNAL_KIND_TEXT: Readonly<Record<JournalKind, string>> = {
  accrual: 'Accrual',
  card_fees: 'Card fees',
  reversal: 'Reversal of a voided run',
  payments: 'Payments',
  returns: 'Returned payments',
};

/** What a transfer posts. */
export const TRANSFER_TEXT: Readonly<Record<TransferKind, string>> = {
  revenue_settled: 'Partner revenue settled',
  service_fee: 'Invo service fee',
  revenue_reversed: 'Partner revenue reversed',
  shares_earned: 'Shares earned by recipients',
  shares_reversed: 'Shares reversed and deducted',
  adjusted_up: 'Adjustments, owed to recipients',
  adjusted_down: 'Adjustments, owed by recipients',
  paid_elsewhere: 'Paid outside Sharebook',
  paid_elsewhere_corrected: 'Paid outside Sharebook, corrected',
  brought_forward: 'Owed from before Sharebook',
  brought_forward_negative: 'Negative balances from before Sharebook',
  negative_balances_grew: 'Negative balances grew',
  negative_balances_shrank: 'Negative balances shrank',
  card_fees: 'Card fees on refunds',
  items_paid: 'Payments to recipients',
  items_returned: 'Payments that came back',
  return_fees: 'Bank fees on returned payments',
};

/** Why a layout has no file yet: accounts have no name in it. */
export function formatUnmapped(layout: Layout, accounts: readonly Account[]): string {
  const names = accounts.map((account) => ACCOUNT_LABELS[account]).join(', ');
  return `${LAYOUT_LABELS[layout]} export needs account codes for: ${names}. Set them in Settings → Journal accounts.`;
}

/** Which accounts each layout lacks, one sentence for those that lack the same. */
export function formatMissingAccounts(unmapped: readonly { layout: Layout; accounts: readonly Account[] }[]): string[] {
  const layoutsOf = new Map<string, string[]>();
  for (const { layout, accounts } of unmapped) {
    const names = accounts.map((account) => ACCOUNT_LABELS[account]).join(', ');
    if (names !== '') layoutsOf.set(names, [...(layoutsOf.get(names) ?? []), LAYOUT_LABELS[layout]]);
  }
  return [...layoutsOf].map(
    ([names, layouts]) => `No file yet for ${new Intl.ListFormat('en').format(layouts)}. Accounts to set: ${names}.`,
  );
}

/** Whether card fees are posted, and which of them this report lacks. `toPost_usd`: the amount read and not posted yet. */
export function formatCardFees(fees: CardFees, toPost_usd: string | null): string {
  if (fees.state === 'not_read') return 'Card fees: not read, so they are not in this report.';
  if (fees.state === 'partial') {
    const { readCount, count, unlistedCount } = fees;
    const unlisted =
      unlistedCount === 0
        ? ''
        : ` ${unlistedCount.toLocaleString('en-US')} more ${unlistedCount === 1 ? 'refund belongs' : 'refunds belong'} to renewals without attribution, whose card fees can’t be read.`;
    return `Card fees: known for ${readCount.toLocaleString('en-US')} of ${formatPeriods(count)}.${unlisted} None are in this report: card fees are posted only when each is read, recorded and dated in this month.`;
  }
  if (fees.count === 0) return 'Card fees: none. This month has no refunds.';
  const read = `Card fees: read for all of ${formatPeriods(fees.count)}, ${formatUsd(fees.amount_usd)}`;
  if (toPost_usd === null || signOfMoney(toPost_usd) === 0) return `${read}.`;
  const part = compareMoney(toPost_usd, fees.amount_usd) === 0 ? '' : `${formatUsd(toPost_usd)} of it is `;
  return `${read}; ${part}not posted yet.`;
}

function formatPeriods(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'refunded period' : 'refunded periods'}`;
}

/** What Invo doesn't report about a month, or reports in two ways, so that its journal can't have it. */
export function formatJournalGaps(run: { facts: AccrualFacts; gross_usd: string; reversalsWithoutReceipts: number }): string[] {
  const { facts, gross_usd, reversalsWithoutReceipts: coarse } = run;
  const gap = subtractMoney(gross_usd, sumMoney([facts.settled_usd, facts.serviceFee_usd]));
  return [
    ...(coarse === 0
      ? []
      : [
          `Invo reports ${coarse === 1 ? 'one reversal' : `${coarse.toLocaleString('en-US')} reversals`} without receipts. The partner revenue it reversed is not reported, so it is not in this report.`,
        ]),
    ...(signOfMoney(gap) === 0
      ? []
      : [
          `Invo’s gross of ${formatUsd(gross_usd)} differs from its fee and partner revenue by ${formatUsd(gap)}. Only the fee and partner revenue are posted.`,
        ]),
  ];
}

/** The fields of an account in the account map. */
export const MAPPING_LABELS: Readonly<Record<MappingField, string>> = {
  code: 'Code',
  name: 'Name',
  xero_code: 'Xero code',
  xero_tax_rate: 'Xero tax rate',
  quickbooks_name: 'QuickBooks name',
};

/** Why an entry of the account map is refused, at its field. */
export const MAPPING_ERRORS: Readonly<Record<MappingError, string>> = {
  too_long: 'This is too long. Nothing was cut.',
  formula: 'A spreadsheet would read this as a formula. Don’t start with =, +, - or @.',
  control: 'Use one line of text.',
  no_tax_rate: 'Enter the tax rate as Xero names it, such as Tax Exempt (0%).',
};

/** Which accounts share a code, as a file posts them together; empty: none do. */
export function formatSharedCodes(shared: readonly { field: MappingField; text: string; accounts: readonly Account[] }[]): string {
  const list = new Intl.ListFormat('en');
  return shared
    .map(
      ({ field, text, accounts }) =>
        `${MAPPING_LABELS[field]} ${text} is used for ${list.format(accounts.map((account) => ACCOUNT_LABELS[account]))}.`,
    )
    .join(' ');
}

/** Why there is no file of a month's journals. */
export const JOURNAL_REFUSALS = {
  none: 'This month has no journal. The journal is written when the run is approved.',
  no_such_journal: 'This month has no journal with that number.',
  too_long: 'These journals are more than 300 lines, which is more than a file can have. Export them one by one.',
} as const;
