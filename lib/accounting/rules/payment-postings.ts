import { normalizeMoney, sumMoney } from '#lib/core/money.ts';
import { type DatedState, newestReported } from '#lib/payments/rules/reported-states.ts';
import type { ExactTransfer } from './journal.ts';

/** What was known of a payment before something was stored about it, and what was stored. */
export interface PaymentChange {
  amount_usd: string;
  before: readonly DatedState[];
  added: readonly DatedState[];
  /** What banks withheld of its return, as a person confirmed now. */
  fee_usd: string | null;
  /** The day it was paid outside Sharebook; null: it wasn't. */
  elsewhereOn: string | null;
  /** Whether that is what was stored. */
  isElsewhereAdded: boolean;
}

/** What is posted on one day. `on` null: no report has a date. */
export interface PaymentPosting {
  kind: 'payments' | 'returns';
  on: string | null;
  exact: ExactTransfer[];
}

type Kind = 'items_paid' | 'items_returned' | 'return_fees';
interface Posted {
  kind: Kind;
  on: string | null;
  amount_usd: string;
}

const JOURNAL_OF: Readonly<Record<Kind, PaymentPosting['kind']>> = {
  items_paid: 'payments',
  items_returned: 'returns',
  return_fees: 'returns',
};

/**
 * What is posted after reports, a decision or a payment elsewhere: each payment as it becomes paid, and as it is no longer. One that failed or came back
 * before any report stated it as paid was never posted, so nothing is taken back. In the order of days, those without a day last; payments before returns.
 */
export function postPaymentChanges(changes: readonly PaymentChange[]): PaymentPosting[] {
  const byDay = Map.groupBy(changes.flatMap(changesOf), ({ kind, on }) => `${JOURNAL_OF[kind]} ${on ?? '~'}`);
  return [...byDay]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, own]) => {
      const exact = (['items_paid', 'items_returned', 'return_fees'] as const).flatMap((kind) => {
        const amounts = own.filter((each) => each.kind === kind).map(({ amount_usd }) => amount_usd);
        return amounts.length === 0 ? [] : [{ kind, exact_usd: normalizeMoney(sumMoney(amounts)) }];
      });
      return { kind: JOURNAL_OF[own[0]?.kind ?? 'items_paid'], on: own[0]?.on ?? null, exact };
    });
}

function changesOf({ amount_usd, before, added, fee_usd, elsewhereOn, isElsewhereAdded }: PaymentChange): Posted[] {
  const was = positionOf(before, isElsewhereAdded ? null : elsewhereOn);
  const is = positionOf([...before, ...added], elsewhereOn);
  const post = (kind: Kind, on: string | null, amount = amount_usd): Posted[] => [{ kind, on, amount_usd: amount }];
  const fee = fee_usd === null ? [] : post('return_fees', added.find(({ state }) => state === 'returned')?.occurredOn ?? null, fee_usd);
  if (is.isPaid !== was.isPaid) return [...post(is.isPaid ? 'items_paid' : 'items_returned', is.on), ...fee];
  // It was paid and came back in one report, or the return was reported first.
  if (is.paidOn !== undefined && was.paidOn === undefined)
    return [...post('items_paid', is.paidOn), ...post('items_returned', is.on), ...fee];
  return fee;
}

/** Whether a payment is paid, since when it is what it is, and when it was paid first; `paidOn` undefined: never. */
function positionOf(
  said: readonly DatedState[],
  elsewhereOn: string | null,
): { isPaid: boolean; on: string | null; paidOn: string | null | undefined } {
  const newest = newestReported(said);
  const paid = said.filter(({ state }) => state === 'paid').map(({ occurredOn }) => occurredOn);
  if (elsewhereOn !== null) paid.push(elsewhereOn);
  const [paidOn] = paid.toSorted((one, other) => ((one ?? '') < (other ?? '') ? -1 : 1));
  if (newest === null) return { isPaid: elsewhereOn !== null, on: elsewhereOn, paidOn };
  return { isPaid: newest.state === 'paid', on: newest.occurredOn, paidOn };
}
