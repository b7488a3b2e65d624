import { toMicroseconds } from '#lib/core/instant.ts';
import { addMonths, listMonths, type Month, monthOf, monthWindow } from '#lib/core/month.ts';
import { isClosed, settledUntil } from '#lib/core/window.ts';

/** What is known of a month: how it stands, and when somebody last tried to pull it. */
export interface MonthPulled {
  month: Month;
  standing: 'complete' | 'open' | 'inconsistent' | null;
  lastPulledAt: string;
}

/** Months of history the simulated service tells of, the current one included. */
const SIMULATED_MONTHS = 14;

const HOUR_US = 3_600_000_000n;

/**
 * Which months are due to be pulled without anybody asking. Closed months that are not complete, at most every six hours; the open month once a day.
 * A book nobody has begun stays empty: the first pull of a real game is a person's decision. Simulated data begin with fourteen months.
 * Order: oldest first.
 */
export function listDuePulls(
  now: string,
  game: { timeZone: string; settleLag_minutes: number; isSimulated: boolean },
  pulled: MonthPulled[],
): Month[] {
  const horizon = settledUntil(now, game.settleLag_minutes);
  const current = monthOf(horizon, game.timeZone);
  const first = game.isSimulated ? addMonths(current, 1 - SIMULATED_MONTHS) : pulled.map((each) => each.month).toSorted()[0];
  if (first === undefined) return [];
  const known = new Map(pulled.map((each) => [each.month, each]));
  return listMonths(first, current).filter((month) => {
    const seen = known.get(month);
    if (!seen) return true;
    if (seen.standing === 'complete') return false;
    const patience = isClosed(monthWindow(month, game.timeZone), horizon) ? 6n : 24n;
    return toMicroseconds(now) - toMicroseconds(seen.lastPulledAt) >= patience * HOUR_US;
  });
}
