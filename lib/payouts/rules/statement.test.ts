import fc from 'fast-check';
import { expect, test } from 'vitest';
import { negateMoney, normalizeMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { formatStatementRow } from '../statement-paper.ts';
import { decideLines } from './decide-line.ts';
import { decideReversal } from './decide-reversal.ts';
import {
  composeStatement,
  type EarnedRenewal,
  STATEMENT_SECTIONS,
  type StatedReversal,
  type StatementFacts,
  type StatementLine,
  type StatementSection,
} from './statement.ts';

const GAME = { slug: 'starfall', name: 'Starfall', environment: 'production', timeZone: 'UTC', isSimulated: false } as const;
const RUN = {
  runNo: 7,
  window: { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' },
  approvedAt: '2026-11-04T15:05:00Z',
  contentDigest: '3f9a12c4'.repeat(8),
  previous: { runNo: 6, windowStart: '2026-09-01T00:00:00Z' },
};

/** A statement of what is decided of these facts. */
function factsOf(own: {
  opening_usd?: string;
  renewals?: EarnedRenewal[];
  reversals?: StatedReversal[];
  adjustments?: StatementFacts['adjustments'];
  returned?: StatementFacts['returned'];
  holds?: string[];
}): StatementFacts {
  const { opening_usd = '0.00', renewals = [], reversals = [], adjustments = [], returned = [], holds = [] } = own;
  const [line] = decideLines([
    {
      recipientId: 76,
      identityId: null,
      isResolved: true,
      opening_usd,
      earned_usd: sumMoney(renewals.map(({ attributed_usd }) => attributed_usd)),
      reversed_usd: sumMoney(reversals.map(({ reported_usd }) => reported_usd)),
      pinned_usd: sumMoney(reversals.map(({ pinned_usd }) => pinned_usd)),
      adjusted_usd: sumMoney(adjustments.map(({ amount_usd }) => amount_usd)),
      returned_usd: sumMoney(returned.map(({ amount_usd }) => amount_usd)),
      holds,
      isExcluded: false,
      minimum_usd: '10.00',
      details: { detailNo: 1, method: 'paypal', identityId: null, reportedIdentityId: null },
    },
  ]);
  if (line === undefined) throw new Error('one line was decided');
  return { game: GAME, run: RUN, line: { ...line, name: 'Noor', email: null }, renewals, reversals, adjustments, returned };
}

const renewal = (periodId: number, attributed_usd: string): EarnedRenewal => ({
  periodId,
  subscriptionId: 'SUB_1790000000_ABCK2F',
  itemName: 'Creator club',
  settledAt: '2026-10-02T08:00:00Z',
  periodStart: '2026-10-02T08:00:00Z',
  periodEnd: '2026-11-02T08:00:00Z',
  percent: '25.00',
  base_usd: '8.00',
  attributed_usd,
});

function reversal(
  periodId: number,
  [attributed_usd, reported_usd, before_usd]: [string, string, string],
  more: Partial<StatedReversal> = {},
): StatedReversal {
  const isCoarse = more.isCoarse ?? false;
  const { recipientId: _, ...decided } = decideReversal({ periodId, recipientId: 76, attributed_usd, reported_usd, isCoarse }, before_usd);
  return {
    ...decided,
    subscriptionId: 'SUB_1790000000_ABCK2F',
    settledAt: '2026-09-03T10:00:00Z',
    refundedAt: isCoarse ? [] : ['2026-10-12T09:00:00Z'],
    isFullRefund: false,
    earnedIn: { runNo: 6, windowStart: '2026-09-01T00:00:00Z' },
    deductedIn: [],
    ...more,
  };
}

const rowsOf = (facts: StatementFacts, section: StatementSection) => {
  const statement = composeStatement(facts);
  return statement.rows.filter((row) => row.section === section).map((row) => [row.amount_usd, formatStatementRow(statement, row)]);
};

test('an October worked out by hand: a refund of a September payment, half of which September deducted', () => {
  const facts = factsOf({
    opening_usd: '3.00',
    reversals: [
      reversal(501, ['10.00', '7.00', '4.00'], { isCoarse: true, deductedIn: [{ runNo: 6, windowStart: '2026-09-01T00:00:00Z' }] }),
    ],
  });
  expect(rowsOf(facts, 'opening')).toEqual([['3.00', 'Carried forward from September 2026']]);
  expect(rowsOf(facts, 'reversed')).toEqual([
    [
      '-7.00',
      'Refund in October 2026 of a payment settled on 3 Sep 2026, deducted in run 7. Your share of it was earned in run 6 (September 2026).',
    ],
  ]);
  expect(rowsOf(facts, 'already_deducted')).toEqual([
    ['4.00', 'Invo reported 7.00; 4.00 of it was deducted in run 6 (September 2026) and is not deducted again.'],
  ]);
  expect(rowsOf(facts, 'due')).toEqual([['0.00', '']]);
  expect(rowsOf(facts, 'carried_forward')).toEqual([['0.00', 'Opens the November 2026 statement']]);
});

test('each correction has a sentence of its own', () => {
  const sentences = (more: StatedReversal) => rowsOf(factsOf({ reversals: [more] }), 'reversed').map(([, sentence]) => sentence);
  expect(sentences(reversal(1, ['10.00', '2.00', '0.00'], { earnedIn: null }))).toEqual([
    'Refund on 12 Oct 2026 of a payment settled on 3 Sep 2026, deducted in run 7.',
  ]);
  expect(
    sentences(reversal(1, ['2.00', '2.00', '0.00'], { isFullRefund: true, earnedIn: { runNo: 7, windowStart: RUN.window.start } })),
  ).toEqual(['Full refund on 12 Oct 2026 of a payment settled on 3 Sep 2026, deducted in run 7.']);
  const twice = { refundedAt: ['2026-10-05T00:00:00Z', '2026-10-12T00:00:00Z'], earnedIn: null };
  expect(sentences(reversal(1, ['10.00', '2.00', '0.00'], twice))).toEqual([
    '2 refunds, the last on 12 Oct 2026, of a payment settled on 3 Sep 2026, deducted in run 7.',
  ]);
  // All of it was deducted before: October reports the same refund again.
  const again = reversal(1, ['10.00', '4.00', '4.00'], { isCoarse: true, earnedIn: null });
  expect(sentences(again)).toEqual(['Refund in October 2026 of a payment settled on 3 Sep 2026, not deducted again.']);
  expect(rowsOf(factsOf({ reversals: [again] }), 'already_deducted')).toEqual([
    ['4.00', 'Invo reported 4.00; 4.00 of it was deducted before the first run and is not deducted again.'],
  ]);
  // Exact refunds beyond the share: 10.00 attributed, 8.00 deducted before, 4.00 reported.
  const beyond = reversal(1, ['10.00', '4.00', '8.00'], { deductedIn: [{ runNo: 5, windowStart: '2026-08-01T00:00:00Z' }] });
  expect(rowsOf(factsOf({ reversals: [beyond] }), 'already_deducted')).toEqual([
    ['2.00', 'Invo reported 4.00; the share was 10.00, and 8.00 was deducted in run 5 (August 2026), so 2.00 is not deducted.'],
  ]);
  const adjustments = [{ adjustmentId: 1, amount_usd: '15.00', reason: 'Renewals of September', corrects: RUN.previous }];
  expect(rowsOf(factsOf({ adjustments }), 'adjustment')).toEqual([['15.00', 'Renewals of September (corrects run 6 (September 2026))']]);
  expect(rowsOf(factsOf({ renewals: [renewal(1, '2.00')] }), 'earned')).toEqual([
    ['2.00', 'Creator club, 2 Oct 2026 to 2 Nov 2026, 25.00% of 8.00'],
  ]);
  const back = { runNo: 6, windowStart: '2026-09-01T00:00:00Z', hasFailed: false, occurredOn: '2026-11-20' };
  const returned = [
    { ...back, amount_usd: '50.00' },
    { ...back, amount_usd: '15.00', hasFailed: true, occurredOn: null },
  ];
  expect(rowsOf(factsOf({ returned }), 'returned')).toEqual([
    ['50.00', 'Payment of run 6 (September 2026) came back on 20 Nov 2026'],
    ['15.00', 'Payment of run 6 (September 2026) failed'],
  ]);
});

const money = fc.integer({ min: 0, max: 5_000_000 }).map((micros) => (micros / 10_000).toFixed(4));
const signed = fc.tuple(money, fc.boolean()).map(([amount, isLess]) => (isLess ? negateMoney(amount) : amount));
const history = fc.record({
  opening_usd: signed,
  renewals: fc.array(money, { maxLength: 8 }).map((amounts) => amounts.map((amount, index) => renewal(index + 1, amount))),
  reversals: fc
    .array(fc.tuple(money, money, money, fc.boolean()), { maxLength: 6 })
    .map((all) =>
      all.map(([attributed, reported, before, isCoarse], index) => reversal(index + 1, [attributed, reported, before], { isCoarse })),
    ),
  adjustments: fc
    .array(signed, { maxLength: 4 })
    .map((all) => all.map((amount_usd, index) => ({ adjustmentId: index + 1, amount_usd, reason: 'a reason', corrects: null }))),
  holds: fc.array(money, { maxLength: 2 }),
});

test('the rows of each section add up to the line of the run, and the sections to what is due, to the last digit', () => {
  fc.assert(
    fc.property(history, (own) => {
      const facts = factsOf(own);
      const { rows, line } = composeStatement(facts);
      const sum = (...sections: StatementSection[]): string =>
        normalizeMoney(sumMoney(rows.filter(({ section }) => sections.includes(section)).map(({ amount_usd }) => amount_usd)));
      expect([sum('earned'), sum('already_deducted'), sum('adjustment')]).toEqual(
        [line.earned_usd, line.pinned_usd, line.adjusted_usd].map(normalizeMoney),
      );
      expect(sum('reversed')).toBe(normalizeMoney(negateMoney(line.reversed_usd)));
      expect(sum('opening', 'earned', 'reversed', 'already_deducted', 'adjustment', 'returned')).toBe(sum('due'));
      expect(sum('carried_forward')).toBe(normalizeMoney(subtractMoney(sum('due'), sum('payable'))));
      for (const section of STATEMENT_SECTIONS) {
        const positions = rows.filter((row) => row.section === section).map(({ position }) => position);
        expect(positions).toEqual(positions.map((_, index) => index + 1));
      }
    }),
  );
});

test('a statement that would say less or more than the run is refused', () => {
  const facts = factsOf({ renewals: [renewal(1, '2.00'), renewal(2, '3.00')], reversals: [reversal(9, ['1.00', '1.00', '0.00'])] });
  const change = (line: Partial<StatementLine>): StatementFacts => ({ ...facts, line: { ...facts.line, ...line } });
  expect(() => composeStatement({ ...facts, renewals: facts.renewals.slice(1) })).toThrow('states 3.00 as earned, the run 5.00');
  expect(() => composeStatement({ ...facts, reversals: [] })).toThrow('states 0.00 as reversed, the run -1.00');
  expect(() => composeStatement(change({ pinned_usd: '0.0001' }))).toThrow('already_deducted');
  expect(() => composeStatement(change({ adjusted_usd: '0.01' }))).toThrow('adjustment');
});
