import { compareMoney, floorCents, maxMoney, minMoney, normalizeMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { canPay, type DetailsInForce } from '#lib/payees/rules/details.ts';

/** The possible outcomes of a line; the first that applies counts. */
export const OUTCOMES = [
  'payable',
  'negative_balance',
  'nothing_due',
  'unresolved',
  'excluded',
  'on_hold',
  'no_details',
  'below_minimum',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One line of a run: a recipient's amounts and what is decided of them. Amounts in USD, exact text. */
export interface RunLine {
  recipientId: number;
  /** Whether Invo could find the recipient; null: not reported. */
  isResolved: boolean | null;
  /** Carried forward by the run before. */
  opening_usd: string;
  earned_usd: string;
  reversed_usd: string;
  /** "Already deducted": reported again, but deducted by an earlier run. */
  pinned_usd: string;
  adjusted_usd: string;
  returned_usd: string;
  minimum_usd: string;
  /** opening + earned − reversed + pinned + adjusted + returned, to the last digit. */
  due_usd: string;
  held_usd: string;
  /** What all recipients of the same identity would be paid, in whole cents: what the minimum is compared with. */
  together_usd: string;
  /** Whole cents. */
  payable_usd: string;
  /** "Carried forward": due − payable. */
  closing_usd: string;
  outcome: Outcome;
  /** Other reasons that apply as well. */
  also: readonly Outcome[];
  /** The payment details it pays to; null: it pays nothing, or its run is older than payment details. */
  detailNo: number | null;
}

/** A line with its recipient's name; null: not reported, masked or erased. */
export type NamedLine = RunLine & { name: string | null };

/** What is decided of a line. */
type LineDecision = Pick<
  RunLine,
  'due_usd' | 'held_usd' | 'together_usd' | 'payable_usd' | 'closing_usd' | 'outcome' | 'also' | 'detailNo'
>;

/** A line before the decision. */
export interface LineFacts extends Omit<RunLine, keyof LineDecision> {
  /** Recipients with one identity reach the minimum together; null: not reported. */
  identityId: string | null;
  /** Amounts held of what is due; null holds all of it. */
  holds: readonly (string | null)[];
  isExcluded: boolean;
  /** The payment details in force; null: none. */
  details: DetailsInForce | null;
}

/** A line with the reasons against paying it that are its own; none: it is payable if its identity reaches the minimum. */
interface Judged<Facts extends LineFacts> {
  facts: Facts;
  due_usd: string;
  held_usd: string;
  reasons: Outcome[];
  cents_usd: string;
}

/** Decides every line of a run: what is due, what is paid of it, and in one outcome why. The lines stay in their order. */
export function decideLines<Facts extends LineFacts>(lines: readonly Facts[]): (Facts & LineDecision)[] {
  const judged = lines.map((line) => judge(line));
  const together = new Map<string, string>();
  for (const { facts, reasons, cents_usd } of judged) {
    if (reasons.length > 0) continue;
    const key = identityOf(facts);
    together.set(key, sumMoney([together.get(key) ?? '0.00', cents_usd]));
  }
  return judged.map((line) => conclude(line, together.get(identityOf(line.facts)) ?? '0.00'));
}

function identityOf({ identityId, recipientId }: LineFacts): string {
  return identityId === null ? `recipient ${recipientId}` : `identity ${identityId}`;
}

function judge<Facts extends LineFacts>(facts: Facts): Judged<Facts> {
  const { opening_usd, earned_usd, reversed_usd, pinned_usd, adjusted_usd, returned_usd, holds } = facts;
  const due_usd = normalizeMoney(subtractMoney(sumMoney([opening_usd, earned_usd, pinned_usd, adjusted_usd, returned_usd]), reversed_usd));
  const most = maxMoney('0.00', due_usd);
  const held_usd = normalizeMoney(minMoney(most, holds.includes(null) ? most : sumMoney(holds.filter((amount) => amount !== null))));
  const free = subtractMoney(most, held_usd);
  const sign = signOfMoney(due_usd);
  const reasons: Outcome[] = [];
  if (sign < 0) reasons.push('negative_balance');
  if (sign === 0) reasons.push('nothing_due');
  if (facts.isResolved !== true) reasons.push('unresolved');
  if (facts.isExcluded) reasons.push('excluded');
  else if (sign > 0 && signOfMoney(free) === 0) reasons.push('on_hold');
  if (!canPay(facts.details)) reasons.push('no_details');
  return { facts, due_usd, held_usd, reasons, cents_usd: floorCents(free) };
}

function conclude<Facts extends LineFacts>(
  { facts, due_usd, held_usd, reasons, cents_usd }: Judged<Facts>,
  together_usd: string,
): Facts & LineDecision {
  const [first, ...also] = reasons;
  const isEnough = signOfMoney(cents_usd) > 0 && compareMoney(together_usd, facts.minimum_usd) >= 0;
  const outcome = first ?? (isEnough ? 'payable' : 'below_minimum');
  const payable_usd = outcome === 'payable' ? cents_usd : '0.00';
  const closing_usd = normalizeMoney(subtractMoney(due_usd, payable_usd));
  const detailNo = outcome === 'payable' ? (facts.details?.detailNo ?? null) : null;
  return { ...facts, due_usd, held_usd, together_usd, payable_usd, closing_usd, outcome, also, detailNo };
}

/**
 * Decides a stored line again from its own amounts: holds as what they withheld, the identity as what it would be paid together, payment details as its
 * reasons state them, so that runs older than payment details are decided as they were. Its outcome, its reasons and its payable follow from the rest.
 */
export function redecideLine(
  line: Omit<RunLine, 'due_usd' | 'closing_usd'>,
): Pick<RunLine, 'due_usd' | 'payable_usd' | 'closing_usd' | 'outcome' | 'also' | 'held_usd'> {
  const has = (reason: Outcome): boolean => line.outcome === reason || line.also.includes(reason);
  const some = { method: 'other', identityId: null, reportedIdentityId: null } as const;
  const details: DetailsInForce | null = has('no_details') ? null : { detailNo: line.detailNo ?? 0, ...some };
  const { due_usd, payable_usd, closing_usd, outcome, also, held_usd } = conclude(
    judge({ ...line, identityId: null, holds: [line.held_usd], isExcluded: has('excluded'), details }),
    line.together_usd,
  );
  return { due_usd, payable_usd, closing_usd, outcome, also, held_usd };
}
