import { compareInstants } from '#lib/core/instant.ts';
import type { AttributionReport } from './attribution.ts';
import type { PeriodReport } from './period.ts';
import type { SubscriptionAttribution } from './subscription.ts';

/** What a report was asked for; `start` and `end` are canonical UTC instants. */
export interface AskedReport {
  start: string;
  end: string;
  offset: number;
  recipientPlayerId: number | null;
  subscriptionId: string | null;
  gameId: string | null;
}

export interface Mismatch {
  path: string;
  reason: string;
}

/** The first place where a report answers another question than the one asked: window, game, filters, page. Null when none. */
export function findReportMismatch(asked: AskedReport, answered: AttributionReport): Mismatch | null {
  const { report, pagination, recipients } = answered;
  const { start, end, end_exclusive } = report.window;
  if (compareInstants(start, asked.start) !== 0) return otherThanAsked('report.window.start');
  if (compareInstants(end, asked.end) !== 0) return otherThanAsked('report.window.end');
  if (typeof end_exclusive === 'string' && compareInstants(end_exclusive, end) !== 0) return otherThanAsked('report.window.end_exclusive');
  if (asked.gameId !== null && report.game_id !== asked.gameId)
    return { path: 'report.game_id', reason: 'another game than the one pinned' };
  return findFilterMismatch(asked, answered) ?? findPageMismatch(asked.offset, pagination, recipients.length);
}

/** The first place where a subscription's cycles are another subscription's, or another page. Null when none. */
export function findSubscriptionMismatch(subscriptionId: string, offset: number, answered: SubscriptionAttribution): Mismatch | null {
  if (answered.subscription.subscription_id !== subscriptionId) return otherThanAsked('subscription.subscription_id');
  const stray = answered.periods.findIndex((line) => line.subscription_id !== subscriptionId);
  if (stray >= 0) return otherThanAsked(`periods.${stray}.subscription_id`);
  return findPageMismatch(offset, answered.pagination, answered.periods.length);
}

/** Whether a period's page is another period's. */
export function findPeriodMismatch(periodId: number, answered: PeriodReport): Mismatch | null {
  return answered.period.period_id === periodId ? null : otherThanAsked('period.period_id');
}

function findFilterMismatch(asked: AskedReport, { report, recipients }: AttributionReport): Mismatch | null {
  const { recipient_player_id: recipient, subscription_id: subscription } = report.filters ?? {};
  if (recipient !== undefined && recipient !== asked.recipientPlayerId) return otherThanAsked('report.filters.recipient_player_id');
  if (subscription !== undefined && subscription !== asked.subscriptionId) return otherThanAsked('report.filters.subscription_id');
  for (const [at, entry] of recipients.entries()) {
    if (asked.recipientPlayerId !== null && entry.recipient.player_id !== asked.recipientPlayerId)
      return otherThanAsked(`recipients.${at}.recipient.player_id`);
    if (asked.subscriptionId === null) continue;
    const isStray = (line: { subscription_id: string }): boolean => line.subscription_id !== asked.subscriptionId;
    if (entry.periods.some(isStray) || entry.reversals.some(isStray)) return otherThanAsked(`recipients.${at}`);
  }
  return null;
}

function findPageMismatch(offset: number, page: AttributionReport['pagination'], length: number): Mismatch | null {
  if (page.offset !== offset) return otherThanAsked('pagination.offset');
  if (page.limit !== null && (page.limit < 1 || page.limit > 100)) return { path: 'pagination.limit', reason: 'expected 1 to 100' };
  if (page.limit !== null && length > page.limit) return { path: 'pagination.limit', reason: 'more entries than the page holds' };
  return null;
}

function otherThanAsked(path: string): Mismatch {
  return { path, reason: 'not what was asked' };
}
