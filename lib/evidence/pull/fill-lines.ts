import { compareMoney, multiplyMoney, signOfMoney } from '#lib/core/money.ts';
import { containsInstant, containsWindow, type Window } from '#lib/core/window.ts';
import { type CutList, cutEvenly, guessPart, INLINE_LINES_MAX } from '../rules/cut-window.ts';
import type { ReversalLine } from '../rules/evidence.ts';
import { LINE_KINDS, type LineCollection, type LineKind, reversalInstants } from '../rules/line-collection.ts';
import type { DatedLine } from '../rules/rank-subscriptions.ts';
import { type Answer, type ListSelection, PAGE_RECIPIENTS_MAX, type PullSession } from './pull-session.ts';
import { mapLimit, PAGES_AT_ONCE, type ReportEntry } from './read-pages.ts';

/**
 * Reads the lines that an answer about this part did not show, for recipients cut at Invo's inline cap.
 * Recipients within one page of each other are read together, by their positions in the list of a shorter part.
 * Instants that time cannot divide are left in `context.crowded`. The order of the lines is only guessed: counts decide whether a part is complete,
 * and after a wrong guess the part is cut evenly.
 */
export async function fillLines(context: GapContext, part: Window, cut: ReportEntry[], mayGuess = true): Promise<void> {
  await mapLimit(groupByRank(cut), PAGES_AT_ONCE, (group) => fillGroup(context, part, group, mayGuess));
}

