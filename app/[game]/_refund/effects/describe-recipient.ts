import { formatMoney, signOfMoney, subtractMoney } from '../../../../lib/domain/money.ts';
import type { RefundEstimate } from '../../../../lib/domain/refund/estimate-refund.ts';
import type { RefundFacts } from '../../../../lib/domain/refund/period-facts.ts';

/** What the recipient has left of the attribution, and had before where earlier refunds took from it. */
export function describeRecipient(
  { period: { attribution } }: Pick<RefundFacts, 'period'>,
  recipient: RefundEstimate['recipient'],
): string {
  if (recipient === null) return attribution === null ? 'Nobody has a share in this period' : 'not known';
  const { recipient_player_id, net_usd, original_usd } = recipient;
  const taken = attribution?.reversed_attributed_usd ?? null;
  const before =
    taken === null || signOfMoney(taken) === 0 ? '' : `, ${formatMoney(subtractMoney(original_usd, taken))} before this refund`;
  return `Player ${recipient_player_id}: ${formatMoney(net_usd)} USD left of ${formatMoney(original_usd)} attributed${before}`;
}
