// @module-tag no-retry
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/kit/open.ts';
import { IS_CLUSTER } from '#e2e/citus/test-cluster.ts';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { type Draw, drawBy, seededRandom } from '#e2e/support/evidence/draw-tampers.ts';
import { reissueAsShown } from '#e2e/support/payments/paid-month.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf } from '#e2e/support/payouts/hand-over-all.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { changedCell, dropConstraints, withTampering } from '#e2e/support/tampered-view.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { verifyJournals } from '#lib/accounting/verify-journals.ts';
import { listRemainingNames } from '../evidence/reads/names-in-bytes.ts';
import { Findings, type Violation } from '../evidence/rules/findings.ts';
import { UNCOVERED, VERIFIED_REPORT_TABLES } from '../evidence/verify/coverage.ts';
import { decideRow, setForeignRowsAside } from './decide-row.ts';
import { findReport } from './reads/reports.ts';
import { recordReport } from './record-report.ts';
import { decideReissue, proposeReissue } from './reissue.ts';
import { formatPaymentReference } from './rules/payment-reference.ts';
import { verifyPaymentReports } from './verify-payment-reports.ts';
import { verifyPayments } from './verify-payments.ts';

const COUNT = proofSize(8, 300);
let testEnv: TestEnvironment;
let gameId: number;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  const game = await testEnv.game();
  gameId = game.gameId;
  const [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  const run = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-08');
  const { payments } = await handOverAll(testEnv, { preparer: fiona, approver: ada }, run);
  const [first, second, third, fourth, fifth] = payments;
  if (!first || !second || !third || !fourth || !fifth) throw new Error('five are paid');
  const record = (rows: Parameters<typeof reportOf>[0]) =>
    recordReport(game, fiona, PAYEE_KEY, { bytes: reportOf(rows), fileName: 'a.csv', dateOrder: 'day_first' });
  await record([
    [first.reference, 'Completed', first.amount, 'T1'],
    [second.reference, 'Returned', second.amount, 'T2'],
    [third.reference, 'Completed', '0.35', 'T3'],
    [fourth.reference, 'Returned', '0.01', 'T4'],
    ['', 'Completed', '4.00', 'T5'],
    [fifth.reference, 'Completed', fifth.amount, 'T8', '2026-08-30'],
  ]);
  await record([
    [first.reference, 'Completed', first.amount, 'T1'],
    [first.reference, 'Returned', first.amount, 'T6', '2026-11-12'],
    ['', 'Completed', '5.00', 'T7'],
  ]);
  const row = { reportNo: 1, note: 'Seen at the bank' };
  const accept = { decision: 'accepted', target: { of: 'named' }, reportedState: null } as const;
  for (const decided of [
    { ...row, rowNo: 4, ...accept },
    { ...row, rowNo: 5, ...accept },
    { ...row, rowNo: 6, decision: 'set_aside' as const },
    { ...row, rowNo: 7, ...accept },
  ])
    expect(await decideRow(game, fiona, decided)).toMatchObject({ ok: true });
  await record([
    ['', 'Completed', '6.00', 'T11'],
    [fourth.reference, 'Completed', '0.02', 'T12'],
    ['', 'Completed', '7.00', 'T13'],
    ['', 'Completed', '8.00', 'T14'],
  ]);
  const several = { reportNo: 3, note: 'Rent and wages' };
  expect(await setForeignRowsAside(game, fiona, { ...several, shownCount: 2 })).toEqual({ ok: false, reason: 'not_as_shown' });
  expect(await decideRow(game, fiona, { ...several, rowNo: 2, decision: 'set_aside' })).toMatchObject({ ok: true });
  expect(await setForeignRowsAside(game, fiona, { ...several, shownCount: 3 })).toEqual({ ok: false, reason: 'not_as_shown' });
  expect(await setForeignRowsAside(game, fiona, { ...several, shownCount: 2 })).toEqual({ ok: true, count: 2 });
  expect(await findReport(game.db, gameId, { reportNo: 3 })).toMatchObject({ openCount: 1, openForeignCount: 0 });
  for (const { itemNo } of [first, second]) {
    const key = { runId: run.runId, itemNo };
    expect(await proposeReissue(game, fiona, { ...key, reason: 'New account' })).toMatchObject({ ok: true });
    const shown = await reissueAsShown(game, key);
    expect(await decideReissue(game, ada, itemNo === first.itemNo ? { ...shown, decision: 'withdrawn' } : shown)).toMatchObject({
      ok: true,
    });
  }
});
afterAll(() => testEnv.close());

async function verify(view: Db, key: Buffer | null = PAYEE_KEY, warnings = new Findings()): Promise<Violation[]> {
  const findings = new Findings();
  await verifyPaymentReports(view, gameId, key, findings, warnings);
  await verifyPayments(view, gameId, null, findings);
  await verifyJournals(view, gameId, findings);
  return findings.violations;
}

