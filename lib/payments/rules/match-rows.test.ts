import { describe, expect, test } from 'vitest';
import { formatReportResult } from '../report-text.ts';
import { type KnownBatch, type KnownPayment, type KnownPayments, matchRows } from './match-rows.ts';
import { formatPaymentReference } from './payment-reference.ts';
import type { ReportRow } from './report-row.ts';

const payment = (itemNo: number, facts: Partial<KnownPayment> = {}): KnownPayment => ({
  runId: 70,
  itemNo,
  reference: formatPaymentReference({ gameId: 2, runNo: 7, itemNo }),
  amount: '120.35',
  currency: 'USD',
  amount_usd: '120.35',
  isHandedOver: true,
  isReplaced: false,
  confirmations: [],
  ...facts,
});
const [FIRST, SECOND] = [payment(1), payment(2, { amount: '15.00', amount_usd: '15.00' })];

const knows = (payments: KnownPayment[], more: Partial<KnownPayments> = {}): KnownPayments => ({
  byReference: new Map(payments.map((each) => [each.reference, each])),
  byTrace: new Map(),
  byProviderId: new Map(),
  byBatchId: new Map(),
  listed: new Set(),
  ...more,
});

/** What may have been paid twice. */
const [PAID_120, PAID_135] = [
  { runId: 70, amount_usd: '120.35' },
  { runId: 70, amount_usd: '135.35' },
];
const ADDED_AT = '2026-11-25T09:30:00Z';

let digests = 0;
const row = (facts: Partial<ReportRow> = {}): ReportRow => ({
  rowNo: 2,
  unreadable: null,
  state: 'paid',
  word: 'Completed',
  references: [FIRST.reference],
  amounts: [{ amount: '120.35', currency: 'USD' }],
  hasAmount: true,
  providerId: null,
  relatedId: null,
  trace: null,
  batchId: null,
  occurredOn: '2026-11-05',
  reasonCode: null,
  text: '',
  digest: `row ${++digests}`,
  ...facts,
});

const say = (rows: ReportRow[], known: KnownPayments): unknown[] =>
  matchRows(rows, known, ADDED_AT).map((each) =>
    each.kind === 'confirmed'
      ? [each.payment.itemNo, each.state, each.matchedBy]
      : each.kind === 'listed'
        ? [each.reason, each.payment?.itemNo ?? null, ...(each.alarm === null ? [] : [each.alarm])]
        : ['repeated', each.payment?.itemNo ?? null],
  );

const ALL = knows([FIRST, SECOND]);

