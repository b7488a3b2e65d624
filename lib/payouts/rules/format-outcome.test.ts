import { expect, test } from 'vitest';
import { decideLines, type LineFacts, OUTCOMES } from './decide-line.ts';
import { formatOutcome } from './format-outcome.ts';

const line = (recipientId: number, facts: Partial<LineFacts>): LineFacts => ({
  recipientId,
  identityId: null,
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
  details: { detailNo: 1, method: 'paypal', identityId: facts.identityId ?? null },
  ...facts,
});

// The outcome, and its sentence with every amount worked out by hand.
const CASES: [string, Partial<LineFacts>, string][] = [
  ['payable', { earned_usd: '120.00' }, 'Everything due is payable.'],
  ['payable', { opening_usd: '0.0056', earned_usd: '120.3456' }, 'A fraction of a cent, $0.0012, is carried forward.'],
  ['payable', { earned_usd: '100.00', holds: ['30.00'] }, '$30.00 is on hold. $30.00 is carried forward.'],
  [
    'negative_balance',
    { opening_usd: '40.00', earned_usd: '10.00', reversed_usd: '70.00' },
    'The balance is −$20.00: deductions exceed earnings. It is deducted from future earnings.',
  ],
  ['nothing_due', { earned_usd: '25.00', reversed_usd: '25.00' }, 'Earnings and deductions cancel out. Nothing is due.'],
  ['unresolved', { earned_usd: '35.4544', isResolved: false }, 'Invo can’t identify player 7. $35.4544 is carried forward until it can.'],
  ['excluded', { earned_usd: '35.00', isExcluded: true }, 'Left out of this run. $35.00 is carried forward.'],
  ['on_hold', { opening_usd: '12.00', earned_usd: '5.00', holds: [null] }, 'On hold. $17.00 is carried forward until the hold ends.'],
  ['no_details', { earned_usd: '35.00', details: null }, 'No payment details are in force. $35.00 is carried forward until there are.'],
  ['below_minimum', { earned_usd: '4.20' }, '$4.20 is below the minimum of $10.00. $4.20 is carried forward and added to the next month.'],
  ['below_minimum', { earned_usd: '0.004' }, '$0.004 is less than a cent. $0.004 is carried forward and added to the next month.'],
  [
    'below_minimum',
    { earned_usd: '14.00', holds: ['5.00'] },
    '$5.00 is on hold. $9.00 is below the minimum of $10.00. $14.00 is carried forward and added to the next month.',
  ],
];

test.each(CASES)('%s %j: %s', (outcome, facts, sentence) => {
  const [decided] = decideLines([line(7, facts)]);
  if (decided === undefined) throw new Error('one line was decided');
  expect([decided.outcome, formatOutcome(decided)]).toEqual([outcome, sentence]);
});

test('accounts of one person that don’t reach the minimum together say so', () => {
  const lines = decideLines([line(81, { earned_usd: '5.00', identityId: 'idn_9' }), line(82, { earned_usd: '3.00', identityId: 'idn_9' })]);
  expect(lines.map(formatOutcome)[1]).toBe(
    'All accounts of this person together come to $8.00, below the minimum of $10.00. $3.00 is carried forward and added to the next month.',
  );
});

test('every outcome has a case', () => {
  expect(new Set(CASES.map(([outcome]) => outcome))).toEqual(new Set(OUTCOMES));
});
