import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { proofSize } from '#e2e/support/proof.ts';
import { compareMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { decideLines, type LineFacts, type Outcome, type RunLine, redecideLine } from './decide-line.ts';

const line = (recipientId: number, facts: Partial<LineFacts> = {}): LineFacts => ({
  recipientId,
  identityId: `idn_${recipientId}`,
  isResolved: true,
  opening_usd: '0.00',
  earned_usd: '0.00',
  reversed_usd: '0.00',
  pinned_usd: '0.00',
  adjusted_usd: '0.00',
  returned_usd: '0.00',
  holds: [],
  isExcluded: false,
  minimum_usd: '10.00',
  details: { detailNo: 1, method: 'paypal', identityId: `idn_${recipientId}`, reportedIdentityId: `idn_${recipientId}` },
  ...facts,
});

const shape = ({ recipientId, due_usd, payable_usd, closing_usd, outcome }: RunLine) => [
  recipientId,
  due_usd,
  payable_usd,
  closing_usd,
  outcome,
];

test('a run worked out by hand', () => {
  const lines = [
    line(71, { opening_usd: '0.0056', earned_usd: '120.3456' }),
    line(72, { opening_usd: '40.00', earned_usd: '10.00', reversed_usd: '70.00' }),
    line(73, { earned_usd: '4.20' }),
    line(74, { earned_usd: '35.4544', isResolved: false, identityId: null }),
    line(75, { earned_usd: '25.00', reversed_usd: '25.00' }),
    line(76, { opening_usd: '3.00', reversed_usd: '7.00', pinned_usd: '4.00' }),
    line(77, { opening_usd: '12.00', earned_usd: '5.00', holds: [null] }),
    line(78, { adjusted_usd: '15.00' }),
    line(79, { returned_usd: '50.00' }),
  ];
  expect(decideLines(lines).map(shape)).toEqual([
    [71, '120.3512', '120.35', '0.0012', 'payable'],
    [72, '-20.00', '0.00', '-20.00', 'negative_balance'],
    [73, '4.20', '0.00', '4.20', 'below_minimum'],
    [74, '35.4544', '0.00', '35.4544', 'unresolved'],
    [75, '0.00', '0.00', '0.00', 'nothing_due'],
    [76, '0.00', '0.00', '0.00', 'nothing_due'],
    [77, '17.00', '0.00', '17.00', 'on_hold'],
    [78, '15.00', '15.00', '0.00', 'payable'],
    [79, '50.00', '50.00', '0.00', 'payable'],
  ]);
});

describe('recipients of one identity', () => {
  const idn_9 = { identityId: 'idn_9' };
  test('reach the minimum together, and each is paid its own amount', () => {
    const lines = [line(81, { ...idn_9, earned_usd: '6.00' }), line(82, { ...idn_9, earned_usd: '5.00' })];
    expect(decideLines(lines).map(({ outcome, payable_usd }) => [outcome, payable_usd])).toEqual([
      ['payable', '6.00'],
      ['payable', '5.00'],
    ]);
  });
  test('are not netted against each other', () => {
    const lines = [line(83, { ...idn_9, earned_usd: '90.00' }), line(84, { ...idn_9, reversed_usd: '30.00' })];
    expect(decideLines(lines).map(({ outcome, payable_usd }) => [outcome, payable_usd])).toEqual([
      ['payable', '90.00'],
      ['negative_balance', '0.00'],
    ]);
  });
  test('without a whole cent of their own wait, and a held amount helps nobody to the minimum', () => {
    const lines = [
      line(85, { ...idn_9, earned_usd: '90.00' }),
      line(86, { ...idn_9, earned_usd: '0.004' }),
      line(87, { identityId: 'idn_10', earned_usd: '6.00' }),
      line(88, { identityId: 'idn_10', earned_usd: '6.00', holds: [null] }),
    ];
    expect(decideLines(lines).map(({ outcome }) => outcome)).toEqual(['payable', 'below_minimum', 'below_minimum', 'on_hold']);
  });
  test('reach the minimum without what can’t be paid to one of them', () => {
    const lines = [line(91, { ...idn_9, earned_usd: '6.00' }), line(92, { ...idn_9, earned_usd: '6.00', isResolved: false })];
    expect(decideLines(lines).map(({ outcome, together_usd }) => [outcome, together_usd])).toEqual([
      ['below_minimum', '6.00'],
      ['unresolved', '6.00'],
    ]);
  });

  test('that is not reported are strangers', () => {
    const lines = [line(89, { identityId: null, earned_usd: '6.00' }), line(90, { identityId: null, earned_usd: '6.00' })];
    expect(decideLines(lines).map(({ outcome }) => outcome)).toEqual(['below_minimum', 'below_minimum']);
  });
});

test.each<[string, Partial<LineFacts>, Outcome, Outcome[]]>([
  [
    'a negative balance of an unknown recipient',
    { reversed_usd: '1.00', isResolved: null, holds: [null] },
    'negative_balance',
    ['unresolved'],
  ],
  ['an excluded recipient with a hold', { earned_usd: '50.00', isExcluded: true, holds: [null] }, 'excluded', []],
  ['an unresolved, excluded one', { earned_usd: '50.00', isResolved: false, isExcluded: true }, 'unresolved', ['excluded']],
  ['an unresolved one with a hold', { earned_usd: '50.00', isResolved: false, holds: ['60.00'] }, 'unresolved', ['on_hold']],
  ['nothing due, excluded', { isExcluded: true }, 'nothing_due', ['excluded']],
])('the outcome of %s names the first reason, and the others beside it', (_, facts, outcome, also) => {
  expect(decideLines([line(1, facts)])).toMatchObject([{ outcome, also }]);
});

test('exactly the minimum is paid, a cent less is not', () => {
  expect(decideLines([line(1, { earned_usd: '10.00' }), line(2, { earned_usd: '9.99' })]).map(({ outcome }) => outcome)).toEqual([
    'payable',
    'below_minimum',
  ]);
});

test('a hold on a part pays the rest, and holds never add up to more than is due', () => {
  expect(decideLines([line(1, { earned_usd: '100.00', holds: ['30.00'] })])).toMatchObject([
    { held_usd: '30.00', payable_usd: '70.00', closing_usd: '30.00', outcome: 'payable' },
  ]);
  expect(decideLines([line(1, { earned_usd: '100.00', holds: ['70.00', '70.00'] })])).toMatchObject([
    { held_usd: '100.00', payable_usd: '0.00', outcome: 'on_hold' },
  ]);
});

const amount = fc.integer({ min: 0, max: 2_000_000 }).map((value) => (value / 10_000).toFixed(4));
const anyLine = fc.record({
  identityId: fc.option(fc.constantFrom('idn_1', 'idn_2', 'idn_3')),
  isResolved: fc.option(fc.boolean()),
  opening_usd: fc.tuple(fc.boolean(), amount).map(([isOwed, value]) => (isOwed ? subtractMoney('0', value) : value)),
  earned_usd: amount,
  reversed_usd: amount,
  pinned_usd: amount,
  holds: fc.array(fc.option(amount), { maxLength: 2 }),
  isExcluded: fc.boolean(),
  minimum_usd: fc.constantFrom('0.01', '10.00', '25.00'),
});

test('over any lines: the roll-forward ties to the last digit, and nothing is paid that is negative, held, unresolved or excluded', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 6 }), (facts) => {
      const lines = decideLines(facts.map((each, index) => line(index, each)));
      for (const each of lines) {
        const { opening_usd, earned_usd, reversed_usd, pinned_usd, due_usd, held_usd, payable_usd, closing_usd } = each;
        expect(signOfMoney(subtractMoney(due_usd, subtractMoney(sumMoney([opening_usd, earned_usd, pinned_usd]), reversed_usd)))).toBe(0);
        expect(signOfMoney(subtractMoney(due_usd, sumMoney([payable_usd, closing_usd])))).toBe(0);
        expect(payable_usd).toMatch(/^\d+\.\d\d$/);
        expect(signOfMoney(payable_usd) > 0).toBe(each.outcome === 'payable');
        if (each.outcome !== 'payable') continue;
        const left = subtractMoney(subtractMoney(due_usd, held_usd), payable_usd);
        expect(compareMoney(left, '0')).toBeGreaterThanOrEqual(0);
        expect(compareMoney(left, '0.01')).toBe(-1);
        expect([each.isResolved, each.isExcluded]).toEqual([true, false]);
      }
    }),
    { numRuns: proofSize(2_000, 10_000) },
  );
});

