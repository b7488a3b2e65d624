import { toMicroseconds } from '#lib/core/instant.ts';
import { addMonths, listMonths, type Month, monthOf, monthWindow } from '#lib/core/month.ts';
import { isClosed, settledUntil } from '#lib/core/window.ts';
import type { SnapshotStatus } from './evidence.ts';

/** A month that was requested: the status of its snapshot, and when it was last pulled. */
export interface MonthPulled {
  month: Month;
  /** null: no snapshot yet. */
  status: SnapshotStatus | null;
  lastPulledAt: string;
}

/** Months of history the simulated Invo reports, including the current one. */
const SIMULATED_MONTHS = 14;

/** The most months the schedule keeps pulled: what lies further back is pulled when a person asks for it. */
const SCHEDULED_MONTHS_MAX = 36;

const HOUR_US = 3_600_000_000n;

/**
 * Lists the months the schedule pulls by itself: closed months that aren't complete, at most every six hours, and the open month once a day.
 * The first pull of a real game is a person's decision: without one nothing is due. It goes back to the first month pulled, and 36 months
 * at most. Simulated data start with fourteen months.
 * Order: oldest first.
 */
export function listDuePulls(
  now: string,
  game: { timeZone: string; settleLag_minutes: number; isSimulated: boolean },
  pulled: MonthPulled[],
): Month[] {
  const horizon = settledUntil(now, game.settleLag_minutes);
  const current = monthOf(horizon, game.timeZone);
  const earliest = game.isSimulated ? addMonths(current, 1 - SIMULATED_MONTHS) : pulled.map((each) => each.month).toSorted()[0];
  if (earliest === undefined) return [];
  const oldest = addMonths(current, 1 - SCHEDULED_MONTHS_MAX);
  const first = earliest < oldest ? oldest : earliest;
  const known = new Map(pulled.map((each) => [each.month, each]));
  return listMonths(first, current).filter((month) => {
    const seen = known.get(month);
    if (!seen) return true;
    if (seen.status === 'complete') return false;
    const hours = isClosed(monthWindow(month, game.timeZone), horizon) ? 6n : 24n;
    return toMicroseconds(now) - toMicroseconds(seen.lastPulledAt) >= hours * HOUR_US;
  });
}
