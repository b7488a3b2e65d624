import { formatDay, formatMonth } from '../core/date-text.ts';
import { parseInstant } from '../core/instant.ts';
import { compareMoney, floorCents, formatMoney, formatUsd, normalizeMoney, signOfMoney, subtractMoney } from '../core/money.ts';
import { monthOf } from '../core/month.ts';
import type { DecidedLine, Outcome } from './rules/decide-line.ts';
import type {
  EarnedRenewal,
  RunRef,
  StatedAdjustment,
  StatedReversal,
  Statement,
  StatementRow,
  StatementSection,
} from './rules/statement.ts';

/** The outcome of a line as a chip or a column shows it. */
export const OUTCOME_TEXT: Readonly<Record<Outcome, string>> = {
  payable: 'Payable',
  negative_balance: 'Negative balance',
  nothing_due: 'Nothing due',
  unresolved: 'Unresolved',
  excluded: 'Excluded',
  on_hold: 'On hold',
  below_minimum: 'Below minimum',
};

/** The note of a hold that a draft places. */
export const HOLD_NOTES: Readonly<Record<'base_mismatch' | 'open_refund', string>> = {
  base_mismatch: 'The base of this period differs from the settled fee.',
  open_refund: 'A refund of this period is open, or Invo hasn’t reported its reversal yet.',
};

/** What the sentence of an outcome is made from. Amounts in USD. */
export type OutcomeFacts = Pick<
  DecidedLine,
  'recipientId' | 'outcome' | 'due_usd' | 'held_usd' | 'minimum_usd' | 'together_usd' | 'payable_usd' | 'closing_usd'
>;

/** Why a line pays what it pays, for a person of the studio and for the recipient alike. Why something is on hold is not for the recipient. */
export function formatOutcome(line: OutcomeFacts): string {
  const { recipientId, outcome, due_usd, held_usd, closing_usd } = line;
  const carried = `${usd(closing_usd)} is carried forward`;
  switch (outcome) {
    case 'payable':
      if (signOfMoney(held_usd) > 0) return `${usd(held_usd)} is on hold. ${carried}.`;
      return signOfMoney(closing_usd) === 0
        ? 'Everything due is payable.'
        : `A fraction of a cent, ${usd(closing_usd)}, is carried forward.`;
    case 'negative_balance':
      return `The balance is ${usd(due_usd)}: deductions exceed earnings. It is deducted from future earnings.`;
    case 'nothing_due':
      return 'Earnings and deductions cancel out. Nothing is due.';
    case 'unresolved':
      return `Invo can’t identify player ${recipientId}. ${carried} until it can.`;
    case 'excluded':
      return `Left out of this run. ${carried}.`;
    case 'on_hold':
      return `On hold. ${carried} until the hold ends.`;
    case 'below_minimum':
      return formatBelowMinimum(line);
  }
}

function formatBelowMinimum({ due_usd, held_usd, minimum_usd, together_usd, closing_usd }: OutcomeFacts): string {
  const free = subtractMoney(due_usd, held_usd);
  const cents = floorCents(free);
  const carried = `${usd(closing_usd)} is carried forward and added to the next month.`;
  if (signOfMoney(cents) === 0) return `${usd(free)} is less than a cent. ${carried}`;
  if (compareMoney(together_usd, cents) > 0)
    return `All accounts of this person together come to ${usd(together_usd)}, below the minimum of ${usd(minimum_usd)}. ${carried}`;
  const held = signOfMoney(held_usd) > 0 ? `${usd(held_usd)} is on hold. ` : '';
  return `${held}${usd(free)} is below the minimum of ${usd(minimum_usd)}. ${carried}`;
}

/** A sum that came with zeros beyond the cents, without them. */
function usd(amount: string): string {
  return formatUsd(normalizeMoney(amount));
}

/** The sections of a statement as a person reads them. */
export const SECTION_TEXT: Readonly<Record<StatementSection, string>> = {
  opening: 'Opening balance',
  earned: 'Earned',
  reversed: 'Reversed',
  already_deducted: 'Already deducted',
  adjustment: 'Adjustments',
  returned: 'Returned',
  due: 'Due',
  payable: 'Payable',
  carried_forward: 'Carried forward',
};

