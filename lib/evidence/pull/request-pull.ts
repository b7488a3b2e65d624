import type { Db } from '#db/kit/open.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { addMonths, monthOf, monthWindow } from '#lib/core/month.ts';
import { settledUntil, WINDOW_DAYS_MAX, type Window, windowLength, YEARS_BACK_MAX } from '#lib/core/window.ts';
import { insertPull } from '../writes/pull-queue.ts';

export interface PullRequest {
  gameId: number;
  window: Window;
  isFresh: boolean;
  /** Email of the person, or "command line", or "schedule". */
  requestedBy: string;
  /** The instant of the request, and how far before it time counts as settled. */
  now: string;
  settleLag_minutes: number;
}

export type PullRequested = { ok: true; pullId: number; isNew: boolean } | { ok: false; reason: 'not_started' | 'too_early' | 'too_long' };

/**
 * Requests the pull of a window. A running pull of the same window is joined instead of starting a second.
 * Refused: a window without settled time, one that starts more than ten years ago, and one longer than that.
 */
export async function requestPull(db: Db, request: PullRequest): Promise<PullRequested> {
  const { window, now, settleLag_minutes } = request;
  if (compareInstants(settledUntil(now, settleLag_minutes), window.start) <= 0) return { ok: false, reason: 'not_started' };
  if (compareInstants(window.start, earliestStart(now)) < 0) return { ok: false, reason: 'too_early' };
  if (windowLength(window) > BigInt(WINDOW_DAYS_MAX) * 10n * 86_400_000_000n) return { ok: false, reason: 'too_long' };
  return { ok: true, ...(await insertPull(db, request)) };
}

/** The first instant of the month ten years ago, in the time zone whose days start first. */
function earliestStart(now: string): string {
  return monthWindow(addMonths(monthOf(now, 'UTC'), -12 * YEARS_BACK_MAX), 'Pacific/Kiritimati').start;
}