test('reports as they are stored have no violation, with the key, without it and with another one', async () => {
  for (const key of [PAYEE_KEY, null, Buffer.alloc(32, 9)]) expect(await verify(testEnv.db, key)).toEqual([]);
});

test('a payment dated before its file was created waits for a person, and is paid on that day once they accept it', async () => {
  const { rows } = await testEnv.pool.query(
    `select listed.problem, i.state, c.occurred_on::text as on, c.matched_by from payment_report_row listed join payment_confirmation c using (game_id, report_no, row_no)
       join payout_item i on (i.game_id, i.run_id, i.item_no) = (c.game_id, c.run_id, c.item_no) where listed.row_no = 7`,
  );
  expect(rows).toEqual([{ problem: 'before_file', state: 'paid', on: '2026-08-30', matched_by: 'person' }]);
});

test('a report of earlier rules isn’t matched again by today’s, which is a warning, and its rows and the days of accepted ones must be those of the audit', {
  tags: 'proof',
}, async () => {
  const asBefore = `update audit set detail = detail - 'rules' - 'facts' where game_id = $1 and subject like 'bank report %'`;
  const asOf = async (statement: string): Promise<[string[], number]> => {
    const warnings = new Findings();
    const found = await withTampering(
      testEnv.pool,
      async (client) => {
        await dropConstraints(client, VERIFIED_REPORT_TABLES);
        await client.query(asBefore.replace('$1', String(gameId)));
        await client.query(`update payment_report set rules_version = null`);
        await client.query(statement);
      },
      (view) => verify(view, PAYEE_KEY, warnings),
    );
    return [[...new Set(found.map(({ name }) => name))], warnings.violations.length];
  };
  expect(await asOf('select 1')).toEqual([[], 3]);
  expect(await asOf(`update payment_report set sealed = sha256(sealed) where report_no = 1`)).toEqual([['report_seal'], 3]);
  expect(await asOf(`update payment_report_row set amount = amount + 1 where row_no = 6`)).toEqual([['report_rows'], 3]);
  expect(await asOf(`update payment_confirmation set occurred_on = occurred_on - 1 where matched_by = 'person'`)).toEqual([
    ['row_confirms_same'],
    3,
  ]);
});

test('sealed files and reports about an erased person, and each text about payments with their email, are listed as what still names them', {
  tags: 'proof',
}, async () => {
  const { rows } = await testEnv.pool.query<{ id: number }>('select recipient_player_id as id from payout_item where item_no = 1');
  const people = { playerIds: new Set([String(rows[0]?.id)]), emails: ['mira@creators.example'], identities: new Set<string>() };
  const typed = [
    'payment_report.file_name',
    'payment_report_row.note',
    'payout_batch.cancel_reason',
    'payout_batch.eur_rate_source',
    'payout_batch.note',
    'payout_batch.provider_reference',
    'payout_item.reason',
    'payout_run.content',
    'payout_run.eur_rate_source',
  ];
  const found = await withTampering(
    testEnv.pool,
    async (client) => {
      await dropConstraints(client, [...new Set(typed.map((column) => column.split('.')[0] ?? ''))]);
      for (const column of typed) {
        const [table, name] = column.split('.');
        const text = `'Paid to Mira@creators.example'`;
        await client.query(`update ${table} set ${name} = ${name === 'content' ? `to_jsonb(${text}::text)` : text}`);
      }
    },
    (view) => listRemainingNames(view, gameId, people),
  );
  expect(found.texts.map(({ place }) => place).toSorted()).toEqual(typed);
  // The first report confirms their payment, the second has its return.
  expect(found).toMatchObject({ paymentFiles: 1, bankReports: 2 });
  expect((await listRemainingNames(testEnv.db, gameId, people)).texts).toEqual([]);
});

test('bank-report prints what a report would confirm, and stores nothing', { tags: 'proof' }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bank-report-'));
  const { rows } = await testEnv.pool.query<{ game_id: number; run_no: number; item_no: number; amount_usd: string }>(
    `select i.game_id, run.run_no, i.item_no, i.amount_usd from payout_item i join payout_run run using (game_id, run_id) where i.state = 'sent' limit 1`,
  );
  const [item] = rows;
  if (item === undefined) throw new Error('nothing was handed over');
  const reference = formatPaymentReference({ gameId: item.game_id, runNo: item.run_no, itemNo: item.item_no });
  const file = path.join(folder, 'report.csv');
  const run = async (content: Buffer | string, ...argv: string[]) => {
    await writeFile(file, content);
    return await runCli(testEnv, ['bank-report', '--game', 'demo', '--in', file, '--preview', ...argv]);
  };
  const report = reportOf([
    [reference, 'Completed', item.amount_usd, 'C1'],
    ['', 'Completed', '6.00', 'C2'],
  ]);
  expect(await run(report)).toMatchObject({ code: 0, out: '2 rows: 1 paid, 1 is not ours.\n  row 3: No payment of this game, 6.00 USD\n' });
  const json = await run(report, '--json');
  expect(JSON.parse(json.out)).toMatchObject({
    refused: null,
    kind: 'generic',
    rows: 2,
    listed: 1,
    confirmed: { paid: { count: 1, amount_usd: item.amount_usd } },
    listed_rows: [{ row: 3, problem: 'foreign', reference: null, amount: '6.00', currency: 'USD' }],
  });
  const refused = await run('x\n'.repeat(proofSize(260_000, 2_000_000)), '--json');
  expect([refused.code, JSON.parse(refused.out)['refused']]).toEqual([1, 'too_many_rows']);
  expect(await runCli(testEnv, ['bank-report', '--game', 'demo', '--in', '/nowhere.csv', '--preview'])).toMatchObject({ code: 2 });
  const { rows: stored } = await testEnv.pool.query('select count(*)::int as count from payment_report');
  expect(stored).toEqual([{ count: 3 }]);
  await rm(folder, { recursive: true });
});

