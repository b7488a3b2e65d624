import { formatCount } from '#app/_ui/figures/format-count.ts';
import { formatMoney, parseMoney } from '#lib/core/money.ts';

/** One side of a check for a person: amounts and counts separated by thousands, all else as it was stored. */
export function formatSide(text: string): string {
  if (/^-?\d{1,15}$/.test(text)) return formatCount(Number(text));
  return parseMoney(text) === null ? text : formatMoney(text);
}
