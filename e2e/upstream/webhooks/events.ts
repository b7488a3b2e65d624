import { renewalLine } from '../evidence/lines.ts';
import type { Environment, Period } from '../model.ts';
import { formatUsd } from '../money.ts';
import { clearedBetween } from '../orders/order-data.ts';
import type { Call } from '../route.ts';
import type { State } from '../state/state.ts';
import type { Json } from '../wire/answer.ts';

/** Adds `subscription.refunded` for a refund that the refund route has just executed. */
export function addRefunded({ state, environment, view }: Call, period: Period, receipt: Json): void {
  state.outbox(environment).add('subscription.refunded', refundedData(period, receipt), view.nowMs);
}

/** Adds it for a refund made in the console, under a key no caller knows. */
export function addConsoleRefund(
  state: State,
  environment: Environment,
  period: Period,
  refund: { amount: bigint; totalRefunded: bigint },
): void {
  const receipt = {
    client_request_id: `console-${period.id}-${refund.totalRefunded}`,
    subscription_id: period.subscription.id,
    period_seq: period.seq,
    transaction_id: `RFD_${period.id}_CONSOLE_${refund.totalRefunded}`,
    refunded_amount_usd: formatUsd(refund.amount),
    total_refunded_amount_usd: formatUsd(refund.totalRefunded),
    is_full_refund: refund.totalRefunded === period.amount,
    reason: 'Refunded in the console',
  };
  state.outbox(environment).add('subscription.refunded', refundedData(period, receipt), state.nowMs());
}

function refundedData(period: Period, receipt: Json): Json {
  const { player, itemId, metadata } = period.subscription;
  return {
    subscription_id: receipt['subscription_id'],
    item_id: itemId,
    period_seq: receipt['period_seq'],
    transaction_id: receipt['transaction_id'],
    client_request_id: receipt['client_request_id'],
    player_email: player.email,
    identity_id: player.identityId,
    amount_usd: receipt['refunded_amount_usd'],
    total_refunded_amount_usd: receipt['total_refunded_amount_usd'],
    period_amount_usd: formatUsd(period.amount),
    is_full_refund: receipt['is_full_refund'],
    reason: receipt['reason'] ?? null,
    period_status: receipt['is_full_refund'] === true ? 'refunded' : 'paid',
    refund: {
      funding_shape: receipt['funding_shape'] ?? 'card',
      balance_delta_coins: receipt['balance_delta_coins'] ?? '0.00',
      card_refunded_usd: receipt['card_refunded_usd'] ?? receipt['refunded_amount_usd'],
      processor_refund_adopted: receipt['processor_refund_adopted'] ?? false,
      new_balance: receipt['new_balance'] ?? null,
      invo_fee_retained: true,
      partner_revenue_reversed_usd: receipt['partner_revenue_reversed_usd'] ?? null,
      partner_revenue_reversal_mode: receipt['partner_revenue_reversal_mode'] ?? null,
    },
    revenue_share_attribution: receipt['revenue_share_attribution'] ?? null,
    metadata: metadata ?? null,
  };
}

/** Adds `subscription.canceled`, once, when a cancellation is requested. The documents show one field of it. */
export function addCanceled({ state, environment, view }: Call, subscription: { id: string; playerId: number }, outcome: Json): void {
  const data = {
    subscription_id: subscription.id,
    player_id: subscription.playerId,
    cancel_at_period_end: outcome['cancel_at_period_end'],
    access_until: outcome['access_until'],
  };
  state.outbox(environment).add('subscription.canceled', data, view.nowMs);
}

/** Adds `purchase.completed` for purchases since the last `addRenewals`, at first all. Call it before `addRenewals`, which moves the mark. */
export function addPurchases(state: State, environment: Environment): void {
  const [outbox, nowMs] = [state.outbox(environment), state.nowMs()];
  if (outbox.registration() === null) return;
  for (const { orderId, transactionId, player, fields } of clearedBetween(state.view(environment), outbox.renewedUntilMs() ?? 0, nowMs)) {
    const data = {
      transaction_id: transactionId,
      order_id: orderId,
      player_email: player.email,
      identity_id: player.identityId,
      usd_amount: fields['usd_amount'],
      currency_amount: fields['currency_amount'],
      currency_name: fields['currency_name'],
      metadata: fields['metadata'] ?? null,
    };
    outbox.add('purchase.completed', data, nowMs, `whk_purchase_${orderId}`);
  }
}

const FIRST_RENEWALS_MS = 6 * 3_600_000;

/** Adds `subscription.renewed` for the renewals since the last time, at first those of the last six hours. The documents don't list its fields. */
export function addRenewals(state: State, environment: Environment): void {
  const [outbox, nowMs] = [state.outbox(environment), state.nowMs()];
  if (outbox.registration() === null) return;
  const fromMs = outbox.renewedUntilMs() ?? nowMs - FIRST_RENEWALS_MS;
  outbox.renewed(nowMs);
  const view = state.view(environment);
  for (const period of view.settledBetween(fromMs, nowMs)) {
    const line = renewalLine(view, period);
    const data = {
      subscription_id: period.subscription.id,
      period_id: period.id,
      period_seq: period.seq,
      transaction_id: line['transaction_id'],
      item_id: period.subscription.itemId,
      amount_usd: line['amount_usd'],
      funding: line['funding'],
      attribution: line['attribution'],
    };
    outbox.add('subscription.renewed', data, nowMs, `whk_renewed_${period.id}`);
  }
}
