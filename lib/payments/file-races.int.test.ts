// @module-tag proof
// @module-tag no-retry
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cutEverywhere } from '#e2e/support/db/cut-statements.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { Run } from '../payouts/reads/find-run.ts';
import { decideSender, proposeSender } from './change-sender.ts';
import { decideCancel, handOver, requestCancel } from './hand-over.ts';
import { type FilesRequest, makeFiles } from './make-files.ts';
import { decideElsewhere, proposeElsewhere } from './pay-elsewhere.ts';
import { sumWaiting } from './reads/waiting-items.ts';
import { verifyPayments } from './verify-payments.ts';

const AT_ONCE = proofSize(12, 200);
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;
let run: Run;

beforeEach(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  run = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-08');
  await proposeSender(game, fiona, PAYEE_KEY, { method: 'paypal', typed: { decimal_sign: '.' } });
  await decideSender(game, ada, PAYEE_KEY, { senderNo: 1, decision: 'confirmed' });
});
afterEach(() => testEnv.close());

async function request(): Promise<FilesRequest> {
  const { count = 0, total_usd = '0.00' } = (await sumWaiting(game.db, run)).find(({ method }) => method === 'paypal') ?? {};
  return { runId: run.runId, method: 'paypal', format: null, executionDate: null, note: 'Share', shown: { count, total_usd } };
}

/** Every payment that counts is once in a live file or recorded elsewhere, or waits. */
async function expectWhole(): Promise<void> {
  const findings = new Findings();
  await verifyPayments(testEnv.db, game.gameId, PAYEE_KEY, findings);
  expect(findings.violations).toEqual([]);
  const { rows } = await testEnv.pool.query<{ live: number }>(
    `select count(*)::int as live from payout_item where run_id = $1 and state in ('waiting', 'in_file', 'sent', 'paid') group by recipient_player_id having count(*) <> 1`,
    [run.runId],
  );
  expect(rows).toEqual([]);
}

test(`of ${AT_ONCE} people who create the same files at once one does, and each payment is in one file`, async () => {
  const wanted = await request();
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => makeFiles(game, index % 2 === 0 ? fiona : ada, PAYEE_KEY, wanted)),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(answers.filter((answer) => !answer.ok && answer.reason !== 'changed')).toEqual([]);
  await expectWhole();
  recordFigure('Payment files created at once', `${AT_ONCE} times: one file, each payment once`);
});

test('files, a cancellation, payments elsewhere and a hand-over that are cut at any statement leave nothing half done', {
  tags: ['proof'],
}, async () => {
  const cut = { pool: testEnv.pool, every: 1 };
  const wanted = await request();
  let cuts = await cutEverywhere(cut, (db) => makeFiles({ ...game, db }, fiona, PAYEE_KEY, wanted), expectWhole);
  await requestCancel(game, fiona, { batchNo: 1, reason: 'Cut', isNotUploaded: true });
  const shown = { batchNo: 1, requesterId: fiona.id, reason: 'Cut' };
  cuts += await cutEverywhere(cut, (db) => decideCancel({ ...game, db }, ada, shown, { isAgreed: true, isNotUploaded: true }), expectWhole);
  const elsewhere = { runId: run.runId, itemNos: [run.payableCount + 1], paidOn: '2026-11-20', note: 'By hand' };
  cuts += await cutEverywhere(cut, (db) => proposeElsewhere({ ...game, db }, fiona, elsewhere), expectWhole);
  cuts += await cutEverywhere(cut, (db) => decideElsewhere({ ...game, db }, ada, { batchNo: 2, decision: 'confirmed' }), expectWhole);
  const again = await makeFiles(game, fiona, PAYEE_KEY, await request());
  expect(again).toMatchObject({ ok: true, files: [{ batchNo: 3, count: run.payableCount - 1 }] });
  cuts += await cutEverywhere(cut, (db) => handOver({ ...game, db }, ada, { batchNo: 3, providerReference: 'PB-1' }), expectWhole);
  const { rows } = await testEnv.pool.query(
    'select state, count(*)::int as count from payout_item where run_id = $1 group by state order by state',
    [run.runId],
  );
  expect(rows).toEqual([
    { state: 'cancelled', count: run.payableCount },
    { state: 'paid', count: 1 },
    { state: 'sent', count: run.payableCount - 1 },
  ]);
  expect(cuts).toBeGreaterThan(40);
  recordFigure(
    'Payment files cut at a statement',
    `${cuts} cuts of files, cancellation, payments elsewhere and hand-over, nothing half done`,
  );
});
