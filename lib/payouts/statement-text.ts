import { formatDay, formatMonth } from '../core/date-text.ts';
import { parseInstant } from '../core/instant.ts';
import { compareMoney, formatMoney, normalizeMoney, signOfMoney } from '../core/money.ts';
import { monthOf } from '../core/month.ts';
import { formatOutcome } from './rules/run-words.ts';
import type {
  EarnedRenewal,
  RunRef,
  StatedAdjustment,
  StatedReversal,
  Statement,
  StatementRow,
  StatementSection,
} from './rules/statement.ts';

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
export function formatStatementRow(
  { run, line, game }: Pick<Statement, 'run' | 'line' | 'game'>,
  { section, source }: StatementRow,
): string {
  const monthAt = (instant: string): string => formatMonth(monthOf(instant, game.timeZone));
  const refOf = ({ runNo, windowStart }: RunRef): string => `run ${runNo} (${monthAt(windowStart)})`;
  if (source !== null) {
    if ('renewal' in source) return formatRenewal(source.renewal);
    if ('adjustment' in source) return formatAdjustment(source.adjustment, refOf);
    return section === 'reversed'
      ? formatReversal(source.reversal, { run, timeZone: game.timeZone, refOf })
      : formatPinned(source.reversal, refOf);
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
