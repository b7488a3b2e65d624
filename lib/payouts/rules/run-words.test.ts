import { expect, test } from 'vitest';
import { POSTED_ACT } from '#lib/accounting/rules/journal.ts';
import { formatCheckTitle } from '../text.ts';
import { decideLines, type LineFacts, OUTCOMES } from './decide-line.ts';
import { formatAmountInWords, formatOutcome, formatRunActivity } from './run-words.ts';

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
  details: { detailNo: 1, method: 'paypal', identityId: null, reportedIdentityId: null },
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

test.each([
  ['started payout run', {}, 'started the run'],
  ['submitted payout run', { payable_usd: '1374.27' }, 'submitted $1,374.27 for approval'],
  ['submitted payout run', {}, 'submitted for approval'],
  ['noted a check of payout run', { check: 'coarse' }, 'wrote a note: reversals without receipts'],
  ['noted a check of payout run', { check: 'warnings' }, 'wrote a note: reconciliation warnings'],
  ['recorded a finding for payout run', { reason: 'spend_order_not_found' }, 'recorded a finding: renewals without a settlement record'],
  [POSTED_ACT, { journal_no: '202609-A' }, 'posted journal 202609-A'],
  ['rejected payout run', { reason: 'For the studio only' }, 'sent the run back'],
  ['toString', {}, 'toString'],
])('"%s" with %j is listed as "%s"', (act, detail, text) => {
  expect(formatRunActivity({ act, detail }, formatCheckTitle)).toBe(text);
});

test.each([
  ['0', 'Zero dollars and zero cents'],
  ['0.00', 'Zero dollars and zero cents'],
  ['0.01', 'Zero dollars and one cent'],
  ['1', 'One dollar and zero cents'],
  ['1.5', 'One dollar and fifty cents'],
  ['10.10', 'Ten dollars and ten cents'],
  ['19.99', 'Nineteen dollars and ninety-nine cents'],
  ['21', 'Twenty-one dollars and zero cents'],
  ['40.40', 'Forty dollars and forty cents'],
  ['100', 'One hundred dollars and zero cents'],
  ['185.35', 'One hundred eighty-five dollars and thirty-five cents'],
  ['1000.05', 'One thousand dollars and five cents'],
  ['12012.00', 'Twelve thousand twelve dollars and zero cents'],
  ['1000001.50', 'One million one dollars and fifty cents'],
  ['1914315.16', 'One million nine hundred fourteen thousand three hundred fifteen dollars and sixteen cents'],
  ['2000000000.00', 'Two billion dollars and zero cents'],
  ['120.3500', 'One hundred twenty dollars and thirty-five cents'],
  [
    '999999999999999.99',
    'Nine hundred ninety-nine trillion nine hundred ninety-nine billion nine hundred ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine dollars and ninety-nine cents',
  ],
])('%s USD is written as "%s"', (amount, words) => {
  expect(formatAmountInWords(amount)).toBe(words);
});

test.each(['-1.00', '-0.01', '0.001', '120.3456', '1000000000000000', '', '1,000.00', '1e3', 'NaN'])(
  '"%s" is nothing a run pays, so it has no words',
  (amount) => {
    expect(formatAmountInWords(amount)).toBeNull();
  },
);
