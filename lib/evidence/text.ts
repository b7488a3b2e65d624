import { signOfMoney } from '../core/money.ts';
import { capitalise } from '../core/strings.ts';
import type { MonthState } from './rules/month-state.ts';

/** The groups a reconciliation lists its checks in, in this order. */
export const CHECK_GROUPS = {
  invo: 'What Invo states about itself',
  recipients: 'Recipients',
  lines: 'Lines',
  refunds: 'Refunds',
  parts: 'Whole month against its parts',
} as const;
export type CheckGroup = keyof typeof CHECK_GROUPS;

export interface CheckText {
  /** What the check states. */
  title: string;
  group: CheckGroup;
  /** What `expected` is. */
  expected: string;
  /** What `actual` is. */
  actual: string;
  /** Whether the actual side may stay below the expected one. */
  isBound?: true;
}

/** Each check by its stored name, in words a finance person reads. */
export const CHECK_TEXT: Record<string, CheckText> = {
  notice_fixed: cases('invo', 'All responses carry Invo’s attribution notice', 'responses', 'with the notice'),
  report_made_after_window: cases('invo', 'Each report was created after its window ended', 'reports'),
  net_is_gross_less_reversed: equal('invo', 'Net attributed equals gross minus reversed', 'net attributed', 'gross minus reversed'),
  partner_revenue_is_settled_less_reversed: equal(
    'invo',
    'Partner revenue equals settled minus reversed',
    'partner revenue',
    'settled minus reversed',
  ),
  renewals_split_by_attribution: equal(
    'invo',
    'Renewals settled equal those with and without attribution',
    'renewals settled',
    'with plus without',
  ),
  reasons_sum_to_unattributed: equal('invo', 'Each renewal without attribution has a reason', 'without attribution', 'sum of reasons'),
  gross_is_fee_plus_partner: equal(
    'invo',
    'Settled gross equals Invo fee plus partner revenue',
    'settled gross',
    'fee plus partner revenue',
  ),
  recipients_sum_to_gross: equal('recipients', 'Recipients sum to gross', 'gross', 'sum of recipients'),
  recipients_sum_to_reversed: equal('recipients', 'Recipients sum to reversed', 'reversed', 'sum of recipients'),
  recipients_sum_to_net: equal('recipients', 'Recipients sum to net attributed', 'net attributed', 'sum of recipients'),
  recipient_net_is_gross_less_reversed: equal(
    'recipients',
    'Net attributed equals gross minus reversed for each recipient',
    'net attributed',
    'gross minus reversed',
  ),
  recipients_are_counted: equal('recipients', 'All recipients are present', 'counted by Invo', 'found'),
  subscriptions_are_counted: equal('recipients', 'All subscriptions are present', 'counted by Invo', 'found'),
  renewal_lines_are_counted: equal('lines', 'All renewals of each recipient are present', 'counted by Invo', 'lines found'),
  lines_sum_to_attributed_renewals: equal('lines', 'All attributed renewals have a line', 'counted by Invo', 'lines found'),
  lines_sum_to_gross: equal('lines', 'Lines of each recipient sum to gross', 'gross', 'sum of lines'),
  line_partner_revenue_is_settled_less_reversed: equal(
    'lines',
    'Partner revenue equals settled minus reversed on each line',
    'partner revenue on lines',
    'settled minus reversed',
  ),
  renewals_settled_in_window: cases('lines', 'All lines settled inside the window', 'lines'),
  lines_within_settled: within('lines', 'Lines don’t exceed Invo fee plus partner revenue', 'settled', 'sum of lines'),
  lines_within_gross: within('lines', 'Lines don’t exceed settled gross', 'settled gross', 'sum of lines'),
  attributed_within_base: cases('lines', 'No line attributes more than its base', 'lines'),
  reversals_are_counted: equal('refunds', 'All reversals are present', 'counted by Invo', 'found'),
  reversals_sum_to_reversed: equal('refunds', 'Reversals of each recipient sum to reversed', 'reversed', 'sum of reversals'),
  refund_events_sum_to_reversal: equal('refunds', 'Refunds of each period sum to its reversal', 'reversals', 'sum of refunds'),
  refund_events_chain: cases('refunds', 'Each refund starts where the previous one ended', 'periods'),
  refund_events_within_total: within('refunds', 'Listed refunds don’t exceed Invo’s count', 'counted by Invo', 'listed'),
  full_refund_comes_last: cases('refunds', 'No refund follows a full refund', 'periods'),
  nets_to_zero_is_whole: cases('refunds', 'Fully refunded renewals are marked', 'marks on reversals'),
  refunds_in_window: cases('refunds', 'All refunds were made inside the window', 'refunds'),
  lines_within_reversed: within('refunds', 'Lines don’t exceed partner revenue reversed', 'reversed', 'sum of lines'),
  coarse_reversals_counted: within('refunds', 'Reversals without receipts don’t exceed Invo’s count', 'counted by Invo', 'found'),
  reversed_within_attributed: cases('refunds', 'No reversal exceeds its attribution', 'reversals'),
};

