import { compareInstants, toMicroseconds } from '#lib/core/instant.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import { min } from './cut-window.ts';
import type { LineKind } from './line-collection.ts';

/** What a known line reveals about when its subscription is charged. */
export interface DatedLine {
  subscription_id: string;
  period_seq: number | null;
  paid_at: string;
  /** null: not reported, or known from a reversal only. */
  period_start: string | null;
  period_end: string | null;
  /** When the line was refunded, as far as known. */
  refunded_at: readonly string[];
}

/**
 * `certain`: a known line shows that the subscription has a line at the instant. `due`: a charge falls within days of it.
 * `possible`: nothing speaks against it. `unlikely`: the subscription settled elsewhere in the slice, or began after the instant.
 */
export type Likelihood = 'certain' | 'due' | 'possible' | 'unlikely';

export interface RankedSubscription {
  subscriptionId: string;
  likelihood: Likelihood;
}

const RANK: Record<Likelihood, number> = { certain: 0, due: 1, possible: 2, unlikely: 3 };
const DAY_US = 86_400_000_000n;
const DUE_WITHIN_US = 3n * DAY_US;
const MONTH_US = 30n * DAY_US;

/** Orders subscriptions by how likely they have a line at an instant of a slice that Invo didn't show, from lines known around it. */
export function rankSubscriptions(slice: Window, instant: Window, missing: readonly LineKind[], lines: DatedLine[]): RankedSubscription[] {
  const bySubscription = Map.groupBy(lines, (line) => line.subscription_id);
  return [...bySubscription]
    .map(([subscriptionId, ofOne]) => ({ subscriptionId, ...judge(slice, instant, missing, ofOne) }))
    .toSorted((a, b) => RANK[a.likelihood] - RANK[b.likelihood] || Number(a.distance - b.distance))
    .map(({ subscriptionId, likelihood }) => ({ subscriptionId, likelihood }));
}

function judge(
  slice: Window,
  instant: Window,
  missing: readonly LineKind[],
  lines: DatedLine[],
): { likelihood: Likelihood; distance: bigint } {
  const isHere = (line: DatedLine): boolean =>
    (missing.includes('renewals') && containsInstant(instant, line.paid_at)) ||
    (missing.includes('reversals') && line.refunded_at.some((refundedAt) => containsInstant(instant, refundedAt)));
  if (lines.some(isHere)) return { likelihood: 'certain', distance: 0n };
  const ordered = lines.toSorted((a, b) => compareInstants(a.paid_at, b.paid_at));
  const before = ordered.findLast((line) => compareInstants(line.paid_at, instant.start) < 0);
  const start = toMicroseconds(instant.start);
  // What is refunded was paid before, and most refunds follow soon.
  if (!missing.includes('renewals'))
    return before ? { likelihood: 'possible', distance: start - toMicroseconds(before.paid_at) } : { likelihood: 'unlikely', distance: 0n };
  const after = ordered.find((line) => compareInstants(line.paid_at, instant.end) >= 0);
  const distance = [before && afterLine(before, start), after && beforeLine(after, start)].filter((each) => each !== undefined).reduce(min);
  const isElsewhere = lines.some((line) => containsInstant(slice, line.paid_at));
  if (isElsewhere || hasNoneBetween(before, after)) return { likelihood: 'unlikely', distance };
  return { likelihood: distance <= DUE_WITHIN_US ? 'due' : 'possible', distance };
}

/** Whether the numbers of two periods leave no other settled one between them; the first period has none before it. */
function hasNoneBetween(before: DatedLine | undefined, after: DatedLine | undefined): boolean {
  if (!after || after.period_seq === null) return false;
  return after.period_seq === 1 || (before !== undefined && before.period_seq !== null && after.period_seq - before.period_seq <= 1);
}

/** How far an instant is from the nearest charge expected after a line. */
function afterLine(line: DatedLine, instant: bigint): bigint {
  const first = toMicroseconds(line.period_end ?? line.paid_at) + (line.period_end === null ? MONTH_US : 0n);
  return distanceToSeries(instant - first, termOf(line));
}

/** How far an instant is from the nearest charge expected before a line. */
function beforeLine(line: DatedLine, instant: bigint): bigint {
  return distanceToSeries(toMicroseconds(line.period_start ?? line.paid_at) - termOf(line) - instant, termOf(line));
}

function distanceToSeries(past: bigint, term: bigint): bigint {
  if (past <= 0n) return -past;
  const rest = past % term;
  return min(rest, term - rest);
}

function termOf(line: DatedLine): bigint {
  if (line.period_start === null || line.period_end === null) return MONTH_US;
  const term = toMicroseconds(line.period_end) - toMicroseconds(line.period_start);
  return term > 0n ? term : MONTH_US;
}
