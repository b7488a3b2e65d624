import { containsWindow, type Window } from '#lib/core/window.ts';
import { INLINE_LINES_MAX } from '../rules/cut-window.ts';
import { LINE_KINDS, type LineBook, type LineKind } from '../rules/line-book.ts';
import type { PullSession } from './pull-session.ts';
import type { Sighting } from './read-pages.ts';

export interface CrowdedInstant {
  instant: Window;
  sighting: Sighting;
}

export interface FillContext {
  session: PullSession;
  book: LineBook;
  /** Subscriptions of a recipient known from evidence stored before, for an instant that time cannot divide. */
  knownSubscriptions(recipient: number): Promise<string[]>;
  /** Where time may be asked for at all: neighbouring windows beyond it are not. */
  horizon: string;
  /** Calls left before filling gives up; what is then missing shows in the proof. */
  callsLeft: number;
  /** Single instants that hold more lines of a recipient than one answer shows; filled last, when all other lines are known. */
  crowded: CrowdedInstant[];
}

/** Whether lines of a recipient are still missing in a part, though asking for less would show more. */
export function isCutShort(book: LineBook, part: Window, { report }: Sighting): boolean {
  return LINE_KINDS.some((kind) => isKindCut(book, part, report, kind));
}

/** The same, but for what is missing at crowded instants inside the part: those wait for their turn. */
export function isCutElsewhere({ book, crowded }: FillContext, part: Window, sighting: Sighting): boolean {
  const recipient = sighting.report.recipient_player_id;
  const waiting = crowded.filter((each) => each.sighting.report.recipient_player_id === recipient && containsWindow(part, each.instant));
  return LINE_KINDS.some((kind) => {
    const expected = waiting.reduce((sum, each) => sum + missingIn(book, each.instant, each.sighting, kind), 0);
    return isKindCut(book, part, sighting.report, kind) && missingIn(book, part, sighting, kind) > expected;
  });
}

function missingIn(book: LineBook, part: Window, { report }: Sighting, kind: LineKind): number {
  const count = kind === 'renewals' ? report.renewal_count : report.reversal_count;
  return count - book.countWithin(part, report.recipient_player_id, kind);
}

/** The same for one kind of line. An answer that shows fewer lines than it counts without being cut is a contradiction, which no further call mends. */
export function isKindCut(book: LineBook, part: Window, report: Sighting['report'], kind: LineKind): boolean {
  const count = kind === 'renewals' ? report.renewal_count : report.reversal_count;
  if (!report.isTruncated[kind] && report[kind].length < INLINE_LINES_MAX) return false;
  return book.countWithin(part, report.recipient_player_id, kind) < count;
}