/** Invo's totals, each as a noun. */
const TOTAL_TEXT: Record<string, string> = {
  renewals_settled: 'renewals settled',
  settled_gross_usd: 'settled gross',
  invo_fee_usd: 'Invo fee',
  partner_revenue_settled_usd: 'partner revenue settled',
  partner_revenue_reversed_usd: 'partner revenue reversed',
  partner_revenue_usd: 'partner revenue',
  renewals_with_attribution: 'renewals with attribution',
  renewals_without_attribution: 'renewals without attribution',
  unattributed_reasons: 'reasons without attribution',
  gross_attributed_usd: 'gross',
  reversed_attributed_usd: 'reversed',
  net_attributed_usd: 'net attributed',
  refund_events_in_window: 'refunds',
  reversals_without_receipts: 'reversals without receipts',
  recipient_count: 'recipients',
};

/** One of Invo's totals as a noun; a name without text is shown as it is. */
export function formatTotalName(name: string): string {
  return TOTAL_TEXT[name] ?? name;
}

/** The text of a check by its stored name; a name without text is shown unchanged, in the group of Invo's statements. */
export function checkTextOf(name: string): CheckText {
  const total = name.startsWith('control_') ? name.slice('control_'.length) : null;
  if (total !== null) return equal('parts', capitalise(formatTotalName(total)), 'whole month', 'sum of the parts');
  return CHECK_TEXT[name] ?? equal('invo', name, 'expected', 'found');
}

/** What changed between two snapshots: `net attributed +12.00 USD; 3 lines added, 0 removed, 1 changed.` The amount has its sign. */
export function formatDrift(drift: DriftLines & { net_change_usd: string }): string {
  const { net_change_usd: net } = drift;
  return `net attributed ${signOfMoney(net) === 0 ? 'unchanged' : `${signOfMoney(net) > 0 ? '+' : ''}${net} USD`}; ${formatDriftLines(drift)}`;
}

interface DriftLines {
  lines_added: number;
  lines_removed: number;
  lines_changed: number;
}

/** How many lines differ between two snapshots: `3 lines added, 0 removed, 1 changed.` Renewals without attribution have no lines. */
export function formatDriftLines({ lines_added: added, lines_removed: removed, lines_changed: changed }: DriftLines): string {
  if (added + removed + changed === 0) return '0 lines differ, but totals of the window or of a part of it do.';
  return `${added} ${added === 1 ? 'line' : 'lines'} added, ${removed} removed, ${changed} changed.`;
}

const MONTH_STATE_TEXT: Record<Exclude<MonthState, 'reconciled_with_warnings'>, string> = {
  not_started: 'Not started',
  not_pulled: 'Not pulled',
  pulling: 'Pulling…',
  failed: 'Pull failed',
  open: 'Open',
  incomplete: 'Incomplete',
  not_reconciled: 'Doesn’t reconcile',
  reconciled: 'Reconciled',
  differs: 'Re-check differs',
};

/** The state of a month: `Reconciled`, `Reconciled with 2 warnings`. */
export function formatMonthState(state: MonthState, warningCount: number): string {
  if (state !== 'reconciled_with_warnings') return MONTH_STATE_TEXT[state];
  return `Reconciled with ${warningCount} ${warningCount === 1 ? 'warning' : 'warnings'}`;
}

/** Why a sheet has no spreadsheet, and which file has its rows. */
export function formatTooManyRows(rows_max: number): string {
  return `An Excel file has ${rows_max.toLocaleString('en-US')} rows at most, and this sheet has more. Export the CSV instead: it has every row.`;
}

function equal(group: CheckGroup, title: string, expected: string, actual: string): CheckText {
  return { group, title, expected, actual };
}

function cases(group: CheckGroup, title: string, expected: string, actual = 'true for'): CheckText {
  return { group, title, expected, actual };
}

function within(group: CheckGroup, title: string, expected: string, actual: string): CheckText {
  return { group, title, expected: `${expected}, at most`, actual, isBound: true };
}

/** How a list of recipients matches what is typed; emails only for roles that see them. */
export function formatRecipientMatch(canSeeEmails: boolean): string {
  return `Names ${canSeeEmails ? 'and emails ' : ''}match anywhere, player IDs from their first digit.`;
}
