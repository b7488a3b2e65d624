import { compareInstants } from '#lib/core/instant.ts';
import { compareMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import { COARSE_BASIS, type ReversalLine } from '../evidence.ts';
import type { CheckBook } from './check.ts';

/** Holds one reversal against its own refund events (I-09, I-10). A coarse reversal has no events to hold it against. */
export function proveReversal(book: CheckBook, reversal: ReversalLine, window: Window): void {
  const which = `period ${reversal.period_id}`;
  const events = reversal.refund_events;
  const last = events.at(-1);
  if (reversal.reversal_basis !== COARSE_BASIS || events.length > 0) {
    book.equalMoney(
      'refund_events_sum_to_reversal',
      which,
      reversal.reversed_attributed_usd,
      sumMoney(events.map((event) => event.reversed_attributed_usd)),
    );
    for (const { refunded_at } of events) {
      book.holds('refunds_in_window', which, containsInstant(window, refunded_at), {
        expected: `${window.start} to ${window.end}`,
        actual: refunded_at,
      });
    }
    const broken = findBreak(reversal);
    book.holds('refund_events_chain', which, broken === null, {
      expected: 'before + this refund = after, each continuing the last',
      actual: broken ?? '',
    });
    const early = events.find((event) => event.is_full_refund && event !== last);
    book.holds('full_refund_comes_last', which, early === undefined, {
      expected: 'last',
      actual: `followed by another after ${early?.refunded_at ?? ''}`,
    });
  }
  const isInWindow = containsInstant(window, reversal.paid_at);
  if (reversal.settled_in_this_window !== null) {
    book.holds('nets_to_zero_is_whole', `${which}, settled in this window`, reversal.settled_in_this_window === isInWindow, {
      expected: String(isInWindow),
      actual: String(reversal.settled_in_this_window),
    });
  }
  if (reversal.nets_to_zero_in_window === true) {
    const isWhole = isInWindow && compareMoney(reversal.reversed_attributed_usd, reversal.originally_attributed_usd) === 0;
    book.holds('nets_to_zero_is_whole', which, isWhole, {
      expected: `settled here and ${reversal.originally_attributed_usd} reversed`,
      actual: `${reversal.reversed_attributed_usd} reversed`,
    });
  }
  const isWithin =
    signOfMoney(reversal.reversed_attributed_usd) >= 0 &&
    compareMoney(reversal.reversed_attributed_usd, reversal.originally_attributed_usd) <= 0;
  book.holds(
    'reversed_within_attributed',
    which,
    isWithin,
    { expected: `0 to ${reversal.originally_attributed_usd}`, actual: reversal.reversed_attributed_usd },
    'warning',
  );
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
