import { formatUsd, normalizeMoney, sumMoney } from '#lib/core/money.ts';
import type { ItemState } from './item-state.ts';

/** How many payments of a run are in each state, and their sum in USD. */
export type StateSums = Partial<Record<ItemState, { count: number; total_usd: string }>>;

/** The states of payments that no other one replaces, settled ones first. */
const PROGRESS_ORDER = ['paid', 'pending', 'sent', 'in_file', 'waiting', 'failed', 'returned', 'to_balance'] as const;
type ProgressState = (typeof PROGRESS_ORDER)[number];

const STATE_PARTS: Readonly<Record<ProgressState, string>> = {
  paid: 'paid',
  pending: 'pending',
  sent: 'handed over',
  in_file: 'in a file',
  waiting: 'not in a file',
  failed: 'failed',
  returned: 'returned',
  to_balance: 'in a later run',
};

/** How many payments of a run are in one state, and their sum in USD. */
export interface StateSum {
  state: ProgressState;
  count: number;
  total_usd: string;
}

/** The states that payments of a run are in, settled ones first. Payments that others replace don't count. */
export function listStateSums(sums: StateSums): StateSum[] {
  return PROGRESS_ORDER.flatMap((state) => {
    const found = sums[state];
    return found === undefined ? [] : [{ state, ...found }];
  });
}

/** The payments of a run in two sentences: how many and how much, then how far they are. */
export function formatPaymentSums(parts: readonly StateSum[]): { total: string; states: string } {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const total = formatUsd(normalizeMoney(sumMoney(parts.map(({ total_usd }) => total_usd))));
  const [only] = parts;
  const states =
    parts.length === 1 && only !== undefined
      ? only.state === 'waiting'
        ? `${count === 1 ? 'It isn’t' : 'None is'} in a file yet.`
        : `${count === 1 ? 'It is' : 'All are'} ${STATE_PARTS[only.state]}.`
      : `${parts.map((part) => `${part.count.toLocaleString('en-US')} ${STATE_PARTS[part.state]}`).join(', ')}.`;
  return { total: `${count.toLocaleString('en-US')} ${count === 1 ? 'payment' : 'payments'}, ${total}.`, states };
}
