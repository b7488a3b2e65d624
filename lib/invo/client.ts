import { type AttributionReport, type ReportQuery, readAttributionReport } from './routes/attribution-report.ts';
import { type LoyaltyReads, openLoyaltyReads } from './routes/loyalty.ts';
import { type OrderReads, openOrderReads } from './routes/orders.ts';
import { type PeriodReport, readPeriodReport } from './routes/period-report.ts';
import { type BalanceReads, openBalanceReads } from './routes/player-balances.ts';
import { type RefundAnswer, type RefundToSend, sendRefund } from './routes/refund.ts';
import { openSubscriptionChanges, type SubscriptionChanges } from './routes/subscription-changes.ts';
import { type CyclesQuery, readSubscriptionReport, type SubscriptionAttribution } from './routes/subscription-report.ts';
import { openSupportReads, type SupportReads } from './routes/support-reads.ts';
import { openTransferReads, type TransferReads } from './routes/transfers.ts';
import { type InvoSettings, openEndpoint } from './settings.ts';
import { type Exchange, openReads } from './transport/read.ts';
import { openStreams } from './transport/stream.ts';
import { openWrites } from './transport/write.ts';

/**
 * Invo's three attribution reports, the reads of support and of the desk, and the writes. A read throws InvoError and nothing else; a write returns what was
 * observed. An Error is a caller's own mistake.
 */
export interface InvoClient extends SupportReads, BalanceReads, OrderReads, TransferReads, LoyaltyReads, SubscriptionChanges {
  attributionReport(query: ReportQuery, signal?: AbortSignal): Promise<Exchange<AttributionReport>>;
  subscriptionAttribution(subscriptionId: string, query?: CyclesQuery, signal?: AbortSignal): Promise<Exchange<SubscriptionAttribution>>;
  periodReport(periodId: number, signal?: AbortSignal): Promise<Exchange<PeriodReport>>;
  sendRefund(refund: RefundToSend, signal?: AbortSignal): Promise<RefundAnswer>;
}

/** Opens the client of one game at Invo. Throws an Error when the base URL or a secret cannot be used; it repeats neither. */
export function createInvoClient(settings: InvoSettings): InvoClient {
  const endpoint = openEndpoint(settings);
  const ask = openReads(settings, endpoint);
  const write = openWrites(settings, endpoint);
  const gameId = settings.access.gameId ?? null;
  return {
    ...openSupportReads(ask, gameId),
    ...openOrderReads(ask, `${endpoint.base.href} ${settings.access.environment} ${gameId ?? ''}`),
    ...openTransferReads(ask),
    ...openLoyaltyReads(ask),
    ...openBalanceReads(ask, openStreams(settings, endpoint)),
    ...openSubscriptionChanges(write),
    sendRefund: (refund, signal) => sendRefund(write, refund, signal),
    attributionReport: (query, signal) => readAttributionReport(ask, gameId, query, signal),
    subscriptionAttribution: (subscriptionId, query, signal) => readSubscriptionReport(ask, subscriptionId, query ?? {}, signal),
    periodReport: (periodId, signal) => readPeriodReport(ask, periodId, signal),
  };
}
