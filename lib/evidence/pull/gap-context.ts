import type { Window } from '#lib/core/window.ts';
import type { LineCollection } from '../rules/line-collection.ts';
import type { DatedLine } from '../rules/rank-subscriptions.ts';
import type { PullSession } from './pull-session.ts';
import type { ReportEntry } from './read-pages.ts';

export interface CrowdedInstant {
  instant: Window;
  entry: ReportEntry;
}

/** What is stored around an instant. */
export interface StoredNearby {
  /** The lines of a recipient settled or refunded in a window. */
  listLines(recipient: number, window: Window): Promise<DatedLine[]>;
  /** The windows of slices that are stored whole and overlap a window. */
  listWindows(window: Window): Promise<Window[]>;
}

export interface GapContext {
  session: Pick<PullSession, 'ask' | 'expect'>;
  lines: LineCollection;
  /** The window the lines are those of. */
  slice: Window;
  /** Net amounts of all recipients of that window, in the order of the report: who else may have their positions in a shorter part. */
  nets: readonly string[];
  /** Evidence stored before, for an instant that time cannot divide. */
  stored: StoredNearby;
  /** The time that may be requested; neighbouring windows beyond it may not. */
  horizon: string;
  /** Calls left before filling gives up; what is then missing shows in reconciliation. */
  callsLeft: number;
  /** Single instants with more lines of a recipient than one answer shows; filled last, when all other lines are known. */
  crowded: CrowdedInstant[];
}
