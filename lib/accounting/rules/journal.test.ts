import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareMoney,
  maxMoney,
  negateMoney,
  normalizeMoney,
  roundHalfEven,
  signOfMoney,
  subtractMoney,
  sumMoney,
} from '#lib/core/money.ts';
import {
  type AccrualFacts,
  accrue,
  cardFeesOf,
  type ExactTransfer,
  linesOf,
  nextJournalNo,
  postTransfers,
  reverseTransfers,
  TRANSFERS,
  type Transfer,
  type TransferKind,
} from './journal.ts';

/** What every journal so far comes to, kind by kind. */
function totalsOf(transfers: readonly Transfer[]): Map<TransferKind, { exact_usd: string; posted_usd: string }> {
  const totals = new Map<TransferKind, { exact_usd: string; posted_usd: string }>();
  for (const { kind, exact_usd, posted_usd } of transfers) {
    const before = totals.get(kind) ?? { exact_usd: '0.00', posted_usd: '0.00' };
    totals.set(kind, { exact_usd: sumMoney([before.exact_usd, exact_usd]), posted_usd: sumMoney([before.posted_usd, posted_usd]) });
  }
  return totals;
}

const NOTHING: AccrualFacts = {
  settled_usd: '0.00',
  serviceFee_usd: '0.00',
  partnerReversed_usd: '0.00',
  earned_usd: '0.00',
  reversed_usd: '0.00',
  pinned_usd: '0.00',
  grew_usd: '0.00',
  shrank_usd: '0.00',
  adjustments: [],
};

// The worked example of October: 102.00 of shares reversed, 4.00 of them deducted in September.
const OCTOBER: AccrualFacts = {
  settled_usd: '900.00',
  serviceFee_usd: '100.00',
  partnerReversed_usd: '180.00',
  earned_usd: '200.0000',
  reversed_usd: '102.00',
  pinned_usd: '4.00',
  grew_usd: '20.00',
  shrank_usd: '0.00',
  adjustments: [{ amount_usd: '15.00', kind: 'correction' }],
};

describe('an amount rounded half to even', () => {
  test.each([
    ['120.3456', '120.35'],
    ['0.005', '0.00'],
    ['0.015', '0.02'],
    ['0.0150000001', '0.02'],
    ['153.685', '153.68'],
    ['-0.005', '0.00'],
    ['-0.015', '-0.02'],
    ['-7.4951', '-7.50'],
    ['12', '12.00'],
  ])('%s is posted as %s', (amount, rounded) => expect(roundHalfEven(amount)).toBe(rounded));
});

test('four postings of one kind carry what rounding left over', () => {
  const posted: Transfer[] = [];
  for (const exact_usd of ['120.3456', '0.0044', '33.335', '7.4951'])
    posted.push(...postTransfers([{ kind: 'shares_earned', exact_usd }], totalsOf(posted)));
  expect(posted.map(({ posted_usd }) => posted_usd)).toEqual(['120.35', '0.00', '33.33', '7.50']);
});

test('the accrual of October has seven transfers, and lines of 1,137.00 on both sides', () => {
  const transfers = postTransfers(accrue(OCTOBER), new Map());
  expect(transfers.map(({ debit, credit, posted_usd }) => [debit, credit, posted_usd])).toEqual([
    ['invo_receivable', 'revenue', '900.00'],
    ['service_fee', 'revenue', '100.00'],
    ['refunds_revenue', 'invo_receivable', '180.00'],
    ['revenue_share', 'recipients_payable', '200.00'],
    ['recipients_payable', 'revenue_share', '98.00'],
    ['adjustments', 'recipients_payable', '15.00'],
    ['recipients_receivable', 'recipients_payable', '20.00'],
  ]);
  const lines = linesOf(transfers);
  expect(lines.map(({ account, debit_usd, credit_usd }) => [account, debit_usd, credit_usd])).toEqual([
    ['invo_receivable', '720.00', null],
    ['service_fee', '100.00', null],
    ['revenue', null, '1000.00'],
    ['refunds_revenue', '180.00', null],
    ['revenue_share', '102.00', null],
    ['recipients_payable', null, '137.00'],
    ['recipients_receivable', '20.00', null],
    ['adjustments', '15.00', null],
  ]);
  expect(sumMoney(lines.map(({ debit_usd }) => debit_usd ?? '0'))).toBe('1137.00');
  expect(sumMoney(lines.map(({ credit_usd }) => credit_usd ?? '0'))).toBe('1137.00');
});

