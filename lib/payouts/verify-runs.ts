import type { Db } from '#db/kit/open.ts';
import {
  digestStoredRun,
  type LineToVerify,
  listChangedStatements,
  listReversalsToVerify,
  listRunsToVerify,
  listRunViolations,
  type RunToVerify,
  streamLinesToVerify,
} from '#db/payouts/reads/run-verification.ts';
import { compareMoney } from '../core/money.ts';
import type { Findings } from '../evidence/verify/findings.ts';
import { redecideLine } from './rules/decide-line.ts';
import { decideReversal } from './rules/decide-reversal.ts';
import { digestContent } from './rules/run-content.ts';

/**
 * Verifies every run: its content is what was digested, submitted and approved by enough people who did not work on it; lines and reversals are those
 * that were digested, follow from the snapshot and the run before, and are decided again; sums add up; stored statements
 * have the digest they were drawn with. Returns how many were verified.
 */
export async function verifyRuns(db: Db, gameId: number, findings: Findings): Promise<number> {
  const runs = await listRunsToVerify(db, gameId);
  for (const run of runs) {
    const about = findings.about(`run ${run.runNo}`);
    if (run.content !== null) await verifyContent(db, gameId, run, about);
    if (run.isApproved)
      about.must('run_approvals', run.approvalCount >= run.approvalsWanted, `${run.approvalsWanted} approvals`, String(run.approvalCount));
    for (const { name, subject, expected, actual } of await listRunViolations(db, gameId, run))
      findings.about(subject).must(name, false, expected, actual);
    for await (const line of streamLinesToVerify(db, gameId, run.runId))
      verifyLine(line, findings.about(`run ${run.runNo}, recipient ${line.recipientId}`));
    for (const { takenBefore_usd, taken_usd, ...reversal } of await listReversalsToVerify(db, gameId, run.runId))
      findings
        .about(`run ${run.runNo}, period ${reversal.periodId}`)
        .must(
          'reversal_taken',
          compareMoney(decideReversal(reversal, takenBefore_usd).taken_usd, taken_usd) === 0,
          decideReversal(reversal, takenBefore_usd).taken_usd,
          taken_usd,
        );
    for (const { recipientId, recorded, actual } of await listChangedStatements(db, gameId, run.runId))
      findings.about(`run ${run.runNo}, statement of recipient ${recipientId}`).same('statement_digest', recorded, actual);
  }
  return runs.length;
}

async function verifyContent(db: Db, gameId: number, run: RunToVerify, about: Findings): Promise<void> {
  const { content } = run;
  if (content === null) return;
  about.same('run_content', run.contentDigest ?? '', digestContent(content));
  about.same('run_snapshot', run.snapshotDigest, content.snapshotDigest);
  about.same('run_number', String(run.runNo), String(content.runNo));
  about.same('run_before', run.previousContentDigest ?? 'none', content.previous ?? 'none');
  const digests = await digestStoredRun(db, gameId, run.runId);
  about.same('run_lines_digest', content.lines, digests.lines);
  about.same('run_reversals_digest', content.reversals, digests.reversals);
}

function verifyLine(line: LineToVerify, about: Findings): void {
  const again = redecideLine(line);
  about.must('line_payable', compareMoney(again.payable_usd, line.payable_usd) === 0, again.payable_usd, line.payable_usd);
  about.must('line_held', compareMoney(again.held_usd, line.held_usd) === 0, again.held_usd, line.held_usd);
  about.same('line_outcome', again.outcome, line.outcome);
  about.same('line_reasons', again.also.join(', '), line.also.join(', '));
}
