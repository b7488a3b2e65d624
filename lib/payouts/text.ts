import { formatUsd, normalizeMoney } from '#lib/core/money.ts';
import { ACCOUNT_IN_TEXT, APPROVER_TEXT } from '../approvals/text.ts';
import type { CheckFigure, CheckItem } from './rules/close-input.ts';
import type { Outcome } from './rules/decide-line.ts';
import type { AdjustmentKind, Conclusion, HoldReason } from './rules/policy.ts';
import type { RunProgress } from './rules/run-content.ts';

/** Why nothing is started, submitted or approved after a restore. */
export const PAYOUTS_PAUSED = 'Payouts are paused, because the database was restored from a backup. The Payouts page says what to check.';

/** The outcome of a line as a chip or a column shows it. */
export const OUTCOME_TEXT: Readonly<Record<Outcome, string>> = {
  payable: 'Payable',
  negative_balance: 'Negative balance',
  nothing_due: 'Nothing due',
  unresolved: 'Unresolved',
  excluded: 'Excluded',
  on_hold: 'On hold',
  no_details: 'No payment details',
  below_minimum: 'Below minimum',
};

/** The state of a run, and how far the payments of an approved one are. */
export const RUN_STATE_TEXT: Readonly<Record<RunProgress, string>> = {
  draft: 'Draft',
  submitted: 'In review',
  rejected: 'Rejected',
  approved: 'Approved',
  exported: 'Exported',
  paid: 'Paid',
  closed: 'Closed',
  void: 'Voided',
};

/** The columns of a run, by their names in totals. */
export const RUN_COLUMN_TEXT = {
  opening: 'Opening',
  earned: 'Earned',
  reversed: 'Reversed',
  pinned: 'Already deducted',
  adjusted: 'Adjustments',
  returned: 'Returned',
  due: 'Due',
  payable: 'Payable',
  closing: 'Carried forward',
} as const;

/** The note of a hold that a draft sets. */
export const HOLD_NOTES: Readonly<Record<'base_mismatch' | 'open_refund', string>> = {
  base_mismatch: 'The base of this period differs from the settled fee.',
  open_refund: 'A refund of this period is open, or Invo hasn’t reported its reversal yet.',
};

/** Why a payment is held. */
export const HOLD_REASON_TEXT: Readonly<Record<HoldReason | 'excluded', string>> = {
  dispute: 'Dispute',
  fraud_warning: 'Fraud warning',
  identity: 'Identity',
  legal: 'Legal',
  asked_by_recipient: 'Requested by the recipient',
  base_mismatch: 'Base mismatch',
  open_refund: 'Open refund',
  other: 'Other',
  excluded: 'Excluded from one run',
};

/** What is wrong with an entry of a hold, an exclusion or a minimum, by field and problem. */
export const HOLD_ERRORS: Readonly<Record<string, string>> = {
  'amount.not_an_amount': 'Enter an amount above zero in whole cents, such as 4.50, or leave it empty.',
  'note.missing': 'Enter a note.',
  'note.too_long': 'Use at most 500 characters.',
  'note.account': ACCOUNT_IN_TEXT,
  'expiresAt.past': 'Enter a day after today, or leave it empty.',
  'expiresAt.unknown': 'Enter a day, or leave it empty.',
  'periodId.unknown': 'This recipient has no settled period with this ID.',
  'reason.unknown': 'Choose a reason.',
};

/** Why a proposal isn't stored or decided. */
export const DECISION_REFUSALS = {
  not_allowed: 'Your role can’t do this. Nothing was saved.',
  ...APPROVER_TEXT,
  same_person: 'You proposed this. Someone else must confirm it.',
  moved_on: 'Nothing was saved: it was already decided. Reload the page.',
  too_late:
    'Nothing was saved: “Owed from before Sharebook” opens the first run, which is in review or approved. Withdraw it and propose a correction.',
} as const;

/** Kinds of adjustments. */
export const ADJUSTMENT_KIND_TEXT: Readonly<Record<AdjustmentKind, string>> = {
  correction: 'Correction',
  drift: 'Changed evidence of an earlier month',
  goodwill: 'Goodwill',
  write_off: 'Write-off',
  transfer: 'Transfer to another recipient',
  paid_elsewhere: 'Paid outside Sharebook',
  brought_forward: 'Owed from before Sharebook',
};

/** Who loses and who gets what in a transfer, before it is proposed. */
export function formatTransfer({ from, to, amount_usd }: { from: string; to: string; amount_usd: string }): string {
  return `${from} loses ${formatUsd(normalizeMoney(amount_usd))} and ${to} gets ${formatUsd(normalizeMoney(amount_usd))}. A second person must confirm both.`;
}

