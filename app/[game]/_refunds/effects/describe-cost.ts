import { formatMoney } from '#lib/core/money.ts';
import type { RefundEstimate } from '#lib/refunds/rules/estimate.ts';

type Cost = Pick<RefundEstimate, 'refunded_amount_usd' | 'partner_revenue_reversed_usd' | 'card_fee_charged_to_partner_usd'>;

/** What a refund costs the partner: a sum only where both of its parts are known. */
export function describeCost(cost: Cost): string {
  const { refunded_amount_usd, partner_revenue_reversed_usd: revenue, card_fee_charged_to_partner_usd: fee } = cost;
  if (revenue !== null && fee !== null)
    return `${formatMoney(refunded_amount_usd)} USD: ${formatMoney(revenue)} revenue reversed and ${formatMoney(fee)} card fee`;
  if (revenue !== null) return `${formatMoney(revenue)} USD revenue reversed; card fee not known`;
  return fee === null
    ? 'not known: neither the revenue reversed nor the card fee'
    : `${formatMoney(fee)} USD card fee; revenue reversed not known`;
}
