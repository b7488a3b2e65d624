import { maxMoney, minMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { decideLines, type LineFacts, type NamedLine, OUTCOMES, type Outcome, type RunLine } from './decide-line.ts';
import type { DecidedReversal } from './decide-reversal.ts';
import type { PayoutPolicy } from './policy.ts';

/** A recipient of a run, before holds and minimums. Amounts in USD, exact text. */
export interface RunRecipient
  extends Pick<
    LineFacts,
    | 'recipientId'
    | 'identityId'
    | 'isResolved'
    | 'opening_usd'
    | 'earned_usd'
    | 'reversed_usd'
    | 'adjusted_usd'
    | 'returned_usd'
    | 'details'
  > {
  /** The newest snapshot that names the recipient; null: none does. */
  seenSnapshotId: number | null;
  /** As that snapshot names them; null: it doesn't. */
  name: string | null;
  /** The recipient's own minimum; null: the policy's. */
  minimum_usd: string | null;
}

/** A period of which nothing more is paid until a person has looked. */
export interface HeldPeriod {
  periodId: number;
  recipientId: number;
  reason: 'base_mismatch' | 'open_refund';
  attributed_usd: string;
  /** The part deducted before this month. */
  takenBefore_usd: string;
}

/** A hold as it applies to a run. */
export interface Hold {
  holdId: number;
  recipientId: number;
  /** null: it is about the recipient. */
  periodId: number | null;
  /** Held at most; null: everything due. */
  amount_usd: string | null;
  /** Attributed for the period, and the part deducted before this month; null: no period. */
  attributed_usd: string | null;
  takenBefore_usd: string | null;
  /** The recipient is left out of this run. */
  isExclusion: boolean;
}

/** A line as a run composes it, with where the recipient is named. */
export type ComposedLine = NamedLine & Pick<LineFacts, 'isExcluded' | 'identityId' | 'details'> & Pick<RunRecipient, 'seenSnapshotId'>;

/** The amounts of a run in the order of its roll-forward. */
export const RUN_AMOUNTS = ['opening', 'earned', 'reversed', 'pinned', 'adjusted', 'returned', 'due', 'payable', 'closing'] as const;

/** Sums over the lines of a run, in USD. */
export type RunTotals = Record<(typeof RUN_AMOUNTS)[number], string>;

/** Makes the totals of a run from each of its amounts. Guarantee of the cast: every amount has an entry. */
export function totalsOf(sumOf: (amount: keyof RunTotals) => string): RunTotals {
  return Object.fromEntries(RUN_AMOUNTS.map((amount) => [amount, sumOf(amount)])) as RunTotals;
}

/** Of each outcome that occurs: how many lines, and what they pay (payable) or are due (the others). */
export type OutcomeCounts = Partial<Record<Outcome, { count: number; amount_usd: string }>>;

export interface ComposedRun {
  /** By recipient. */
  lines: ComposedLine[];
  reversals: DecidedReversal[];
  totals: RunTotals;
  outcomes: OutcomeCounts;
}

/** Composes a run at once from everything that applies to it. The order of its facts changes nothing. */
export function composePreview({
  policy,
  recipients,
  reversals,
  holds,
}: {
  policy: PayoutPolicy;
  recipients: readonly RunRecipient[];
  reversals: DecidedReversal[];
  holds: readonly Hold[];
}): ComposedRun {
  const lines = decideLines(recipients.map(lineBuilder(policy, reversals, holds))).toSorted(
    (one, other) => one.recipientId - other.recipientId,
  );
  return {
    lines,
    reversals,
    totals: totalsOf((amount) => sumMoney(lines.map((line) => line[`${amount}_usd`]))),
    outcomes: countOutcomes(lines),
  };
}

/** Completes recipients to lines with what is deducted already, held, and the minimum that applies. */
export function lineBuilder(
  policy: PayoutPolicy,
  reversals: readonly DecidedReversal[],
  holds: readonly Hold[],
): (recipient: RunRecipient) => LineFacts & Pick<RunRecipient, 'seenSnapshotId' | 'name'> {
  const pinned = Map.groupBy(reversals, ({ recipientId }) => recipientId);
  const taken = takenUntil(reversals);
  const held = Map.groupBy(holds, ({ recipientId }) => recipientId);
  return (recipient) => {
    const own = held.get(recipient.recipientId) ?? [];
    return {
      ...recipient,
      pinned_usd: sumMoney((pinned.get(recipient.recipientId) ?? []).map(({ pinned_usd }) => pinned_usd)),
      holds: withheldBy(
        own.filter(({ isExclusion }) => !isExclusion),
        taken,
      ),
      isExcluded: own.some(({ isExclusion }) => isExclusion),
      minimum_usd: recipient.minimum_usd ?? policy.minimum_usd,
    };
  };
}

/** What each hold of a recipient withholds; null: everything. Those of one period add up to at most its attributed amount that isn't deducted. */
function withheldBy(holds: readonly Hold[], taken: ReadonlyMap<number, string>): (string | null)[] {
  const left = new Map<number, string>();
  return holds.map(({ periodId, amount_usd, attributed_usd, takenBefore_usd }) => {
    if (periodId === null || amount_usd === null || attributed_usd === null) return amount_usd;
    const left_usd =
      left.get(periodId) ?? maxMoney('0.00', subtractMoney(attributed_usd, taken.get(periodId) ?? takenBefore_usd ?? '0.00'));
    const withheld_usd = minMoney(amount_usd, left_usd);
    left.set(periodId, subtractMoney(left_usd, withheld_usd));
    return withheld_usd;
  });
}

/** The holds a draft sets: the attributed amount of each held period that isn't deducted. */
export function holdsToPlace(
  policy: PayoutPolicy,
  heldPeriods: readonly HeldPeriod[],
  reversals: readonly DecidedReversal[],
): (Omit<Hold, 'holdId'> & HeldPeriod & { amount_usd: string })[] {
  const taken = takenUntil(reversals);
  return heldPeriods
    .filter(({ reason }) => reason !== 'base_mismatch' || policy.holdsBaseMismatch)
    .map((period) => ({
      ...period,
      amount_usd: subtractMoney(period.attributed_usd, taken.get(period.periodId) ?? period.takenBefore_usd),
      isExclusion: false,
    }))
    .filter(({ amount_usd }) => signOfMoney(amount_usd) > 0);
}

/**
 * Cuts rows that are ordered by identity where an identity ends, as far back as possible: the first part can be decided, the rest awaits
 * further rows. Recipients without an identity are on their own.
 */
export function splitAtIdentity<Row extends { identityId: string | null }>(rows: readonly Row[]): [Row[], Row[]] {
  const last = rows.at(-1)?.identityId ?? null;
  const end = last === null ? rows.length : rows.findIndex(({ identityId }) => identityId === last);
  return [rows.slice(0, end), rows.slice(end)];
}

function countOutcomes(lines: readonly RunLine[]): OutcomeCounts {
  const entries = OUTCOMES.flatMap((outcome) => {
    const these = lines.filter((line) => line.outcome === outcome);
    const amount_usd = sumMoney(these.map((line) => (outcome === 'payable' ? line.payable_usd : line.due_usd)));
    return these.length === 0 ? [] : [[outcome, { count: these.length, amount_usd }] as const];
  });
  return Object.fromEntries(entries);
}

/** What is deducted of each period, the run's own deduction included. */
function takenUntil(reversals: readonly DecidedReversal[]): Map<number, string> {
  return new Map(reversals.map(({ periodId, takenBefore_usd, taken_usd }) => [periodId, sumMoney([takenBefore_usd, taken_usd])]));
}
