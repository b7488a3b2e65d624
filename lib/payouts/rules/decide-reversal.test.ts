import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { proofSize } from '#e2e/support/proof.ts';
import { compareMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { decideReversal, decideReversals, type ReportedReversal } from './decide-reversal.ts';

const reported = (reported_usd: string, isCoarse: boolean, attributed_usd = '10.00'): ReportedReversal => ({
  periodId: 501,
  recipientId: 76,
  attributed_usd,
  reported_usd,
  isCoarse,
});

describe('one reversal', () => {
  test.each([
    ['a first exact one is deducted', '4.00', false, '0.00', '4.00', '0.00'],
    ['a second exact one is deducted besides the first', '3.00', false, '4.00', '3.00', '0.00'],
    ['an exact one beyond what was attributed is cut', '4.00', false, '8.00', '2.00', '2.00'],
    ['a coarse one that moved contains what was deducted', '7.00', true, '4.00', '3.00', '4.00'],
    ['a coarse one that only moved deducts nothing more', '4.00', true, '4.00', '0.00', '4.00'],
    ['a coarse one below what was deducted gives nothing back', '3.00', true, '4.00', '0.00', '3.00'],
    ['a full one with a fraction of a cent leaves nothing', '10.0000', false, '0.00', '10.00', '0.00'],
    ['nothing is left after more than was attributed', '1.00', false, '11.00', '0.00', '1.00'],
  ])('%s', (_, amount, isCoarse, before, taken_usd, pinned_usd) => {
    expect(decideReversal(reported(amount, isCoarse), before)).toMatchObject({ takenBefore_usd: before, taken_usd, pinned_usd });
  });
});

const decideLast = (windows: ReportedReversal[][]) =>
  decideReversals({ reported: windows.at(-1) ?? [], before: windows.slice(0, -1), takenByRuns: new Map(), adjustments: [] });

test('windows are decided one after the other, and the last one is returned', () => {
  expect(decideLast([[reported('4.00', true)], [], [reported('7.00', true)]])).toEqual([
    { ...reported('7.00', true), takenBefore_usd: '4.00', taken_usd: '3.00', pinned_usd: '4.00' },
  ]);
  expect(decideLast([])).toEqual([]);
});

test('what earlier runs deducted counts instead of what windows before the first run reported', () => {
  const history = {
    reported: [reported('7.00', true)],
    before: [[reported('4.00', true)]],
    takenByRuns: new Map([[501, '6.00']]),
    adjustments: [],
  };
  expect(decideReversals(history)).toMatchObject([{ takenBefore_usd: '6.00', taken_usd: '1.00', pinned_usd: '6.00' }]);
});

/** Cents as text. */
const usd = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

const history = fc.record({
  attributed: fc.integer({ min: 1, max: 5_000 }),
  isCoarse: fc.boolean(),
  /** What refunds reverse in each window, in shares of what is left, and whether a window was pulled again after the last one. */
  windows: fc.array(fc.record({ share: fc.integer({ min: 0, max: 100 }), isPulledAgain: fc.boolean() }), { minLength: 1, maxLength: 8 }),
});

test('whether a period has exact reversals or one that moves, its deductions are what Invo has reversed and never more than was attributed', () => {
  fc.assert(
    fc.property(history, ({ attributed, isCoarse, windows }) => {
      let reversed = 0;
      const shown: ReportedReversal[][] = [];
      for (const { share, isPulledAgain } of windows) {
        const now = Math.floor(((attributed - reversed) * share) / 100);
        reversed += now;
        // A coarse row leaves the windows that are pulled again, and is reported whole where the newest refund is.
        if (isCoarse && now > 0 && isPulledAgain) shown.fill([]);
        shown.push(now === 0 ? [] : [reported(usd(isCoarse ? reversed : now), isCoarse, usd(attributed))]);
      }
      const deducted = sumMoney(
        shown.flatMap((_, last) =>
          decideLast(shown.slice(0, last + 1)).map(({ taken_usd, pinned_usd, reported_usd }) => {
            expect(subtractMoney(reported_usd, sumMoney([taken_usd, pinned_usd]))).toBe('0.00');
            return taken_usd;
          }),
        ),
      );
      expect(deducted).toBe(usd(reversed));
      expect(compareMoney(deducted, usd(attributed))).toBeLessThanOrEqual(0);
    }),
    { numRuns: proofSize(2_000, 20_000) },
  );
});