describe('a row', () => {
  test.each<[string, Partial<ReportRow>, unknown[]]>([
    ['with the reference and an equal amount confirms the payment', {}, [1, 'paid', 'reference']],
    ['with an equal amount of more places confirms it', { amounts: [{ amount: '120.350', currency: 'USD' }] }, [1, 'paid', 'reference']],
    ['with another amount differs', { amounts: [{ amount: '120.00', currency: 'USD' }] }, ['differs', 1]],
    ['in another currency differs', { amounts: [{ amount: '120.35', currency: 'EUR' }] }, ['differs', 1]],
    ['without an amount where its layout has one differs', { amounts: [] }, ['differs', 1]],
    ['of a layout without amounts confirms it', { amounts: [], hasAmount: false, state: 'pending' }, [1, 'pending', 'reference']],
    [
      'booked in EUR with the instructed USD confirms it',
      {
        amounts: [
          { amount: '111.00', currency: 'EUR' },
          { amount: '120.35', currency: 'USD' },
        ],
      },
      [1, 'paid', 'reference'],
    ],
    ['with two references names two payments', { references: [FIRST.reference, SECOND.reference] }, ['two_references', null]],
    [
      'with a reference of ours and one of another game names two payments',
      { references: [FIRST.reference, formatPaymentReference({ gameId: 3, runNo: 1, itemNo: 1 })] },
      ['two_references', null],
    ],
    [
      'with a reference of another game is not ours',
      { references: [formatPaymentReference({ gameId: 3, runNo: 1, itemNo: 1 })] },
      ['foreign', null],
    ],
    ['without any reference is not ours', { references: [] }, ['foreign', null]],
    ['with an unknown word changes nothing', { state: null }, ['unknown_word', 1]],
    ['with an amount that can’t be read changes nothing', { unreadable: 'amount', amounts: [] }, ['unreadable', 1]],
    ['of a return of all of it confirms the return', { state: 'returned' }, [1, 'returned', 'reference']],
    [
      'of a smaller return asks for the difference',
      { state: 'returned', amounts: [{ amount: '105.35', currency: 'USD' }] },
      ['returned_in_part', 1],
    ],
    ['of a larger return is listed', { state: 'returned', amounts: [{ amount: '121.00', currency: 'USD' }] }, ['returned_more', 1]],
    ['of a return in another currency differs', { state: 'returned', amounts: [{ amount: '120.35', currency: 'EUR' }] }, ['differs', 1]],
  ])('%s', (_, facts, result) => {
    expect(say([row(facts)], ALL)).toEqual([result]);
  });

  test.each<[string, Partial<ReportRow>, unknown[]]>([
    ['that was paid is an alarm: its file may be cancelled and paid again', {}, ['not_handed_over', 1, PAID_120]],
    ['that failed is listed alone', { state: 'failed' }, ['not_handed_over', 1]],
  ])('of a payment whose file wasn’t handed over and %s', (_, facts, result) => {
    expect(say([row(facts)], knows([payment(1, { isHandedOver: false })]))).toEqual([result]);
  });

  test.each(['2016-11-25', '2026-11-26', null])('dated %s confirms its payment', (occurredOn) => {
    expect(say([row({ occurredOn })], ALL)).toEqual([[1, 'paid', 'reference']]);
  });

  test.each(['2016-11-24', '2026-11-27', '2062-11-05'])(
    'dated %s can’t be read: it would decide about its payment for years',
    (occurredOn) => {
      expect(say([row({ occurredOn })], ALL)).toEqual([['unreadable', 1]]);
      expect(matchRows([row({ occurredOn })], ALL, ADDED_AT)[0]?.row.occurredOn).toBeNull();
    },
  );

  test('is matched by the trace of an ACH entry, or by the ID of the movement that it returns', () => {
    const known = knows([FIRST], { byTrace: new Map([['061000050000001', FIRST]]), byProviderId: new Map([['5TX', SECOND]]) });
    const back = { references: [] as string[], state: 'returned' as const };
    expect(say([row({ ...back, trace: '061000050000001' })], known)).toEqual([[1, 'returned', 'trace']]);
    expect(say([row({ ...back, relatedId: '5TX', amounts: [{ amount: '15.00', currency: 'USD' }] })], known)).toEqual([
      [2, 'returned', 'provider_id'],
    ]);
    expect(say([row({ ...back, trace: '061000050000009' })], known)).toEqual([['foreign', null]]);
  });
});

