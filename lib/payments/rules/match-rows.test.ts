import { describe, expect, test } from 'vitest';
import {
  ALL,
  BACK,
  FAILED,
  FIRST,
  knows,
  match,
  outcomesOf,
  PAID_120,
  payment,
  reported,
  row,
  SECOND,
  stated,
} from '#e2e/support/payments/matched-rows.ts';
import { formatReportResult } from '../report-text.ts';
import type { KnownConfirmation } from './match-rows.ts';
import { formatPaymentReference } from './payment-reference.ts';
import type { ReportRow } from './report-row.ts';
import { BACK_STATES, newestReported, REPORTED_STATES } from './reported-states.ts';

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
    expect(outcomesOf([row(facts)], ALL)).toEqual([result]);
  });

  test.each<[string, Partial<ReportRow>, unknown[]]>([
    ['that was paid is an alarm: its file may be cancelled and paid again', {}, ['not_handed_over', 1, PAID_120]],
    ['that failed is listed alone', { state: 'failed' }, ['not_handed_over', 1]],
  ])('of a payment whose file wasn’t handed over and %s', (_, facts, result) => {
    expect(outcomesOf([row(facts)], knows([payment(1, { isHandedOver: false })]))).toEqual([result]);
  });

  test.each([
    ['2016-11-25', '2016-11-25'],
    ['2026-11-26', '2026-11-01'],
    [null, '2026-11-01'],
  ])('dated %s confirms its payment', (occurredOn, madeOn) => {
    expect(outcomesOf([row({ occurredOn })], knows([payment(1, { madeOn })]))).toEqual([[1, 'paid', 'reference']]);
  });

  test.each(REPORTED_STATES)('of a %s payment that is dated before its file was created is listed', (state) => {
    const known = knows([payment(1, { madeOn: '2026-11-05' })]);
    expect(outcomesOf([row({ state, occurredOn: '2026-11-03' })], known)).toEqual([['before_file', 1]]);
    // The day before may be the day it was created, in the zone of the bank.
    for (const occurredOn of ['2026-11-04', null])
      expect(outcomesOf([row({ state, occurredOn })], known)).toEqual([[1, state, 'reference']]);
  });

  test('dated before the file is compared with no file where the payment was recorded as paid elsewhere', () => {
    expect(outcomesOf([row({ occurredOn: '2026-10-01' })], knows([payment(1, { madeOn: null })]))).toEqual([[1, 'paid', 'reference']]);
  });

  test('dated before the file stays an alarm where the payment failed since, and is a repeat where an earlier report has it', () => {
    const early = { occurredOn: '2026-10-01', providerId: 'A1' };
    expect(outcomesOf([row(early)], knows([reported(FAILED)]))).toEqual([['dates_contradict', 1, PAID_120]]);
    expect(outcomesOf([row(early)], knows([reported(early)]))).toEqual([['repeated', 1]]);
  });

  test.each(['2016-11-24', '2026-11-27', '2062-11-05'])(
    'dated %s can’t be read: it would decide about its payment for years',
    (occurredOn) => {
      expect(outcomesOf([row({ occurredOn })], ALL)).toEqual([['unreadable', 1]]);
      expect(match([row({ occurredOn })], ALL)[0]?.row.occurredOn).toBeNull();
    },
  );

  test('is matched by the trace of an ACH entry, or by the ID of the movement that it returns', () => {
    const known = knows([FIRST], { byTrace: new Map([['061000050000001', FIRST]]), byProviderId: new Map([['5TX', SECOND]]) });
    const back = { references: [] as string[], state: 'returned' as const };
    expect(outcomesOf([row({ ...back, trace: '061000050000001' })], known)).toEqual([[1, 'returned', 'trace']]);
    expect(outcomesOf([row({ ...back, relatedId: '5TX', amounts: [{ amount: '15.00', currency: 'USD' }] })], known)).toEqual([
      [2, 'returned', 'provider_id'],
    ]);
    expect(outcomesOf([row({ ...back, trace: '061000050000009' })], known)).toEqual([['foreign', null]]);
  });
});

