import { compareInstants, earlierOf, fromMicroseconds, laterOf, toMicroseconds } from '#lib/core/instant.ts';
import { type Window, windowLength } from '#lib/core/window.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import type { RenewalLine, ReversalLine } from '../rules/evidence.ts';
import { LineCollection, reversalInstants } from '../rules/line-collection.ts';
import { type DatedLine, type Likelihood, rankSubscriptions } from '../rules/rank-subscriptions.ts';
import { type CrowdedInstant, fillLines, type GapContext, isCutShort, listMissing } from './fill-lines.ts';
import type { ReportEntry } from './read-pages.ts';

const DAY_US = 86_400_000_000n;

/** How far around a crowded instant other lines are searched: two terms of a monthly plan, then a half-yearly and a yearly one. */
const NEIGHBOURHOOD_DAYS = [0n, 62n, 190n, 370n];

/** A part this short that is still above a cap is skipped. */
const NEIGHBOUR_PART_US = 2n * DAY_US;

/** Subscriptions in a row that had no line at the instant, before another neighbourhood is tried. */
const MISSES_MAX = 40;

/**
 * Reads the lines of one instant with more lines of a recipient than Invo shows. Time cannot divide them, so each subscription is requested.
 * Subscriptions are guessed from stored evidence around the instant, then from the windows around it that aren't stored, nearest first.
 * A wrong guess costs a call; what is still missing when the calls are used up shows in reconciliation.
 */
export async function fillInstant(context: GapContext, crowded: CrowdedInstant): Promise<void> {
  const { instant, entry } = crowded;
  const recipient = entry.report.recipient_player_id;
  const storedHere = await context.stored.listLines(recipient, instant);
  const search: Search = { context, crowded, lines: [...linesOf(context.lines, recipient), ...storedHere], requested: listShown(entry) };
  for (const [index, days] of NEIGHBOURHOOD_DAYS.slice(1).entries()) {
    const ring = ringOf(instant, NEIGHBOURHOOD_DAYS[index] ?? 0n, days, context.horizon);
    for (const side of ring) search.lines.push(...(await context.stored.listLines(recipient, side)));
    await askRanked(search, ['certain', 'due']);
    for (const side of beganHere(entry) ? ring.toReversed() : ring) {
      if (!isShort(search)) return;
      const slices = await context.stored.listWindows(side);
      for (const gap of listGaps(side, [context.slice, ...slices])) search.lines.push(...(await readNearby(context, recipient, gap)));
      await askRanked(search, ['certain', 'due']);
    }
    await askRanked(search, ['possible']);
  }
  await askRanked(search, ['possible', 'unlikely'], Infinity);
}

interface Search {
  context: GapContext;
  crowded: CrowdedInstant;
  /** Lines known around the instant, those of the slice included. */
  lines: DatedLine[];
  /** Subscriptions requested at this instant, or shown there. */
  requested: Set<string>;
}

/** Requests subscriptions of these likelihoods, the likeliest first, until nothing is missing or too many in a row have no line. */
async function askRanked({ context, crowded, lines, requested }: Search, wanted: Likelihood[], misses_max = MISSES_MAX): Promise<void> {
  const { instant, entry } = crowded;
  const recipientPlayerId = entry.report.recipient_player_id;
  const missing = listMissing(context.lines, instant, entry);
  let misses = 0;
  for (const { subscriptionId, likelihood } of rankSubscriptions(context.slice, instant, missing, lines)) {
    if (!wanted.includes(likelihood) || requested.has(subscriptionId)) continue;
    if (context.callsLeft <= 0 || misses >= misses_max || !isCutShort(context.lines, instant, entry)) return;
    requested.add(subscriptionId);
    context.callsLeft -= 1;
    context.session.expect({ calls: 1 });
    const answer = await context.session.ask(instant, { recipientPlayerId, subscriptionId }, 'fill');
    for (const report of answer.recipients) context.lines.add(instant, report);
    misses = answer.recipients.length > 0 ? 0 : misses + 1;
  }
}

function isShort({ context, crowded }: Search): boolean {
  return context.callsLeft > 0 && isCutShort(context.lines, crowded.instant, crowded.entry);
}

