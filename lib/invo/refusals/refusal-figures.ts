import { parseMoney, sumMoney } from '#lib/core/money.ts';

// The figures Invo gives with a refusal, as the part of a sentence they make; empty where it gave none that can be read.
type Facts = Readonly<Record<string, unknown>>;

/** How long Invo asks to wait, of its seconds: `17 s`; null where it did not say. */
export function waitOf(seconds: unknown): string | null {
  const counted = Number(seconds ?? Number.NaN);
  return Number.isFinite(counted) && counted > 0 ? `${Math.ceil(counted)} s` : null;
}

/** How much was refunded already and how much is left, as far as Invo said: `: 17.80 USD of 20.00 was already refunded; 2.20 is left`. */
export function remainingWords({ already_refunded_usd, remaining_refundable_usd }: Facts): string {
  const [already, left] = [parseMoney(already_refunded_usd), parseMoney(remaining_refundable_usd)];
  if (left === null) return '';
  return already === null
    ? `: ${left} USD is left`
    : `: ${already} USD of ${sumMoney([already, left])} was already refunded; ${left} is left`;
}

/** How much was refunded, of how much: `: 20.00 USD of 20.00`. */
export function refundedOf({ refunded_amount_usd, amount_usd }: Facts): string {
  const [refunded, whole] = [parseMoney(refunded_amount_usd), parseMoney(amount_usd)];
  if (refunded === null) return '';
  return whole === null ? `: ${refunded} USD` : `: ${refunded} USD of ${whole}`;
}

/** From which price to which: ` from 5.00 to 7.50 USD`. */
export function raiseOf({ current_amount_usd, requested_amount_usd }: Facts): string {
  const [now, asked] = [parseMoney(current_amount_usd), parseMoney(requested_amount_usd)];
  return now === null || asked === null ? '' : ` from ${now} to ${asked} USD`;
}

/** The status of a period: ` (it is forgiven)`. */
export function statusOf({ period_status }: Facts): string {
  return typeof period_status === 'string' ? ` (it is ${period_status})` : '';
}

/** How large a window is, and how large it may be: `: 20400 settled renewals, at most 20000`. */
export function sizeOf({ settled_renewals, max_renewals, reversals, max_rows }: Facts): string {
  const bound = (most: unknown): string => (isCount(most) ? `at most ${most}` : 'more than allowed');
  if (isCount(settled_renewals)) return `: ${settled_renewals} settled renewals, ${bound(max_renewals)}`;
  return isCount(reversals) ? `: ${reversals} refunded renewals, ${bound(max_rows)}` : '';
}

function isCount(value: unknown): boolean {
  return /^\d{1,15}$/.test(String(value));
}
