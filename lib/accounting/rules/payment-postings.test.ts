import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { linesOf, postTransfers } from './journal.ts';
import { LAYOUTS, writeJournals } from './layouts.ts';
import { type PaymentChange, postPaymentChanges } from './payment-postings.ts';

const GOLDEN = path.resolve(import.meta.dirname, '../../../e2e/golden/journals');

const change = (over: Partial<PaymentChange>): PaymentChange => ({
  amount_usd: '50.00',
  before: [],
  added: [],
  fee_usd: null,
  elsewhereOn: null,
  isElsewhereAdded: false,
  ...over,
});
const said = (state: 'paid' | 'returned' | 'failed' | 'pending', occurredOn: string | null) => ({ state, occurredOn });

describe('a payment', () => {
  test.each<[string, Partial<PaymentChange>, string[]]>([
    ['that is paid is posted on the day of the report', { added: [said('paid', '2026-11-05')] }, ['payments 2026-11-05 items_paid 50.00']],
    ['without a day is posted without one', { added: [said('paid', null)] }, ['payments null items_paid 50.00']],
    [
      'that comes back is posted on that day',
      { before: [said('paid', '2026-11-05')], added: [said('returned', '2026-11-20')] },
      ['returns 2026-11-20 items_returned 50.00'],
    ],
    [
      'that was paid and came back in one report is posted twice',
      { added: [said('returned', '2026-11-20'), said('paid', '2026-11-05')] },
      ['payments 2026-11-05 items_paid 50.00', 'returns 2026-11-20 items_returned 50.00'],
    ],
    [
      'whose return was reported first is posted twice once it is known to be paid',
      { before: [said('returned', '2026-11-20')], added: [said('paid', '2026-11-05')] },
      ['payments 2026-11-05 items_paid 50.00', 'returns 2026-11-20 items_returned 50.00'],
    ],
    ['that came back without being paid is not posted', { added: [said('returned', '2026-11-20')] }, []],
    ['that failed or is pending is not posted', { before: [said('pending', '2026-11-04')], added: [said('failed', '2026-11-06')] }, []],
    [
      'that is paid once more by another report is not posted again',
      { before: [said('paid', '2026-11-05')], added: [said('paid', '2026-11-06')] },
      [],
    ],
    [
      'of which banks withheld a fee posts the fee, though it was never posted as paid',
      { added: [said('returned', '2026-11-20')], fee_usd: '15.00' },
      ['returns 2026-11-20 return_fees 15.00'],
    ],
    [
      'made elsewhere is posted on its day, and back when a report says so',
      { elsewhereOn: '2026-11-15', isElsewhereAdded: true },
      ['payments 2026-11-15 items_paid 50.00'],
    ],
    [
      'made elsewhere that came back is taken back',
      { elsewhereOn: '2026-11-15', added: [said('returned', '2026-11-20')] },
      ['returns 2026-11-20 items_returned 50.00'],
    ],
  ])('%s', (_, over, expected) => {
    const posted = postPaymentChanges([change(over)]);
    const text = posted.flatMap(({ kind, on: day, exact }) => exact.map((each) => `${kind} ${day} ${each.kind} ${each.exact_usd}`));
    expect(text).toEqual(expected);
  });
});

test('payments and returns of one day are one posting each, in the order of days', () => {
  const changes = [
    change({ added: [said('paid', '2026-11-06')] }),
    change({ amount_usd: '135.35', added: [said('paid', '2026-11-05')] }),
    change({ amount_usd: '0.01', added: [said('paid', '2026-11-05')] }),
    change({ before: [said('paid', '2026-11-01')], added: [said('returned', '2026-11-04')] }),
  ];
  expect(postPaymentChanges(changes)).toEqual([
    { kind: 'payments', on: '2026-11-05', exact: [{ kind: 'items_paid', exact_usd: '135.36' }] },
    { kind: 'payments', on: '2026-11-06', exact: [{ kind: 'items_paid', exact_usd: '50.00' }] },
    { kind: 'returns', on: '2026-11-04', exact: [{ kind: 'items_returned', exact_usd: '50.00' }] },
  ]);
});

const entry = (code: string, name: string, quickbooks_name: string) => ({
  code,
  name,
  xero_code: code,
  xero_tax_rate: 'Tax Exempt (0%)',
  quickbooks_name,
});
const MAP = {
  mapNo: 1,
  accounts: {
    recipients_payable: entry('2100', 'Recipients', 'Liabilities:Recipients'),
    payout_clearing: entry('1150', 'Payout clearing', 'Bank:Payout clearing'),
    bank_fees: entry('5120', 'Bank charges', 'Bank charges'),
  },
};

test.each(LAYOUTS)('journals of payments and returns in the %s layout are the file written by hand, byte for byte', (layout) => {
  const about = {
    runId: 41,
    runNo: 7,
    runDigest: '3f9a12c4'.repeat(8),
    snapshotId: 1234,
    window: { start: '2026-09-30T22:00:00Z', end: '2026-10-31T23:00:00Z' },
  };
  const changes = [
    change({ amount_usd: '135.35', added: [said('paid', '2026-11-05')] }),
    change({ added: [said('paid', '2026-11-05'), said('returned', '2026-11-20')], fee_usd: '15.00' }),
  ];
  const journals = postPaymentChanges(changes).map(({ kind, on: day, exact }) => {
    const transfers = postTransfers(exact, new Map());
    return { ...about, journalNo: kind === 'payments' ? '202610-P1' : '202610-R1', postedOn: day ?? '', lines: linesOf(transfers) };
  });
  const text = readFileSync(path.join(GOLDEN, `payments-${layout}.csv`), 'utf8');
  expect(writeJournals(layout, { slug: 'demo', environment: 'production' }, journals, MAP)).toEqual({ ok: true, text });
});
