import * as z from 'zod';
import { compareInstants, parseInstant } from '#lib/core/instant.ts';
import { COARSE_BASIS, type RenewalLine, type RecipientReport as Reported, type ReversalLine } from '#lib/evidence/rules/evidence.ts';
import type { Totals } from '#lib/evidence/rules/totals.ts';
import { orderRefunds } from '#lib/refunds/rules/order-refunds.ts';
import type { Exchange, Invo } from '../invo.ts';
import { REPORTING_PATH } from '../request-path.ts';
import {
  count,
  findPageMismatch,
  flag,
  instant,
  list,
  type Mismatch,
  maybe,
  money,
  numericId,
  optionalText,
  otherThanRequested,
  prose,
  readerOf,
  settledByInvo,
  textId,
} from '../shapes/fields.ts';
import { attributionNotice, pagination, recipientIdentity, renewalLine, reversal, totals } from '../shapes/report-parts.ts';

// Not the inline cap of 500, which Invo may raise, but the cap of a window: no recipient can have more.
const LINES_MAX = 20_000;
const RECIPIENTS_MAX = 100;

const recipientReport = z
  .object({
    recipient: recipientIdentity,
    renewal_count: count,
    subscription_count: count,
    gross_attributed_usd: money,
    reversed_attributed_usd: money,
    net_attributed_usd: money,
    first_paid_at: maybe(instant),
    last_paid_at: maybe(instant),
    settled_by_invo: settledByInvo,
    periods: list(renewalLine, LINES_MAX),
    periods_truncated: flag,
    reversals: list(reversal, LINES_MAX),
    reversal_count: count,
    reversals_truncated: flag,
  })
  .transform((entry, context) => {
    const stray = entry.periods.findIndex((line) => line.attribution.recipient_player_id !== entry.recipient.player_id);
    if (stray >= 0) {
      context.addIssue({
        code: 'custom',
        path: ['periods', stray, 'attribution', 'recipient_player_id'],
        message: 'expected the recipient it is listed under',
      });
    }
    return {
      ...entry,
      periods_truncated: entry.periods_truncated ?? entry.periods.length < entry.renewal_count,
      reversals_truncated: entry.reversals_truncated ?? entry.reversals.length < entry.reversal_count,
    };
  });

/** The attribution report of one window (document 2, GET /api/subscriptions/reporting/attribution), in Invo's words. */
export const attributionReport = z.object({
  status: optionalText,
  attribution_notice: attributionNotice,
  report: z.object({
    type: optionalText,
    game_id: textId,
    generated_at: instant,
    window: z.object({ start: instant, end: instant, end_exclusive: maybe(z.union([z.literal(true), instant])) }),
    filters: z.object({ recipient_player_id: numericId.nullish(), subscription_id: textId.nullish() }).nullish(),
    derivation: prose,
    known_limits: prose,
  }),
  totals,
  recipients: list(recipientReport, RECIPIENTS_MAX),
  pagination,
});

export type AttributionReport = z.infer<typeof attributionReport>;
type RecipientReport = z.infer<typeof recipientReport>;

/** The totals of a report in the flat shape that reconciliation uses. */
export function reshapeTotals({ totals }: AttributionReport): Totals {
  const { settled_by_invo: _, ...rest } = totals;
  return rest;
}

/** Recipients of one answer with the lines it showed, in its order. Refund events come out in order of time; the lines keep theirs. */
export function reshapeRecipients({ recipients }: AttributionReport): Reported[] {
  return recipients.map((entry) => {
    const { recipient, periods, periods_truncated, reversals, reversals_truncated, settled_by_invo: _, ...figures } = entry;
    const { player_id: recipient_player_id, ...identity } = recipient;
    return {
      recipient_player_id,
      ...identity,
      ...figures,
      renewals: periods.map(reshapeRenewal),
      reversals: reversals.map((line) => reshapeReversal(recipient_player_id, line)),
      isTruncated: { renewals: periods_truncated, reversals: reversals_truncated },
    };
  });
}

const NO_FUNDING = { rail: null, amount_coins: null, balance_applied_coins: null, card_charged_usd: null, pcstore_charged_usd: null };

