import { compareInstants, fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { compareMoney, subtractMoney } from '#lib/core/money.ts';
import { type Window, windowLength } from '#lib/core/window.ts';
import { BENIGN_REASON } from '#lib/evidence/rules/evidence.ts';
import { type JoinedTotals, sumCounts } from '#lib/evidence/rules/totals.ts';

/** Calls that one month may spend in a day on finding renewals without attribution. */
export const SEARCH_CALLS_A_DAY = 60;

/** A part of a month with Invo's totals. */
export interface Part {
  window: Window;
  totals: Pick<JoinedTotals, 'unattributed_reasons' | 'settled_gross_usd' | 'invo_fee_usd' | 'partner_revenue_settled_usd'>;
}

/** A renewal without attribution that a report names. */
export interface Named {
  paidAt: string;
  reason: string | null;
}

/** A part with so many renewals that no report names, and the one reason they have; null: several reasons. */
export interface Located extends Part {
  count: number;
  reason: string | null;
  /** Whether no other renewal without attribution settled there, so that its totals less its lines are theirs. */
  isAlone: boolean;
}

/** What follows: a part whose totals must be read, or the end. `moved`: a part has more than the whole, so Invo's figures changed meanwhile. */
export type SearchStep = { kind: 'ask'; window: Window } | { kind: 'moved'; window: Window } | { kind: 'done'; located: Located[] };

// A renewal alone in a minute is located well enough to contact Invo about it; several together are separated down to a millisecond.
const SPAN_OF_ONE_US = 60_000_000n;
const SPAN_MIN_US = 1_000n;

/**
 * The next step of the search for renewals without attribution that no report names. Counts add up over time, so the totals of one half
 * give those of the other. `answers` are the totals read so far, by `windowKey`; the same answers always lead to the same step, so an interrupted
 * search continues. Renewals without a configured share are left out: nobody earned anything on them.
 */
export function nextSearchStep(parts: Part[], named: Named[], answers: ReadonlyMap<string, Part['totals']>): SearchStep {
  const waiting = parts.toReversed();
  const located: Located[] = [];
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    const left = countUnnamed(part, named);
    const count = sumCounts(Object.values(left));
    if (count === 0) continue;
    const length = windowLength(part.window);
    if (length <= (count === 1 ? SPAN_OF_ONE_US : SPAN_MIN_US)) {
      const reasons = Object.keys(left);
      const isAlone = sumCounts(Object.values(part.totals.unattributed_reasons)) === count;
      located.push({ ...part, count, isAlone, reason: reasons.length === 1 ? (reasons[0] ?? null) : null });
      continue;
    }
    const middle = middleOf(part.window);
    const first = { start: part.window.start, end: middle };
    const answer = answers.get(windowKey(first));
    if (answer === undefined) return { kind: 'ask', window: first };
    const rest = restOf(part.totals, answer);
    if (rest === null) return { kind: 'moved', window: first };
    waiting.push({ window: { start: middle, end: part.window.end }, totals: rest }, { window: first, totals: answer });
  }
  return { kind: 'done', located };
}

/** The subject under which the totals of a window are stored. */
export function windowKey({ start, end }: Window): string {
  return `${start} ${end}`;
}

/** Renewals that need a finding: those of any reason but a share that isn't configured. */
export function countToFind(reasons: Record<string, number>): number {
  return sumCounts(Object.entries(reasons).map(([reason, count]) => (reason === BENIGN_REASON ? 0 : count)));
}

/** By reason, how many renewals of a part no report names; reasons with none are left out. */
function countUnnamed({ window, totals }: Part, named: Named[]): Record<string, number> {
  const left: Record<string, number> = { ...totals.unattributed_reasons };
  for (const { paidAt, reason } of named) {
    const isInside = compareInstants(window.start, paidAt) <= 0 && compareInstants(paidAt, window.end) < 0;
    if (isInside && reason !== null && left[reason] !== undefined) left[reason] -= 1;
  }
  return Object.fromEntries(Object.entries(left).filter(([reason, count]) => reason !== BENIGN_REASON && count > 0));
}

function middleOf({ start, end }: Window): string {
  const [from, to] = [toMicroseconds(start), toMicroseconds(end)];
  const unit = to - from > 2_000_000n ? 1_000_000n : to - from > 2_000n ? 1_000n : 1n;
  const half = from + (to - from) / 2n;
  const cut = half - (half % unit);
  return fromMicroseconds(cut <= from ? half : cut);
}

/** The totals of a part less those of its first half; null when the half has more. */
function restOf(whole: Part['totals'], half: Part['totals']): Part['totals'] | null {
  const reasons: Record<string, number> = {};
  for (const reason of new Set([...Object.keys(whole.unattributed_reasons), ...Object.keys(half.unattributed_reasons)])) {
    const count = (whole.unattributed_reasons[reason] ?? 0) - (half.unattributed_reasons[reason] ?? 0);
    if (count < 0) return null;
    reasons[reason] = count;
  }
  if (compareMoney(half.settled_gross_usd, whole.settled_gross_usd) > 0) return null;
  return {
    unattributed_reasons: reasons,
    settled_gross_usd: subtractMoney(whole.settled_gross_usd, half.settled_gross_usd),
    invo_fee_usd: subtractMoney(whole.invo_fee_usd, half.invo_fee_usd),
    partner_revenue_settled_usd: subtractMoney(whole.partner_revenue_settled_usd, half.partner_revenue_settled_usd),
  };
}
