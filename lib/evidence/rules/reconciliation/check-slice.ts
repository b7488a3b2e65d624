import { compareInstants } from '#lib/core/instant.ts';
import { compareMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import { COARSE_BASIS, type Recipient, type RenewalLine, type ReversalLine, type SliceEvidence } from '../evidence.ts';
import { sumCounts, sumOf } from '../totals.ts';
import type { CheckList } from './check.ts';

/**
 * Compares the evidence of one slice with what Invo states about the same window: I-04 to I-12 of the invariants.
 * A total that includes unattributed renewals is bounded by the sum of lines and never equated with it, for those have no lines.
 */
export function checkSlice(checks: CheckList, slice: SliceEvidence): void {
  const where = `${slice.window.start} to ${slice.window.end}`;
  checks.equalCount('notice_fixed', where, slice.call_count, slice.notice_count);
  checks.holds('report_made_after_window', where, compareInstants(slice.generated_at, slice.window.end) >= 0, {
    expected: `at or after ${slice.window.end}`,
    actual: slice.generated_at,
  });
  checkTotals(checks, slice, where);
  const renewals = Map.groupBy(slice.renewals, (line) => line.recipient_player_id);
  const reversals = Map.groupBy(slice.reversals, (line) => line.recipient_player_id);
  openLineChecks(checks);
  for (const recipient of slice.recipients) {
    const { recipient_player_id: id } = recipient;
    checkRecipient(checks, recipient, renewals.get(id) ?? [], reversals.get(id) ?? []);
  }
  for (const line of slice.renewals) checkRenewal(checks, line, slice.window);
  for (const reversal of slice.reversals) checkReversal(checks, reversal, slice.window);
  checkBounds(checks, slice, where);
}

function checkTotals(checks: CheckList, { totals, recipients }: SliceEvidence, where: string): void {
  const { gross_attributed_usd: gross, reversed_attributed_usd: reversed, net_attributed_usd: net } = totals;
  const { partner_revenue_settled_usd: settled, partner_revenue_reversed_usd: takenBack } = totals;
  checks.equalMoney('net_is_gross_less_reversed', where, net, subtractMoney(gross, reversed));
  checks.equalMoney('partner_revenue_is_settled_less_reversed', where, totals.partner_revenue_usd, subtractMoney(settled, takenBack));
  const { renewals_settled, renewals_with_attribution, renewals_without_attribution: unattributed } = totals;
  checks.equalCount('renewals_split_by_attribution', where, renewals_settled, renewals_with_attribution + unattributed);
  checks.equalCount('reasons_sum_to_unattributed', where, unattributed, sumCounts(Object.values(totals.unattributed_reasons)));
  checks.equalMoney('recipients_sum_to_gross', where, gross, sumOf(recipients, 'gross_attributed_usd'));
  checks.equalMoney('recipients_sum_to_reversed', where, reversed, sumOf(recipients, 'reversed_attributed_usd'));
  checks.equalMoney('recipients_sum_to_net', where, net, sumOf(recipients, 'net_attributed_usd'));
  const counted = new Set(recipients.map((each) => each.recipient_player_id)).size;
  checks.equalCount('recipients_are_counted', where, totals.recipient_count, counted);
  const feeAndPartner = sumMoney([totals.invo_fee_usd, settled]);
  checks.equalMoney('gross_is_fee_plus_partner', where, totals.settled_gross_usd, feeAndPartner, 'warning');
}

function openLineChecks(checks: CheckList): void {
  for (const name of ['renewal_lines_are_counted', 'reversals_are_counted', 'subscriptions_are_counted']) checks.open(name, 'count');
  for (const name of [
    'recipient_net_is_gross_less_reversed',
    'lines_sum_to_gross',
    'reversals_sum_to_reversed',
    'line_partner_revenue_is_settled_less_reversed',
    'refund_events_sum_to_reversal',
  ])
    checks.open(name, 'money');
  for (const name of [
    'refund_events_chain',
    'full_refund_comes_last',
    'nets_to_zero_is_whole',
    'renewals_settled_in_window',
    'refunds_in_window',
  ])
    checks.open(name, 'holds');
  for (const name of ['attributed_within_base', 'reversed_within_attributed']) checks.open(name, 'holds', 'warning');
}

function checkRecipient(checks: CheckList, recipient: Recipient, renewals: RenewalLine[], reversals: ReversalLine[]): void {
  const who = `recipient ${recipient.recipient_player_id}`;
  const { gross_attributed_usd: gross, reversed_attributed_usd: reversed, subscription_count } = recipient;
  checks.equalMoney('recipient_net_is_gross_less_reversed', who, recipient.net_attributed_usd, subtractMoney(gross, reversed));
  checks.equalCount('renewal_lines_are_counted', who, recipient.renewal_count, renewals.length);
  checks.equalMoney('lines_sum_to_gross', who, gross, sumOf(renewals, 'attributed_amount_usd'));
  checks.equalCount('reversals_are_counted', who, recipient.reversal_count, reversals.length);
  checks.equalMoney('reversals_sum_to_reversed', who, reversed, sumOf(reversals, 'reversed_attributed_usd'));
  const [settled, touched] = countSubscriptions(renewals, reversals);
  // Not stated: whether subscriptions that were only reversed are counted. Both readings of subscription_count are accepted.
  checks.equalCount('subscriptions_are_counted', who, subscription_count, subscription_count === touched ? touched : settled);
}

function countSubscriptions(renewals: RenewalLine[], reversals: ReversalLine[]): [number, number] {
  const settled = new Set(renewals.map((line) => line.subscription_id));
  return [settled.size, settled.union(new Set(reversals.map((line) => line.subscription_id))).size];
}

function checkRenewal(checks: CheckList, line: RenewalLine, window: Window): void {
  const which = `period ${line.period_id}`;
  checks.holds('renewals_settled_in_window', which, containsInstant(window, line.paid_at), {
    expected: `${window.start} to ${window.end}`,
    actual: line.paid_at,
  });
  const left = subtractMoney(line.partner_revenue_settled_usd, line.partner_revenue_reversed_usd);
  checks.equalMoney('line_partner_revenue_is_settled_less_reversed', which, line.partner_revenue_usd, left);
  const isWithin =
    signOfMoney(line.attributed_amount_usd) >= 0 &&
    (line.base_usd === null || compareMoney(line.attributed_amount_usd, line.base_usd) <= 0);
  const sides = { expected: `0 to ${line.base_usd ?? 'any'}`, actual: line.attributed_amount_usd };
  checks.holds('attributed_within_base', which, isWithin, sides, 'warning');
}

function checkBounds(checks: CheckList, { totals, renewals, reversals }: SliceEvidence, where: string): void {
  checks.equalCount('lines_sum_to_attributed_renewals', where, totals.renewals_with_attribution, renewals.length);
  checks.moneyWithin('lines_within_settled', `Invo fee, ${where}`, totals.invo_fee_usd, sumOf(renewals, 'invo_fee_usd'));
  const settled = sumOf(renewals, 'partner_revenue_settled_usd');
  checks.moneyWithin('lines_within_settled', `partner revenue settled, ${where}`, totals.partner_revenue_settled_usd, settled);
  const reversed = sumMoney(reversals.map((line) => line.partner_revenue_reversed_usd ?? '0'));
  checks.moneyWithin('lines_within_reversed', where, totals.partner_revenue_reversed_usd, reversed);
  const events = sumCounts(reversals.map((line) => line.refund_events.length));
  checks.countWithin('refund_events_within_total', where, totals.refund_events_in_window, events);
  const coarse = reversals.filter((line) => line.reversal_basis === COARSE_BASIS).length;
  checks.countWithin('coarse_reversals_counted', where, totals.reversals_without_receipts, coarse);
  checks.moneyWithin('lines_within_gross', where, totals.settled_gross_usd, sumOf(renewals, 'amount_usd'), 'warning');
}

/** Compares one reversal with its own refund events (I-09, I-10). A coarse reversal has none. */
export function checkReversal(checks: CheckList, reversal: ReversalLine, window: Window): void {
  const which = `period ${reversal.period_id}`;
  const events = reversal.refund_events;
  const last = events.at(-1);
  if (reversal.reversal_basis !== COARSE_BASIS || events.length > 0) {
    checks.equalMoney('refund_events_sum_to_reversal', which, reversal.reversed_attributed_usd, sumOf(events, 'reversed_attributed_usd'));
    for (const { refunded_at } of events) {
      checks.holds('refunds_in_window', which, containsInstant(window, refunded_at), {
        expected: `${window.start} to ${window.end}`,
        actual: refunded_at,
      });
    }
    const broken = findBreak(reversal);
    checks.holds('refund_events_chain', which, broken === null, {
      expected: 'before + this refund = after, each continuing the last',
      actual: broken ?? '',
    });
    const early = events.find((event) => event.is_full_refund && event !== last);
    checks.holds('full_refund_comes_last', which, early === undefined, {
      expected: 'last',
      actual: `followed by another after ${early?.refunded_at ?? ''}`,
    });
  }
  const isInWindow = containsInstant(window, reversal.paid_at);
  if (reversal.settled_in_this_window !== null) {
    checks.holds('nets_to_zero_is_whole', `${which}, settled in this window`, reversal.settled_in_this_window === isInWindow, {
      expected: String(isInWindow),
      actual: String(reversal.settled_in_this_window),
    });
  }
  if (reversal.nets_to_zero_in_window === true) {
    const isWhole = isInWindow && compareMoney(reversal.reversed_attributed_usd, reversal.originally_attributed_usd) === 0;
    checks.holds('nets_to_zero_is_whole', which, isWhole, {
      expected: `settled here and ${reversal.originally_attributed_usd} reversed`,
      actual: `${reversal.reversed_attributed_usd} reversed`,
    });
  }
  const { reversed_attributed_usd: reversed, originally_attributed_usd: original } = reversal;
  const isWithin = signOfMoney(reversed) >= 0 && compareMoney(reversed, original) <= 0;
  checks.holds('reversed_within_attributed', which, isWithin, { expected: `0 to ${original}`, actual: reversed }, 'warning');
}

function findBreak(reversal: ReversalLine): string | null {
  let previous: { refunded_at: string; cumulative_refunded_after_usd: string } | null = null;
  for (const event of reversal.refund_events) {
    const isOrdered = previous === null || compareInstants(previous.refunded_at, event.refunded_at) <= 0;
    const continues = previous === null || compareMoney(previous.cumulative_refunded_after_usd, event.cumulative_refunded_before_usd) === 0;
    const adds =
      compareMoney(event.refunded_amount_usd, subtractMoney(event.cumulative_refunded_after_usd, event.cumulative_refunded_before_usd)) ===
      0;
    if (!isOrdered || !continues || !adds) {
      return `${event.cumulative_refunded_before_usd} + ${event.refunded_amount_usd} → ${event.cumulative_refunded_after_usd} at ${event.refunded_at}`;
    }
    previous = event;
  }
  return null;
}
