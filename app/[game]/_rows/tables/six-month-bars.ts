import type { MonthCell } from '#app/_ui/data-table/table-words.ts';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import type { MonthNet } from '#db/evidence/reads/recipient-rows.ts';
import { formatMoney } from '#lib/core/money.ts';

/** Bars against the tallest of the row. Heights are for drawing; the exact figures are in the words. */
export function sixMonthBars(months: MonthNet[]): MonthCell[] {
  const tallest = Math.max(0, ...months.map(({ net }) => Math.abs(Number(net ?? 0))));
  return months.map(({ month, net }) => ({
    height: net === null ? null : tallest === 0 ? 0 : Number(net) / tallest,
    label: `${formatMonth(month, 'short')} ${net === null ? 'nothing' : formatMoney(net)}`,
  }));
}