test('each direction of an adjustment and of a negative balance is a kind of its own', () => {
  const adjustments = [
    { amount_usd: '5.00', kind: 'goodwill' },
    { amount_usd: '2.50', kind: 'transfer' },
    { amount_usd: '-2.50', kind: 'transfer' },
    { amount_usd: '-40.00', kind: 'paid_elsewhere' },
    { amount_usd: '1.00', kind: 'paid_elsewhere' },
    { amount_usd: '55.0056', kind: 'brought_forward' },
    { amount_usd: '-3.00', kind: 'brought_forward' },
  ];
  expect(accrue({ ...NOTHING, adjustments, grew_usd: '3.00', shrank_usd: '1.5000' })).toEqual([
    { kind: 'adjusted_up', exact_usd: '7.50' },
    { kind: 'adjusted_down', exact_usd: '2.50' },
    { kind: 'paid_elsewhere', exact_usd: '40.00' },
    { kind: 'paid_elsewhere_corrected', exact_usd: '1.00' },
    { kind: 'brought_forward', exact_usd: '55.0056' },
    { kind: 'brought_forward_negative', exact_usd: '3.00' },
    { kind: 'negative_balances_grew', exact_usd: '3.00' },
    { kind: 'negative_balances_shrank', exact_usd: '1.50' },
  ]);
});

test('the journal of a voided run is taken back to the cent, also where rounding carried something', () => {
  const before = postTransfers([{ kind: 'shares_earned', exact_usd: '0.0044' }], new Map());
  const accrual = postTransfers([{ kind: 'shares_earned', exact_usd: '120.3456' }], totalsOf(before));
  const reversal = postTransfers(reverseTransfers(accrual), totalsOf([...before, ...accrual]));
  expect([accrual[0]?.posted_usd, reversal[0]?.posted_usd]).toEqual(['120.35', '-120.35']);
  expect(linesOf(accrual)[0]).toEqual({ account: 'revenue_share', debit_usd: '120.35', credit_usd: null });
  expect(linesOf(reversal)[0]).toEqual({ account: 'revenue_share', debit_usd: null, credit_usd: '120.35' });
  expect(linesOf([...accrual, ...reversal])).toEqual([]);
});

describe('the number of a journal', () => {
  test.each([
    ['accrual', [], '202610-A'],
    ['accrual', ['202610-A', '202610-V'], '202610-A2'],
    ['reversal', ['202610-A', '202610-V', '202610-A2'], '202610-V2'],
    ['card_fees', ['202610-C', '202610-C2'], '202610-C3'],
    ['payments', ['202610-A'], '202610-P1'],
    ['returns', ['202610-A', '202610-P1', '202610-R1', '202610-R2'], '202610-R3'],
  ] as const)('of kind %s after %j is %s', (kind, existing, number) => expect(nextJournalNo('2026-10', kind, existing)).toBe(number));
});

describe('card fees', () => {
  const figures = (read: number, over: { unlistedRefunds?: number; unrecorded?: number; undated?: number } = {}) => ({
    refunded: { count: 412, read },
    unlistedRefunds: over.unlistedRefunds ?? 0,
    card_fee: { amount_usd: '6.30', unrecorded: over.unrecorded ?? 0, undated: over.undated ?? 0 },
  });
  test.each([
    ['never read', null, { state: 'not_read' }],
    ['all read', figures(412), { state: 'whole', count: 412, amount_usd: '6.30' }],
    ['one period not read', figures(411), { state: 'partial', readCount: 411, count: 412, unlistedCount: 0 }],
    [
      'eight refunds of renewals without attribution',
      figures(412, { unlistedRefunds: 8 }),
      { state: 'partial', readCount: 412, count: 412, unlistedCount: 8 },
    ],
    ['one not recorded', figures(412, { unrecorded: 1 }), { state: 'partial', readCount: 411, count: 412, unlistedCount: 0 }],
    ['two refunded in several months', figures(412, { undated: 2 }), { state: 'partial', readCount: 410, count: 412, unlistedCount: 0 }],
  ])('%s', (_, fees, expected) => expect(cardFeesOf(fees)).toEqual(expected));
});