/** Subscriptions whose lines at the instant were all shown; one that is refunded and renewed there may hide the other line. */
function listShown({ report }: ReportEntry): Set<string> {
  const renewals = new Set(report.renewals.map((line) => line.subscription_id));
  const reversals = new Set(report.reversals.map((line) => line.subscription_id));
  if (report.renewals.length >= report.renewal_count) return reversals;
  if (report.reversals.length >= report.reversal_count) return renewals;
  return renewals.intersection(reversals);
}

/** Whether most lines of the instant are first periods: then the windows after it have more of the subscriptions than those before. */
function beganHere({ report }: ReportEntry): boolean {
  return report.renewals.filter((line) => line.period_seq === 1).length > report.renewals.length / 2;
}

/** The time before and after an instant between two distances from it, as far as time may be requested. */
function ringOf(instant: Window, from_days: bigint, to_days: bigint, horizon: string): Window[] {
  const sides = [
    { start: moved(instant.start, -to_days), end: moved(instant.start, -from_days) },
    { start: moved(instant.end, from_days), end: earlierOf(moved(instant.end, to_days), horizon) },
  ];
  return sides.filter((side) => compareInstants(side.start, side.end) < 0);
}

function moved(instant: string, days: bigint): string {
  return fromMicroseconds(toMicroseconds(instant) + days * DAY_US);
}

/** What windows leave uncovered of a window, in order of time. */
function listGaps(window: Window, covered: Window[]): Window[] {
  const gaps: Window[] = [];
  let { start } = window;
  for (const each of [...covered.toSorted((a, b) => compareInstants(a.start, b.start)), { start: window.end, end: window.end }]) {
    if (compareInstants(start, each.start) < 0) gaps.push({ start, end: earlierOf(each.start, window.end) });
    start = laterOf(start, each.end);
    if (compareInstants(start, window.end) >= 0) break;
  }
  return gaps;
}

/** The lines of this recipient in a window. One above Invo's caps is read in halves: it must not count as the slice's own refusal. */
async function readNearby(context: GapContext, recipient: number, window: Window): Promise<DatedLine[]> {
  if (context.callsLeft <= 0) return [];
  try {
    return await readWhole(context, recipient, window);
  } catch (error) {
    if (!(error instanceof InvoError) || error.code !== 'window_too_large') throw error;
    if (windowLength(window) <= NEIGHBOUR_PART_US) return [];
    const middle = fromMicroseconds(toMicroseconds(window.start) + windowLength(window) / 2n);
    const earlier = await readNearby(context, recipient, { start: window.start, end: middle });
    return [...earlier, ...(await readNearby(context, recipient, { start: middle, end: window.end }))];
  }
}

async function readWhole(context: GapContext, recipient: number, window: Window): Promise<DatedLine[]> {
  const lines = new LineCollection(window);
  context.callsLeft -= 1;
  context.session.expect({ calls: 1 });
  const answer = await context.session.ask(window, { recipientPlayerId: recipient }, 'fill');
  const seen = answer.recipients.map((report) => ({ rank: 0, home: 0, listLength: 1, report }));
  for (const { report } of seen) lines.add(window, report);
  const short = seen.filter((entry) => isCutShort(lines, window, entry));
  const nearby: GapContext = { ...context, slice: window, lines, crowded: [] };
  if (short.length > 0) await fillLines(nearby, window, short);
  context.callsLeft = nearby.callsLeft;
  return linesOf(lines, recipient);
}

function linesOf(lines: LineCollection, recipient: number): DatedLine[] {
  return [...lines.renewalsOf(recipient).map(datedRenewal), ...lines.reversalsOf(recipient).map(datedReversal)];
}

function datedRenewal({ subscription_id, period_seq, paid_at, period_start, period_end, refunded_at }: RenewalLine): DatedLine {
  return { subscription_id, period_seq, paid_at, period_start, period_end, refunded_at: refunded_at === null ? [] : [refunded_at] };
}

function datedReversal(line: ReversalLine): DatedLine {
  const { subscription_id, period_seq, paid_at, latest_refund_at } = line;
  const refunded_at = latest_refund_at === null ? reversalInstants(line) : [...reversalInstants(line), latest_refund_at];
  return { subscription_id, period_seq, paid_at, period_start: null, period_end: null, refunded_at };
}
