import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf, type TestPayment } from '#e2e/support/payouts/hand-over-all.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { listJournals } from '#lib/accounting/reads.ts';
import { verifyJournals } from '#lib/accounting/verify-journals.ts';
import { subtractMoney, sumMoney } from '../core/money.ts';
import type { SessionActor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { OpenGame } from '../games/open-game.ts';
import { listNotices } from '../notices/reads.ts';
import type { Run } from '../payouts/reads/find-run.ts';
import { decideRow, setForeignRowsAside } from './decide-row.ts';
import { findListedRow, listListedRows, listReports } from './reads/reports.ts';
import { type GivenReport, previewReport, recordReport } from './record-report.ts';
import { downloadReport, showReportRows } from './show-report.ts';

let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;
let run: Run;
let payments: TestPayment[];
let batchId: string;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  run = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-08');
  ({ payments, batchId } = await handOverAll(testEnv, { preparer: fiona, approver: ada }, run));
});
afterAll(() => testEnv.close());

const given = (bytes: Buffer, about: Partial<GivenReport> = {}): GivenReport => ({
  bytes,
  fileName: 'DE89370400440532013000.csv',
  dateOrder: null,
  ...about,
});
const record = (bytes: Buffer) => recordReport(game, fiona, PAYEE_KEY, given(bytes));
const payment = (index: number): TestPayment => {
  const found = payments[index];
  if (found === undefined) throw new Error(`no payment ${index}: the month pays ${payments.length}`);
  return found;
};
const firstReport = (): Buffer =>
  reportOf([
    ['', 'Completed', '4.00', 'T4'],
    [payment(0).reference, 'Completed', payment(0).amount, 'T1'],
    [payment(1).reference, 'Pending', payment(1).amount, 'T2'],
    [payment(2).reference, 'Completed', '0.35', 'T3'],
  ]);
async function states(): Promise<Record<string, string>> {
  const { rows } = await testEnv.pool.query('select item_no, state from payout_item where run_id = $1 order by item_no', [run.runId]);
  return Object.fromEntries(rows.map(({ item_no, state }) => [item_no, state]));
}
async function posted() {
  const journals = (await listJournals(testEnv.db, game.gameId, null)).filter(({ kind }) => kind === 'payments' || kind === 'returns');
  return journals.map(({ journalNo, postedOn, transfers }) => [
    journalNo,
    postedOn,
    ...transfers.map(({ kind, posted_usd }) => `${kind} ${posted_usd}`),
  ]);
}

test('a report confirms what it names, lists the rest, and states it in one sentence; a preview states the same and stores nothing', async () => {
  const [first, second, third] = [payment(0), payment(1), payment(2)];
  const report = firstReport();
  const sentence = '4 rows: 1 paid, 1 pending, 1 differs, 1 is not ours.';
  const previewed = await previewReport(testEnv.db, game.gameId, PAYEE_KEY, given(report));
  expect(previewed).toMatchObject({
    ok: true,
    preview: {
      result: sentence,
      recordedAs: null,
      confirmed: { paid: { count: 1, amount_usd: first.amount } },
      listed: [{ rowNo: 5 }, { rowNo: 2 }],
    },
  });
  expect(await listReports(testEnv.db, game.gameId)).toEqual([]);
  expect(await record(report)).toMatchObject({
    ok: true,
    isNew: true,
    report: { reportNo: 1, result: sentence, confirmedCount: 2, openCount: 2, fileName: '….csv' },
  });
  expect(await states()).toMatchObject({ [first.itemNo]: 'paid', [second.itemNo]: 'pending', [third.itemNo]: 'sent' });
  expect(await listListedRows(testEnv.db, game.gameId, { isOpen: true })).toMatchObject([
    { rowNo: 5, problem: 'differs', payment: { reference: third.reference }, amount: '0.35' },
    { rowNo: 2, problem: 'foreign', payment: null },
  ]);
  expect(await listListedRows(testEnv.db, game.gameId, { reportNo: 1, after: { reportNo: 1, rowNo: 5 } })).toMatchObject([{ rowNo: 2 }]);
  expect(await findListedRow(testEnv.db, game.gameId, { reportNo: 1, rowNo: 3 })).toBeNull();
  expect(await posted()).toEqual([['202608-P1', '2026-11-05', `items_paid ${first.amount}`]]);
});

