import type { ListedReason, MatchedRow } from './rules/match-rows.ts';
import type { ReportRefusal, ReportRefusalReason } from './rules/report-row.ts';
import type { ReportedState } from './rules/reported-states.ts';

const REFUSAL_TEXT: Readonly<Record<ReportRefusalReason, string | ((detail: string) => string)>> = {
  empty: 'The report is empty. Download it again.',
  no_rows: 'The report has no rows about payments. Your bank or provider may show some: download it again.',
  too_large: 'The report is larger than 32 MB. Download a shorter period.',
  too_many_rows: 'The report has more than 250,000 rows. Download a shorter period.',
  packed: (detail) => `This is ${detail}. Download the report as CSV, XML or a text file.`,
  encoding: 'The report isn’t in UTF-8 or UTF-16. Download it again with UTF-8 as encoding.',
  doctype: 'The XML contains a DOCTYPE, which no bank sends. Download it again from your bank.',
  broken_xml: 'The XML isn’t complete. Download it again.',
  broken_json: 'The JSON isn’t complete. Download it again.',
  open_quote: 'A quoted cell isn’t closed, so the report may be cut off. Download it again.',
  unknown_layout:
    'This isn’t a report that Sharebook reads: PayPal activity or batch details, a Wise statement, camt.053, camt.054, pain.002, NACHA returns, or lines with payment references and statuses. Download it in English.',
  column_missing: (detail) => `The column “${detail}” is missing. Download the report in English with this column.`,
  column_twice: (detail) => `The column “${detail}” is there twice. Remove one and add the report again.`,
  cells_missing: (detail) => `The row has ${detail} cells, so the report may be cut off. Download it again.`,
  date_cut: (detail) => `The date “${detail}” isn’t complete, so the report may be cut off. Download it again.`,
  date_order: (detail) => `The date “${detail}” can be read in two ways. Choose which number is the day.`,
  date_orders_mixed: 'The dates are written in different orders. Download the report again in one format.',
  truncated: 'The report is damaged or ends too early. Download it again.',
  count_differs: (detail) => `The report states another number of entries than it has: ${detail}. Download it again.`,
  several_accounts: (detail) => `The report is about several accounts: ${detail}. Download one for each.`,
};

/** Why a report is refused, in one sentence that names the row. */
export function formatReportRefusal({ reason, rowNo, detail }: ReportRefusal): string {
  const text = REFUSAL_TEXT[reason];
  const sentence = typeof text === 'string' ? text : text(detail);
  return rowNo === null ? sentence : `Row ${rowNo}: ${sentence}`;
}

/** Why a report about an account isn't recorded, by its last characters. */
export function formatOtherAccount(account: string): string {
  return `The report is about the account that ends in ${account}, and no sender account of this game does. Nothing was stored.`;
}

const STATE_COUNTS: Readonly<Record<ReportedState, string>> = {
  paid: 'paid',
  pending: 'pending',
  failed: 'failed',
  returned: 'returned',
};

/** The order in which a result names what it found. */
const RESULT_ORDER = ['paid', 'pending', 'failed', 'returned'] as const;

const LISTED_COUNTS: Readonly<Record<ListedReason, readonly [one: string, several: string]>> = {
  differs: ['1 differs', 'differ'],
  foreign: ['1 is not ours', 'are not ours'],
  two_references: ['1 names two payments', 'name two payments'],
  unreadable: ['1 can’t be read', 'can’t be read'],
  unknown_word: ['1 has an unknown status', 'have unknown statuses'],
  not_handed_over: ['1 is of a file that wasn’t handed over', 'are of files that weren’t handed over'],
  paid_twice: ['1 may be paid twice', 'may be paid twice'],
  returned_in_part: ['1 was returned in part', 'were returned in part'],
  returned_more: ['1 was returned with more than was paid', 'were returned with more than was paid'],
  total_differs: ['1 total differs', 'totals differ'],
  replaced: ['1 is about a payment that was replaced', 'are about payments that were replaced'],
  dates_contradict: ['1 contradicts the date of another row', 'contradict the dates of other rows'],
  mistyped: ['1 may be ours with a mistyped reference', 'may be ours with mistyped references'],
  before_file: ['1 is dated before its file was created', 'are dated before their file was created'],
};

/** What a report states, in one sentence: “12 rows: 9 paid, 1 returned, 1 differs, 1 is not ours.” Payments of a batch count one by one. */
export function formatReportResult(rowCount: number, matched: readonly MatchedRow[]): string {
  const parts = RESULT_ORDER.flatMap((state) => {
    const count = matched.filter((each) => each.kind === 'confirmed' && each.state === state).length;
    return count === 0 ? [] : [`${count.toLocaleString('en-US')} ${STATE_COUNTS[state]}`];
  });
  for (const [reason, [one, several]] of Object.entries(LISTED_COUNTS)) {
    const count = matched.filter((each) => each.kind === 'listed' && each.reason === reason).length;
    if (count > 0) parts.push(count === 1 ? one : `${count.toLocaleString('en-US')} ${several}`);
  }
  const repeated = matched.filter(({ kind }) => kind === 'repeated').length;
  if (repeated > 0) parts.push(`${repeated.toLocaleString('en-US')} known already`);
  const rows = rowCount === 1 ? '1 row' : `${rowCount.toLocaleString('en-US')} rows`;
  return `${rows}: ${parts.length > 0 ? parts.join(', ') : 'nothing about payments'}.`;
}

/** The longest name of a report that is stored. */
const NAME_LENGTH_MAX = 200;

/**
 * A report's name as it is stored in clear: banks name files by IBAN, customer number or email, so of its stem only days and words without digits stay. The ending stays
 * with at most three digits.
 */
export function nameInClear(fileName: string): string {
  const name = fileName.slice(-NAME_LENGTH_MAX);
  const [ending = ''] = /\.[a-z]*\d{0,3}[a-z]*$/i.exec(name) ?? [];
  const stem = name
    .slice(0, name.length - ending.length)
    .replaceAll(/\S*@\S*|20\d\d-\d\d-\d\d|[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*/gu, (found) => (/^20\d\d-\d\d-\d\d$/.test(found) ? found : '…'));
  return stem.replaceAll(/…(?:[\s._-]*…)+/g, '…') + ending;
}