describe('what was said before', () => {
  const said = reported({ providerId: 'A1' });

  test.each<[string, Partial<ReportRow>, unknown[]]>([
    ['the same movement in another report is a repeat', { providerId: 'A1' }, ['repeated', 1]],
    ['an equal row without an ID is a repeat', { digest: 'before' }, ['repeated', 1]],
    ['a second debit under another ID may be a second payment', { providerId: 'B2' }, ['paid_twice', 1, PAID_120]],
    ['a return after it is no repeat', { providerId: 'A1', state: 'returned' }, [1, 'returned', 'reference']],
  ])('%s', (_, facts, result) => {
    expect(outcomesOf([row(facts)], knows([said]))).toEqual([result]);
  });

  test('an equal row under another ID may be a second payment', () => {
    const known = reported({ providerId: 'B1', digest: 'same', occurredOn: '2026-11-05' });
    expect(outcomesOf([row({ providerId: 'B2', digest: 'same' })], knows([known]))).toEqual([['paid_twice', 1, PAID_120]]);
  });

  test('two rows of one report for one payment may pay it twice, though no row has an ID', () => {
    expect(outcomesOf([row(), row({ occurredOn: '2026-11-12' })], ALL)).toEqual([
      [1, 'paid', 'reference'],
      ['paid_twice', 1, PAID_120],
    ]);
  });

  test('a row without a date that states something else than a dated one is listed: it would change nothing', () => {
    const known = reported({ occurredOn: '2026-11-05' });
    expect(outcomesOf([row({ state: 'returned', occurredOn: null })], knows([known]))).toEqual([['unreadable', 1]]);
    expect(outcomesOf([row({ state: 'returned' })], knows([known]))).toEqual([[1, 'returned', 'reference']]);
  });

  test.each<[string, Partial<ReportRow>, unknown[]]>([
    ['a return dated before the payment is listed', { state: 'returned', occurredOn: '2026-11-04' }, ['dates_contradict', 1]],
    ['a failure dated before the payment is listed', { state: 'failed', occurredOn: '2026-11-04' }, ['dates_contradict', 1]],
    ['a return of that day confirms it', { state: 'returned', occurredOn: '2026-11-05' }, [1, 'returned', 'reference']],
    ['an earlier status changes nothing', { state: 'pending', occurredOn: '2026-11-04' }, [1, 'pending', 'reference']],
  ])('%s: banks date a return as its payment’s file', (_, facts, result) => {
    const known = reported({ occurredOn: '2026-11-05', isOfFile: true });
    expect(outcomesOf([row(facts)], knows([known]))).toEqual([result]);
  });

  test.each<[string, Partial<KnownConfirmation>[], Partial<ReportRow>, unknown[]]>([
    ['a payment after its return is listed: the return would be hidden', [BACK], {}, ['dates_contradict', 1, PAID_120]],
    ['a payment before its return leaves it returned', [BACK], { occurredOn: '2026-11-03' }, [1, 'paid', 'reference']],
    ['a payment after a failure is paid', [FAILED], {}, [1, 'paid', 'reference']],
    ['a payment before a failure is an alarm', [FAILED], { occurredOn: '2026-11-03' }, ['dates_contradict', 1, PAID_120]],
    ['a payment before a later status is paid', [{ state: 'pending', occurredOn: '2026-11-06' }], {}, [1, 'paid', 'reference']],
    ['a payment beside a failure without a date is listed', [{ state: 'failed' }], {}, ['dates_contradict', 1, PAID_120]],
    ['a payment and a failure without dates are listed', [{ state: 'failed' }], { occurredOn: null }, ['dates_contradict', 1, PAID_120]],
    ['a status after the return is listed', [BACK], { state: 'pending' }, ['dates_contradict', 1]],
    ['a debit on another day may be a second one', [{ occurredOn: '2026-11-03' }], {}, ['paid_twice', 1, PAID_120]],
    ['a debit of that day in other cells is the same', [{ occurredOn: '2026-11-05' }], {}, [1, 'paid', 'reference']],
    [
      'a debit that another layout dates differently is the same',
      [{ kind: 'camt_053', occurredOn: '2026-11-03' }],
      {},
      [1, 'paid', 'reference'],
    ],
    ['a debit after its return may be a second one', [{ occurredOn: '2026-11-03' }, BACK], {}, ['paid_twice', 1, PAID_120]],
    [
      'an answer on another day is no second debit',
      [{ occurredOn: '2026-11-03' }],
      { hasAmount: false, amounts: [] },
      [1, 'paid', 'reference'],
    ],
  ])('without IDs, %s', (_, facts, about, result) => {
    expect(outcomesOf([row(about)], knows([reported(...facts)]))).toEqual([result]);
  });

  test('a payment never hides a failure or return unnoticed, whichever of two reports is the first', () => {
    const days = [null, '2026-11-04', '2026-11-05'];
    const all = REPORTED_STATES.flatMap((state) => days.map((occurredOn) => ({ state, occurredOn })));
    /** What is known after two reports, and whether a row of the second is listed. */
    const known = (first: Partial<KnownConfirmation>, second: Partial<ReportRow>) => {
      const isListed = match([row(second)], knows([reported(first)]), 'camt_053').some(({ kind }) => kind === 'listed');
      const said = [stated(first), ...(isListed ? [] : [stated(second as Partial<KnownConfirmation>)])];
      return { isListed, newest: newestReported(said), said };
    };
    for (const one of all)
      for (const other of all) {
        const [inOrder, reversed] = [known(one, other), known(other, one)];
        const pair = JSON.stringify([one, other]);
        if (!inOrder.isListed && !reversed.isListed) expect(inOrder.newest?.state, pair).toBe(reversed.newest?.state);
        // What a bank reports as paid is paid again only after a later failure or return, reported later too.
        const isPaid = inOrder.said.some(({ state }) => state === 'paid');
        if (isPaid && inOrder.newest?.state === 'failed') expect([one.state, other.state], pair).toEqual(['paid', 'failed']);
        if (isPaid) expect(inOrder.newest?.state, pair).not.toBe('pending');
        const hidden = inOrder.said.filter(({ state }) => BACK_STATES.includes(state) && inOrder.newest?.state === 'paid');
        for (const { state, occurredOn } of hidden)
          expect([state, (occurredOn ?? '') < (inOrder.newest?.occurredOn ?? ''), occurredOn === null], pair).toEqual([
            'failed',
            true,
            false,
          ]);
      }
  });

  test('a payment after its return within one report is listed too', () => {
    expect(outcomesOf([row(BACK), row()], ALL)).toEqual([
      [1, 'returned', 'reference'],
      ['dates_contradict', 1, PAID_120],
    ]);
  });

  test.each<[string, Partial<ReportRow>, Partial<ReportRow>, unknown[], unknown[]]>([
    ['of one day', {}, { occurredOn: '2026-11-05' }, [1, 'paid', 'reference'], ['dates_contradict', 1]],
    ['without days', { occurredOn: null }, { occurredOn: null }, [1, 'paid', 'reference'], ['dates_contradict', 1]],
    ['after its failure', {}, { occurredOn: '2026-11-04' }, [1, 'paid', 'reference'], [1, 'failed', 'reference']],
    ['before its failure', {}, { occurredOn: '2026-11-06' }, [1, 'paid', 'reference'], [1, 'failed', 'reference']],
  ])('a payment and a failure within one report, %s: the failure is never hidden', (_, paid, failed, ...results) => {
    expect(outcomesOf([row(paid), row({ ...failed, state: 'failed' })], ALL)).toEqual(results);
  });

  test('a whole file as paid and the failure of one payment on that day: a person decides about the failure', () => {
    const batch = { batchNo: 9, runId: 70, currency: 'USD', total: '135.35', payments: [FIRST, SECOND] };
    const known = knows([FIRST, SECOND], { byBatchId: new Map([['B9', batch]]) });
    const file = row({ references: [], batchId: 'B9', amounts: [{ amount: '135.35', currency: 'USD' }] });
    expect(outcomesOf([file, row({ state: 'failed' })], known)).toEqual([
      [1, 'paid', 'batch_total'],
      [2, 'paid', 'batch_total'],
      ['dates_contradict', 1],
    ]);
  });

  test('two debits within one report are found as well', () => {
    expect(outcomesOf([row({ providerId: 'A1' }), row({ providerId: 'B2' }), row({ providerId: 'A1' })], ALL)).toEqual([
      [1, 'paid', 'reference'],
      ['paid_twice', 1, PAID_120],
      ['repeated', 1],
    ]);
  });
});

