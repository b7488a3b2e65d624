import { compareMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import { COARSE_BASIS, type ReversalLine } from '../rules/evidence.ts';
import type { GapContext } from './gap-context.ts';
import type { ReportEntry } from './read-pages.ts';

/**
 * Reads again, by the subscription and over the whole slice, reversals of which only some refunds are known: read in parts, a line is counted
 * from its first refund on. Only for a recipient whose lines don't sum to Invo's figure; what is then still missing shows in reconciliation.
 */
export async function completeReversals(context: GapContext, cut: ReportEntry[]): Promise<void> {
  for (const { report } of cut) {
    const { recipient_player_id: recipientPlayerId, reversed_attributed_usd } = report;
    const isWhole = (): boolean =>
      compareMoney(
        sumMoney(context.lines.reversalsOf(recipientPlayerId).map((line) => line.reversed_attributed_usd)),
        reversed_attributed_usd,
      ) === 0;
    if (isWhole()) continue;
    const doubtful = context.lines
      .reversalsOf(recipientPlayerId)
      .filter((line) => line.settled_in_this_window === null && lacksRefunds(line))
      .toSorted((a, b) => Number(endsHere(context.slice, b)) - Number(endsHere(context.slice, a)));
    for (const { subscription_id: subscriptionId } of doubtful) {
      if (context.callsLeft <= 0 || isWhole()) break;
      context.callsLeft -= 1;
      context.session.expect({ calls: 1 });
      const answer = await context.session.ask(context.slice, { recipientPlayerId, subscriptionId }, 'fill');
      for (const each of answer.recipients) context.lines.add(context.slice, each);
    }
  }
}

/** Whether the refunds known of a line begin later, end earlier or leave a gap: others may lie in the slice. */
function lacksRefunds({ refund_events: events, refunded_to_date_usd, latest_refund_at, reversal_basis }: ReversalLine): boolean {
  const [first, last] = [events[0], events.at(-1)];
  if (reversal_basis === COARSE_BASIS || !first || !last) return false;
  return (
    signOfMoney(first.cumulative_refunded_before_usd) !== 0 ||
    (refunded_to_date_usd !== null && compareMoney(last.cumulative_refunded_after_usd, refunded_to_date_usd) !== 0) ||
    (latest_refund_at !== null && latest_refund_at !== last.refunded_at) ||
    events.some(
      (event, index) =>
        index > 0 && compareMoney(event.cumulative_refunded_before_usd, events[index - 1]?.cumulative_refunded_after_usd ?? '0') !== 0,
    )
  );
}

/** Whether the latest refund of a line lies in the slice and is not known: then it is certainly missing. */
function endsHere(slice: Window, { latest_refund_at, refund_events }: ReversalLine): boolean {
  return latest_refund_at !== null && containsInstant(slice, latest_refund_at) && latest_refund_at !== refund_events.at(-1)?.refunded_at;
}