/** The result of the search for renewals without attribution. */
export const CONCLUSION_TEXT: Readonly<Record<Conclusion, string>> = {
  nothing_owed: 'Nothing owed',
  owed_and_adjusted: 'Owed, and adjusted',
  raised_with_invo: 'Raised with Invo',
  not_findable: 'Not traceable',
};

/** Heads of the figures that a row of an item shows. */
export const FIGURE_TEXT: Readonly<Record<CheckFigure, string>> = {
  expected: 'Invo',
  actual: 'Evidence',
  attributed: 'Attributed',
  held: 'Held',
  reported: 'Reported',
  already_deducted: 'Already deducted',
  deducted: 'Deducted now',
  last_month: 'Last month',
  change: 'Change',
  due: 'Due',
  payable: 'Payable',
  net_change: 'Net change',
  reported_then: 'Reversed when paid',
  reported_now: 'Reversed now',
  deducted_so_far: 'Deducted',
};

interface CheckText {
  title: string;
  /** What it means, and what to do. */
  advice: string;
}

const noun = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
const has = (count: number, one: string, many: string): string => (count === 1 ? one : many);

/** The text of each item, by its key and how many it counts. */
const CHECK_TEXT: Readonly<Record<string, (count: number) => CheckText>> = {
  statement_complete: () => ({
    title: 'The month is not complete',
    advice: 'Pull the month again. A run pays only what Invo reported in full.',
  }),
  rechecked: () => ({
    title: 'Re-check needed',
    advice: 'Compare the month with Invo again before the run is submitted or approved. One call is enough when nothing changed.',
  }),
  recheck_differs: () => ({
    title: 'Invo reports other totals',
    advice: 'They differ from this snapshot, so nothing is submitted or approved from it. Re-check the month to pull what changed.',
  }),
  pull_active: () => ({
    title: 'A pull of this month hasn’t ended',
    advice: 'It may find other figures. The run can be submitted or approved when the pull ends and finds none.',
  }),
  pull_failed: () => ({
    title: 'The last pull of this month failed',
    advice: 'Invo may report other figures now. Re-check the month before the run is submitted or approved.',
  }),
  not_contradicted: () => ({
    title: 'A newer snapshot differs',
    advice: 'Invo reports other figures now. Recalculate the run to pay from the newest complete snapshot.',
  }),
  follows: () => ({
    title: 'The month before has no approved run',
    advice: 'Close the months in order: each run opens with what the one before carried forward.',
  }),
  earned_once: (count) => ({
    title: `${noun(count, 'renewal')} ${has(count, 'was', 'were')} paid in an earlier run`,
    advice: 'The same renewals are in the snapshot of an earlier run. Re-check that month before you pay.',
  }),
  eur_rate: (count) => ({
    title: `${noun(count, 'SEPA payment')} without a EUR rate`,
    advice: 'SEPA moves euros. Enter the rate in USD per EUR on the run’s page; the approval covers it.',
  }),
  reversal_sane: (count) => ({
    title: `${noun(count, 'reversal')} below zero`,
    advice: 'Invo reports a negative reversal, which no refund explains. Ask Invo before you pay.',
  }),
  spend_order_not_found: (count) => ({
    title: `${noun(count, 'renewal')} without a settlement record`,
    advice: 'Invo couldn’t reach the settlement record, so a recipient may be owed. Record what you found.',
  }),
  attribution_not_recorded: (count) => ({
    title: `${noun(count, 'renewal')} without a recorded attribution`,
    advice: 'A share was in force, but Invo holds no attribution.',
  }),
  attribution_malformed: (count) => ({
    title: `${noun(count, 'renewal')} with a malformed attribution`,
    advice: 'Invo holds an attribution it can’t read.',
  }),
  no_revenue_share_configured: (count) => ({
    title: `${noun(count, 'renewal')} without a revenue share`,
    advice: 'No recipient earns on them.',
  }),
  warnings: (count) => ({
    title: noun(count, 'reconciliation warning'),
    advice: 'The evidence differs from what Invo states. No figure was adjusted.',
  }),
  base_mismatch: (count) => ({
    title: `${noun(count, 'renewal')} with a different base`,
    advice: 'Invo applied the share to another base than price minus fee. The amounts are held until you release them.',
  }),
  open_refunds: (count) => ({
    title: `${noun(count, 'refunded period')} without a reported reversal`,
    advice: 'The refund is open, or Invo hasn’t reported its reversal yet. The amounts are held until you release them.',
  }),
  coarse: (count) => ({
    title: `${noun(count, 'reversal')} without receipts`,
    advice: 'Invo repeats the total of a period’s refunds; only the part not deducted before is deducted.',
  }),
  pinned_exact: (count) => ({
    title: `${noun(count, 'reversal')} beyond the attributed amount`,
    advice: 'More was reported as reversed than was attributed. Only what was left is deducted.',
  }),
  drift: (count) => ({
    title: `${noun(count, 'period')} of closed months changed since ${has(count, 'it was', 'they were')} paid`,
    advice: 'Approved runs don’t change. If a recipient is owed more or less, propose an adjustment that names the run and the period.',
  }),
  drift_coarse: (count) => ({
    title: `${noun(count, 'reversal')} without receipts changed in ${has(count, 'a closed month', 'closed months')}`,
    advice:
      'Invo moves such a reversal to the month of the latest refund, where a run deducts what is left. Don’t adjust it unless no later month reports it.',
  }),
  adjustments_stranded: (count) => ({
    title: `${noun(count, 'confirmed adjustment')} that no run will include`,
    advice: '“Owed from before Sharebook” belongs to the first run. Withdraw it and propose a correction of the same amount.',
  }),
  movers: (count) => ({
    title: `${noun(count, 'recipient')} changed by more than the policy’s limit`,
    advice: 'Their net differs that much from last month.',
  }),
  first_payments: (count) => ({ title: noun(count, 'first payment'), advice: 'No earlier run paid these recipients.' }),
  identity_offset: (count) => ({
    title: `${noun(count, 'recipient')} of one identity with opposite balances`,
    advice: 'Balances aren’t offset automatically. Propose a transfer if you want that.',
  }),
  holds: (count) => ({ title: `${noun(count, 'recipient')} on hold`, advice: '' }),
  payable: (count) => ({ title: `Payable to ${noun(count, 'recipient')}`, advice: '' }),
  changed_details: (count) => ({
    title: `${noun(count, 'payment')} to new payment details`,
    advice: 'The recipients were paid to other details, or to none in Sharebook, last time. Confirm with them by a way you already know.',
  }),
  shared_account: (count) => ({
    title: `${noun(count, 'payment')} to an account that several identities share`,
    advice: 'One account is in force for recipients that Invo reports as different people. Find out why before you pay.',
  }),
  unresolved: (count) => ({ title: noun(count, 'unresolved recipient'), advice: '' }),
  negative_balance: (count) => ({ title: noun(count, 'negative balance'), advice: '' }),
  no_details: (count) => ({
    title: `${noun(count, 'recipient')} without payment details`,
    advice:
      'They have no payment details in force, or Invo reports another identity than the details were made for. Enter or confirm details under Payouts, Payment details.',
  }),
  no_sender: (count) => ({ title: `${noun(count, 'method')} without a sender account`, advice: 'Without one no payment file is created.' }),
  below_minimum: (count) => ({ title: `${noun(count, 'recipient')} below the minimum`, advice: '' }),
  excluded: (count) => ({ title: `${noun(count, 'recipient')} excluded`, advice: '' }),
  nets_to_zero: (count) => ({ title: `${noun(count, 'renewal')} earned and refunded in the month`, advice: '' }),
  holds_ended: (count) => ({ title: `${noun(count, 'hold')} ended since the last run`, advice: '' }),
  adjustments_unconfirmed: (count) => ({ title: `${noun(count, 'adjustment')} not confirmed`, advice: '' }),
  card_fees_not_read: () => ({ title: 'Card fees on refunds not read', advice: '' }),
  card_fees: (count) => ({ title: `Card fees on ${noun(count, 'refund')}`, advice: '' }),
};