test('shuffling the lines changes no line', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 6 }), (facts) => {
      const lines = facts.map((each, index) => line(index, each));
      const byId = (decided: RunLine[]): RunLine[] => decided.toSorted((one, other) => one.recipientId - other.recipientId);
      expect(byId(decideLines(lines.toReversed()))).toEqual(byId(decideLines(lines)));
    }),
    { numRuns: 1_000 },
  );
});

describe('a line without payment details that pay its recipient', () => {
  const other = { detailNo: 4, method: 'paypal', identityId: 'idn_other', reportedIdentityId: 'idn_1' } as const;
  test.each<[string, Partial<LineFacts>, string]>([
    ['none are in force', { details: null }, 'no_details 0.00 null'],
    ['they were made for another identity', { details: other }, 'no_details 0.00 null'],
    ['they were made under none', { details: { ...other, identityId: null } }, 'no_details 0.00 null'],
    ['their method is none', { details: { ...other, identityId: 'idn_1', method: 'none' } }, 'no_details 0.00 null'],
    ['all of it is on hold', { details: null, holds: [null] }, 'on_hold 0.00 null no_details'],
    ['it is excluded', { details: null, isExcluded: true }, 'excluded 0.00 null no_details'],
    ['it is unresolved', { details: null, isResolved: false }, 'unresolved 0.00 null no_details'],
    ['it is below the minimum', { details: null, earned_usd: '1.00' }, 'no_details 0.00 null'],
    ['it is negative', { details: null, reversed_usd: '50.00' }, 'negative_balance 0.00 null no_details'],
    ['they are in force', { details: { ...other, identityId: 'idn_1' } }, 'payable 30.00 4'],
  ])('%s', (_, facts, expected) => {
    const [decided] = decideLines([line(1, { earned_usd: '30.00', ...facts })]);
    if (decided === undefined) throw new Error('one line was decided');
    const { outcome, payable_usd, detailNo, also, due_usd, closing_usd, held_usd } = decided;
    expect([outcome, payable_usd, detailNo === null ? 'null' : detailNo, ...also].join(' ')).toBe(expected);
    expect(redecideLine(decided)).toEqual({ outcome, payable_usd, also, due_usd, closing_usd, held_usd });
  });

  test('doesn’t count towards the minimum of its identity', () => {
    const together = [
      line(1, { identityId: 'idn_9', earned_usd: '6.00' }),
      line(2, { identityId: 'idn_9', earned_usd: '5.00', details: null }),
    ];
    expect(decideLines(together).map(({ outcome }) => outcome)).toEqual(['below_minimum', 'no_details']);
  });

  test('of a run from before payment details is decided again as it was', () => {
    const [decided] = decideLines([line(1, { earned_usd: '30.00' })]);
    expect(redecideLine({ ...line(1, { earned_usd: '30.00' }), ...decided, detailNo: null } as RunLine)).toMatchObject({
      outcome: 'payable',
      payable_usd: '30.00',
    });
  });
});
