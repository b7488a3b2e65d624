import { addMonths, type Month, monthOf, monthWindow } from '#lib/core/month.ts';
import { askWithin, type GameContext } from '#lib/games/game-context.ts';
import { PULL_CALLS_A_MINUTE } from '#lib/games/shared-budget.ts';
import { readAttributionReport } from '#lib/invo/routes/attribution-report.ts';
import { PAGE_RECIPIENTS_MAX } from './pull-session.ts';

/** What pulling a game's history is likely to take. */
export interface HistoryEstimate {
  months: number;
  calls: number;
  /** At the rate Sharebook allows itself. */
  minutes: number;
  /** The month it was estimated by, and the recipients Invo reports for it. */
  basedOn: Month;
  recipientCount: number;
}

/**
 * Reads from Invo how many recipients the last full month has, in one call, and estimates by it: a page of a hundred recipients is one call. Months with
 * more recipients, or with recipients of more than 500 lines, take more. Errors: InvoError.
 */
export async function estimateHistory({ game, config }: GameContext, months: number): Promise<HistoryEstimate> {
  const basedOn = addMonths(monthOf(game.now(), game.timeZone), -1);
  const window = monthWindow(basedOn, game.timeZone);
  const { value } = await askWithin({ game, config }, {}, (invo, signal) =>
    readAttributionReport(invo, { start: window.start, end: window.end, limit: 1 }, signal),
  );
  const recipientCount = value.pagination.total_count;
  const calls = months * Math.max(1, Math.ceil(recipientCount / PAGE_RECIPIENTS_MAX));
  return { months, calls, minutes: Math.ceil(calls / PULL_CALLS_A_MINUTE), basedOn, recipientCount };
}