/** The sentence of one row of a statement: what the amount is, and for each correction why. */
export function formatStatementRow({ run, line, game }: Pick<Statement, 'run' | 'line' | 'game'>, { section, of }: StatementRow): string {
  const monthAt = (instant: string): string => formatMonth(monthOf(instant, game.timeZone));
  const refOf = ({ runNo, windowStart }: RunRef): string => `run ${runNo} (${monthAt(windowStart)})`;
  if (of !== null) {
    if ('renewal' in of) return formatRenewal(of.renewal);
    if ('adjustment' in of) return formatAdjustment(of.adjustment, refOf);
    return section === 'reversed' ? formatReversal(of.reversal, { run, timeZone: game.timeZone, refOf }) : formatPinned(of.reversal, refOf);
  }
  if (section === 'opening') return run.previous === null ? 'No earlier run' : `Carried forward from ${monthAt(run.previous.windowStart)}`;
  if (section === 'returned') return 'Payments that came back';
  if (section === 'payable') return formatOutcome(line);
  return section === 'carried_forward' ? `Opens the ${monthAt(run.window.end)} statement` : '';
}

function formatRenewal({ itemName, periodStart, periodEnd, percent, base_usd }: EarnedRenewal): string {
  const period = formatBillingPeriod({ periodStart, periodEnd });
  const share = percent === null || base_usd === null ? null : `${percent}% of ${plain(base_usd)}`;
  return [itemName ?? 'Item not reported', period, share].filter((part) => part !== null).join(', ');
}

/** The period a renewal pays for, without a zone: Invo's days; null: not recorded. */
export function formatBillingPeriod({ periodStart, periodEnd }: Pick<EarnedRenewal, 'periodStart' | 'periodEnd'>): string | null {
  const [start, end] = [parseInstant(periodStart), parseInstant(periodEnd)];
  return start === null || end === null ? null : `${formatDay(start)} to ${formatDay(end)}`;
}

interface ReversalText {
  run: Statement['run'];
  timeZone: string;
  refOf: (ref: RunRef) => string;
}

function formatReversal(reversal: StatedReversal, { run, timeZone, refOf }: ReversalText): string {
  const { refundedAt, isFullRefund, settledAt, earnedIn, taken_usd } = reversal;
  const day = (instant: string): string => formatDay(instant, timeZone);
  const last = refundedAt.at(-1);
  const refund = isFullRefund ? 'Full refund' : 'Refund';
  const refunds =
    last === undefined
      ? `Refund in ${formatMonth(monthOf(run.window.start, timeZone))}`
      : refundedAt.length === 1
        ? `${refund} on ${day(last)}`
        : `${refundedAt.length} refunds, the last on ${day(last)},`;
  const deducted = signOfMoney(taken_usd) === 0 ? 'not deducted again' : `deducted in run ${run.runNo}`;
  const share = earnedIn === null || earnedIn.runNo === run.runNo ? '' : ` Your share of it was earned in ${refOf(earnedIn)}.`;
  return `${refunds} of a payment settled on ${day(settledAt)}, ${deducted}.${share}`;
}

/** Why part of what Invo reports isn't deducted: an earlier month did, or it is more than the share. */
function formatPinned(
  { reported_usd, pinned_usd, takenBefore_usd, attributed_usd, deductedIn, isCoarse }: StatedReversal,
  refOf: ReversalText['refOf'],
): string {
  const before = deductedIn.length === 0 ? 'before the first run' : `in ${deductedIn.map(refOf).join(' and ')}`;
  if (isCoarse && compareMoney(pinned_usd, takenBefore_usd) <= 0)
    return `Invo reported ${plain(reported_usd)}; ${plain(pinned_usd)} of it was deducted ${before} and is not deducted again.`;
  const taken = signOfMoney(takenBefore_usd) === 0 ? '' : `, and ${plain(takenBefore_usd)} was deducted ${before}`;
  return `Invo reported ${plain(reported_usd)}; the share was ${plain(attributed_usd)}${taken}, so ${plain(pinned_usd)} is not deducted.`;
}

function formatAdjustment({ reason, corrects }: StatedAdjustment, refOf: ReversalText['refOf']): string {
  return corrects === null ? reason : `${reason} (corrects ${refOf(corrects)})`;
}

function plain(amount: string): string {
  return formatMoney(normalizeMoney(amount));
}
