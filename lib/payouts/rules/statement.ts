import type { Game } from '#lib/core/game.ts';
import { compareMoney, negateMoney, normalizeMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import type { Window } from '#lib/core/window.ts';
import type { NamedLine } from './decide-line.ts';
import type { DecidedReversal } from './decide-reversal.ts';

/** A run that a statement mentions beside its own. */
export interface RunRef {
  runNo: number;
  /** First instant of its month. */
  windowStart: string;
}

/** A line of a run with its recipient as the run names them. */
export interface StatementLine extends Omit<NamedLine, 'isResolved' | 'detailNo'> {
  email: string | null;
}

/** A renewal that the recipient has a share of. */
export interface EarnedRenewal {
  periodId: number;
  subscriptionId: string;
  itemName: string | null;
  settledAt: string;
  /** As reported; null: not recorded. */
  periodStart: string | null;
  periodEnd: string | null;
  percent: string | null;
  base_usd: string | null;
  attributed_usd: string;
}

/** A reversal as the run decided it, and what its sentence needs. */
export interface StatedReversal extends Omit<DecidedReversal, 'recipientId'> {
  subscriptionId: string;
  settledAt: string;
  /** The refunds reported in this month, oldest first; none: Invo reports the reversal without them. */
  refundedAt: readonly string[];
  isFullRefund: boolean;
  /** The run that the share was earned in; null: none of Sharebook's. */
  earnedIn: RunRef | null;
  /** Earlier runs that deducted a part, oldest first. */
  deductedIn: readonly RunRef[];
}

export interface StatedAdjustment {
  adjustmentId: number;
  amount_usd: string;
  /** Written for the recipient. */
  reason: string;
  corrects: RunRef | null;
}

/** A payment of an earlier run that failed or came back and is due again. */
export interface StatedReturn {
  runNo: number;
  windowStart: string;
  amount_usd: string;
  hasFailed: boolean;
  /** The provider's date; null: it gave none. */
  occurredOn: string | null;
}

/** The whole content of a statement, as it is stored. */
export interface StatementFacts {
  game: Pick<Game, 'slug' | 'name' | 'environment' | 'timeZone'> & { isSimulated: boolean };
  run: { runNo: number; window: Window; approvedAt: string; contentDigest: string; previous: RunRef | null };
  line: StatementLine;
  /** By settlement. */
  renewals: readonly EarnedRenewal[];
  /** By settlement of the payment they concern. */
  reversals: readonly StatedReversal[];
  adjustments: readonly StatedAdjustment[];
  /** By run. */
  returned: readonly StatedReturn[];
}

/** The sections of a statement, in order. The first six add up to `due`; `due` is `payable` and `carried_forward` together. */
export const STATEMENT_SECTIONS = [
  'opening',
  'earned',
  'reversed',
  'already_deducted',
  'adjustment',
  'returned',
  'due',
  'payable',
  'carried_forward',
] as const;
export type StatementSection = (typeof STATEMENT_SECTIONS)[number];

/** The formats of a statement. */
export const STATEMENT_FORMATS = ['pdf', 'csv'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** One row of a section. `of` is what its sentence is made from. Deductions are below zero. */
export interface StatementRow {
  section: StatementSection;
  /** 1, 2, 3 … of the section. */
  position: number;
  amount_usd: string;
  source: { renewal: EarnedRenewal } | { reversal: StatedReversal } | { adjustment: StatedAdjustment } | { returned: StatedReturn } | null;
}

export interface Statement extends Pick<StatementFacts, 'game' | 'run' | 'line'> {
  rows: StatementRow[];
}

type Unplaced = Pick<StatementRow, 'amount_usd' | 'source'>;

/**
 * Puts a line of a run and the facts behind it into sections. Throws when a section doesn't add up to the line: nobody gets a statement that says less,
 * or more, than the run.
 */
export function composeStatement({ game, run, line, renewals, reversals, adjustments, returned }: StatementFacts): Statement {
  const whole = (amount_usd: string): Unplaced[] => [{ amount_usd, source: null }];
  const reported = reversals.map((reversal) => ({ amount_usd: negateMoney(reversal.reported_usd), source: { reversal } }));
  const pinned = reversals.map((reversal) => ({ amount_usd: reversal.pinned_usd, source: { reversal } }));
  // Each section with what it must add up to, in the signs of a statement.
  const sections: Record<StatementSection, [string, Unplaced[]]> = {
    opening: [line.opening_usd, whole(line.opening_usd)],
    earned: [line.earned_usd, renewals.map((renewal) => ({ amount_usd: renewal.attributed_usd, source: { renewal } }))],
    reversed: [negateMoney(line.reversed_usd), reported.filter(isAmount)],
    already_deducted: [line.pinned_usd, pinned.filter(isAmount)],
    adjustment: [line.adjusted_usd, adjustments.map((adjustment) => ({ amount_usd: adjustment.amount_usd, source: { adjustment } }))],
    returned: [line.returned_usd, returned.map((each) => ({ amount_usd: each.amount_usd, source: { returned: each } }))],
    due: [line.due_usd, whole(line.due_usd)],
    payable: [line.payable_usd, whole(line.payable_usd)],
    carried_forward: [line.closing_usd, whole(line.closing_usd)],
  };
  for (const [section, [expected, entries]] of Object.entries(sections)) {
    const sum = sumMoney(entries.map(({ amount_usd }) => amount_usd));
    if (compareMoney(sum, expected) !== 0)
      throw new Error(`the statement of player ${line.recipientId} in run ${run.runNo} states ${sum} as ${section}, the run ${expected}`);
  }
  const rows = STATEMENT_SECTIONS.flatMap((section) =>
    sections[section][1].map(({ amount_usd, source }, index) => {
      return { section, position: index + 1, amount_usd: normalizeMoney(amount_usd), source };
    }),
  );
  return { game, run, line, rows };
}

function isAmount({ amount_usd }: Unplaced): boolean {
  return signOfMoney(amount_usd) !== 0;
}

/** The number of a statement: that of its run and the player. */
export function statementNo({ run, line }: Pick<Statement, 'run' | 'line'>): string {
  return `${run.runNo}-${line.recipientId}`;
}

/** The layout of a PDF. A change that alters the bytes of any statement counts it up; those that are stored stay as they are. */
export const TEMPLATE_NO = 1;