/** Groups of recipients that one answer can show together, as few as possible. */
function groupByRank(cut: ReportEntry[]): ReportEntry[][] {
  const groups: ReportEntry[][] = [];
  for (const entry of cut.toSorted((a, b) => a.rank - b.rank)) {
    const group = groups.at(-1);
    if (group?.[0] && entry.rank - group[0].rank < PAGE_RECIPIENTS_MAX) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

async function fillGroup(context: GapContext, part: Window, group: ReportEntry[], mayGuess: boolean): Promise<void> {
  const lists = group.flatMap((entry) => cutLists(context.lines, part, entry));
  const unit = finestUnit(lists);
  const guess = mayGuess ? guessPart(part, lists, unit) : null;
  if (guess) {
    const seen = await readShorter(context, guess.part, group);
    const isWhole = !group.some((entry) => isRestShort(context.lines, part, guess.part, entry, seen));
    await fillShort(context, guess.part, seen, isWhole);
    const missed = group.filter((entry) => isCutElsewhere(context, part, entry));
    if (missed.length > 0) await fillParts(context, cutEvenly(guess.rest, restLists(context.lines, guess, missed), unit, 1), missed);
  } else {
    const parts = cutEvenly(part, lists, unit);
    if (parts.length === 0) context.crowded.push(...group.map((entry) => ({ instant: part, entry })));
    await fillParts(context, parts, group);
  }
  const short = group.filter((entry) => isCutElsewhere(context, part, entry));
  if (short.length > 0 && mayGuess && context.callsLeft > 0) await fillLines(context, part, short, false);
}

async function fillParts(context: GapContext, parts: Window[], group: ReportEntry[]): Promise<void> {
  context.session.expect({ calls: parts.length });
  await mapLimit(parts, PAGES_AT_ONCE, async (part) => {
    if (context.callsLeft > 0) await fillShort(context, part, await rereadPart(context, part, group), true);
  });
}

async function readShorter(context: GapContext, part: Window, group: ReportEntry[]): Promise<ReportEntry[]> {
  context.session.expect({ calls: 1 });
  return context.callsLeft > 0 ? rereadPart(context, part, group) : [];
}

async function fillShort(context: GapContext, part: Window, seen: ReportEntry[], mayGuess: boolean): Promise<void> {
  const short = seen.filter((entry) => isCutShort(context.lines, part, entry));
  if (short.length > 0) await fillLines(context, part, short, mayGuess);
}

/** Whether lines are missing outside the part just read. Its count shows that before all its own lines are read. */
function isRestShort(lines: LineCollection, whole: Window, part: Window, entry: ReportEntry, seen: ReportEntry[]): boolean {
  const inPart = seen.find(({ report }) => report.recipient_player_id === entry.report.recipient_player_id)?.report;
  return LINE_KINDS.some((kind) => {
    const outside =
      lines.countWithin(whole, entry.report.recipient_player_id, kind) - lines.countWithin(part, entry.report.recipient_player_id, kind);
    return isKindCut(lines, whole, entry.report, kind) && countOf(entry.report, kind) - (inPart ? countOf(inPart, kind) : 0) > outside;
  });
}

/** The cut lists of what a guessed part leaves: the lines known there, and as many as the counts require. */
function restLists(lines: LineCollection, { part, rest }: { part: Window; rest: Window }, group: ReportEntry[]): CutList[] {
  return group.flatMap(({ report }) => {
    const recipient = report.recipient_player_id;
    return LINE_KINDS.map((kind) => ({
      shown: instantsOf(lines, recipient, kind).filter((instant) => containsInstant(rest, instant)),
      count: Math.max(0, countOf(report, kind) - lines.countWithin(part, recipient, kind)),
    }));
  });
}

function instantsOf(lines: LineCollection, recipient: number, kind: LineKind): string[] {
  if (kind === 'renewals') return lines.renewalsOf(recipient).map((line) => line.paid_at);
  return lines.reversalsOf(recipient).flatMap((line) => reversalInstants(line).slice(-1));
}

function cutLists(lines: LineCollection, part: Window, { report }: ReportEntry): CutList[] {
  return listMissing(lines, part, { report }).map((kind) => {
    const count = countOf(report, kind);
    if (kind === 'renewals') {
      const shown = report.renewals.map((line) => line.paid_at);
      return { shown, count, keys: [report.renewals.map((line) => line.period_start), report.renewals.map((line) => line.refunded_at)] };
    }
    const instants = report.reversals.map((line) => reversalInstants(line));
    return {
      shown: instants.map((each, index) => each.at(-1) ?? report.reversals[index]?.paid_at ?? part.start),
      first: instants.map((each, index) => each[0] ?? report.reversals[index]?.paid_at ?? part.start),
      keys: [report.reversals.map((line) => line.latest_refund_at), report.reversals.map((line) => line.paid_at)],
      mayRepeat: lines.reversalsOf(report.recipient_player_id).some(isRefundedAgain),
      count,
    };
  });
}

/** Whether a period was refunded more than once, as far as its line shows. */
function isRefundedAgain({ refund_events: events, latest_refund_at }: ReversalLine): boolean {
  const [first] = events;
  if (!first) return false;
  return events.length > 1 || latest_refund_at !== first.refunded_at || signOfMoney(first.cumulative_refunded_before_usd) !== 0;
}

function countOf(report: ReportEntry['report'], kind: LineKind): number {
  return kind === 'renewals' ? report.renewal_count : report.reversal_count;
}

function finestUnit(lists: CutList[]): 1 | 1000 {
  return lists.some((list) => list.shown.some((instant) => /\.\d{4,}Z$/.test(instant))) ? 1 : 1000;
}

/** Whether lines of a recipient are still missing in a part and a smaller part would show more. */
export function isCutShort(lines: LineCollection, part: Window, { report }: ReportEntry): boolean {
  return LINE_KINDS.some((kind) => isKindCut(lines, part, report, kind));
}

/** The kinds of lines of a recipient that are still missing in a part. */
export function listMissing(lines: LineCollection, part: Window, { report }: Pick<ReportEntry, 'report'>): LineKind[] {
  return LINE_KINDS.filter((kind) => isKindCut(lines, part, report, kind));
}

/** The same without what is missing at crowded instants inside the part, which are filled later. */
function isCutElsewhere({ lines, crowded }: GapContext, part: Window, entry: ReportEntry): boolean {
  const recipient = entry.report.recipient_player_id;
  const waiting = crowded.filter((each) => each.entry.report.recipient_player_id === recipient && containsWindow(part, each.instant));
  return LINE_KINDS.some((kind) => {
    const expected = waiting.reduce((sum, each) => sum + missingIn(lines, each.instant, each.entry, kind), 0);
    return isKindCut(lines, part, entry.report, kind) && missingIn(lines, part, entry, kind) > expected;
  });
}

function missingIn(lines: LineCollection, part: Window, { report }: ReportEntry, kind: LineKind): number {
  return countOf(report, kind) - lines.countWithin(part, report.recipient_player_id, kind);
}

/** The same for one kind of line. An answer that shows fewer lines than it counts without being cut is a contradiction, which no further call resolves. */
function isKindCut(lines: LineCollection, part: Window, report: ReportEntry['report'], kind: LineKind): boolean {
  const count = countOf(report, kind);
  if (!report.isTruncated[kind] && report[kind].length < INLINE_LINES_MAX) return false;
  return lines.countWithin(part, report.recipient_player_id, kind) < count;
}

/**
 * Reads recipients again in a shorter part and adds their lines: one alone by the filter, several together by their positions in the list,
 * because a whole page can carry megabytes of other recipients' lines. Those who moved are searched at other positions, then by the filter.
 * Returns the recipients seen, without those who have no lines in the part.
 */
async function rereadPart(context: GapContext, part: Window, group: ReportEntry[]): Promise<ReportEntry[]> {
  const wanted = new Map(group.map((entry) => [entry.report.recipient_player_id, entry]));
  const seen: ReportEntry[] = [];
  const first = likelySpan(context.nets, group);
  let span: ListSpan | null = first;
  for (let tries = 1; span !== null && wanted.size > 1 && tries < group.length; tries += 1) {
    const answer = await requestCounted(context, part, span);
    for (const [index, report] of answer.recipients.entries()) {
      context.lines.add(part, report);
      const entry = wanted.get(report.recipient_player_id);
      if (entry) seen.push({ ...entry, rank: span.offset + index, listLength: answer.total_count, report });
      wanted.delete(report.recipient_player_id);
    }
    if (span.offset === 0 && !answer.has_more) wanted.clear();
    span = otherSpans(first, group, answer.total_count)[tries - 1] ?? null;
  }
  for (const [recipientPlayerId, entry] of wanted) {
    const answer = await requestCounted(context, part, { recipientPlayerId });
    for (const report of answer.recipients) {
      context.lines.add(part, report);
      if (report.recipient_player_id === recipientPlayerId) seen.push({ ...entry, report });
    }
  }
  return seen;
}

async function requestCounted(context: GapContext, part: Window, selection: ListSelection): Promise<Answer> {
  context.callsLeft -= 1;
  return context.session.ask(part, selection, 'fill');
}

interface ListSpan {
  offset: number;
  limit: number;
}

/** The likely positions of recipients in the list of a shorter part: their previous ones, and those of others with similar amounts. */
function likelySpan(nets: readonly string[], group: ReportEntry[]): ListSpan {
  const [ranks, homes] = [group.map((entry) => entry.rank), group.map((entry) => entry.home)];
  const [first, last] = [Math.min(...ranks), Math.max(...ranks)];
  const above = countSimilar(nets, Math.min(...homes), -1);
  const below = countSimilar(nets, Math.max(...homes), 1);
  const offset = Math.max(0, first - above);
  return { offset, limit: Math.min(PAGE_RECIPIENTS_MAX, last + below + 1 - offset) };
}

/**
 * Other positions to try, the likelier first. The list is ranked by net, so recipients with only reversals are last. A shorter part has fewer
 * recipients, so their positions from the end stay the same. Those with many reversals may be below zero in this part. The others are searched in a
 * full page around them.
 */
function otherSpans({ offset, limit }: ListSpan, group: ReportEntry[], listLength: number): ListSpan[] {
  const length = group[0]?.listLength ?? listLength;
  const isAtEnd = offset + limit > length / 2;
  if (isAtEnd && listLength !== length) return [{ offset: Math.max(0, listLength - (length - offset)), limit }];
  const around =
    limit < PAGE_RECIPIENTS_MAX
      ? [{ offset: Math.max(0, offset - Math.floor((PAGE_RECIPIENTS_MAX - limit) / 2)), limit: PAGE_RECIPIENTS_MAX }]
      : [];
  const mayOweBack = sumOf(group, 'reversal_count') * 5 > sumOf(group, 'renewal_count') * 2;
  const last = { offset: Math.max(0, listLength - PAGE_RECIPIENTS_MAX), limit: PAGE_RECIPIENTS_MAX };
  return mayOweBack && listLength > offset + PAGE_RECIPIENTS_MAX ? [last, ...around] : around;
}

function sumOf(group: ReportEntry[], count: 'renewal_count' | 'reversal_count'): number {
  return group.reduce((sum, { report }) => sum + report[count], 0);
}

/** How many recipients next to a position, at least two, have a net within a quarter of the net there. */
function countSimilar(nets: readonly string[], home: number, step: 1 | -1): number {
  const net = nets[home] ?? '0';
  const isFarther = signOfMoney(net) === step ? 3 : 5;
  const bound = multiplyMoney(net, isFarther);
  let count = 2;
  while (count < PAGE_RECIPIENTS_MAX) {
    const other = nets[home + step * (count + 1)];
    if (other === undefined || compareMoney(multiplyMoney(other, 4), bound) === -step) return count;
    count += 1;
  }
  return count;
}

export interface CrowdedInstant {
  instant: Window;
  entry: ReportEntry;
}

/** What is stored around an instant. */
interface StoredNearby {
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
