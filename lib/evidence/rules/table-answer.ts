import { signOfMoney } from '../../core/money.ts';
import type { Month } from '../../core/month.ts';
import type { RenewalLine } from './evidence.ts';
import type { SheetName } from './sheets.ts';

/** Version of what is rendered with a snapshot; raise it whenever the bytes of a file or of a table answer change. */
export const RENDITION_VERSION = 3;

/** Rows a browser holds of one table at most; a longer sheet is loaded in parts. */
export const TABLE_ROWS_MAX = 50_000;

/** Rows a page is sent with: more than are in sight on a laptop. */
export const HEAD_ROWS = 24;

/** A recipient of a month as a table shows them. Amounts in USD, exact text; instants as reported. */
export interface RecipientFacts {
  recipient_player_id: number;
  /** As reported; null: not reported, or an email, which is loaded with the addresses. */
  recipient_name: string | null;
  /** In full or masked, by the role of who reads; null: not reported, or not loaded yet. */
  recipient_email: string | null;
  recipient_identity_id: string | null;
  resolved: boolean | null;
  renewal_count: number;
  subscription_count: number;
  gross_attributed_usd: string;
  reversed_attributed_usd: string;
  net_attributed_usd: string;
  first_paid_at: string | null;
  last_paid_at: string | null;
  baseMismatchCount: number;
  coarseReversalCount: number;
  netsToZeroCount: number;
  /** Months settled before this window that are reversed in it, oldest first. */
  reversedMonths: Month[];
  /** Net of the month before; null: no row that month, or the month is not complete. */
  previousNet: string | null;
  isFirstTime: boolean;
  /** Six months, oldest first, this one last. */
  sixMonths: MonthNet[];
}

export interface MonthNet {
  month: Month;
  /** USD; null: no row that month, or the month was never completed. */
  net: string | null;
}

/** An attributed renewal as a table shows it: what was stored of its line, and two facts beside it. */
export interface RenewalFacts extends Pick<RenewalLine, Exclude<(typeof RENEWAL_COLUMNS)[number], 'expectedBase'>> {
  recipientName: string | null;
  /** Invo's recomputation of the base; null: not recorded. */
  expectedBase: string | null;
}

/** A refund event, or a reversal without receipts, as a table shows it. */
export interface ReversalFacts {
  recipient_player_id: number;
  recipientName: string | null;
  period_id: number;
  subscription_id: string;
  period_seq: number | null;
  paid_at: string;
  reversal_basis: string;
  refunded_at: string | null;
  refunded_amount_usd: string | null;
  is_full_refund: boolean | null;
  originally_attributed_usd: string;
  reversed_attributed_usd: string;
  partner_revenue_reversed_usd: string | null;
  partner_revenue_reversal_basis: string | null;
  nets_to_zero_in_window: boolean;
  /** Distinguishes the events of one period in one slice; null: without receipts. */
  eventNo: number | null;
  /** The month the reversed period settled in, in the game's reporting time zone. */
  settledMonth: Month;
  /** Settled before the window. */
  isEarlier: boolean;
}

/** The facts of a row by sheet. */
export interface SheetFacts {
  recipients: RecipientFacts;
  renewals: RenewalFacts;
  reversals: ReversalFacts;
}

type RecipientColumn = Exclude<keyof RecipientFacts, 'recipient_email' | 'previousNet' | 'isFirstTime' | 'sixMonths'>;

const RECIPIENT_COLUMNS: RecipientColumn[] = [
  'recipient_player_id',
  'recipient_name',
  'recipient_identity_id',
  'resolved',
  'renewal_count',
  'subscription_count',
  'gross_attributed_usd',
  'reversed_attributed_usd',
  'net_attributed_usd',
  'first_paid_at',
  'last_paid_at',
  'baseMismatchCount',
  'coarseReversalCount',
  'netsToZeroCount',
  'reversedMonths',
];

const RENEWAL_COLUMNS = [
  'recipient_player_id',
  'period_id',
  'subscription_id',
  'period_seq',
  'item_id',
  'item_name',
  'status',
  'period_start',
  'period_end',
  'paid_at',
  'amount_usd',
  'invo_fee_usd',
  'partner_revenue_settled_usd',
  'percent_at_renewal',
  'base_usd',
  'attributed_amount_usd',
  'base_matches_settled_fee',
  'expectedBase',
  'rail',
  'amount_coins',
  'balance_applied_coins',
  'card_charged_usd',
  'pcstore_charged_usd',
  'transaction_id',
  'mint_order_id',
] as const;

const REVERSAL_COLUMNS: Exclude<keyof ReversalFacts, 'recipientName'>[] = [
  'recipient_player_id',
  'period_id',
  'subscription_id',
  'period_seq',
  'paid_at',
  'reversal_basis',
  'refunded_at',
  'refunded_amount_usd',
  'is_full_refund',
  'originally_attributed_usd',
  'reversed_attributed_usd',
  'partner_revenue_reversed_usd',
  'partner_revenue_reversal_basis',
  'nets_to_zero_in_window',
  'eventNo',
  'settledMonth',
  'isEarlier',
];