describe('what was said before', () => {
  const said = payment(1, { confirmations: [{ state: 'paid', providerId: 'A1', digest: 'before', occurredOn: null, isOfFile: false }] });

  test.each<[string, Partial<ReportRow>, unknown[]]>([
    ['the same movement in another report is a repeat', { providerId: 'A1' }, ['repeated', 1]],
    ['an equal row without an ID is a repeat', { digest: 'before' }, ['repeated', 1]],
    ['a second debit under another ID may be a second payment', { providerId: 'B2' }, ['paid_twice', 1, PAID_120]],
    ['a return after it is no repeat', { providerId: 'A1', state: 'returned' }, [1, 'returned', 'reference']],
  ])('%s', (_, facts, result) => {
    expect(say([row(facts)], knows([said]))).toEqual([result]);
  });

  test('an equal row under another ID may be a second payment', () => {
    const known = payment(1, {
      confirmations: [{ state: 'paid', providerId: 'B1', digest: 'same', occurredOn: '2026-11-05', isOfFile: false }],
    });
    expect(say([row({ providerId: 'B2', digest: 'same' })], knows([known]))).toEqual([['paid_twice', 1, PAID_120]]);
  });

  test('two rows of one report for one payment may pay it twice, though no row has an ID', () => {
    expect(say([row(), row({ occurredOn: '2026-11-12' })], ALL)).toEqual([
      [1, 'paid', 'reference'],
      ['paid_twice', 1, PAID_120],
    ]);
  });

  test('a row without a date that states something else than a dated one is listed: it would change nothing', () => {
    const known = payment(1, {
      confirmations: [{ state: 'paid', providerId: null, digest: 'x', occurredOn: '2026-11-05', isOfFile: false }],
    });
    expect(say([row({ state: 'returned', occurredOn: null })], knows([known]))).toEqual([['unreadable', 1]]);
    expect(say([row({ state: 'returned' })], knows([known]))).toEqual([[1, 'returned', 'reference']]);
  });

  test.each<[string, Partial<ReportRow>, unknown[]]>([
    ['a return dated before the payment is listed', { state: 'returned', occurredOn: '2026-11-04' }, ['dates_contradict', 1]],
    ['a failure dated before the payment is listed', { state: 'failed', occurredOn: '2026-11-04' }, ['dates_contradict', 1]],
    ['a return of that day confirms it', { state: 'returned', occurredOn: '2026-11-05' }, [1, 'returned', 'reference']],
    ['an earlier status changes nothing', { state: 'pending', occurredOn: '2026-11-04' }, [1, 'pending', 'reference']],
  ])('%s: banks date a return as its payment’s file', (_, facts, result) => {
    const known = payment(1, {
      confirmations: [{ state: 'paid', providerId: null, digest: 'x', occurredOn: '2026-11-05', isOfFile: true }],
    });
    expect(say([row(facts)], knows([known]))).toEqual([result]);
  });

  test('two debits within one report are found as well', () => {
    expect(say([row({ providerId: 'A1' }), row({ providerId: 'B2' }), row({ providerId: 'A1' })], ALL)).toEqual([
      [1, 'paid', 'reference'],
      ['paid_twice', 1, PAID_120],
      ['repeated', 1],
    ]);
  });
});

test('money that still moves for a payment that was replaced is listed, and what was known of it before is a repeat', () => {
  const replaced = payment(1, {
    isReplaced: true,
    confirmations: [{ state: 'returned', providerId: 'A1', digest: 'before', occurredOn: null, isOfFile: false }],
  });
  expect(say([row({ providerId: 'B2' })], knows([replaced]))).toEqual([['replaced', 1, PAID_120]]);
  expect(say([row({ providerId: 'B2', state: 'failed' })], knows([replaced]))).toEqual([['replaced', 1]]);
  expect(say([row({ providerId: 'A1', state: 'returned' })], knows([replaced]))).toEqual([['repeated', 1]]);
});

test('a row that was listed before isn’t listed again', () => {
  expect(say([row({ references: [], digest: 'seen' })], knows([FIRST], { listed: new Set(['seen']) }))).toEqual([['repeated', null]]);
});

test('a return may name a movement of the same report', () => {
  const back = row({ references: [], state: 'returned', providerId: '7TX', relatedId: '5TX' });
  expect(say([row({ providerId: '5TX' }), back], ALL)).toEqual([
    [1, 'paid', 'reference'],
    [1, 'returned', 'provider_id'],
  ]);
});

