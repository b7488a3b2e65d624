import { compareInstants } from '#lib/core/instant.ts';
import { isClosed, type Window } from '#lib/core/window.ts';
import type { SnapshotStatus } from './evidence.ts';

/** The evidence state of a month: stored evidence takes precedence over the error of a later pull. */
export const MONTH_STATES = [
  'not_started',
  'not_pulled',
  'pulling',
  'failed',
  'open',
  'incomplete',
  'not_reconciled',
  'reconciled',
  'reconciled_with_warnings',
  'differs',
] as const;
export type MonthState = (typeof MONTH_STATES)[number];

interface StoredSnapshot {
  status: SnapshotStatus;
  checkCount: number;
  checkOkCount: number;
}

/** What decides the state of a month: the newest complete snapshot, otherwise the newest of all, and what happened after it. */
export interface StoredMonth {
  window: Window;
  snapshot: StoredSnapshot | null;
  /** An inconsistent snapshot that is newer than the complete one. */
  newer: object | null;
  recheck: { isEqual: boolean } | null;
  pull: { state: string } | null;
}

/**
 * The state of a month. What is stored comes before what went wrong with a later pull: reconciled figures stay reconciled.
 * `settledUntil` is now minus the settle lag.
 */
export function monthStateOf({ window, snapshot, newer, recheck, pull }: StoredMonth, settledUntil: string): MonthState {
  if (pull?.state === 'queued' || pull?.state === 'running') return 'pulling';
  if (snapshot === null) {
    if (compareInstants(window.start, settledUntil) >= 0) return 'not_started';
    return pull?.state === 'failed' ? 'failed' : 'not_pulled';
  }
  if (snapshot.status === 'inconsistent') return 'not_reconciled';
  if (snapshot.status === 'open') return isClosed(window, settledUntil) ? 'incomplete' : 'open';
  if (newer !== null || recheck?.isEqual === false) return 'differs';
  return warningCountOf(snapshot) > 0 ? 'reconciled_with_warnings' : 'reconciled';
}

/** How many warnings don’t match in a snapshot that reconciles, where every other check matches. */
export function warningCountOf(snapshot: Pick<StoredSnapshot, 'checkCount' | 'checkOkCount'>): number {
  return snapshot.checkCount - snapshot.checkOkCount;
}
