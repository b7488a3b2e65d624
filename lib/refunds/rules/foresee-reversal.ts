import { addMonths, type Month, monthOf, monthWindow } from '#lib/core/month.ts';

/** The month whose report will carry a reversal. `orLater` is the next one where the refund may well be carried out only then. */
export interface ForeseenReversal {
  month: Month;
  orLater: { month: Month; from: string } | null;
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * The month, in the game's reporting zone, in which a refund that is carried out at an instant is reported: a reversal is dated by the
 * refund. Sending may take a day, so on the last day of a month the next one is named too.
 */
export function foreseeReversal(at: string, timeZone: string): ForeseenReversal {
  const month = monthOf(at, timeZone);
  const { end } = monthWindow(month, timeZone);
  const isNear = Date.parse(end) - Date.parse(at) <= DAY_MS;
  return { month, orLater: isNear ? { month: addMonths(month, 1), from: end } : null };
}
