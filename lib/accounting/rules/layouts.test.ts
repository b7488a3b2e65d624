import { describe, expect, test } from 'vitest';
import { listShared, parseAccountMap, readTypedAccounts } from './account-map.ts';
import { ACCOUNTS, type JournalLine, linesOf, postTransfers } from './journal.ts';
import { LAYOUTS, type PostedJournal, parseLayout, writeJournals } from './layouts.ts';

const GAME = { slug: 'demo', environment: 'production' };
const DIGEST = '3f9a12c4'.repeat(8);

const journal = (journalNo: string, lines: JournalLine[]): PostedJournal => ({
  journalNo,
  postedOn: '2026-10-31',
  runId: 41,
  runNo: 7,
  runDigest: DIGEST,
  snapshotId: 1234,
  window: { start: '2026-09-30T22:00:00Z', end: '2026-10-31T23:00:00Z' },
  lines,
});

const ACCRUAL = journal('202610-A', [
  { account: 'revenue', debit_usd: null, credit_usd: '1000.00' },
  { account: 'service_fee', debit_usd: '100.00', credit_usd: null },
  { account: 'invo_receivable', debit_usd: '900.00', credit_usd: null },
]);
const FEES = journal('202610-C', linesOf(postTransfers([{ kind: 'card_fees', exact_usd: '6.30' }], new Map())));

const entry = (code: string, name: string, quickbooks_name: string) => ({
  code,
  name,
  xero_code: code,
  xero_tax_rate: 'Tax Exempt (0%)',
  quickbooks_name,
});
const MAP = {
  mapNo: 2,
  accounts: {
    revenue: entry('4000', 'Subscriptions, net of "free" months', 'Revenue:Subscriptions, online'),
    service_fee: entry('5100', 'Invo fee', 'Cost of sales:Invo'),
    invo_receivable: entry('1200', 'Invo', 'Invo receivable'),
    card_fees: entry('5110', 'Card fees', 'Cost of sales:"Card" fees'),
  },
};

// Written by hand.
const GOLDEN = {
  xero: `*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2
Sharebook 202610-A demo production,31/10/2026,"Subscription revenue, 2026-10, run 7",4000,Tax Exempt (0%),-1000.00,,,,
Sharebook 202610-A demo production,31/10/2026,"Invo service fee, 2026-10, run 7",5100,Tax Exempt (0%),100.00,,,,
Sharebook 202610-A demo production,31/10/2026,"Receivable from Invo, 2026-10, run 7",1200,Tax Exempt (0%),900.00,,,,
Sharebook 202610-C demo production,31/10/2026,"Receivable from Invo, 2026-10, run 7",1200,Tax Exempt (0%),-6.30,,,,
Sharebook 202610-C demo production,31/10/2026,"Card fees on refunds, 2026-10, run 7",5110,Tax Exempt (0%),6.30,,,,
`,
  quickbooks: `*JournalNo,*JournalDate,*AccountName,*Debits,*Credits,Description,Name,Currency,Location,Class
202610-A,10/31/2026,"Revenue:Subscriptions, online",,1000.00,"Subscription revenue, 2026-10, run 7",,USD,,
202610-A,10/31/2026,Cost of sales:Invo,100.00,,"Invo service fee, 2026-10, run 7",,USD,,
202610-A,10/31/2026,Invo receivable,900.00,,"Receivable from Invo, 2026-10, run 7",,USD,,
202610-C,10/31/2026,Invo receivable,,6.30,"Receivable from Invo, 2026-10, run 7",,USD,,
202610-C,10/31/2026,"Cost of sales:""Card"" fees",6.30,,"Card fees on refunds, 2026-10, run 7",,USD,,
`,
  generic: `journal_no,posted_on,line_no,account_key,account_code,account_name,debit_usd,credit_usd,description,run_id,window_start,window_end,snapshot_id,run_digest
202610-A,2026-10-31,1,revenue,4000,"Subscriptions, net of ""free"" months",,1000.00,"Subscription revenue, 2026-10, run 7",41,2026-09-30T22:00:00Z,2026-10-31T23:00:00Z,1234,${DIGEST}
202610-A,2026-10-31,2,service_fee,5100,Invo fee,100.00,,"Invo service fee, 2026-10, run 7",41,2026-09-30T22:00:00Z,2026-10-31T23:00:00Z,1234,${DIGEST}
202610-A,2026-10-31,3,invo_receivable,1200,Invo,900.00,,"Receivable from Invo, 2026-10, run 7",41,2026-09-30T22:00:00Z,2026-10-31T23:00:00Z,1234,${DIGEST}
202610-C,2026-10-31,1,invo_receivable,1200,Invo,,6.30,"Receivable from Invo, 2026-10, run 7",41,2026-09-30T22:00:00Z,2026-10-31T23:00:00Z,1234,${DIGEST}
202610-C,2026-10-31,2,card_fees,5110,Card fees,6.30,,"Card fees on refunds, 2026-10, run 7",41,2026-09-30T22:00:00Z,2026-10-31T23:00:00Z,1234,${DIGEST}
`,
};

