import { expect, test } from 'vitest';
import {
  BACK,
  FAILED,
  FIRST,
  knows,
  outcomesOf,
  PAID_120,
  PAID_135,
  payment,
  reported,
  row,
  SECOND,
} from '#e2e/support/payments/matched-rows.ts';
import type { KnownBatch, KnownPayment } from './match-rows.ts';

const BATCH_ID = 'SB1-2-9';
const batch: KnownBatch = { batchNo: 9, runId: 70, currency: 'USD', total: '135.35', payments: [FIRST, SECOND] };
const known = knows([FIRST, SECOND], { byBatchId: new Map([[BATCH_ID, batch]]) });
const whole = { references: [], batchId: BATCH_ID };
const total = { ...whole, amounts: [{ amount: '135.35', currency: 'USD' }] };
const batchOf = (payments: KnownPayment[]) => knows(payments, { byBatchId: new Map([[BATCH_ID, { ...batch, payments }]]) });

test('a row for a whole file confirms each payment when its total is that of the file', () => {
  expect(outcomesOf([row(total)], known)).toEqual([
    [1, 'paid', 'batch_total'],
    [2, 'paid', 'batch_total'],
  ]);
});

test('a row for a whole file that is dated before the file was created confirms none, unless all of it is known', () => {
  const early = row({ ...total, occurredOn: '2026-10-30', digest: 'before' });
  expect(outcomesOf([early], known)).toEqual([['before_file', null]]);
  const paid = { occurredOn: '2026-10-30', isOfFile: true };
  const both = [reported(paid), payment(2, { ...SECOND, confirmations: reported(paid).confirmations })];
  expect(outcomesOf([early], batchOf(both))).toEqual([
    ['repeated', 1],
    ['repeated', 2],
  ]);
});

test('a row for a whole file twice in one report may be paid twice', () => {
  expect(outcomesOf([row(total), row(total)], known)).toEqual([
    [1, 'paid', 'batch_total'],
    [2, 'paid', 'batch_total'],
    ['paid_twice', null, PAID_135],
  ]);
});

test('a row for a whole file with another total confirms none', () => {
  expect(outcomesOf([row({ ...whole, amounts: [{ amount: '135.00', currency: 'USD' }] })], known)).toEqual([['total_differs', null]]);
});

test('a row for a whole file leaves payments as they are that were replaced or of which the same is known', () => {
  const said = reported({ providerId: 'A1' });
  const debit = row({ ...total, providerId: 'B7' });
  expect(outcomesOf([debit], batchOf([said, payment(2, { isReplaced: true })]))).toEqual([
    ['repeated', 1],
    ['repeated', 2],
  ]);
  const paid = reported({ providerId: 'B6', isOfFile: true });
  expect(outcomesOf([debit], batchOf([paid, SECOND]))).toEqual([['paid_twice', null, PAID_135]]);
  expect(outcomesOf([debit], batchOf([FIRST, { ...SECOND, isHandedOver: false }]))).toEqual([['not_handed_over', null, PAID_135]]);
  // The payments of a total that was booked may be listed one by one in another report.
  expect(outcomesOf([row({ providerId: 'C1' })], knows([paid]))).toEqual([[1, 'paid', 'reference']]);
});

test.each<[string, KnownPayment, string | null, unknown[][]]>([
  [
    'the money of one that failed and was replaced is an alarm',
    { ...reported(FAILED), isReplaced: true },
    '2026-11-05',
    [['replaced', null, PAID_120]],
  ],
  [
    'the money of one that failed without a date is listed',
    reported({ state: 'failed' }),
    '2026-11-05',
    [['dates_contradict', null, PAID_120]],
  ],
  ['the money of one that failed on that day is listed', reported(FAILED), '2026-11-04', [['dates_contradict', null, PAID_120]]],
  [
    'one that failed afterwards was debited before',
    reported(FAILED),
    '2026-11-03',
    [
      [1, 'paid', 'batch_total'],
      [2, 'paid', 'batch_total'],
    ],
  ],
])('a row for a whole file with %s', (_, first, occurredOn, result) => {
  expect(outcomesOf([row({ ...total, occurredOn })], batchOf([first, SECOND]))).toEqual(result);
});

test('a row for a whole file on another day by another report of the layout may be a second debit', () => {
  const known = batchOf([reported({ isOfFile: true, occurredOn: '2026-11-03' }), SECOND]);
  expect(outcomesOf([row(total)], known)).toEqual([['paid_twice', null, PAID_135]]);
  expect(outcomesOf([row(total)], known, 'camt_054')).toEqual([
    ['repeated', 1],
    [2, 'paid', 'batch_total'],
  ]);
});

test('a row for a whole file leaves a payment returned that an earlier date has as returned: the file was paid before', () => {
  expect(outcomesOf([row(total)], batchOf([reported(BACK), SECOND]))).toEqual([
    ['repeated', 1],
    [2, 'paid', 'batch_total'],
  ]);
});

test('a row for a whole file that answers a message has no total, and confirms each', () => {
  expect(outcomesOf([row({ ...whole, amounts: [], hasAmount: false, state: 'failed' })], known)).toEqual([
    [1, 'failed', 'message'],
    [2, 'failed', 'message'],
  ]);
});

test('a bank’s later answer that a file is paid is listed with the money of a payment that it had rejected', () => {
  const answer = row({ ...whole, amounts: [], hasAmount: false });
  expect(outcomesOf([answer], batchOf([reported(FAILED), SECOND]), 'pain_002')).toEqual([['dates_contradict', null, PAID_120]]);
});

test.each<[string, KnownPayment, unknown[][]]>([
  [
    'leaves one that failed by itself',
    reported(FAILED),
    [
      ['repeated', 1],
      [2, 'pending', 'message'],
    ],
  ],
  [
    'is newer than an answer that the file failed',
    reported({ ...FAILED, isOfFile: true }),
    [
      [1, 'pending', 'message'],
      [2, 'pending', 'message'],
    ],
  ],
  ['is listed where one was paid', reported({ occurredOn: '2026-11-04' }), [['dates_contradict', null]]],
])('a bank’s later answer that a file is on its way %s', (_, first, result) => {
  const answer = row({ ...whole, state: 'pending', word: 'PART', amounts: [], hasAmount: false });
  expect(outcomesOf([answer], batchOf([first, SECOND]), 'pain_002')).toEqual(result);
});