function reshapeRenewal(line: RecipientReport['periods'][number]): RenewalLine {
  const { funding, refund, reconciliation, attribution, settled_by_invo: _, partner_leg_reversed: __, ...rest } = line;
  const { attribution_unavailable_reason: ___, ...own } = rest;
  const { settled_by_invo: ____, ...share } = attribution;
  return {
    ...own,
    ...share,
    base_matches_settled_fee: reconciliation?.base_matches_settled_fee ?? null,
    expected_base_usd: reconciliation?.expected_base_usd ?? null,
    recorded_base_usd: reconciliation?.recorded_base_usd ?? null,
    ...(funding ?? NO_FUNDING),
    refunded_amount_usd: refund?.refunded_amount_usd ?? null,
    refunded_at: refund?.refunded_at ?? null,
  };
}

function reshapeReversal(recipient_player_id: number, line: RecipientReport['reversals'][number]): ReversalLine {
  const { refund_events, settled_by_invo: _, ...own } = line;
  // A coarse reversal is one row whatever it lists: its events, if any, are not receipts and stay in the raw answer.
  const receipts = line.reversal_basis === COARSE_BASIS ? [] : refund_events;
  return { ...own, recipient_player_id, refund_events: orderRefunds(receipts.map(({ settled_by_invo: __, ...event }) => event)) };
}

/** The request of a report; `start` and `end` are canonical UTC instants. */
interface RequestedReport {
  start: string;
  end: string;
  offset: number;
  recipientPlayerId: number | null;
  subscriptionId: string | null;
  gameId: string | null;
}

/** The first field by which a report answers another request than the one sent: window, game, filters, page. Null when none. */
export function findReportMismatch(requested: RequestedReport, answered: AttributionReport): Mismatch | null {
  const { report, pagination, recipients } = answered;
  const { start, end, end_exclusive } = report.window;
  if (compareInstants(start, requested.start) !== 0) return otherThanRequested('report.window.start');
  if (compareInstants(end, requested.end) !== 0) return otherThanRequested('report.window.end');
  if (typeof end_exclusive === 'string' && compareInstants(end_exclusive, end) !== 0)
    return otherThanRequested('report.window.end_exclusive');
  if (requested.gameId !== null && report.game_id !== requested.gameId)
    return { path: 'report.game_id', reason: 'another game than the one pinned' };
  return findFilterMismatch(requested, answered) ?? findPageMismatch(requested.offset, pagination, recipients.length);
}

function findFilterMismatch(requested: RequestedReport, { report, recipients }: AttributionReport): Mismatch | null {
  const { recipient_player_id: recipient, subscription_id: subscription } = report.filters ?? {};
  if (recipient !== undefined && recipient !== requested.recipientPlayerId) return otherThanRequested('report.filters.recipient_player_id');
  if (subscription !== undefined && subscription !== requested.subscriptionId) return otherThanRequested('report.filters.subscription_id');
  for (const [index, entry] of recipients.entries()) {
    if (requested.recipientPlayerId !== null && entry.recipient.player_id !== requested.recipientPlayerId)
      return otherThanRequested(`recipients.${index}.recipient.player_id`);
    if (requested.subscriptionId === null) continue;
    const isStray = (line: { subscription_id: string }): boolean => line.subscription_id !== requested.subscriptionId;
    if (entry.periods.some(isStray) || entry.reversals.some(isStray)) return otherThanRequested(`recipients.${index}`);
  }
  return null;
}

/** `start` (inclusive) and `end` (exclusive) are ISO 8601 instants; filters narrow recipients and lines, never the totals. */
export interface ReportQuery {
  start: string;
  end: string;
  limit?: number;
  offset?: number;
  recipientPlayerId?: number;
  subscriptionId?: string;
}

/** Reads one page of the attribution report of a window; where the game is pinned, only of that game. */
export function readAttributionReport(
  { ask, gameId }: Invo,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<Exchange<AttributionReport>> {
  const { limit, offset, recipientPlayerId, subscriptionId } = query;
  const [start, end] = [sentInstant(query.start), sentInstant(query.end)];
  const requested: RequestedReport = {
    start,
    end,
    offset: offset ?? 0,
    recipientPlayerId: recipientPlayerId ?? null,
    subscriptionId: subscriptionId ?? null,
    gameId,
  };
  const read = readerOf(attributionReport, (value) => findReportMismatch(requested, value));
  const sent = { start, end, limit, offset, recipient_player_id: recipientPlayerId, subscription_id: subscriptionId };
  return ask({ route: { kind: 'aggregate' }, path: `${REPORTING_PATH}/attribution`, query: sent, read, signal });
}

function sentInstant(text: string): string {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`not an instant: ${text}`);
  return instant;
}