test.each(LAYOUTS)('the %s layout is the file written by hand, byte for byte', (layout) => {
  expect(writeJournals(layout, GAME, [ACCRUAL, FEES], MAP)).toEqual({ ok: true, text: GOLDEN[layout].replaceAll('\n', '\r\n') });
});

test('every layout says that a journal is of a sandbox game', () => {
  for (const layout of LAYOUTS) {
    const written = writeJournals(layout, { ...GAME, environment: 'sandbox' }, [ACCRUAL], MAP);
    expect(written.ok && written.text.split('\r\n').slice(1, -1)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/sandbox/)),
    );
  }
});

describe('an account without a mapping stops the file', () => {
  test.each([
    ['xero', 'xero_tax_rate'],
    ['quickbooks', 'quickbooks_name'],
    ['generic', 'name'],
  ] as const)('in the layout %s without %s', (layout, field) => {
    const accounts = { ...MAP.accounts, card_fees: { ...MAP.accounts.card_fees, [field]: '' } };
    expect(writeJournals(layout, GAME, [ACCRUAL, FEES], { mapNo: 3, accounts })).toEqual({
      ok: false,
      reason: 'unmapped',
      accounts: ['card_fees'],
    });
    // What this journal doesn't post to isn't needed.
    expect(writeJournals(layout, GAME, [ACCRUAL], { mapNo: 3, accounts })).toMatchObject({ ok: true });
  });
});

test('a file has at most 300 lines', () => {
  expect(
    writeJournals(
      'xero',
      GAME,
      Array.from({ length: 100 }, () => ACCRUAL),
      MAP,
    ),
  ).toMatchObject({ ok: true });
  expect(
    writeJournals(
      'xero',
      GAME,
      Array.from({ length: 101 }, () => ACCRUAL),
      MAP,
    ),
  ).toEqual({ ok: false, reason: 'too_long' });
});

test('only the three layouts are known', () => {
  expect(['xero', 'QuickBooks', 'sage'].map(parseLayout)).toEqual(['xero', null, null]);
});

describe('typed accounts', () => {
  test('are trimmed, and accounts without an entry are left out', () => {
    expect(readTypedAccounts({ 'revenue.code': ' 4000 ', 'revenue.name': 'Sales', 'card_fees.code': ' ' })).toEqual({
      accounts: {
        version: 1,
        accounts: { revenue: { code: '4000', name: 'Sales', xero_code: '', xero_tax_rate: '', quickbooks_name: '' } },
      },
    });
  });
  test.each([
    ['revenue.name', '=HYPERLINK("x")', 'formula'],
    ['revenue.code', '-4000', 'formula'],
    ['revenue.quickbooks_name', 'Sales;=1+1', 'formula'],
    ['revenue.name', 'Sales\nnet', 'control'],
    ['revenue.xero_code', '12345678901', 'too_long'],
  ])('%s of %j is refused at its field', (field, text, error) => {
    expect(readTypedAccounts({ 'revenue.xero_tax_rate': 'None', [field]: text })).toEqual({ errors: { [field]: error } });
  });
  test('two accounts with one code are named', () => {
    const typed = readTypedAccounts({ 'revenue.code': '4000', 'service_fee.code': '4000', 'card_fees.code': '5000' });
    if ('errors' in typed) throw new Error('refused');
    expect(listShared(typed.accounts)).toEqual([
      { field: 'code', text: '4000', accounts: expect.arrayContaining(['revenue', 'service_fee']) },
    ]);
  });
  test('a Xero code needs a tax rate', () => {
    expect(readTypedAccounts({ 'revenue.xero_code': '200' })).toEqual({ errors: { 'revenue.xero_tax_rate': 'no_tax_rate' } });
  });
  test('are stored and read back, and another shape is refused', () => {
    const typed = readTypedAccounts(Object.fromEntries(ACCOUNTS.map((account) => [`${account}.code`, '1'])));
    if ('errors' in typed) throw new Error('nothing is wrong with these');
    expect(Object.keys(parseAccountMap(1, JSON.parse(JSON.stringify(typed.accounts))).accounts)).toEqual(ACCOUNTS);
    expect(() => parseAccountMap(1, { version: 2, accounts: {} })).toThrow();
    expect(() => parseAccountMap(1, { version: 1, accounts: { petty_cash: {} } })).toThrow();
  });
});