describe('a row for a whole file', () => {
  const batch: KnownBatch = { batchId: 'SB1-2-9', runId: 70, currency: 'USD', total: '135.35', payments: [FIRST, SECOND] };
  const known = knows([FIRST, SECOND], { byBatchId: new Map([[batch.batchId, batch]]) });
  const whole = { references: [], batchId: 'SB1-2-9' };

  test('confirms each payment when its total is that of the file', () => {
    const total = { ...whole, amounts: [{ amount: '135.35', currency: 'USD' }] };
    expect(say([row(total)], known)).toEqual([
      [1, 'paid', 'batch_total'],
      [2, 'paid', 'batch_total'],
    ]);
  });

  test('twice in one report may be paid twice', () => {
    const total = { ...whole, amounts: [{ amount: '135.35', currency: 'USD' }] };
    expect(say([row(total), row(total)], known)).toEqual([
      [1, 'paid', 'batch_total'],
      [2, 'paid', 'batch_total'],
      ['paid_twice', null, PAID_135],
    ]);
  });

  test('with another total confirms none', () => {
    expect(say([row({ ...whole, amounts: [{ amount: '135.00', currency: 'USD' }] })], known)).toEqual([['total_differs', null]]);
  });

  test('leaves payments as they are that were replaced or of which the same is known', () => {
    const said = payment(1, { confirmations: [{ state: 'paid', providerId: 'A1', digest: 'before', occurredOn: null, isOfFile: false }] });
    const total = row({ ...whole, amounts: [{ amount: '135.35', currency: 'USD' }], providerId: 'B7' });
    const batchOf = (payments: KnownPayment[]) => knows(payments, { byBatchId: new Map([[batch.batchId, { ...batch, payments }]]) });
    expect(say([total], batchOf([said, payment(2, { isReplaced: true })]))).toEqual([
      ['repeated', 1],
      ['repeated', 2],
    ]);
    const paid = payment(1, { confirmations: [{ state: 'paid', providerId: 'B6', digest: 'before', occurredOn: null, isOfFile: true }] });
    expect(say([total], batchOf([paid, SECOND]))).toEqual([['paid_twice', null, PAID_135]]);
    expect(say([total], batchOf([FIRST, { ...SECOND, isHandedOver: false }]))).toEqual([['not_handed_over', null, PAID_135]]);
    // The payments of a total that was booked may be listed one by one in another report.
    expect(say([row({ providerId: 'C1' })], knows([paid]))).toEqual([[1, 'paid', 'reference']]);
  });

  test('leaves a payment returned that an earlier date has as returned: the file was paid before', () => {
    const said = payment(1, {
      confirmations: [{ state: 'returned', providerId: 'R1', digest: 'before', occurredOn: '2026-11-04', isOfFile: false }],
    });
    const known = knows([said, SECOND], { byBatchId: new Map([[batch.batchId, { ...batch, payments: [said, SECOND] }]]) });
    expect(say([row({ ...whole, amounts: [{ amount: '135.35', currency: 'USD' }] })], known)).toEqual([
      ['repeated', 1],
      [2, 'paid', 'batch_total'],
    ]);
  });

  test('that answers a message has no total, and confirms each', () => {
    expect(say([row({ ...whole, amounts: [], hasAmount: false, state: 'failed' })], known)).toEqual([
      [1, 'failed', 'message'],
      [2, 'failed', 'message'],
    ]);
  });
});

test('the result is one sentence', () => {
  const payments = Array.from({ length: 11 }, (_, index) => payment(index + 1));
  const rows = payments.map((each) => row({ references: [each.reference] }));
  const [returned, differs] = [rows[9], rows[10]];
  if (returned && differs) {
    rows[9] = { ...returned, state: 'returned' };
    rows[10] = { ...differs, amounts: [{ amount: '120.00', currency: 'USD' }] };
  }
  const all = [...rows, row({ references: [] })];
  expect(formatReportResult(all.length, matchRows(all, knows(payments), ADDED_AT))).toBe(
    '12 rows: 9 paid, 1 returned, 1 differs, 1 is not ours.',
  );
  expect(formatReportResult(1, matchRows([row({ references: [] })], ALL, ADDED_AT))).toBe('1 row: 1 is not ours.');
  expect(formatReportResult(0, [])).toBe('0 rows: nothing about payments.');
});