test('money that still moves for a payment that was replaced is listed, and what was known of it before is a repeat', () => {
  const replaced = { ...reported({ state: 'returned', providerId: 'A1' }), isReplaced: true };
  expect(outcomesOf([row({ providerId: 'B2' })], knows([replaced]))).toEqual([['replaced', 1, PAID_120]]);
  expect(outcomesOf([row({ providerId: 'B2', state: 'failed' })], knows([replaced]))).toEqual([['replaced', 1]]);
  expect(outcomesOf([row({ providerId: 'A1', state: 'returned' })], knows([replaced]))).toEqual([['repeated', 1]]);
});

test('a row that was listed before isn’t listed again', () => {
  expect(outcomesOf([row({ references: [], digest: 'seen' })], knows([FIRST], { listed: new Set(['seen']) }))).toEqual([
    ['repeated', null],
  ]);
});

test('a return may name a movement of the same report', () => {
  const back = row({ references: [], state: 'returned', providerId: '7TX', relatedId: '5TX' });
  expect(outcomesOf([row({ providerId: '5TX' }), back], ALL)).toEqual([
    [1, 'paid', 'reference'],
    [1, 'returned', 'provider_id'],
  ]);
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
  expect(formatReportResult(all.length, match(all, knows(payments)))).toBe('12 rows: 9 paid, 1 returned, 1 differs, 1 is not ours.');
  expect(formatReportResult(1, match([row({ references: [] })], ALL))).toBe('1 row: 1 is not ours.');
  expect(formatReportResult(0, [])).toBe('0 rows: nothing about payments.');
  const ofOneDay = [row(), row({ state: 'failed' })];
  expect(formatReportResult(2, match(ofOneDay, ALL))).toBe('2 rows: 1 paid, 1 contradicts the date of another row.');
});