/** What a table answer has of each row; it holds no email, and nothing that depends on other months or on who reads. */
export const TABLE_COLUMNS: Record<SheetName, readonly string[]> = {
  recipients: RECIPIENT_COLUMNS,
  renewals: RENEWAL_COLUMNS,
  reversals: REVERSAL_COLUMNS,
};

/** Rows by column, in the order of the sheet; all columns have the same length. */
export interface TableColumns {
  columns: Record<string, unknown[]>;
  /** Names of the recipients of lines, by player ID; null: not reported, or an email. */
  names: Record<string, string | null>;
}

/** How the recipients of a month stand beside other months; rows in the order of the recipients sheet. */
export interface ComparisonColumns {
  /** Six months, oldest first, the month itself last. */
  months: Month[];
  /** The month before is complete, so there is a change to state. */
  hasPrevious: boolean;
  /** For each of the five months before, the net of each recipient. USD, exact text; null: no row, or the month is not complete. */
  nets: (string | null)[][];
  /** Whether each recipient appears for the first time. */
  isFirstTime: boolean[];
}

/** What the page of a table needs of a rendition: counts of each filter, and the first rows. */
export interface TableHead extends TableColumns {
  counts: Record<string, number>;
}

/** What the recipients page needs of a comparison. */
export interface ComparisonHead extends ComparisonColumns {
  counts: { first: number; changed: number };
  /** Sum of the nets of the month before, over the recipients of this one. USD. */
  previousNet: string;
}

/** Emails of a snapshot by player ID, in full or masked; a name is given where it is an email too. */
export type Addresses = Record<string, { email: string | null; name?: string }>;

/** The facts of the recipient at an index of the sheet. Addresses may not be loaded yet. */
export function recipientAt(
  table: TableColumns,
  comparison: ComparisonColumns,
  addresses: Addresses | null,
  index: number,
): RecipientFacts {
  const own = rowAt<Pick<RecipientFacts, RecipientColumn>>(table, index);
  const address = addresses?.[own.recipient_player_id];
  const nets = comparison.nets.map((column) => column[index] ?? null);
  return {
    ...own,
    recipient_name: own.recipient_name ?? address?.name ?? null,
    recipient_email: address?.email ?? null,
    previousNet: nets.at(-1) ?? null,
    isFirstTime: comparison.isFirstTime[index] === true,
    sixMonths: comparison.months.map((month, place) => ({
      month,
      net: place < nets.length ? (nets[place] ?? null) : own.net_attributed_usd,
    })),
  };
}

/** The facts of the line at an index of the sheet. */
export function lineAt<Facts extends RenewalFacts | ReversalFacts>(table: TableColumns, addresses: Addresses | null, index: number): Facts {
  const own = rowAt<Facts>(table, index);
  const id = String(own.recipient_player_id);
  return { ...own, recipientName: table.names[id] ?? addresses?.[id]?.name ?? null };
}

/** The columns are named by the facts, so a row of them has those fields; they were written from the same list. */
function rowAt<Facts>({ columns }: TableColumns, index: number): Facts {
  return Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[index]])) as Facts;
}

/** The ready-made filters above the recipients of a month; the last two depend on other months. */
export const RECIPIENT_FILTERS = ['all', 'negative', 'zero', 'unresolved', 'open_items', 'first', 'changed'] as const;
export type RecipientFilterName = (typeof RECIPIENT_FILTERS)[number];

/** Those above its lines. */
export const RENEWAL_FILTERS = ['all', 'base'] as const;

/** Those above its reversals. `earlier`: of periods settled before the window; `coarse`: without receipts. */
export const REVERSAL_FILTERS = ['all', 'earlier', 'coarse'] as const;

/** Which rows each filter leaves, as far as a snapshot decides it alone. */
export const SHEET_FILTERS: { [Sheet in SheetName]: Record<string, (row: Partial<SheetFacts[Sheet]>) => boolean> } = {
  recipients: {
    negative: ({ net_attributed_usd = '0' }) => signOfMoney(net_attributed_usd) < 0,
    zero: ({ net_attributed_usd = '0' }) => signOfMoney(net_attributed_usd) === 0,
    unresolved: ({ resolved }) => resolved === false,
    open_items: ({ resolved, baseMismatchCount = 0, coarseReversalCount = 0 }) =>
      resolved === false || baseMismatchCount > 0 || coarseReversalCount > 0,
  },
  renewals: { base: ({ base_matches_settled_fee }) => base_matches_settled_fee === false },
  reversals: {
    earlier: ({ isEarlier = false }) => isEarlier,
    coarse: ({ reversal_basis }) => reversal_basis === 'period_row',
  },
};
