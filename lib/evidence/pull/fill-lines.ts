import { earlierOf, fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { containsWindow, type Window, windowLength } from '#lib/core/window.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import { type CutList, cutWindow, INLINE_LINES_MAX } from '../rules/cut-window.ts';
import { LINE_KINDS, LineCollection, type LineKind, reversalInstants } from '../rules/line-collection.ts';
import { PAGE_RECIPIENTS_MAX, type PullSession } from './pull-session.ts';
import { mapLimit, PAGES_AT_ONCE, type ReportEntry } from './read-pages.ts';

/**
 * Brings the lines an answer about this part did not show, for recipients cut at Invo's inline cap.
 * Recipients seen on one page are advanced together by reading that page of a shorter part; a recipient left alone, or moved to another page, is asked for by the filter.
 * Instants that time cannot divide are left in `context.crowded`. How the lines are ordered is only guessed: counts decide whether a part is whole, and a guess that did not hold is followed by even parts.
 */
export async function fillLines(context: FillContext, part: Window, cut: ReportEntry[], mayGuess = true): Promise<void> {
  const groups = [...Map.groupBy(cut, (entry) => entry.page).values()];
  await mapLimit(groups, PAGES_AT_ONCE, (group) => fillGroup(context, part, group, mayGuess));
}

async function fillGroup(context: FillContext, part: Window, group: ReportEntry[], mayGuess: boolean): Promise<void> {
  const lists = group.flatMap((entry) => cutLists(context.lines, part, entry));
  const parts = cutWindow(part, lists, finestUnit(lists), mayGuess);
  if (parts.length === 0) {
    context.crowded.push(...group.map((entry) => ({ instant: part, entry })));
    return;
  }
  context.session.expect({ calls: parts.length });
  await mapLimit(parts, PAGES_AT_ONCE, async (smaller) => {
    if (context.callsLeft <= 0) return;
    const seen = await lookAgain(context, smaller, group);
    const short = seen.filter((entry) => isCutShort(context.lines, smaller, entry));
    if (short.length > 0) await fillLines(context, smaller, short);
  });
  const short = group.filter((entry) => isCutElsewhere(context, part, entry));
  if (short.length > 0 && mayGuess && context.callsLeft > 0) await fillLines(context, part, short, false);
}

/** Reads a group again in a shorter part: its page when that serves more than one, then each one still unseen by the filter. */
async function lookAgain(context: FillContext, part: Window, group: ReportEntry[]): Promise<ReportEntry[]> {
  const wanted = new Map(group.map((entry) => [entry.report.recipient_player_id, entry]));
  const seen: ReportEntry[] = [];
  const tried = new Set<number>();
  let page = group[0]?.page ?? 0;
  while (wanted.size > 1 && tried.size < wanted.size && !tried.has(page) && page >= 0) {
    tried.add(page);
    const answer = await askCounted(context, part, { limit: PAGE_RECIPIENTS_MAX, offset: page * PAGE_RECIPIENTS_MAX });
    for (const report of answer.recipients) {
      context.lines.add(part, report);
      if (wanted.delete(report.recipient_player_id)) seen.push({ page, report });
    }
    const isWholeList = page === 0 && !answer.has_more;
    if (isWholeList) wanted.clear();
    // Ranked by net, those who only owe back stand last: a shorter part has fewer pages, so look from its end.
    const last = Math.max(0, Math.ceil(answer.total_count / PAGE_RECIPIENTS_MAX) - 1);
    page = tried.has(last) ? last - 1 : page > last ? last : page - 1;
  }
  for (const [recipientPlayerId, { page: home }] of wanted) {
    const answer = await askCounted(context, part, { recipientPlayerId });
    for (const report of answer.recipients) {
      context.lines.add(part, report);
      if (report.recipient_player_id === recipientPlayerId) seen.push({ page: home, report });
    }
  }
  return seen;
}

async function askCounted(context: FillContext, part: Window, asked: Parameters<PullSession['ask']>[1]): ReturnType<PullSession['ask']> {
  context.callsLeft -= 1;
  return context.session.ask(part, asked, 'fill');
}

function cutLists(lines: LineCollection, part: Window, { report }: ReportEntry): CutList[] {
  return LINE_KINDS.filter((kind) => isKindCut(lines, part, report, kind)).map((kind) =>
    kind === 'renewals'
      ? { shown: report.renewals.map((line) => line.paid_at), count: report.renewal_count }
      : { shown: report.reversals.map((line) => reversalInstants(line).at(-1) ?? line.paid_at), count: report.reversal_count },
  );
}

function finestUnit(lists: CutList[]): 1 | 1000 {
  return lists.some((list) => list.shown.some((instant) => /\.\d{4,}Z$/.test(instant))) ? 1 : 1000;
}

/** How far around a crowded instant other renewals of the same subscriptions are looked for: two terms of a monthly plan. */
const NEIGHBOUR_DAYS = 62n;
const DAY_US = 86_400_000_000n;

/** A part of it this short that is still above a cap is let be. */
const NEIGHBOUR_PART_US = 2n * DAY_US;

/**
 * Brings the lines of one instant that holds more than Invo shows of a recipient: time cannot divide them, so each subscription is asked for.
 * The subscriptions not shown are found among the recipient's other lines, in evidence stored before, and in the windows before and after.
 */
export async function fillInstant(context: FillContext, { instant, entry }: CrowdedInstant): Promise<void> {
  const recipient = entry.report.recipient_player_id;
  const shownHere = new Set([...entry.report.renewals, ...entry.report.reversals].map((line) => line.subscription_id));
  const asked = new Set<string>();
  const sources = [
    () => context.knownSubscriptions(recipient),
    () => findNearby(context, recipient, before(instant)),
    () => findNearby(context, recipient, after(instant, context.horizon)),
    // A subscription that settled elsewhere in the slice seldom settled here too: last, and only as far as the bound on calls goes.
    async () => context.lines.subscriptionsOf(recipient).difference(shownHere),
  ];
  for (const [at, listSubscriptions] of sources.entries()) {
    const isLikely = at < 3;
    for (const subscriptionId of isCutShort(context.lines, instant, entry) ? await listSubscriptions() : []) {
      if (asked.has(subscriptionId) || (isLikely && context.lines.subscriptionsOf(recipient).has(subscriptionId))) continue;
      if (context.callsLeft <= 0 || !isCutShort(context.lines, instant, entry)) return;
      asked.add(subscriptionId);
      context.callsLeft -= 1;
      context.session.expect({ calls: 1 });
      const answer = await context.session.ask(instant, { recipientPlayerId: recipient, subscriptionId }, 'fill');
      for (const report of answer.recipients) context.lines.add(instant, report);
    }
  }
}

/** The subscriptions with lines of this recipient near an instant. A neighbourhood above Invo's caps is read in halves: it must not count as the slice's own refusal. */
async function findNearby(context: FillContext, recipient: number, window: Window | null): Promise<Set<string>> {
  if (window === null || context.callsLeft <= 0) return new Set();
  try {
    return await readNearby(context, recipient, window);
  } catch (error) {
    if (!(error instanceof InvoError) || error.code !== 'window_too_large') throw error;
    if (windowLength(window) <= NEIGHBOUR_PART_US) return new Set();
    const middle = fromMicroseconds(toMicroseconds(window.start) + windowLength(window) / 2n);
    const earlier = await findNearby(context, recipient, { start: window.start, end: middle });
    return earlier.union(await findNearby(context, recipient, { start: middle, end: window.end }));
  }
}

/** The subscriptions with lines of this recipient in a neighbouring window, read whole into a lines of its own. */
async function readNearby(context: FillContext, recipient: number, window: Window): Promise<Set<string>> {
  const lines = new LineCollection(window);
  context.callsLeft -= 1;
  const answer = await context.session.ask(window, { recipientPlayerId: recipient }, 'fill');
  const seen = answer.recipients.map((report) => ({ page: 0, report }));
  for (const { report } of seen) lines.add(window, report);
  const short = seen.filter((entry) => isCutShort(lines, window, entry));
  const nearby: FillContext = { ...context, lines, crowded: [] };
  if (short.length > 0) await fillLines(nearby, window, short);
  context.callsLeft = nearby.callsLeft;
  return lines.subscriptionsOf(recipient);
}

function before(instant: Window): Window {
  return { start: fromMicroseconds(toMicroseconds(instant.start) - NEIGHBOUR_DAYS * DAY_US), end: instant.start };
}

function after(instant: Window, horizon: string): Window | null {
  const end = earlierOf(fromMicroseconds(toMicroseconds(instant.end) + NEIGHBOUR_DAYS * DAY_US), horizon);
  return toMicroseconds(end) > toMicroseconds(instant.end) ? { start: instant.end, end } : null;
}

export interface CrowdedInstant {
  instant: Window;
  entry: ReportEntry;
}

export interface FillContext {
  session: PullSession;
  lines: LineCollection;
  /** Subscriptions of a recipient known from evidence stored before, for an instant that time cannot divide. */
  knownSubscriptions(recipient: number): Promise<string[]>;
  /** Where time may be asked for at all: neighbouring windows beyond it are not. */
  horizon: string;
  /** Calls left before filling gives up; what is then missing shows in reconciliation. */
  callsLeft: number;
  /** Single instants that hold more lines of a recipient than one answer shows; filled last, when all other lines are known. */
  crowded: CrowdedInstant[];
}

/** Whether lines of a recipient are still missing in a part, though asking for less would show more. */
export function isCutShort(lines: LineCollection, part: Window, { report }: ReportEntry): boolean {
  return LINE_KINDS.some((kind) => isKindCut(lines, part, report, kind));
}

/** The same, but for what is missing at crowded instants inside the part: those wait for their turn. */
function isCutElsewhere({ lines, crowded }: FillContext, part: Window, entry: ReportEntry): boolean {
  const recipient = entry.report.recipient_player_id;
  const waiting = crowded.filter((each) => each.entry.report.recipient_player_id === recipient && containsWindow(part, each.instant));
  return LINE_KINDS.some((kind) => {
    const expected = waiting.reduce((sum, each) => sum + missingIn(lines, each.instant, each.entry, kind), 0);
    return isKindCut(lines, part, entry.report, kind) && missingIn(lines, part, entry, kind) > expected;
  });
}

function missingIn(lines: LineCollection, part: Window, { report }: ReportEntry, kind: LineKind): number {
  const count = kind === 'renewals' ? report.renewal_count : report.reversal_count;
  return count - lines.countWithin(part, report.recipient_player_id, kind);
}

/** The same for one kind of line. An answer that shows fewer lines than it counts without being cut is a contradiction, which no further call mends. */
function isKindCut(lines: LineCollection, part: Window, report: ReportEntry['report'], kind: LineKind): boolean {
  const count = kind === 'renewals' ? report.renewal_count : report.reversal_count;
  if (!report.isTruncated[kind] && report[kind].length < INLINE_LINES_MAX) return false;
  return lines.countWithin(part, report.recipient_player_id, kind) < count;
}
