import { createHash } from 'node:crypto';
import { formatInstant } from '../instant.ts';
import { formatPercent, formatUsd } from '../money.ts';
import { changeCoins } from '../players/player-data.ts';
import type { Call } from '../route.ts';
import { addRefunded } from '../webhooks/events.ts';
import type { Json } from '../wire/answer.ts';
import { formatCoins, hundredths, type RefundPlan } from './plan-refund.ts';
import { CARD_FEE_FROM_MS, composeRefunds, type RefundEvent } from './refund-history.ts';

/** Executes a refund in one step, stores its receipt under its key and returns it. */
export function executeRefund(call: Call, clientRequestId: string, plan: RefundPlan): Json {
  const { view, support, state, environment } = call;
  const { period } = plan;
  const transactionId = `RFD_${period.id}_${digest(`${environment}|${clientRequestId}`, 10)}`;
  state.refundStore(environment).add({
    periodId: period.id,
    atMs: view.nowMs,
    amount: plan.amount,
    basis: 'refund_receipts',
    partnerBasis: 'clawback',
    transactionId,
    clientRequestId,
  });
  const coinsAfter = changeCoins(support, period.subscription.player.playerId, plan.coins);
  const adopted = support.cardRefund(clientRequestId);
  const receipt: Json = {
    status: 'refunded',
    idempotent_replay: false,
    refund_key: `${period.subscription.id}:${period.seq}:${digest(clientRequestId, 8)}`,
    client_request_id: clientRequestId,
    subscription_id: period.subscription.id,
    period_seq: period.seq,
    transaction_id: transactionId,
    refunded_amount_usd: formatUsd(plan.amount),
    total_refunded_amount_usd: formatUsd(plan.refundedBefore + plan.amount),
    remaining_refundable_usd: formatUsd(period.amount - plan.refundedBefore - plan.amount),
    is_full_refund: plan.isFull,
    funding_shape: fundingShape(plan),
    balance_delta_coins: formatCoins(plan.coins),
    card_refunded_usd: formatUsd(plan.card),
    processor_refund_reference: plan.card === 0n ? null : (adopted ?? cardReference(clientRequestId)),
    processor_refund_adopted: adopted !== null && plan.card > 0n,
    ...shareFields(call, plan, transactionId),
    reason: plan.reason,
    refunded_at: formatInstant(view.nowMs),
    new_balance: formatCoins(coinsAfter),
  };
  support.keep({
    clientRequestId,
    subscriptionId: period.subscription.id,
    periodId: period.id,
    transactionId,
    orderId: `ORD_${digest(transactionId, 12)}`,
    receipt: structuredClone(receipt),
    lost: null,
  });
  addRefunded(call, period, receipt);
  return receipt;
}

/** The processor's reference of the card refund of a key. */
export function cardReference(clientRequestId: string): string {
  return `re_${digest(`card ${clientRequestId}`, 16)}`;
}

function shareFields(call: Call, plan: RefundPlan, transactionId: string): Json {
  const { period } = plan;
  const composed = composeRefunds(period, call.view.refundsOf(period), call.view.nowMs);
  const event = composed.events.find((each) => each.transactionId === transactionId);
  if (event === undefined) throw new Error(`the refund ${transactionId} is not among its period's events`);
  return {
    invo_fee_retained: true,
    partner_revenue_reversed_usd: formatUsd(event.partnerReversed),
    partner_revenue_reversal_mode: plan.isFull ? 'full' : 'prorata',
    ...(call.view.nowMs < CARD_FEE_FROM_MS ? {} : { card_fee_charged_to_partner_usd: formatUsd(cardFee(plan, event)) }),
    revenue_share_attribution:
      period.attribution === null
        ? null
        : {
            recipient_player_id: period.attribution.recipientId,
            percent: formatPercent(period.attribution.percentBp),
            original_attributed_amount_usd: formatUsd(period.attribution.attributed),
            refunded_attributed_amount_usd: formatUsd(composed.reversed),
            net_attributed_amount_usd: formatUsd(period.attribution.attributed - composed.reversed),
            settled_by_invo: false,
          },
  };
}

function cardFee(plan: RefundPlan, event: RefundEvent): bigint {
  return plan.period.isWalletCovered ? 0n : event.amount - event.partnerReversed;
}

function fundingShape({ period }: RefundPlan): 'wallet' | 'card' | 'mixed' {
  if (period.isWalletCovered) return 'wallet';
  return hundredths(period.balanceCoins) > 0n ? 'mixed' : 'card';
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length).toUpperCase();
}
