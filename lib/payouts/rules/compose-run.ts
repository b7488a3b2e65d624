import { maxMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { type DecidedLine, decideLines, OUTCOMES, type Outcome } from './decide-line.ts';
import { type DecidedReversal, decideInOrder, type ReportedReversal } from './decide-reversal.ts';
import type { PayoutPolicy } from './policy.ts';

/** A recipient as the snapshot of a run reports them. */
export interface ReportedRecipient {
  recipientId: number;
  identityId: string | null;
  isResolved: boolean | null;
  earned_usd: string;
  reversed_usd: string;
}

/** A period of which nothing more is paid until a person has looked. */
export interface HeldPeriod {
  periodId: number;
  recipientId: number;
  reason: 'base_mismatch' | 'open_refund';
  attributed_usd: string;
}

/** What a run is composed from. */
export interface RunFacts {
  policy: PayoutPolicy;
  recipients: readonly ReportedRecipient[];
  /** The reversals of the windows before, oldest first, for the periods this window reverses; the last entry is this window's. */
  reversals: readonly (readonly ReportedReversal[])[];
  heldPeriods: readonly HeldPeriod[];
}

/** Sums over the lines of a run, in USD. */
interface RunTotals {
  opening: string;
  earned: string;
  reversed: string;
  pinned: string;
  adjusted: string;
  returned: string;
  due: string;
  payable: string;
  closing: string;
}

export interface ComposedRun {
  /** By recipient. */
  lines: DecidedLine[];
  reversals: DecidedReversal[];
  totals: RunTotals;
  /** Of each outcome that occurs: how many lines, and what they pay (payable) or are due (the others). */
  outcomes: Partial<Record<Outcome, { count: number; amount_usd: string }>>;
}

/** Composes the run of a window that no run precedes: its lines, their outcomes and their sums. The order of its facts changes nothing. */
export function composeFirstRun({ policy, recipients, reversals, heldPeriods }: RunFacts): ComposedRun {
  const decided = decideInOrder(reversals);
  const pinned = sumBy(decided, ({ recipientId }) => recipientId, 'pinned_usd');
  const held = heldPeriods.filter(({ reason }) => reason !== 'base_mismatch' || policy.holdsBaseMismatch);
  const holds = holdPeriods(held, decided);
  const facts = recipients
    .toSorted((one, other) => one.recipientId - other.recipientId)
    .map((recipient) => ({
      ...recipient,
      opening_usd: '0.00',
      pinned_usd: pinned.get(recipient.recipientId) ?? '0.00',
      adjusted_usd: '0.00',
      returned_usd: '0.00',
      holds: holds.get(recipient.recipientId) ?? [],
      isExcluded: false,
      minimum_usd: policy.minimum_usd,
    }));
  const lines = decideLines(facts);
  return { lines, reversals: decided, totals: sumLines(lines), outcomes: countOutcomes(lines) };
}

/** What each hold withholds, by recipient: what is attributed and not yet deducted of its period. */
function holdPeriods(heldPeriods: readonly HeldPeriod[], decided: readonly DecidedReversal[]): Map<number, string[]> {
  const taken = new Map(decided.map((each) => [each.periodId, sumMoney([each.takenBefore_usd, each.taken_usd])]));
  const holds = new Map<number, string[]>();
  for (const { recipientId, periodId, attributed_usd } of heldPeriods) {
    const amount = maxMoney('0.00', subtractMoney(attributed_usd, taken.get(periodId) ?? '0.00'));
    if (signOfMoney(amount) > 0) holds.set(recipientId, [...(holds.get(recipientId) ?? []), amount]);
  }
  return holds;
}

function sumLines(lines: readonly DecidedLine[]): RunTotals {
  const sum = (column: keyof RunTotals): string => sumMoney(lines.map((line) => line[`${column}_usd`]));
  return {
    opening: sum('opening'),
    earned: sum('earned'),
    reversed: sum('reversed'),
    pinned: sum('pinned'),
    adjusted: sum('adjusted'),
    returned: sum('returned'),
    due: sum('due'),
    payable: sum('payable'),
    closing: sum('closing'),
  };
}

function countOutcomes(lines: readonly DecidedLine[]): ComposedRun['outcomes'] {
  const entries = OUTCOMES.flatMap((outcome) => {
    const these = lines.filter((line) => line.outcome === outcome);
    const amount_usd = sumMoney(these.map((line) => (outcome === 'payable' ? line.payable_usd : line.due_usd)));
    return these.length === 0 ? [] : [[outcome, { count: these.length, amount_usd }] as const];
  });
  return Object.fromEntries(entries);
}

function sumBy<Row extends Record<Column, string>, Column extends string>(
  rows: readonly Row[],
  keyOf: (row: Row) => number,
  column: Column,
): Map<number, string> {
  const amounts = new Map<number, string[]>();
  for (const row of rows) {
    const known = amounts.get(keyOf(row));
    if (known) known.push(row[column]);
    else amounts.set(keyOf(row), [row[column]]);
  }
  return new Map([...amounts].map(([key, each]) => [key, sumMoney(each)]));
}
