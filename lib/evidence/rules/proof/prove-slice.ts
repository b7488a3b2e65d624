import { compareInstants } from '#lib/core/instant.ts';
import { compareMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import { COARSE_BASIS, type RecipientFigures, type RenewalLine, type ReversalLine, type SliceEvidence } from '../evidence.ts';
import { sumCounts } from '../totals.ts';
import type { CheckBook } from './check.ts';
import { proveReversal } from './prove-reversal.ts';

/**
 * Holds the evidence of one slice against what Invo stated of that same window: I-04 to I-12 of the invariants.
 * A total that includes unattributed renewals is bounded by the sum of lines and never equated with it, for those have no lines.
 */
export function proveSlice(book: CheckBook, slice: SliceEvidence): void {
  const where = `${slice.window.start} to ${slice.window.end}`;
  book.equalCount('notice_fixed', where, slice.call_count, slice.notice_count);
  book.holds('report_made_after_window', where, compareInstants(slice.generated_at, slice.window.end) >= 0, {
    expected: `at or after ${slice.window.end}`,
    actual: slice.generated_at,
  });
  proveTotals(book, slice, where);
  const renewals = Map.groupBy(slice.renewals, (line) => line.recipient_player_id);
  const reversals = Map.groupBy(slice.reversals, (line) => line.recipient_player_id);
  openLineChecks(book);
  for (const recipient of slice.recipients) {
    proveRecipient(book, recipient, renewals.get(recipient.recipient_player_id) ?? [], reversals.get(recipient.recipient_player_id) ?? []);
  }
  for (const line of slice.renewals) proveRenewal(book, line, slice.window);
  for (const reversal of slice.reversals) proveReversal(book, reversal, slice.window);
  proveBounds(book, slice, where);
}

function proveTotals(book: CheckBook, { totals, recipients }: SliceEvidence, where: string): void {
  book.equalMoney(
    'net_is_gross_less_reversed',
    where,
    totals.net_attributed_usd,
    subtractMoney(totals.gross_attributed_usd, totals.reversed_attributed_usd),
  );
  book.equalMoney(
    'partner_revenue_is_settled_less_reversed',
    where,
    totals.partner_revenue_usd,
    subtractMoney(totals.partner_revenue_settled_usd, totals.partner_revenue_reversed_usd),
  );
  book.equalCount(
    'renewals_split_by_attribution',
    where,
    totals.renewals_settled,
    totals.renewals_with_attribution + totals.renewals_without_attribution,
  );
  book.equalCount(
    'reasons_sum_to_unattributed',
    where,
    totals.renewals_without_attribution,
    sumCounts(Object.values(totals.unattributed_reasons)),
  );
  book.equalMoney(
    'recipients_sum_to_gross',
    where,
    totals.gross_attributed_usd,
    sumMoney(recipients.map((each) => each.gross_attributed_usd)),
  );
  book.equalMoney(
    'recipients_sum_to_reversed',
    where,
    totals.reversed_attributed_usd,
    sumMoney(recipients.map((each) => each.reversed_attributed_usd)),
  );
  book.equalMoney('recipients_sum_to_net', where, totals.net_attributed_usd, sumMoney(recipients.map((each) => each.net_attributed_usd)));
  book.equalCount(
    'recipients_are_counted',
    where,
    totals.recipient_count,
    new Set(recipients.map((each) => each.recipient_player_id)).size,
  );
  book.equalMoney(
    'gross_is_fee_plus_partner',
    where,
    totals.settled_gross_usd,
    sumMoney([totals.invo_fee_usd, totals.partner_revenue_settled_usd]),
    'warning',
  );
}

function openLineChecks(book: CheckBook): void {
  for (const name of ['renewal_lines_are_counted', 'reversals_are_counted', 'subscriptions_are_counted']) book.open(name, 'count');
  for (const name of [
    'recipient_net_is_gross_less_reversed',
    'lines_sum_to_gross',
    'reversals_sum_to_reversed',
    'line_partner_revenue_is_settled_less_reversed',
    'refund_events_sum_to_reversal',
  ])
    book.open(name, 'money');
  for (const name of [
    'refund_events_chain',
    'full_refund_comes_last',
    'nets_to_zero_is_whole',
    'renewals_settled_in_window',
    'refunds_in_window',
  ])
    book.open(name, 'holds');
  for (const name of ['attributed_within_base', 'reversed_within_attributed']) book.open(name, 'holds', 'warning');
}

function proveRecipient(book: CheckBook, recipient: RecipientFigures, renewals: RenewalLine[], reversals: ReversalLine[]): void {
  const who = `recipient ${recipient.recipient_player_id}`;
  book.equalMoney(
    'recipient_net_is_gross_less_reversed',
    who,
    recipient.net_attributed_usd,
    subtractMoney(recipient.gross_attributed_usd, recipient.reversed_attributed_usd),
  );
  book.equalCount('renewal_lines_are_counted', who, recipient.renewal_count, renewals.length);
  book.equalMoney('lines_sum_to_gross', who, recipient.gross_attributed_usd, sumMoney(renewals.map((line) => line.attributed_amount_usd)));
  book.equalCount('reversals_are_counted', who, recipient.reversal_count, reversals.length);
  book.equalMoney(
    'reversals_sum_to_reversed',
    who,
    recipient.reversed_attributed_usd,
    sumMoney(reversals.map((line) => line.reversed_attributed_usd)),
  );
  const [settled, touched] = countSubscriptions(renewals, reversals);
  // Not stated: whether subscriptions that were only reversed are counted. Both readings of subscription_count are accepted.
  book.equalCount(
    'subscriptions_are_counted',
    who,
    recipient.subscription_count,
    recipient.subscription_count === touched ? touched : settled,
  );
}

function countSubscriptions(renewals: RenewalLine[], reversals: ReversalLine[]): [number, number] {
  const settled = new Set(renewals.map((line) => line.subscription_id));
  return [settled.size, settled.union(new Set(reversals.map((line) => line.subscription_id))).size];
}

function proveRenewal(book: CheckBook, line: RenewalLine, window: Window): void {
  const which = `period ${line.period_id}`;
  book.holds('renewals_settled_in_window', which, containsInstant(window, line.paid_at), {
    expected: `${window.start} to ${window.end}`,
    actual: line.paid_at,
  });
  book.equalMoney(
    'line_partner_revenue_is_settled_less_reversed',
    which,
    line.partner_revenue_usd,
    subtractMoney(line.partner_revenue_settled_usd, line.partner_revenue_reversed_usd),
  );
  const isWithin =
    signOfMoney(line.attributed_amount_usd) >= 0 &&
    (line.base_usd === null || compareMoney(line.attributed_amount_usd, line.base_usd) <= 0);
  book.holds(
    'attributed_within_base',
    which,
    isWithin,
    { expected: `0 to ${line.base_usd ?? 'any'}`, actual: line.attributed_amount_usd },
    'warning',
  );
}

function proveBounds(book: CheckBook, { totals, renewals, reversals }: SliceEvidence, where: string): void {
  book.equalCount('lines_sum_to_attributed_renewals', where, totals.renewals_with_attribution, renewals.length);
  book.moneyWithin('lines_within_settled', `Invo fee, ${where}`, totals.invo_fee_usd, sumMoney(renewals.map((line) => line.invo_fee_usd)));
  book.moneyWithin(
    'lines_within_settled',
    `partner revenue settled, ${where}`,
    totals.partner_revenue_settled_usd,
    sumMoney(renewals.map((line) => line.partner_revenue_settled_usd)),
  );
  book.moneyWithin(
    'lines_within_reversed',
    where,
    totals.partner_revenue_reversed_usd,
    sumMoney(reversals.map((line) => line.partner_revenue_reversed_usd ?? '0')),
  );
  book.countWithin(
    'refund_events_within_total',
    where,
    totals.refund_events_in_window,
    sumCounts(reversals.map((line) => line.refund_events.length)),
  );
  book.countWithin(
    'coarse_reversals_counted',
    where,
    totals.reversals_without_receipts,
    reversals.filter((line) => line.reversal_basis === COARSE_BASIS).length,
  );
  book.moneyWithin('lines_within_gross', where, totals.settled_gross_usd, sumMoney(renewals.map((line) => line.amount_usd)), 'warning');
}
