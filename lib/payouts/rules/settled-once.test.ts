import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { subtractMoney, sumMoney } from '#lib/core/money.ts';
import {
  type ChangedPeriod,
  type DriftAdjustment,
  decideDrift,
  decideReversals,
  type ReportedReversal,
  takeInOrder,
} from './decide-reversal.ts';

const HISTORIES = proofSize(500, 20_000);
const MONTHS = 6;
/** Months before the first run. */
const BEFORE = 2;
const ATTRIBUTED = 1_000;
const PERIOD = 501;

/**
 * One period of 10.00 and what happens to it while a month is current: refunds of this month, a refund that Invo reports late in an earlier month, months that
 * are compared again, and what people do with what the close names.
 */
const step = fc.record({
  refunded: fc.constantFrom(0, 0, 0, 60, 125, 333),
  /** Cents of a refund of an earlier month that Invo reports only now, and how many months back. */
  late: fc.record({ cents: fc.constantFrom(0, 0, 75, 150, 210), back: fc.integer({ min: 1, max: 3 }) }),
  /** The refunds lose their receipts: the period is reported whole in the month of the latest one, from now on. */
  losesReceipts: fc.constantFrom(false, false, true),
  /** Which earlier months are compared with Invo again before this one is closed. */
  isCompared: fc.array(fc.boolean(), { minLength: MONTHS, maxLength: MONTHS }),
  /** What becomes of an adjustment for what the close names: none, confirmed before the run is submitted, after it, or after the next one. */
  answer: fc.constantFrom('none', 'in time', 'in time', 'after this run', 'after the next run'),
  isVoided: fc.boolean(),
});
const history = fc.record({
  steps: fc.array(step, { minLength: MONTHS, maxLength: MONTHS }),
  isCoarseFrom: fc.integer({ min: 0, max: MONTHS }),
});

interface Refund {
  month: number;
  cents: number;
}
interface Adjustment extends DriftAdjustment {
  /** The month whose run includes it; null: the next one. */
  month: number | null;
}
type Report = ReportedReversal | null;

const usd = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
const cents = (amount: string): number => Math.round(Number(amount) * 100);

/** What Invo reports of the period in a month, by all refunds it knows of. */
function reportOf(refunds: readonly Refund[], isCoarse: boolean, month: number): Report {
  const latest = Math.max(-1, ...refunds.map((refund) => refund.month));
  const counted = refunds.filter((refund) => (isCoarse ? month === latest : refund.month === month));
  if (counted.length === 0) return null;
  const reported_usd = usd(counted.reduce((sum, refund) => sum + refund.cents, 0));
  return { periodId: PERIOD, recipientId: 76, attributed_usd: usd(ATTRIBUTED), reported_usd, isCoarse };
}

/** The months as they are stored: what was paid from, and what the newest comparison found. */
class Studio {
  readonly refunds: Refund[] = [];
  isCoarse = false;
  /** Everything a complete snapshot ever stated of a month, and what it states now. */
  readonly stated: Report[][] = Array.from({ length: MONTHS }, () => []);
  readonly runs = new Map<number, { paidFrom: Report; taken_usd: string; before_usd: string }>();
  readonly adjustments: Adjustment[] = [];
  readonly paidBefore = new Map<number, number>();

  pull(month: number): void {
    this.stated[month]?.push(reportOf(this.refunds, this.isCoarse, month));
  }

  now(month: number): Report {
    return this.stated[month]?.at(-1) ?? null;
  }

  refund(month: number, wanted: number): void {
    const left = ATTRIBUTED - this.refunds.reduce((sum, refund) => sum + refund.cents, 0);
    if (Math.min(wanted, left) > 0) this.refunds.push({ month, cents: Math.min(wanted, left) });
  }

  before(): ReportedReversal[][] {
    return Array.from({ length: BEFORE }, (_, month) => {
      const reports = (this.stated[month] ?? []).filter((report) => report !== null);
      return reports.toSorted((one, other) => cents(other.reported_usd) - cents(one.reported_usd)).slice(0, 1);
    });
  }

  /** The run of a month as it would be composed now. */
  compose(month: number): { taken_usd: string; before_usd: string } {
    const last = [...this.runs.keys()].filter((run) => run < month && this.runs.get(run)?.paidFrom !== null).at(-1);
    const run = last === undefined ? undefined : this.runs.get(last);
    const takenByRuns = run === undefined ? new Map<number, string>() : new Map([[PERIOD, sumMoney([run.before_usd, run.taken_usd])]]);
    const adjustments = this.adjustments
      .filter((each) => each.month === null || each.month <= month)
      .map((each) => ({ ...each, isCounted: each.month !== null && each.month <= (last ?? -1) }));
    const report = this.now(month);
    const [decided] = decideReversals({ reported: report === null ? [] : [report], before: this.before(), takenByRuns, adjustments });
    return { taken_usd: decided?.taken_usd ?? '0.00', before_usd: decided?.takenBefore_usd ?? '0.00' };
  }

