import { parseInstant } from '../core/instant.ts';
import { type AskInvo, createAsk } from './ask.ts';
import { openDoor } from './open-door.ts';
import { periodSegment, subscriptionSegment } from './path-segment.ts';
import { readerOf } from './reader.ts';
import { type AttributionReport, attributionReport } from './reports/attribution.ts';
import { type AskedReport, findPeriodMismatch, findReportMismatch, findSubscriptionMismatch } from './reports/echo.ts';
import { type PeriodReport, periodReport } from './reports/period.ts';
import { type SubscriptionAttribution, subscriptionAttribution } from './reports/subscription.ts';
import type { InvoSettings } from './settings.ts';
import { openSubscriptionChanges, type SubscriptionChanges } from './support/change-subscription.ts';
import { type RefundAnswer, type RefundToSend, sendRefund } from './support/send-refund.ts';
import { openSupportReads, type SupportReads } from './support/support-reads.ts';
import type { Exchange } from './transport/exchange.ts';
import { openWrites } from './write/open-writes.ts';

/** `start` (inclusive) and `end` (exclusive) are ISO 8601 instants; filters narrow recipients and lines, never the totals. */
interface ReportQuery {
  start: string;
  end: string;
  limit?: number;
  offset?: number;
  recipientPlayerId?: number;
  subscriptionId?: string;
}

interface CyclesQuery {
  status?: string[];
  limit?: number;
  offset?: number;
}

/**
 * Invo's three attribution reports, support's reads, and the writes. A read throws InvoError and nothing else; a write returns what was
 * observed. An Error is a caller's own mistake.
 */
export interface InvoClient extends SupportReads, SubscriptionChanges {
  attributionReport(query: ReportQuery, signal?: AbortSignal): Promise<Exchange<AttributionReport>>;
  subscriptionAttribution(subscriptionId: string, query?: CyclesQuery, signal?: AbortSignal): Promise<Exchange<SubscriptionAttribution>>;
  periodReport(periodId: number, signal?: AbortSignal): Promise<Exchange<PeriodReport>>;
  sendRefund(refund: RefundToSend, signal?: AbortSignal): Promise<RefundAnswer>;
}

const ROOT = '/api/subscriptions/reporting';

/** Opens the client of one game at Invo. Throws an Error when the base URL or a secret cannot be used; it repeats neither. */
export function createInvoClient(settings: InvoSettings): InvoClient {
  const door = openDoor(settings);
  const ask = createAsk(settings, door);
  const write = openWrites(settings, door);
  const gameId = settings.access.gameId ?? null;
  return {
    ...openSupportReads(ask, gameId),
    ...openSubscriptionChanges(write),
    sendRefund: (refund, signal) => sendRefund(write, refund, signal),
    attributionReport: (query, signal) => askReport(ask, gameId, query, signal),
    subscriptionAttribution: (subscriptionId, query, signal) => askCycles(ask, subscriptionId, query ?? {}, signal),
    periodReport: (periodId, signal) => {
      const read = readerOf(periodReport, (value) => findPeriodMismatch(periodId, value));
      return ask({ route: { kind: 'detail' }, path: `${ROOT}/periods/${periodSegment(periodId)}`, query: {}, read, signal });
    },
  };
}

function askReport(ask: AskInvo, gameId: string | null, query: ReportQuery, signal?: AbortSignal): Promise<Exchange<AttributionReport>> {
  const { limit, offset, recipientPlayerId, subscriptionId } = query;
  const [start, end] = [sentInstant(query.start), sentInstant(query.end)];
  const asked: AskedReport = {
    start,
    end,
    offset: offset ?? 0,
    recipientPlayerId: recipientPlayerId ?? null,
    subscriptionId: subscriptionId ?? null,
    gameId,
  };
  const read = readerOf(attributionReport, (value) => findReportMismatch(asked, value));
  const sent = { start, end, limit, offset, recipient_player_id: recipientPlayerId, subscription_id: subscriptionId };
  return ask({ route: { kind: 'aggregate' }, path: `${ROOT}/attribution`, query: sent, read, signal });
}

function askCycles(
  ask: AskInvo,
  subscriptionId: string,
  query: CyclesQuery,
  signal?: AbortSignal,
): Promise<Exchange<SubscriptionAttribution>> {
  const { status, limit, offset } = query;
  const read = readerOf(subscriptionAttribution, (value) => findSubscriptionMismatch(subscriptionId, offset ?? 0, value));
  const path = `${ROOT}/subscriptions/${subscriptionSegment(subscriptionId)}/attribution`;
  return ask({ route: { kind: 'detail', subscriptionId }, path, query: { status: status?.join(','), limit, offset }, read, signal });
}

function sentInstant(text: string): string {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`not an instant: ${text}`);
  return instant;
}
