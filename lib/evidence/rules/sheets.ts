import type { SheetColumn } from '#lib/core/csv.ts';
import { sumMoney } from '#lib/core/money.ts';

export const SHEETS = ['recipients', 'renewals', 'reversals'] as const;
export type SheetName = (typeof SHEETS)[number];

/** Reads the name of a sheet; null when there is none of that name. */
export function parseSheet(text: string): SheetName | null {
  return SHEETS.find((name) => name === text) ?? null;
}

export const SHEET_FORMATS = ['csv', 'xlsx'] as const;
export type SheetFormat = (typeof SHEET_FORMATS)[number];

/** Reads the name of a format; null when there is none of that name. */
export function parseSheetFormat(text: string): SheetFormat | null {
  return SHEET_FORMATS.find((name) => name === text) ?? null;
}

const WINDOW: SheetColumn[] = [
  { key: 'game', label: 'Game', kind: 'text' },
  { key: 'environment', label: 'Environment', kind: 'text' },
  { key: 'window_start', label: 'Window start', kind: 'instant' },
  { key: 'window_end', label: 'Window end, not included', kind: 'instant' },
  { key: 'snapshot_id', label: 'Snapshot', kind: 'count' },
];

/** The columns of each sheet in the order of the file (product page, contracts that do not change). */
export const SHEET_COLUMNS: Record<SheetName, SheetColumn[]> = {
  recipients: [
    ...WINDOW,
    { key: 'recipient_player_id', label: 'Player', kind: 'count' },
    { key: 'recipient_email', label: 'Email', kind: 'text' },
    { key: 'recipient_name', label: 'Recipient', kind: 'text' },
    { key: 'recipient_identity_id', label: 'Identity', kind: 'text' },
    { key: 'resolved', label: 'Found by Invo', kind: 'boolean' },
    { key: 'renewal_count', label: 'Renewals', kind: 'count', isSummed: true },
    { key: 'subscription_count', label: 'Subscriptions', kind: 'count' },
    { key: 'gross_attributed_usd', label: 'Gross', kind: 'money', isSummed: true },
    { key: 'reversed_attributed_usd', label: 'Reversed', kind: 'money', isSummed: true },
    { key: 'net_attributed_usd', label: 'Net attributed', kind: 'money', isSummed: true },
    { key: 'first_paid_at', label: 'First settled', kind: 'instant' },
    { key: 'last_paid_at', label: 'Last settled', kind: 'instant' },
  ],
  renewals: [
    ...WINDOW,
    { key: 'recipient_player_id', label: 'Recipient', kind: 'count' },
    { key: 'period_id', label: 'Period', kind: 'count' },
    { key: 'subscription_id', label: 'Subscription', kind: 'text' },
    { key: 'period_seq', label: 'No.', kind: 'count' },
    { key: 'item_id', label: 'Item ID', kind: 'text' },
    { key: 'item_name', label: 'Item', kind: 'text' },
    { key: 'status', label: 'Status when pulled', kind: 'text' },
    { key: 'period_start', label: 'Billing period from', kind: 'instant' },
    { key: 'period_end', label: 'Billing period to', kind: 'instant' },
    { key: 'paid_at', label: 'Settled', kind: 'instant' },
    { key: 'amount_usd', label: 'Price', kind: 'money', isSummed: true },
    { key: 'invo_fee_usd', label: 'Invo fee', kind: 'money', isSummed: true },
    { key: 'partner_revenue_settled_usd', label: 'Partner revenue, settled', kind: 'money', isSummed: true },
    { key: 'percent_at_renewal', label: 'Share', kind: 'percent' },
    { key: 'base_usd', label: 'Base after fee', kind: 'money' },
    { key: 'attributed_amount_usd', label: 'Attributed', kind: 'money', isSummed: true },
    { key: 'base_matches_settled_fee', label: 'Base matches fee', kind: 'boolean' },
    { key: 'rail', label: 'Rail', kind: 'text' },
    { key: 'amount_coins', label: 'Price in coins', kind: 'coins' },
    { key: 'balance_applied_coins', label: 'Coins applied', kind: 'coins' },
    { key: 'card_charged_usd', label: 'Charged to card', kind: 'money' },
    { key: 'pcstore_charged_usd', label: 'Charged by store', kind: 'money' },
    { key: 'transaction_id', label: 'Transaction', kind: 'text' },
    { key: 'mint_order_id', label: 'Order', kind: 'text' },
  ],
  reversals: [
    ...WINDOW,
    { key: 'recipient_player_id', label: 'Recipient', kind: 'count' },
    { key: 'period_id', label: 'Period', kind: 'count' },
    { key: 'subscription_id', label: 'Subscription', kind: 'text' },
    { key: 'period_seq', label: 'No.', kind: 'count' },
    { key: 'paid_at', label: 'Settled', kind: 'instant' },
    { key: 'settled_in_this_window', label: 'Settled in', kind: 'boolean' },
    { key: 'reversal_basis', label: 'Basis', kind: 'text' },
    { key: 'refunded_at', label: 'Refunded', kind: 'instant' },
    { key: 'refunded_amount_usd', label: 'Refund', kind: 'money', isSummed: true },
    { key: 'is_full_refund', label: 'Completes the refund', kind: 'boolean' },
    { key: 'originally_attributed_usd', label: 'Originally attributed', kind: 'money' },
    { key: 'reversed_attributed_usd', label: 'Reversed', kind: 'money', isSummed: true },
    { key: 'partner_revenue_reversed_usd', label: 'Partner revenue reversed', kind: 'money', isSummed: true },
    { key: 'partner_revenue_reversal_basis', label: 'Partner basis', kind: 'text' },
    { key: 'nets_to_zero_in_window', label: 'Nets to zero in this window', kind: 'boolean' },
  ],
};

/** What Invo's figures are and are not; it travels with every page and file that shows them (document 2, attribution notice). */
export const ATTRIBUTION_NOTICE = {
  settled_by_invo: false,
  invo_has_paid_no_recipient: true,
  document_type: 'attribution_report',
  not_a_remittance_advice: true,
  payer: 'partner',
  statement: 'Attribution report, not a remittance advice. Invo settles to the partner only and has paid no recipient; the payer is you.',
} as const;

/** The sums of a sheet's summed columns, exact. */
export class ColumnSums {
  readonly #columns: SheetColumn[];
  readonly #sums: Record<string, string>;

  constructor(columns: SheetColumn[]) {
    this.#columns = columns.filter((column) => column.isSummed);
    this.#sums = Object.fromEntries(this.#columns.map(({ key, kind }) => [key, kind === 'count' ? '0' : '0.00']));
  }

  add(rows: Record<string, unknown>[]): void {
    for (const { key, kind } of this.#columns) {
      const cells = rows.flatMap((row) => (row[key] === null ? [] : [String(row[key])]));
      const sum = sumMoney([this.#sums[key] ?? '0', ...cells]);
      this.#sums[key] = kind === 'count' ? sum.replace(/\.00$/, '') : sum;
    }
  }

  read(): Record<string, string> {
    return { ...this.#sums };
  }
}
