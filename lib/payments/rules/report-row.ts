import { compareMoney } from '#lib/core/money.ts';
import { isPlausibleDay } from './report-cells.ts';
import type { ReportedState } from './reported-states.ts';

/** The layouts of reports about payments. */
export const REPORT_KINDS = [
  'paypal_activity',
  'paypal_batch',
  'wise_statement',
  'camt_053',
  'camt_054',
  'pain_002',
  'nacha_returns',
  'generic',
  'pasted',
] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** Which number of a report's dates is the day, as a person chose. */
export const DATE_ORDERS = ['day_first', 'month_first'] as const;
export type ChosenDateOrder = (typeof DATE_ORDERS)[number];

/** An amount without its sign, exact decimal text, in a currency of three letters. */
export interface ReportedAmount {
  amount: string;
  currency: string;
}

/** One row of a report, whatever its layout. */
export interface ReportRow {
  /** The line of a text file; elsewhere 1, 2, 3 … in the order of the report. */
  rowNo: number;
  /** A cell that can't be read without a guess; such a row changes nothing. */
  unreadable: 'amount' | 'date' | null;
  /** null: the report's word isn't known, and the row changes nothing. */
  state: ReportedState | null;
  /** The word that says it, as the report writes it. */
  word: string;
  /** The payment references in its cells, upper case, each once. */
  references: string[];
  /** Words in its cells that may be a payment reference with one wrong letter, upper case, each once. */
  mistyped: string[];
  /** What may be compared with a payment, the most precise first. Empty: the layout carries no amount. */
  amounts: ReportedAmount[];
  /** Whether the layout has an amount in each row. Where it has one, a payment is confirmed only by an equal amount. */
  hasAmount: boolean;
  /** The provider's ID of this movement; null: it gives none. */
  providerId: string | null;
  /** The provider's ID of the movement that this one is about: a return names its payment. */
  relatedId: string | null;
  /** Trace number of an ACH entry, 15 digits. */
  trace: string | null;
  /** The batch ID of a file, when the row answers for all its payments. */
  batchId: string | null;
  /** The provider's date, `2026-11-05`; null: it gives none. */
  occurredOn: string | null;
  /** Such as R01 or AC04. */
  reasonCode: string | null;
  /** Its cells as one line, for a person who decides about it. */
  text: string;
  /** SHA-256 of its cells and of its number among equal rows, hex: recognises a row without a provider ID. */
  digest: string;
}

/** A report that was read to its end. */
export interface ParsedReport {
  kind: ReportKind;
  /** The account it is about, an IBAN or a number without spaces; null: the layout names none. */
  account: string | null;
  rows: ReportRow[];
  /** Rows that are about fees or conversions alone and are left out. */
  feeRows: number;
}

/** Why a report is refused as a whole; nothing of it is stored. */
export const REPORT_REFUSALS = [
  'empty',
  'no_rows',
  'too_large',
  'too_many_rows',
  'packed',
  'encoding',
  'doctype',
  'broken_xml',
  'broken_json',
  'open_quote',
  'unknown_layout',
  'column_missing',
  'column_twice',
  'cells_missing',
  'date_cut',
  'date_order',
  'date_orders_mixed',
  'truncated',
  'count_differs',
  'several_accounts',
] as const;
export type ReportRefusalReason = (typeof REPORT_REFUSALS)[number];

export interface ReportRefusal {
  reason: ReportRefusalReason;
  /** The row it is about; null: the whole report. */
  rowNo: number | null;
  /** The column, the cell or the count that the sentence names; empty: none. */
  detail: string;
}

/** A refusal as an exception, so that a reader stops where it finds the fault. `readReport` catches it. */
export class RefusedReport extends Error {
  readonly refusal: ReportRefusal;

  constructor(refusal: ReportRefusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/** Refuses a report as a whole. Throws `RefusedReport`. */
export function refuse(reason: ReportRefusalReason, rowNo: number | null = null, detail = ''): never {
  throw new RefusedReport({ reason, rowNo, detail });
}

/** A row whose date is implausible when the report is added, an instant, has a date that can't be read. */
export function withPlausibleDay(row: ReportRow, addedAt: string): ReportRow {
  return row.occurredOn === null || isPlausibleDay(row.occurredOn, addedAt) ? row : { ...row, occurredOn: null, unreadable: 'date' };
}

/** How amounts of a row differ from that of a payment; null: one of them is equal. */
export function compareReported(
  amounts: readonly ReportedAmount[],
  state: ReportedState | null,
  { amount, currency }: ReportedAmount,
): 'differs' | 'returned_in_part' | 'returned_more' | null {
  const inCurrency = amounts.filter((each) => each.currency === currency);
  if (inCurrency.some((each) => compareMoney(each.amount, amount) === 0)) return null;
  const [first] = inCurrency;
  if (state !== 'returned' || first === undefined) return 'differs';
  return compareMoney(first.amount, amount) < 0 ? 'returned_in_part' : 'returned_more';
}
