import { describeCoins } from '#app/[game]/_refunds/effects/describe-coins.ts';
import { formatMoney, signOfMoney } from '#lib/core/money.ts';
import type { RefundEstimate } from '#lib/refunds/rules/estimate.ts';

type Summed = Pick<RefundEstimate, 'is_full_refund' | 'card_refunded_usd' | 'balance_delta_coins'>;

/** What a refund would do, in the sentence at the head of its preview. */
export function sumUp({ is_full_refund, card_refunded_usd, balance_delta_coins }: Summed): string {
  const coins = coinsPart(balance_delta_coins);
  if (!is_full_refund) return `A part of the period. Nothing goes back to the card; ${coins}.`;
  return `Completes the period. ${cardPart(card_refunded_usd)}; ${coins}.`;
}

function cardPart(card: string | null): string {
  if (card === null) return 'What goes to the card is not known';
  return signOfMoney(card) > 0 ? `${formatMoney(card)} USD back to the card` : 'Nothing to a card';
}

function coinsPart(delta: string | null): string {
  if (delta === null) return 'what happens to coins is not known';
  return signOfMoney(delta) === 0 ? 'no coins move' : describeCoins(delta);
}
