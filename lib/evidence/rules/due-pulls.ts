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
  /** When a pull was requested that ended with a snapshot or a re-check; null: none did. */
  lastDoneAt: string | null;
}

export interface ScheduledGame {
  timeZone: string;
  settleLag_minutes: number;
  isSimulated: boolean;
  /** How far back a person wants months pulled; null: not decided. */
  firstMonth: Month | null;
}

/** Months of history the simulated Invo reports, including the current one. */
const SIMULATED_MONTHS = 14;

/** The most months the schedule pulls; older ones are pulled when a person requests them. */
export const SCHEDULED_MONTHS_MAX = 36;

/** How far back a game is pulled by default, the current month included. */
export const HISTORY_MONTHS = 13;

/** How often the last complete months are compared with Invo again: one call each. */
const RECHECKS = [
  { months: 3, hours: 24 },
  { months: 14, hours: 7 * 24 },
];

/** Until a pull that failed, or didn't reconcile, is tried again. */
const RETRY_HOURS = 6;

const HOUR_US = 3_600_000_000n;

/**
 * Lists the months the schedule pulls by itself: closed months that aren't complete, at most every six hours; the open month once a day, and
 * once more when it has closed; complete months for a re-check, the last three once a day and the last fourteen once a week.
 * The first pull of a real game is a person's decision: without one nothing is due. It goes back to the first month pulled or requested, and
 * 36 months at most. Simulated data start with fourteen months.
 * Order: oldest first. `readAt` is the clock of the database, which dates pulls: where `now` is set by hand, re-checks go by the smaller age.
 */
export function listDuePulls(now: string, readAt: string, game: ScheduledGame, pulled: MonthPulled[]): Month[] {
  const horizon = settledUntil(now, game.settleLag_minutes);
  const current = monthOf(horizon, game.timeZone);
  const first = firstMonthOf(game, current, pulled);
  if (first === null) return [];
  const known = new Map(pulled.map((each) => [each.month, each]));
  return listMonths(first, current).filter((month) => {
    const seen = known.get(month);
    if (!seen) return true;
    if (seen.status === 'complete') return isRecheckDue(seen, current, [now, readAt]);
    const window = monthWindow(month, game.timeZone);
    if (!isClosed(window, horizon)) return hoursBetween(seen.lastPulledAt, now) >= 24;
    const wasOpen = seen.lastPulledAt === seen.lastDoneAt && !isClosed(window, settledUntil(seen.lastPulledAt, game.settleLag_minutes));
    return wasOpen || hoursBetween(seen.lastPulledAt, now) >= RETRY_HOURS;
  });
}

function firstMonthOf({ isSimulated, firstMonth }: ScheduledGame, current: Month, pulled: MonthPulled[]): Month | null {
  if (isSimulated) return addMonths(current, 1 - SIMULATED_MONTHS);
  const [earliest] = [...pulled.map((each) => each.month), ...(firstMonth === null ? [] : [firstMonth])].toSorted();
  if (earliest === undefined) return null;
  const oldest = addMonths(current, 1 - SCHEDULED_MONTHS_MAX);
  return earliest < oldest ? oldest : earliest;
}

function isRecheckDue({ month, lastPulledAt, lastDoneAt }: MonthPulled, current: Month, clocks: string[]): boolean {
  const every = RECHECKS.find(({ months }) => month >= addMonths(current, -months));
  if (every === undefined) return false;
  const age = (instant: string): number => Math.min(...clocks.map((clock) => hoursBetween(instant, clock)));
  return age(lastDoneAt ?? lastPulledAt) >= every.hours && age(lastPulledAt) >= RETRY_HOURS;
}

/** Whole hours, rounded down. */
function hoursBetween(instant: string, later: string): number {
  return Number((toMicroseconds(later) - toMicroseconds(instant)) / HOUR_US);
}