const amount = (places: number) => fc.bigInt({ min: 0n, max: 10n ** 9n }).map((digits) => decimal(digits, places));

function decimal(digits: bigint, places: number): string {
  const text = String(digits).padStart(places + 1, '0');
  return `${text.slice(0, -places)}.${text.slice(-places)}`;
}

describe('over any number of journals', () => {
  const kind = fc.constantFrom<TransferKind>('shares_earned', 'shares_reversed', 'service_fee', 'card_fees');
  const histories = fc.array(fc.record({ kind, exact_usd: fc.oneof(amount(2), amount(4), amount(18)), isVoided: fc.boolean() }), {
    maxLength: 40,
  });

  test('each kind stays within half a cent of its evidence, and each journal balances', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const posted: Transfer[] = [];
        const post = (transfers: ExactTransfer[]): void => {
          const journal = postTransfers(transfers, totalsOf(posted));
          posted.push(...journal);
          const lines = linesOf(journal);
          const sides = [lines.map(({ debit_usd }) => debit_usd ?? '0'), lines.map(({ credit_usd }) => credit_usd ?? '0')];
          expect(sumMoney(sides[0] ?? [])).toBe(sumMoney(sides[1] ?? []));
          for (const total of totalsOf(posted).values()) {
            const off = subtractMoney(total.posted_usd, total.exact_usd);
            expect(compareMoney(maxMoney(off, negateMoney(off)), '0.005')).toBeLessThanOrEqual(0);
          }
        };
        for (const { isVoided, ...transfer } of history) {
          post([transfer]);
          if (isVoided) post(reverseTransfers([transfer]));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('payable less receivable is what recipients are still owed, whatever was earned, reversed, adjusted and carried', () => {
    const months = fc.array(
      fc.array(fc.record({ earned: amount(4), reversed: amount(4), adjusted: fc.integer({ min: -5000, max: 5000 }) }), {
        minLength: 3,
        maxLength: 3,
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(months, (history) => {
        let balances = ['0.00', '0.00', '0.00'];
        const posted: Transfer[] = [];
        for (const month of history) {
          const after = month.map(({ earned, reversed, adjusted }, index) =>
            sumMoney([balances[index] ?? '0', earned, negateMoney(reversed), String(adjusted)]),
          );
          const negative = (balance: string): string => (signOfMoney(balance) < 0 ? negateMoney(balance) : '0.00');
          const moved = after.map((each, index) => subtractMoney(negative(each), negative(balances[index] ?? '0')));
          const facts = {
            ...NOTHING,
            earned_usd: sumMoney(month.map(({ earned }) => earned)),
            reversed_usd: sumMoney(month.map(({ reversed }) => reversed)),
            grew_usd: sumMoney(moved.filter((each) => signOfMoney(each) > 0)),
            shrank_usd: negateMoney(sumMoney(moved.filter((each) => signOfMoney(each) < 0))),
            adjustments: month.map(({ adjusted }) => ({ amount_usd: String(adjusted), kind: 'correction' })),
          };
          posted.push(...postTransfers(accrue(facts), totalsOf(posted)));
          balances = after;
        }
        const exactOf = (account: string): string =>
          sumMoney(
            posted.flatMap(({ debit, credit, exact_usd }) =>
              debit === account ? [exact_usd] : credit === account ? [negateMoney(exact_usd)] : [],
            ),
          );
        const owed = subtractMoney(negateMoney(exactOf('recipients_payable')), exactOf('recipients_receivable'));
        expect(normalizeMoney(owed)).toBe(normalizeMoney(sumMoney(balances)));
        expect(normalizeMoney(negateMoney(exactOf('recipients_payable')))).toBe(
          normalizeMoney(sumMoney(balances.filter((each) => signOfMoney(each) > 0))),
        );
      }),
      { numRuns: 500 },
    );
  });
});

test('no kind debits and credits the same account', () => {
  expect(Object.values(TRANSFERS).filter(({ debit, credit }) => (debit as string) === credit)).toEqual([]);
});