test('the same report again changes nothing, and rows of an overlapping one are known already', async () => {
  const second = payment(1);
  const before = await states();
  expect(await record(firstReport())).toMatchObject({ ok: true, isNew: false, report: { reportNo: 1 } });
  const more = Buffer.from(`${firstReport().toString()}${second.reference},Completed,${second.amount},USD,T2b,2026-11-06\n`);
  expect(await record(more)).toMatchObject({ ok: true, isNew: true, report: { result: '5 rows: 1 paid, 4 known already.' } });
  expect(await states()).toEqual({ ...before, [second.itemNo]: 'paid' });
  expect((await posted()).slice(1)).toEqual([['202608-P2', '2026-11-06', `items_paid ${second.amount}`]]);
});

test('a payment that came back is posted once, and a second debit is an alarm that changes nothing', async () => {
  const [first, second] = [payment(0), payment(1)];
  expect(
    await record(
      reportOf([
        [first.reference, 'Returned', first.amount, 'T5', '2026-11-20'],
        [second.reference, 'Completed', second.amount, 'T6', '2026-11-21'],
      ]),
    ),
  ).toMatchObject({ ok: true, report: { result: '2 rows: 1 returned, 1 may be paid twice.' } });
  expect(await states()).toMatchObject({ [first.itemNo]: 'returned', [second.itemNo]: 'paid' });
  expect((await posted()).at(-1)).toEqual(['202608-R1', '2026-11-20', `items_returned ${first.amount}`]);
  const [newest] = await listReports(testEnv.db, game.gameId);
  const about = { runNo: 1, reportNo: newest?.reportNo, amount_usd: second.amount, recipientCount: 1 };
  expect((await listNotices(testEnv.db, ada.id, 1)).notices).toMatchObject([{ kind: 'payment_alarm', ...about }]);
});

