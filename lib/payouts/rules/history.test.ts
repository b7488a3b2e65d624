import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { compareMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { type ComposedRun, composePreview, type Hold } from './compose-run.ts';
import { decideReversals, type ReportedReversal } from './decide-reversal.ts';
import { DEFAULT_POLICY } from './policy.ts';

const RUNS = proofSize(100, 200_000);
const RECIPIENTS = [1, 2, 3];

const cents = fc.integer({ min: 0, max: 4_000 }).map((amount) => (amount / 10_000 + (amount % 37)).toFixed(4));
/** What happens in one month: to each recipient a renewal and perhaps a refund of an earlier one, a hold, an adjustment; or its run is voided. */
const month = fc.record({
  settled: fc.array(cents, { minLength: 3, maxLength: 3 }),
  refunds: fc.array(fc.record({ back: fc.integer({ min: 0, max: 3 }), share: fc.integer({ min: 1, max: 100 }) }), {
    minLength: 3,
    maxLength: 3,
  }),
  resolved: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  held: fc.array(fc.option(fc.constantFrom('all', '1.00', '25.00')), { minLength: 3, maxLength: 3 }),
  excluded: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  adjusted: fc.array(fc.constantFrom('0.00', '0.00', '3.00', '-2.50'), { minLength: 3, maxLength: 3 }),
  isVoided: fc.boolean(),
});
const history = fc.record({
  months: fc.array(month, { minLength: 1, maxLength: 6 }),
  isCoarse: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  isOneIdentity: fc.boolean(),
  minimum: fc.constantFrom('0.01', '10.00', '30.00'),
});

interface Period {
  attributed: string;
  reversed: string;
}

test(`over ${RUNS} histories of months: balances carry to the last digit, money is paid once, and what is deducted is what was reversed`, {
  timeout: 1_800_000,
}, () => {
  let composed = 0;
  fc.assert(
    fc.property(history, ({ months, isCoarse, isOneIdentity, minimum }) => {
      const periods = new Map<number, Period>();
      const taken = new Map<number, string>();
      let closing = new Map<number, string>();
      let [earned, deducted, adjusted, paid] = ['0.00', '0.00', '0.00', '0.00'];
      months.forEach((happened, position) => {
        const reported: ReportedReversal[] = [];
        const recipients = RECIPIENTS.map((recipientId, index) => {
          const periodId = recipientId * 100 + position;
          periods.set(periodId, { attributed: happened.settled[index] ?? '0.00', reversed: '0.00' });
          const refund = happened.refunds[index];
          const refunded = recipientId * 100 + position - (refund?.back ?? 0);
          const period = periods.get(refunded);
          let reversed_usd = '0.00';
          if (refund !== undefined && period !== undefined) {
            const now = (((Number(period.attributed) - Number(period.reversed)) * refund.share) / 100).toFixed(4);
            period.reversed = sumMoney([period.reversed, now]);
            reversed_usd = isCoarse[index] === true ? period.reversed : now;
            if (signOfMoney(reversed_usd) > 0)
              reported.push({
                periodId: refunded,
                recipientId,
                attributed_usd: period.attributed,
                reported_usd: reversed_usd,
                isCoarse: isCoarse[index] === true,
              });
            else reversed_usd = '0.00';
          }
          const identityId = isOneIdentity ? 'idn_1' : `idn_${recipientId}`;
          return {
            recipientId,
            seenSnapshotId: position,
            name: null,
            identityId,
            details: { detailNo: 1, method: 'paypal' as const, identityId, reportedIdentityId: identityId },
            isResolved: happened.resolved[index] ?? true,
            opening_usd: closing.get(recipientId) ?? '0.00',
            earned_usd: happened.settled[index] ?? '0.00',
            reversed_usd,
            adjusted_usd: happened.adjusted[index] ?? '0.00',
            returned_usd: '0.00',
            minimum_usd: null,
          };
        });
        const holds = RECIPIENTS.flatMap((recipientId, index): Hold[] => {
          const own = { holdId: index, recipientId, periodId: null, attributed_usd: null, takenBefore_usd: null };
          const held = happened.held[index] ?? null;
          return [
            ...(held === null ? [] : [{ ...own, amount_usd: held === 'all' ? null : held, isExclusion: false }]),
            ...(happened.excluded[index] === true ? [{ ...own, amount_usd: null, isExclusion: true }] : []),
          ];
        });
        const facts = {
          policy: { ...DEFAULT_POLICY, minimum_usd: minimum },
          recipients,
          reversals: decideReversals({ reported, before: [], takenByRuns: taken, adjustments: [] }),
          holds,
        };
        const run = composePreview(facts);
        composed++;
        // Composing is a function of its facts, in whatever order they come.
        const again = composePreview({ ...facts, recipients: recipients.toReversed(), holds: holds.toReversed() });
        expect(again).toEqual(run);
        expectLines(run);
        // A voided run changes nothing: the next one of the month starts from the same facts.
        if (happened.isVoided) expect(composePreview(facts)).toEqual(run);
        for (const { periodId, takenBefore_usd, taken_usd } of run.reversals) taken.set(periodId, sumMoney([takenBefore_usd, taken_usd]));
        closing = new Map(run.lines.map((line) => [line.recipientId, line.closing_usd]));
        earned = sumMoney([earned, run.totals.earned]);
        deducted = sumMoney([deducted, ...run.reversals.map(({ taken_usd }) => taken_usd)]);
        adjusted = sumMoney([adjusted, run.totals.adjusted]);
        paid = sumMoney([paid, run.totals.payable]);
      });
      for (const [periodId, { attributed, reversed }] of periods) {
        expect(compareMoney(taken.get(periodId) ?? '0.00', attributed)).toBeLessThanOrEqual(0);
        expect(compareMoney(taken.get(periodId) ?? '0.00', reversed)).toBe(0);
      }
      const carried = sumMoney(closing.values());
      expect(signOfMoney(subtractMoney(sumMoney([earned, adjusted]), sumMoney([deducted, paid, carried])))).toBe(0);
    }),
    { numRuns: RUNS },
  );
  recordFigure(
    'Histories of payout runs',
    `${RUNS.toLocaleString('en-US')} histories, ${composed.toLocaleString('en-US')} runs, 0 broken laws`,
  );
});

function expectLines({ lines, totals, reversals }: ComposedRun): void {
  for (const line of lines) {
    const { opening_usd, earned_usd, pinned_usd, adjusted_usd, returned_usd, reversed_usd, due_usd, held_usd, payable_usd, closing_usd } =
      line;
    expect(
      signOfMoney(
        subtractMoney(sumMoney([opening_usd, earned_usd, pinned_usd, adjusted_usd, returned_usd]), sumMoney([reversed_usd, due_usd])),
      ),
    ).toBe(0);
    expect(signOfMoney(subtractMoney(due_usd, sumMoney([payable_usd, closing_usd])))).toBe(0);
    if (line.outcome === 'payable') {
      expect([line.isResolved, line.isExcluded, signOfMoney(payable_usd)]).toEqual([true, false, 1]);
      const left = subtractMoney(subtractMoney(due_usd, held_usd), payable_usd);
      expect(signOfMoney(left) >= 0 && compareMoney(left, '0.01') < 0).toBe(true);
      expect(compareMoney(line.together_usd, line.minimum_usd)).toBeGreaterThanOrEqual(0);
    } else expect(payable_usd).toBe('0.00');
  }
  for (const { reported_usd, taken_usd, pinned_usd } of reversals)
    expect(signOfMoney(subtractMoney(reported_usd, sumMoney([taken_usd, pinned_usd])))).toBe(0);
  expect(signOfMoney(subtractMoney(totals.due, sumMoney([totals.payable, totals.closing])))).toBe(0);
}