/** The text of an item of the close. A reason of Invo that Sharebook doesn't know is shown as Invo wrote it. */
export function formatCheck({ key, count }: Pick<CheckItem, 'key' | 'count'>): CheckText {
  const known = Object.hasOwn(CHECK_TEXT, key) ? CHECK_TEXT[key] : undefined;
  return (
    known?.(count) ?? {
      title: `${noun(count, 'renewal')} without attribution: ${key}`,
      advice: 'Sharebook doesn’t know this reason. Ask Invo what it means, then record what you found.',
    }
  );
}

/** The title of an item of the close without how many it counts. */
export function formatCheckTitle(key: string): string {
  return formatCheck({ key, count: 2 }).title.replace(/^2 /, '');
}

/** Checks that passed, in a few words each. */
export const PASSED_TEXT: Readonly<Record<string, string>> = {
  statement_complete: 'complete',
  rechecked: 're-checked',
  not_contradicted: 'current snapshot',
  follows: 'follows the run before',
  earned_once: 'no renewal paid twice',
  reversal_sane: 'no negative reversals',
  eur_rate: 'EUR rate',
  spend_order_not_found: 'no unknown reasons',
};

/** Why a run that was voided after its approval has no statements any more. */
export const VOIDED_STATEMENTS = 'This run was voided. Its statements no longer count and can’t be downloaded.';
