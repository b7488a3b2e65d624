import type { GameView } from '../game-view.ts';
import type { Period, UnattributedReason } from '../model.ts';
import { formatUsd, type Usd } from '../money.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { type Reversal, reversalIn, type Span } from './reversal.ts';

export const RENEWALS_MAX = 20_000;
const REVERSALS_MAX = 20_000;

export interface RecipientAccount {
  recipientId: number;
  renewals: Period[];
  reversals: Reversal[];
  gross: Usd;
  reversed: Usd;
}

/** The sums of one window: totals, and one account per recipient in the report's order (net descending, then id). */
export interface Ledger {
  totals: Totals;
  accounts: RecipientAccount[];
}

/** Sums up a window, of one subscription when given. Throws WINDOW_TOO_LARGE above either cap. */
export function buildLedger(view: GameView, span: Span, subscriptionId: string | null): Ledger {
  const belongs = (period: Period): boolean => subscriptionId === null || period.subscription.id === subscriptionId;
  const renewals = view.settledBetween(span.startMs, span.endMs).filter(belongs);
  if (renewals.length > RENEWALS_MAX) {
    throw new Refusal(400, 'WINDOW_TOO_LARGE', 'The window holds too many settled renewals; ask for a shorter one.', {
      settled_renewals: renewals.length,
      max_renewals: RENEWALS_MAX,
    });
  }
  const reversals = view
    .refundedBetween(span.startMs, span.endMs)
    .filter(belongs)
    .flatMap((period) => reversalIn(view, period, span) ?? []);
  if (reversals.length > REVERSALS_MAX) {
    throw new Refusal(400, 'WINDOW_TOO_LARGE', 'The window holds too many refunded renewals; ask for a shorter one.', {
      reversals: reversals.length,
      max_rows: REVERSALS_MAX,
    });
  }
  return addUp(renewals, reversals);
}

/** Sums up renewals and reversals, without a cap. */
export function addUp(renewals: Period[], reversals: Reversal[]): Ledger {
  const totals = emptyTotals();
  const accounts = new Map<number, RecipientAccount>();
  for (const period of renewals) {
    addRenewal(totals, period);
    if (period.attribution === null) continue;
    const account = accountOf(accounts, period.attribution.recipientId);
    account.renewals.push(period);
    account.gross += period.attribution.attributed;
  }
  for (const reversal of reversals) {
    addReversal(totals, reversal);
    if (reversal.period.attribution === null) continue;
    const account = accountOf(accounts, reversal.period.attribution.recipientId);
    account.reversals.push(reversal);
    account.reversed += reversal.reversedAttributed;
  }
  return { totals, accounts: [...accounts.values()].sort(byNet) };
}

function accountOf(accounts: Map<number, RecipientAccount>, recipientId: number): RecipientAccount {
  const known = accounts.get(recipientId);
  if (known !== undefined) return known;
  const fresh: RecipientAccount = { recipientId, renewals: [], reversals: [], gross: 0n, reversed: 0n };
  accounts.set(recipientId, fresh);
  return fresh;
}

function byNet(a: RecipientAccount, b: RecipientAccount): number {
  const difference = b.gross - b.reversed - (a.gross - a.reversed);
  return difference === 0n ? a.recipientId - b.recipientId : difference > 0n ? 1 : -1;
}

export interface Totals {
  settled: number;
  gross: Usd;
  fee: Usd;
  partnerSettled: Usd;
  partnerReversed: Usd;
  withAttribution: number;
  reasons: Record<UnattributedReason, number>;
  attributed: Usd;
  reversed: Usd;
  fullyReversed: number;
  events: number;
  withoutReceipts: number;
}

/** Totals of an empty window. */
function emptyTotals(): Totals {
  return {
    settled: 0,
    gross: 0n,
    fee: 0n,
    partnerSettled: 0n,
    partnerReversed: 0n,
    withAttribution: 0,
    reasons: { no_revenue_share_configured: 0, spend_order_not_found: 0, attribution_not_recorded: 0, attribution_malformed: 0 },
    attributed: 0n,
    reversed: 0n,
    fullyReversed: 0,
    events: 0,
    withoutReceipts: 0,
  };
}

/** Adds a settled renewal, attributed or not. */
function addRenewal(totals: Totals, period: Period): void {
  totals.settled += 1;
  totals.gross += period.amount;
  totals.fee += period.fee;
  totals.partnerSettled += period.partner;
  if (period.attribution !== null) {
    totals.withAttribution += 1;
    totals.attributed += period.attribution.attributed;
  } else if (period.reason !== null) {
    totals.reasons[period.reason] += 1;
  }
}

/** Adds the refunds of a renewal, attributed or not. */
function addReversal(totals: Totals, reversal: Reversal): void {
  totals.partnerReversed += reversal.partnerReversed;
  totals.reversed += reversal.reversedAttributed;
  totals.events += reversal.events.length;
  totals.withoutReceipts += reversal.history.basis === 'period_row' ? 1 : 0;
  totals.fullyReversed += reversal.netsToZero ? 1 : 0;
}

/** The totals object of the contract. */
export function totalsObject(totals: Totals, recipientCount: number): Json {
  return {
    renewals_settled: totals.settled,
    settled_gross_usd: formatUsd(totals.gross),
    invo_fee_usd: formatUsd(totals.fee),
    partner_revenue_settled_usd: formatUsd(totals.partnerSettled),
    partner_revenue_reversed_usd: formatUsd(totals.partnerReversed),
    partner_revenue_usd: formatUsd(totals.partnerSettled - totals.partnerReversed),
    renewals_with_attribution: totals.withAttribution,
    renewals_without_attribution: totals.settled - totals.withAttribution,
    unattributed_reasons: { ...totals.reasons },
    gross_attributed_usd: formatUsd(totals.attributed),
    reversed_attributed_usd: formatUsd(totals.reversed),
    net_attributed_usd: formatUsd(totals.attributed - totals.reversed),
    renewals_settled_then_fully_reversed: totals.fullyReversed,
    refund_events_in_window: totals.events,
    reversals_without_receipts: totals.withoutReceipts,
    recipient_count: recipientCount,
    settled_by_invo: false,
  };
}
