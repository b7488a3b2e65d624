// @module-tag proof
// @module-tag no-retry
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cutEverywhere } from '#e2e/support/db/cut-statements.ts';
import { reissueAsShown } from '#e2e/support/payments/paid-month.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf, type TestPayment } from '#e2e/support/payouts/hand-over-all.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { verifyJournals } from '#lib/accounting/verify-journals.ts';
import type { SessionActor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { Run } from '../payouts/reads/find-run.ts';
import { closeRun } from './close-run.ts';
import { decideRow } from './decide-row.ts';
import { recordReport } from './record-report.ts';
import { decideReissue, proposeReissue } from './reissue.ts';
import { verifyPaymentReports } from './verify-payment-reports.ts';
import { verifyPayments } from './verify-payments.ts';

const AT_ONCE = proofSize(4, 50);
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;
let run: Run;
let payments: TestPayment[];

beforeEach(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  run = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-08');
  ({ payments } = await handOverAll(testEnv, { preparer: fiona, approver: ada }, run));
});
afterEach(() => testEnv.close());

const record = (bytes: Buffer, opened = game) => recordReport(opened, fiona, PAYEE_KEY, { bytes, fileName: 'a.csv', dateOrder: null });
const paid = ({ reference, amount }: TestPayment, index: number): [string, string, string, string] => [
  reference,
  'Completed',
  amount,
  `P${index}`,
];

/** What is stored follows from reports, and the audit has each of them once. */
async function expectWhole(): Promise<void> {
  const findings = new Findings();
  await verifyPaymentReports(testEnv.db, game.gameId, PAYEE_KEY, findings);
  await verifyPayments(testEnv.db, game.gameId, PAYEE_KEY, findings);
  await verifyJournals(testEnv.db, game.gameId, findings);
  expect(findings.violations).toEqual([]);
}
async function count(table: string): Promise<number> {
  const { rows } = await testEnv.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  return rows[0]?.count ?? 0;
}

test(`of ${AT_ONCE} people who record the same report at once one does, and each payment is confirmed once`, async () => {
  const bytes = reportOf(payments.map(paid));
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => record(bytes)));
  expect(answers.filter((answer) => answer.ok && answer.isNew)).toHaveLength(1);
  expect(answers.filter(({ ok }) => !ok)).toEqual([]);
  expect([await count('payment_report'), await count('payment_confirmation')]).toEqual([1, payments.length]);
  expect(await count(`audit where act = 'recorded a bank report'`)).toBe(1);
  await expectWhole();
  recordFigure('One report recorded at once', `${AT_ONCE} times: stored once, each payment confirmed once`);
});

test('a report, a decision, a re-issue and a closing that are cut at any statement leave nothing half done', {
  tags: ['proof'],
}, async () => {
  const cut = { pool: testEnv.pool, every: 1 };
  const [first, ...others] = payments;
  if (first === undefined) throw new Error('nobody is paid');
  const key = { runId: run.runId, itemNo: first.itemNo };
  const bytes = reportOf([[first.reference, 'Returned', first.amount], ['', 'Completed', '4.00'], ...others.map(paid)]);
  const decided = { reportNo: 1, rowNo: 3, note: 'Rent', decision: 'set_aside' } as const;
  // An act whose answer was lost is done: repeated, it finds so.
  const isDone = async (answer: Promise<{ ok: boolean; reason?: string }>): Promise<unknown> => {
    const { ok, reason } = await answer;
    return ok || reason === 'moved_on' || reason === 'another_waits' ? true : Promise.reject(new Error(reason));
  };
  let cuts = await cutEverywhere(cut, (db) => isDone(record(bytes, { ...game, db })), expectWhole);
  cuts += await cutEverywhere(cut, (db) => isDone(decideRow({ ...game, db }, fiona, decided)), expectWhole);
  cuts += await cutEverywhere(cut, (db) => isDone(proposeReissue({ ...game, db }, fiona, { ...key, reason: 'Closed' })), expectWhole);
  const confirmed = await reissueAsShown(game, key);
  cuts += await cutEverywhere(cut, (db) => isDone(decideReissue({ ...game, db }, ada, confirmed)), expectWhole);
  const again = await handOverAll(testEnv, { preparer: fiona, approver: ada }, run);
  await record(reportOf(again.payments.map((each) => paid(each, 900))));
  cuts += await cutEverywhere(cut, (db) => isDone(closeRun({ ...game, db }, fiona, run.runId)), expectWhole);
  expect([await count('payment_report'), await count('payout_item'), await count('payout_run where closed_at is not null')]).toEqual([
    2,
    payments.length + 1,
    1,
  ]);
  expect(cuts).toBeGreaterThan(40);
  recordFigure('Reports cut at a statement', `${cuts} cuts of report, decision, re-issue and closing, nothing half done`);
});
