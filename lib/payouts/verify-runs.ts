import type { Db } from '#db/kit/open.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import { listDetailViolations } from './reads/paid-details.ts';
import {
  digestRun,
  findRunSources,
  listChangedStatements,
  listReversalsToVerify,
  listRunsToVerify,
  streamLines,
} from './reads/run-verification.ts';
import { proveContent, proveReversal, RunProof } from './rules/prove-run.ts';
import { DETAILS_SINCE } from './rules/run-content.ts';
import { verifyHistory } from './verify-history.ts';

/**
 * Verifies every run: its content is what was digested, submitted and approved by enough people who did not work on it; lines and reversals are those
 * that were digested, follow from the snapshot and the run before, and are decided again; sums add up; stored statements
 * have the digest they were drawn with; people, times and states are those of the audit. Returns how many were verified.
 */
export async function verifyRuns(db: Db, gameId: number, findings: Findings): Promise<number> {
  await verifyHistory(db, gameId, findings);
  const runs = await listRunsToVerify(db, gameId);
  for (const run of runs) {
    const about = findings.about(`run ${run.runNo}`);
    if (run.content !== null) proveContent(run, await digestRun(db, { gameId, runId: run.runId }), about);
    if (run.isApproved)
      about.must('run_approvals', run.approvalCount >= run.approvalsWanted, `${run.approvalsWanted} approvals`, String(run.approvalCount));
    if ((run.content?.rules ?? 1) >= DETAILS_SINCE) findings.add(await listDetailViolations(db, gameId, run));
    const proof = new RunProof(run.runNo, await findRunSources(db, gameId, run), findings);
    for (const reversal of await listReversalsToVerify(db, gameId, run.runId)) {
      proveReversal(run, reversal, findings.about(`run ${run.runNo}, period ${reversal.periodId}`));
      proof.addReversal(reversal);
    }
    for await (const line of streamLines(db, { gameId, runId: run.runId })) proof.addLine(line);
    proof.close(run.sums);
    for (const { recipientId, recorded, actual } of await listChangedStatements(db, gameId, run.runId))
      findings.about(`run ${run.runNo}, statement of recipient ${recipientId}`).same('statement_digest', recorded, actual);
  }
  return runs.length;
}
