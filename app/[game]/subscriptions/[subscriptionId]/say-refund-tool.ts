import { signOfMoney } from '#lib/core/money.ts';
import { cycleStateOf } from '#lib/subscriptions/rules/cycle-state.ts';
import type { CycleRow } from './cycle-row.ts';

/** What the refund button says and which period it leads to; null: it is closed, for this reason. */
export interface RefundTool {
  word: string;
  periodId: number | null;
  reason: string | null;
}

/** Says which period a refund from here would be of: the newest on the page that has something left, by its number (trap R2). */
export function sayRefundTool(cycles: CycleRow[] | null): RefundTool {
  const closed = { word: 'Refund…', periodId: null };
  if (cycles === null)
    return {
      ...closed,
      reason: 'Refund: the cycles could not be read, so no period can be offered. Load the page again, or look the period up.',
    };
  const cycle = cycles.find(isRefundable);
  if (cycle === undefined)
    return { ...closed, reason: 'Refund: no period on this page was paid, has something left and was not charged by the game store.' };
  const name = cycle.period_seq === null ? `period ${cycle.period_id}` : `number ${cycle.period_seq}`;
  return { word: `Refund ${name}…`, periodId: cycle.period_id, reason: null };
}

/** Paid, with something left, and not charged by the game store; the period's own page knows the rest. */
function isRefundable(cycle: CycleRow): boolean {
  const state = cycleStateOf({ ...cycle, refunded_amount_usd: cycle.refund?.refunded_amount_usd ?? null });
  const byStore = cycle.funding?.pcstore_charged_usd ?? null;
  return (state === 'paid' || state === 'partly_refunded') && (byStore === null || signOfMoney(byStore) <= 0);
}
