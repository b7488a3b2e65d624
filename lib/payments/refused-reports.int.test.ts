import { afterAll, beforeAll, expect, test } from 'vitest';
import { badReports } from '#e2e/support/payments/bad-reports.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf, type TestPayment } from '#e2e/support/payouts/hand-over-all.ts';
import { recordFigure } from '#e2e/support/proof.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { decideSender, proposeSender } from './change-sender.ts';
import { findBatch } from './reads/batches.ts';
import { findReport, listListedRows } from './reads/reports.ts';
import { type GivenReport, previewReport, recordReport } from './record-report.ts';
import { formatReportRefusal } from './report-text.ts';

const ROWS = 2_000_000;
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;
let payments: TestPayment[];

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  const people = { preparer: fiona, approver: ada };
  ({ payments } = await handOverAll(testEnv, people, await closeMonth(testEnv, people, '2026-08')));
});
afterAll(() => testEnv.close());

const given = (bytes: Buffer): GivenReport => ({ bytes, fileName: 'report.csv', dateOrder: null });
const record = (bytes: Buffer, key: Buffer | null = PAYEE_KEY) => recordReport(game, fiona, key, given(bytes));
const payment = (index: number): TestPayment => {
  const found = payments[index];
  if (found === undefined) throw new Error(`the month pays ${payments.length}`);
  return found;
};

/** How many rows each table has, and the states of all payments. */
async function countRows(): Promise<unknown> {
  const { rows: tables } = await testEnv.pool.query<{ counts: string }>(
    `select string_agg(format('select %L as name, count(*)::int as count from %I.%I', table_name, table_schema, table_name), ' union all ') as counts
     from information_schema.tables where table_type = 'BASE TABLE' and table_schema = 'public'`,
  );
  const { rows: counts } = await testEnv.pool.query<{ name: string; count: number }>(`${tables[0]?.counts} order by 1`);
  const { rows: states } = await testEnv.pool.query('select state, count(*)::int as count from payout_item group by state order by state');
  expect(counts.length).toBeGreaterThan(60);
  return { counts, states };
}

/** The sentence that a report is refused with, by its preview and as it is recorded. */
async function refusalOf(bytes: Buffer): Promise<string> {
  const [previewed, recorded] = [await previewReport(game.db, game.gameId, PAYEE_KEY, given(bytes)), await record(bytes)];
  if (previewed.ok || recorded.ok || previewed.reason !== 'report' || recorded.reason !== 'report') return 'was read';
  expect(recorded.refusal).toEqual(previewed.refusal);
  return formatReportRefusal(recorded.refusal);
}

test('of each report that can’t be read to its end or isn’t known, nothing at all is stored', { tags: 'proof' }, async () => {
  const before = await countRows();
  for (const [what, bytes, sentence] of await badReports(payment(0).reference)) {
    expect(await refusalOf(bytes), what).toMatch(sentence);
    expect(await countRows(), what).toEqual(before);
  }
  expect(await record(reportOf([[payment(0).reference, 'Completed', payment(0).amount]]), null)).toEqual({ ok: false, reason: 'no_key' });
  for (const number of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
    expect(await findReport(game.db, game.gameId, { reportNo: number })).toBeNull();
    expect(await listListedRows(game.db, game.gameId, { reportNo: number, after: { reportNo: number, rowNo: number } })).toEqual([]);
    expect(await findBatch(game.db, game.gameId, number)).toBeNull();
  }
  expect(await countRows()).toEqual(before);
});

test(`a report of ${ROWS.toLocaleString('en-US')} rows is refused by the first row too many, and nothing of it is stored`, {
  tags: ['proof'],
}, async () => {
  const before = await countRows();
  const heads = 'reference,status,amount,currency,provider_id,date\n';
  for (const text of [`${heads}${'1,,,,,\n'.repeat(ROWS)}`, '1\n'.repeat(ROWS)])
    expect(await refusalOf(Buffer.from(text))).toBe('Row 250002: The report has more than 250,000 rows. Download a shorter period.');
  expect(await countRows()).toEqual(before);
  recordFigure('Rows of a refused report', `${ROWS.toLocaleString('en-US')}: refused by its first row too many, nothing stored`);
});