describe('a person decides a listed row once, with a note', () => {
  const listed = async (...row: Parameters<typeof reportOf>[0][number]) => {
    const recorded = await record(reportOf([row]));
    if (!recorded.ok) throw new Error(JSON.stringify(recorded));
    return { reportNo: recorded.report.reportNo, rowNo: 2, note: 'Seen at the bank' };
  };
  const accept = (row: Awaited<ReturnType<typeof listed>>, over: Record<string, unknown> = {}) =>
    decideRow(game, fiona, { ...row, decision: 'accepted', target: { of: 'named' }, reportedState: null, ...over });

  test('sets it aside, or accepts a differing amount of the payment that it names', async () => {
    const third = payment(2);
    const row = { reportNo: 1, rowNo: 5, note: 'The bank shows 0.35' };
    expect(await accept({ ...row, note: ' ' })).toEqual({ ok: false, reason: 'missing' });
    const other = { of: 'reference', reference: payment(3).reference };
    expect(await accept(row, { target: other })).toEqual({ ok: false, reason: 'amount_differs' });
    expect(await accept(row)).toEqual({ ok: true, voidedSubmission: false });
    expect(await states()).toMatchObject({ [third.itemNo]: 'paid' });
    expect(await accept(row)).toEqual({ ok: false, reason: 'moved_on' });
    expect(await accept({ ...row, rowNo: 2 })).toEqual({ ok: false, reason: 'no_payment' });
    expect(await decideRow(game, fiona, { ...row, rowNo: 2, decision: 'set_aside' })).toMatchObject({ ok: true });
    const aside = await findListedRow(testEnv.db, game.gameId, { reportNo: 1, rowNo: 2 });
    expect(aside).toMatchObject({ decision: 'set_aside', note: row.note });
    expect((await posted()).at(-1)?.slice(1)).toEqual(['2026-11-05', `items_paid ${third.amount}`]);
    const { rows } = await testEnv.pool.query(`select act, detail from audit where act like '%row of a bank report' order by audit_id`);
    expect(rows).toEqual([
      {
        act: 'accepted a row of a bank report',
        detail: {
          row: 5,
          note: row.note,
          state: 'paid',
          count: 1,
          payments: [third.reference],
          digest: expect.any(String),
          facts: expect.any(String),
        },
      },
      { act: 'set aside a row of a bank report', detail: { row: 2, note: row.note } },
    ]);
  });

  test('chooses the payment of a row that names none, by its reference, at the same amount', { tags: 'proof' }, async () => {
    const fourth = payment(3);
    const row = await listed('', 'Completed', fourth.amount, 'T10');
    expect(await accept(row, { target: { of: 'reference', reference: 'A200701TC8' } })).toEqual({ ok: false, reason: 'unknown_payment' });
    expect(await accept(row, { target: { of: 'reference', reference: ` ${fourth.reference.toLowerCase()} ` } })).toMatchObject({
      ok: true,
    });
    expect(await states()).toMatchObject({ [fourth.itemNo]: 'paid' });
    const unknown = await listed(payment(4).reference, 'Sideways', payment(4).amount, 'T11');
    expect(await accept(unknown)).toEqual({ ok: false, reason: 'state_missing' });
    expect(await accept(unknown, { reportedState: 'pending' })).toMatchObject({ ok: true });
    expect(await states()).toMatchObject({ [payment(4).itemNo]: 'pending' });
  });

  test('returns the whole payment where less came back, and posts what banks withheld as a fee', { tags: 'proof' }, async () => {
    const fourth = payment(3);
    const rest = (Number(fourth.amount) - 1).toFixed(2);
    const row = await listed(fourth.reference, 'Returned', rest, 'T12', '2026-11-23');
    expect(await states()).toMatchObject({ [fourth.itemNo]: 'paid' });
    expect(await accept(row)).toMatchObject({ ok: true });
    expect(await states()).toMatchObject({ [fourth.itemNo]: 'returned' });
    const returned = (await posted()).at(-1);
    expect(returned?.slice(1)).toEqual(['2026-11-23', `items_returned ${fourth.amount}`, 'return_fees 1.00']);
    // Another report has the same return under another ID: its fee was posted.
    expect(await accept(await listed(fourth.reference, 'Returned', rest, 'T12b', '2026-11-23'))).toMatchObject({ ok: true });
    expect((await posted()).at(-1)).toEqual(returned);
    // The bank sends it once more: a second debit, which a person accepts.
    const again = await listed(fourth.reference, 'Completed', fourth.amount, 'T13', '2026-11-24');
    expect(await accept(again)).toMatchObject({ ok: true });
    expect((await posted()).at(-1)?.slice(1)).toEqual(['2026-11-24', `items_paid ${fourth.amount}`]);
  });

  test('accepts one debit for the payments of a file that weren’t returned', { tags: 'proof' }, async () => {
    const back = payment(0);
    const total = sumMoney(payments.map(({ amount }) => amount));
    const rest = subtractMoney(total, back.amount);
    const row = await listed('', 'Completed', '1.00', 'T14');
    expect(await accept(row, { target: { of: 'batch', batchNo: 1 } })).toEqual({ ok: false, reason: 'amount_differs' });
    expect(await accept(row, { target: { of: 'batch', batchNo: 99 } })).toEqual({ ok: false, reason: 'unknown_payment' });
    const debit = await listed('', 'Completed', rest, 'T15');
    expect(await accept(debit, { target: { of: 'batch', batchNo: 1 } })).toMatchObject({ ok: true });
    expect(await states()).toMatchObject({ [back.itemNo]: 'returned' });
    expect(await accept(await listed('', 'Completed', total, 'T16', '2026-11-04'), { target: { of: 'batch', batchNo: 1 } })).toEqual({
      ok: false,
      reason: 'nothing_to_confirm',
    });
    const confirmed = `select count(*)::int as count from payment_confirmation where matched_by = 'person' and report_no = $1`;
    const { rows } = await testEnv.pool.query(confirmed, [debit.reportNo]);
    expect(rows[0].count).toBe(payments.length - 4);
  });

  test('lets a failure on the day of the payment, which would change nothing, count after it', { tags: 'proof' }, async () => {
    const fifth = payment(4);
    const row = await listed(fifth.reference, 'Failed', fifth.amount, 'T17');
    expect(await states()).toMatchObject({ [fifth.itemNo]: 'paid' });
    expect(await accept(row)).toMatchObject({ ok: true });
    expect(await states()).toMatchObject({ [fifth.itemNo]: 'failed' });
    const { rows } = await testEnv.pool.query(
      `select (max(occurred_on) + 1)::text as day from payment_confirmation where state = 'failed'`,
    );
    await record(reportOf([[fifth.reference, 'Completed', fifth.amount, 'T18', rows[0].day]]));
    expect(await states()).toMatchObject({ [fifth.itemNo]: 'paid' });
  });
});

