import { formatMoney, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import type { RefundEstimate } from '#lib/refunds/rules/estimate.ts';
import type { RefundFacts } from '#lib/refunds/rules/period.ts';
import { type Share, shareOf } from '#lib/refunds/rules/period.ts';

const WITHOUT_FIGURE: Record<Share, string> = {
  attributed: 'not known',
  not_attributed: 'Nobody has a share in this period',
  unknown: 'Not known: Invo has no attribution of this period on record',
};

/** What the recipient has left of the attribution, and had before where earlier refunds took from it. */
export function describeRecipient({ period }: Pick<RefundFacts, 'period'>, recipient: RefundEstimate['recipient']): string {
  if (recipient === null) return WITHOUT_FIGURE[shareOf(period)];
  const { recipient_player_id, net_usd, original_usd } = recipient;
  const taken = period.attribution?.reversed_attributed_usd ?? null;
  const before =
    taken === null || signOfMoney(taken) === 0 ? '' : `, ${formatMoney(subtractMoney(original_usd, taken))} before this refund`;
  return `Player ${recipient_player_id}: ${formatMoney(net_usd)} USD left of ${formatMoney(original_usd)} attributed${before}`;
}