  /** What the close of a month names of the period: an amount, or the two sides of a reversal without receipts. */
  named(month: number): ReturnType<typeof decideDrift>[number] | null {
    const runs = [...this.runs].filter(([run]) => run <= month);
    const changes = runs.flatMap(([run, { paidFrom }]): ChangedPeriod[] => {
      const [then, now] = [paidFrom, this.now(run)];
      const isChanged = cents(then?.reported_usd ?? '0') !== cents(now?.reported_usd ?? '0');
      if (!isChanged && !this.adjustments.some(({ correctsRunId }) => correctsRunId === run)) return [];
      const isCoarse = isChanged && (then?.isCoarse === true || now?.isCoarse === true);
      const sides = { reportedThen_usd: then?.reported_usd ?? '0.00', reportedNow_usd: now?.reported_usd ?? '0.00' };
      return [{ periodId: PERIOD, recipientId: 76, name: null, runNo: run, earnedChange_usd: '0.00', isCoarse, ...sides }];
    });
    const last = changes.at(-1);
    if (last === undefined) return null;
    const [drift] = decideDrift({
      periods: [{ ...last, isCoarse: changes.some(({ isCoarse }) => isCoarse) }],
      before: this.before(),
      windows: runs.map(([run]) => [this.now(run)].filter((report) => report !== null)),
      takenByRuns: new Map([[PERIOD, sumMoney(runs.map(([, { taken_usd }]) => taken_usd))]]),
      adjusted: new Map([[PERIOD, sumMoney(this.adjustments.map(({ amount_usd }) => amount_usd))]]),
      unplaced: [],
    });
    return drift ?? null;
  }

  /** What was deducted of the recipient in total, before the first run included: cents. */
  deducted(): number {
    const earlier = takeInOrder(this.before()).get(PERIOD) ?? '0.00';
    const adjusted = sumMoney(this.adjustments.map(({ amount_usd }) => amount_usd));
    return cents(subtractMoney(sumMoney([earlier, ...[...this.runs.values()].map(({ taken_usd }) => taken_usd)]), adjusted));
  }

  /** What Invo reversed by everything it reports now: cents. */
  reversed(): number {
    return this.refunds.reduce((sum, refund) => sum + refund.cents, 0);
  }
}

test(`over ${HISTORIES} histories of a period, what is deducted is what Invo reversed, but for what the close names`, {
  timeout: 1_800_000,
}, () => {
  let [runs, named] = [0, 0];
  fc.assert(
    fc.property(history, ({ steps, isCoarseFrom }) => {
      const studio = new Studio();
      const proposed: Adjustment[] = [];
      let isLate = false;
      steps.forEach((happens, month) => {
        studio.refund(month, happens.refunded);
        const { cents: late, back } = happens.late;
        // A refund of a month before the first run that is found late was settled, or not, by the payer of that month.
        if (month - back >= BEFORE) studio.refund(month - back, late);
        studio.isCoarse ||= happens.losesReceipts && month >= isCoarseFrom;
        studio.pull(month);
        for (let earlier = 0; earlier < month; earlier++) if (happens.isCompared[earlier] === true) studio.pull(earlier);
        if (month < BEFORE) return;
        const close = (): ReturnType<Studio['named']> => {
          studio.runs.set(month, { paidFrom: studio.now(month), ...studio.compose(month) });
          return studio.named(month);
        };
        const drift = close();
        // A voided run leaves nothing behind.
        if (happens.isVoided) {
          studio.runs.delete(month);
          expect(close()).toEqual(drift);
        }
        runs++;
        const amount_usd = drift?.netChange_usd ?? null;
        if (drift !== null) named++;
        for (const each of studio.adjustments) each.month ??= month;
        studio.adjustments.push(...proposed.splice(0));
        if (drift !== null && amount_usd !== null && happens.answer !== 'none') {
          const runTaken_usd = studio.runs.get(drift.runNo)?.taken_usd ?? '0.00';
          const adjustment = { periodId: PERIOD, amount_usd, correctsRunId: drift.runNo, runTaken_usd, isCounted: false, month: null };
          if (happens.answer === 'after the next run') proposed.push(adjustment);
          else studio.adjustments.push(adjustment);
          if (happens.answer === 'in time') {
            // What others confirmed since this run is not in it.
            const isAlone = studio.adjustments.every((each) => each === adjustment || each.month !== null);
            const again = close();
            // After a deduction that came too late, what is given back lets this run take more of what is left: the rest is named again.
            if (isAlone && !isLate) expect(again).toBeNull();
            for (const each of studio.adjustments) each.month ??= month;
          }
        }
        expectSettled(studio, month);
        isLate ||= amount_usd !== null && happens.answer.startsWith('after');
        // Only an adjustment that is confirmed after its run can deduct what a run deducted meanwhile.
        if (!isLate) expect(studio.deducted()).toBeLessThanOrEqual(studio.reversed());
      });
      // Every month is compared with Invo once more, and the last close is judged by that.
      for (let month = 0; month < MONTHS; month++) studio.pull(month);
      expectSettled(studio, MONTHS - 1);
    }),
    { numRuns: HISTORIES },
  );
  recordFigure(
    'Deductions of a period over months, adjustments and moving reversals',
    `${HISTORIES.toLocaleString('en-US')} histories, ${runs.toLocaleString('en-US')} runs, ${named.toLocaleString('en-US')} closes that name it, 0 broken laws`,
  );
});

/** Nothing is deducted that Invo didn't reverse, and what is missing or too much is what the close names. */
function expectSettled(studio: Studio, month: number): void {
  const drift = studio.named(month);
  const [deducted, reversed] = [studio.deducted(), studio.reversed()];
  const namedCents = drift === null ? 0 : cents(drift.netChange_usd ?? subtractMoney(drift.deducted_usd, drift.deductible_usd));
  expect(deducted - Math.max(0, namedCents)).toBeLessThanOrEqual(reversed);
  const isCurrent = Array.from({ length: month + 1 }, (_, each) => each).every(
    (each) => (studio.now(each)?.reported_usd ?? null) === (reportOf(studio.refunds, studio.isCoarse, each)?.reported_usd ?? null),
  );
  if (isCurrent) expect(deducted - reversed).toBe(namedCents);
}
