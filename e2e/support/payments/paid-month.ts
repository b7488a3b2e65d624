import { expect } from 'vitest';
import { answerChecks, closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf, type TestPayment } from '#e2e/support/payouts/hand-over-all.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { verifyJournals } from '#lib/accounting/verify-journals.ts';
import type { SessionActor } from '#lib/core/roles.ts';
import { Findings } from '#lib/evidence/rules/findings.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { decideRow } from '#lib/payments/decide-row.ts';
import { findReissue } from '#lib/payments/reads/reissues.ts';
import { listListedRows } from '#lib/payments/reads/reports.ts';
import { recordReport } from '#lib/payments/record-report.ts';
import type { DecidedReissue, ReissueKey } from '#lib/payments/reissue.ts';
import { verifyPaymentReports } from '#lib/payments/verify-payment-reports.ts';
import { findRun, type Run } from '#lib/payouts/reads/find-run.ts';
import { submitRun } from '#lib/payouts/submit-run.ts';
import { verifyRuns } from '#lib/payouts/verify-runs.ts';

type Rows = Parameters<typeof reportOf>[0];

/** August closed, its payments handed over in one file, and September pulled: what two people do with what comes back. */
export class PaidMonth {
  readonly testEnv: TestEnvironment;
  readonly game: OpenGame;
  readonly fiona: SessionActor;
  readonly ada: SessionActor;
  readonly run: Run;
  readonly payments: TestPayment[];
  readonly file: { batchNo: number; batchId: string };

  private constructor(opened: Pick<PaidMonth, 'testEnv' | 'game' | 'fiona' | 'ada' | 'run' | 'payments' | 'file'>) {
    ({ testEnv: this.testEnv, game: this.game, fiona: this.fiona, ada: this.ada } = opened);
    ({ run: this.run, payments: this.payments, file: this.file } = opened);
  }

  static async open(): Promise<PaidMonth> {
    const testEnv = await openPulledEnvironment('2026-08', '2026-09');
    const game = await testEnv.game();
    const [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
    const run = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-08');
    const { payments, ...file } = await handOverAll(testEnv, { preparer: fiona, approver: ada }, run);
    return new PaidMonth({ testEnv, game, fiona, ada, run, payments, file });
  }

  payment(index: number): TestPayment {
    const found = this.payments[index];
    if (found === undefined) throw new Error(`no payment ${index}: the month pays ${this.payments.length}`);
    return found;
  }

  async report(rows: Rows | Buffer) {
    const bytes = Buffer.isBuffer(rows) ? rows : reportOf(rows);
    const recorded = await recordReport(this.game, this.fiona, PAYEE_KEY, { bytes, fileName: 'report', dateOrder: null });
    if (!recorded.ok) throw new Error(JSON.stringify(recorded));
    return recorded;
  }

  /** Accepts the only row of a report for the payment it names. Returns why the row was listed. */
  async accept({ reference }: TestPayment, status: string, amount: string, id: string, date: string): Promise<string> {
    const { reportNo } = (await this.report([[reference, status, amount, id, date]])).report;
    const [listed] = await listListedRows(this.game.db, this.game.gameId, { reportNo });
    const row = { reportNo, rowNo: 2, note: 'The bank shows it', reportedState: null };
    expect(await decideRow(this.game, this.fiona, { ...row, decision: 'accepted', target: { of: 'named' } })).toMatchObject({ ok: true });
    return listed?.problem ?? 'not listed';
  }

  /** Sets aside each row that waits for a person, but those about no payment. */
  async setAside(note = 'Another payment'): Promise<void> {
    for (const { reportNo, rowNo, problem } of await listListedRows(this.game.db, this.game.gameId, { isOpen: true }))
      if (problem !== 'foreign') await decideRow(this.game, this.fiona, { reportNo, rowNo, decision: 'set_aside', note });
  }

  async stateOf({ itemNo }: Pick<TestPayment, 'itemNo'>): Promise<string> {
    const statement = 'select state from payout_item where run_id = $1 and item_no = $2';
    return (await this.testEnv.pool.query(statement, [this.run.runId, itemNo])).rows[0].state;
  }

  async reread(run: Run): Promise<Run> {
    const found = await findRun(this.testEnv.db, this.game.gameId, { runId: run.runId });
    if (found === null) throw new Error('the run is gone');
    return found;
  }

  /** Answers the open checks of a draft and submits it. */
  async submit(run: Run): Promise<Run> {
    await answerChecks(this.testEnv, this.fiona, await this.reread(run));
    const { runId, draftDigest } = await this.reread(run);
    const submitted = await submitRun(this.game, this.fiona, runId, draftDigest ?? '');
    if (!submitted.ok) throw new Error(JSON.stringify(submitted));
    return submitted.run;
  }

  /** What verify finds in runs, journals and bank reports. */
  async violations(): Promise<unknown[]> {
    const findings = new Findings();
    await verifyRuns(this.testEnv.db, this.game.gameId, findings);
    await verifyJournals(this.testEnv.db, this.game.gameId, findings);
    await verifyPaymentReports(this.testEnv.db, this.game.gameId, PAYEE_KEY, findings);
    return findings.violations;
  }
}

/** A confirmation of a re-issue as its page shows it now. */
export async function reissueAsShown(
  { db, gameId }: OpenGame,
  key: ReissueKey,
): Promise<Extract<DecidedReissue, { decision: 'confirmed' }>> {
  const shown = await findReissue(db, gameId, key);
  return { ...key, decision: 'confirmed', detailNo: shown?.details?.detailNo ?? 0, reissueNo: shown?.proposal?.itemNo ?? 0 };
}