const TAMPERED_TABLES = [...VERIFIED_REPORT_TABLES, 'payout_item'];
/** Columns of payments about re-issues: the others follow from files. */
const REISSUE = ['reason', 'proposed_by', 'proposed_at', 'confirmed_by', 'confirmed_at', 'withdrawn_by', 'withdrawn_at', 'state'];

async function drawTamper(client: pg.PoolClient, pick: Draw): Promise<string> {
  const table = pick(TAMPERED_TABLES);
  const where = table === 'payout_item' ? 'replaces_item_no is not null' : 'true';
  const { rows } = await client.query<{ row: string }>(`select ctid::text as row from ${table} where ${where} order by ctid`);
  const { row } = pick(rows);
  if (pick([true, false, false, false])) {
    await client.query(`delete from ${table} where ctid = $1::tid`, [row]);
    return `${table} deleted`;
  }
  const { rows: columns } = await client.query<{ column: string; type: string }>(
    `select column_name as "column", data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and column_name <> 'game_id' order by ordinal_position`,
    [table],
  );
  const covered = columns.filter(({ column }) =>
    table === 'payout_item' ? REISSUE.includes(column) : UNCOVERED[`${table}.${column}`] === undefined,
  );
  const { column, type } = pick(covered);
  await client.query(`update ${table} set ${column} = ${changedCell(column, type)} where ctid = $1::tid`, [row]);
  return `${table}.${column}`;
}

test.skipIf(IS_CLUSTER)(
  `each of ${COUNT} rows of reports and re-issues is named, changed in a covered column or deleted at random`,
  {
    tags: 'proof',
  },
  async () => {
    const pick = drawBy(seededRandom(20_261_125));
    const unnoticed: string[] = [];
    for (let draw = 0; draw < COUNT; draw++) {
      let what = '';
      const found = await withTampering(
        testEnv.pool,
        async (client) => {
          await dropConstraints(client, TAMPERED_TABLES);
          what = await drawTamper(client, pick);
        },
        verify,
      );
      if (found.length === 0) unnoticed.push(what);
    }
    expect(unnoticed).toEqual([]);
    recordFigure('Tampers with bank reports', `${COUNT} of ${COUNT} named`);
  },
);

test.each([
  ['a confirmation that nobody reported', `insert into payment_confirmation select * from payment_confirmation_like`, 'report_rows'],
  [
    'a row that was set aside with others',
    `update payment_report_row set decision = null, decided_by = null, decided_at = null, note = null where report_no = 3 and row_no = 5`,
    'rows_set_aside',
  ],
  [
    'a row that was never set aside with others',
    `update payment_report_row open set decision = other.decision, decided_by = other.decided_by, decided_at = other.decided_at, note = other.note
       from payment_report_row other where other.game_id = open.game_id and other.report_no = 3 and other.row_no = 5 and open.report_no = 3 and open.row_no = 3`,
    'rows_set_aside',
  ],
  [
    'the note of rows that were set aside',
    `update payment_report_row set note = 'Other' where report_no = 3 and row_no > 3`,
    'row_decided',
  ],
  ['the state of a payment', `update payout_item set state = 'paid' where state = 'returned'`, 'payment_state'],
  ['a journal of payments', `delete from journal_entry where kind = 'payments'`, 'payments_posted'],
  ['the day of a journal of payments', `update journal_entry set posted_on = posted_on + 1 where kind = 'payments'`, 'journal_date'],
])('%s that was tampered with is named', async (_, statement, name) => {
  const found = await withTampering(
    testEnv.pool,
    async (client) => {
      await client.query(
        `create temp table payment_confirmation_like on commit drop as
           select (c).* from (select c from payment_confirmation c where matched_by = 'reference' order by row_no limit 1) one`,
      );
      await client.query(
        'update payment_confirmation_like set item_no = (select max(item_no) from payout_item where replaces_item_no is null)',
      );
      expect((await client.query(statement)).rowCount).toBeGreaterThan(0);
    },
    verify,
  );
  expect(found.map((violation) => violation.name)).toContain(name);
});