test('what a readable report has wrong is listed by its row, and confirms nothing', async () => {
  const [first, second, third] = [payment(0), payment(1), payment(2)];
  const whole = (Math.floor(Number(first.amount)) + 1_000).toLocaleString('en-US');
  const bytes = Buffer.from(
    [
      'Date,Status,Currency,Gross,Transaction ID,Custom Number',
      // In another currency than the payment.
      `2026-11-05,Completed,EUR,-${first.amount},X1,${first.reference}`,
      // A thousand and more, or little more than one.
      `2026-11-05,Completed,USD,"-${whole}",X2,${second.reference}`,
      // One reference twice.
      `2026-11-05,Completed,USD,-${third.amount},X3,${third.reference}`,
      `2026-11-06,Completed,USD,-${third.amount},X4,${third.reference}`,
      '',
    ].join('\r\n'),
  );
  const before = await countRows();
  const previewed = await previewReport(game.db, game.gameId, PAYEE_KEY, given(bytes));
  expect(previewed.ok && previewed.preview.listed.map(({ rowNo, problem, reference }) => [rowNo, problem, reference])).toEqual([
    [2, 'differs', first.reference],
    [3, 'unreadable', second.reference],
    [5, 'paid_twice', third.reference],
  ]);
  expect(previewed.ok && previewed.preview.result).toBe('4 rows: 1 paid, 1 differs, 1 can’t be read, 1 may be paid twice.');
  expect(await countRows(), 'a preview stores nothing').toEqual(before);
});

test('a statement in another language and a payment file of ours confirm nothing, although they name payments', async () => {
  const { reference, amount, recipientId } = payment(0);
  const german = `Datum;Status;Währung;Brutto;Transaktionscode;Kundennummer\n05.11.2026;Abgeschlossen;USD;-${amount.replace('.', ',')};5TX;${reference}\n`;
  const own = `payee-${recipientId}@creators.example,${amount},USD,${reference},Revenue share paid for August,PAYPAL\r\n`;
  for (const text of [german, own]) {
    const previewed = await previewReport(game.db, game.gameId, PAYEE_KEY, given(Buffer.from(text)));
    const confirmed = previewed.ok ? Object.values(previewed.preview.confirmed).map(({ count }) => count) : [0, 0, 0, 0];
    expect(confirmed, text).toEqual([0, 0, 0, 0]);
  }
});

test('a report about another account than the sender’s is refused', async () => {
  const account = 'DE02120300000000202051';
  const typed = { name: 'Studio GmbH', account, bic: 'BYLADEM1001', town: 'Berlin', country: 'DE' };
  const proposed = await proposeSender(game, fiona, PAYEE_KEY, { method: 'sepa', typed });
  if (!proposed.ok) throw new Error(JSON.stringify(proposed));
  expect(await decideSender(game, ada, PAYEE_KEY, { senderNo: proposed.senderNo, decision: 'confirmed' })).toMatchObject({ ok: true });
  const entry = '<Ntry><Amt Ccy="EUR">4.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts></Ntry>';
  const statement = (iban: string) =>
    Buffer.from(`<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${entry}</Stmt></BkToCstmrStmt></Document>`);
  const refused = { ok: false, reason: 'other_account', account: '3000' };
  expect(await record(statement('DE89370400440532013000'))).toEqual(refused);
  expect(await previewReport(testEnv.db, game.gameId, PAYEE_KEY, given(statement('DE89370400440532013000')))).toEqual(refused);
  expect(await record(statement(account))).toMatchObject({ ok: true, report: { result: '1 row: 1 is not ours.' } });
});