test('a booked total confirms the payments of its file that aren’t known, and the run is paid once none is open', async () => {
  const total = payments.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(2);
  const camt =
    Buffer.from(`<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct><Ntry><Amt Ccy="USD">${total}</Amt>
    <CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-05</Dt></BookgDt><AcctSvcrRef>B1</AcctSvcrRef>
    <NtryDtls><Btch><PmtInfId>${batchId}</PmtInfId></Btch></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`);
  expect(await record(camt)).toMatchObject({ ok: true, report: { kind: 'camt_053' } });
  const after = Object.values(await states());
  expect(after.filter((state) => state === 'returned')).toHaveLength(1);
  expect(after.filter((state) => state === 'paid')).toHaveLength(payments.length - 1);
  const { rows } = await testEnv.pool.query('select paid_at is not null as is_paid from payout_run where run_id = $1', [run.runId]);
  expect(rows).toEqual([{ is_paid: true }]);
  const findings = new Findings();
  await verifyJournals(testEnv.db, game.gameId, findings);
  expect(findings.violations).toEqual([]);
});

test('a return whose reference has a wrong letter is listed with its payment, and isn’t set aside with the rows that are about none', async () => {
  const fourth = payment(3);
  const letter = fourth.reference.endsWith('Z') ? 'Y' : 'Z';
  const back = [`${fourth.reference.slice(0, -1)}${letter}`, 'Returned', fourth.amount, 'T20', '2026-11-25'] as const;
  const recorded = await record(reportOf([back, ['', 'Completed', '6.00', 'T21']]));
  if (!recorded.ok) throw new Error(JSON.stringify(recorded));
  const { reportNo, result, openForeignCount } = recorded.report;
  expect([result, openForeignCount]).toEqual(['2 rows: 1 is not ours, 1 may be ours with a mistyped reference.', 1]);
  expect(await setForeignRowsAside(game, fiona, { reportNo, note: 'Rent', shownCount: 1 })).toEqual({ ok: true, count: 1 });
  const listed = { rowNo: 2, problem: 'mistyped', payment: { reference: fourth.reference }, decision: null };
  expect(await listListedRows(testEnv.db, game.gameId, { reportNo })).toMatchObject([listed, { rowNo: 3, decision: 'set_aside' }]);
  const row = { reportNo, rowNo: 2, note: 'The bank confirmed it', decision: 'accepted', target: { of: 'named' } } as const;
  expect(await decideRow(game, fiona, { ...row, reportedState: null })).toMatchObject({ ok: true });
  expect(await states()).toMatchObject({ [fourth.itemNo]: 'returned' });
});

test('only people who may see accounts read a stored report, and its accounts are nowhere else in the database', async () => {
  const account = 'DE75512108001245126199';
  const text = `reference,status,amount,currency,provider_id,date,iban,name\n,Completed,4.00,USD,C1,2026-11-05,${account},Canary Quill\n`;
  const recorded = await recordReport(game, fiona, PAYEE_KEY, given(Buffer.from(text), { fileName: `${account}.csv` }));
  if (!recorded.ok) throw new Error(recorded.reason);
  const { reportNo } = recorded.report;
  const paul = await seedFinance(testEnv, 'paul');
  await testEnv.pool.query(`update person set roles = '{auditor}' where id = $1`, [paul.id]);
  expect(await showReportRows(game, paul, PAYEE_KEY, reportNo)).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await showReportRows(game, fiona, Buffer.alloc(32, 9), reportNo)).toEqual({ ok: false, reason: 'unreadable' });
  expect(await downloadReport(game, fiona, null, reportNo)).toEqual({ ok: false, reason: 'no_key' });
  expect(await downloadReport(game, fiona, PAYEE_KEY, 999)).toEqual({ ok: false, reason: 'gone' });
  const shown = await showReportRows(game, fiona, PAYEE_KEY, reportNo);
  expect(shown.ok && shown.rows.get(2)).toBe(`Completed · 4.00 · USD · C1 · 2026-11-05 · ${account} · Canary Quill`);
  const file = await downloadReport(game, fiona, PAYEE_KEY, reportNo);
  expect(file.ok && file.bytes.toString()).toBe(text);
  const { rows: looks } = await testEnv.pool.query('select act from audit where subject = $1 order by audit_id', [
    `bank report ${reportNo}`,
  ]);
  expect(looks.map(({ act }) => act)).toEqual([
    'recorded a bank report',
    'was refused to view a bank report',
    'viewed the rows of a bank report',
    'downloaded a bank report',
  ]);
  const { rows: tables } = await testEnv.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  // As text, and as bytes are written.
  const canary = [account, 'Canary Quill', Buffer.from(account).toString('hex')].join('|');
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await testEnv.pool.query(`select 1 from ${name} t where t::text ~* $1 limit 1`, [canary]);
    if (rows.length > 0) found.push(name);
  }
  expect(found).toEqual([]);
});
