import type { Db } from '#db/kit/open.ts';
import { compareMoney, normalizeMoney } from '../core/money.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import { listBoundItems } from '../payments/reads/returned-items.ts';
import type { ReturnedItem } from '../payments/rules/item-state.ts';
import { listDetailViolations } from './reads/paid-details.ts';
import {
  digestRun,
  listChangedStatements,
  listReversalsToVerify,
  listRunsToVerify,
  listRunViolations,
  type ReversalToVerify,
  type RunToVerify,
  streamLines,
} from './reads/run-verification.ts';
import { type RunLine, redecideLine } from './rules/decide-line.ts';
import { adjustTaken, decideReversal } from './rules/decide-reversal.ts';
import { DETAILS_SINCE, digestContent } from './rules/run-content.ts';
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
    if (run.content !== null) await verifyContent(db, gameId, run, about);
    if (run.isApproved)
      about.must('run_approvals', run.approvalCount >= run.approvalsWanted, `${run.approvalsWanted} approvals`, String(run.approvalCount));
    findings.add(await listRunViolations(db, gameId, run));
    if ((run.content?.rules ?? 1) >= DETAILS_SINCE) findings.add(await listDetailViolations(db, gameId, run));
    for await (const line of streamLines(db, { gameId, runId: run.runId }))
      verifyLine(line, findings.about(`run ${run.runNo}, recipient ${line.recipientId}`));
    for (const reversal of await listReversalsToVerify(db, gameId, run.runId))
      verifyReversal(run, reversal, findings.about(`run ${run.runNo}, period ${reversal.periodId}`));
    for (const { recipientId, recorded, actual } of await listChangedStatements(db, gameId, run.runId))
      findings.about(`run ${run.runNo}, statement of recipient ${recipientId}`).same('statement_digest', recorded, actual);
  }
  return runs.length;
}

/**
 * Decides a reversal again from what runs and adjustments had deducted before. What months before the first run stated is not repeated. A run without content
 * was composed by the rules of its day, which it doesn't state, and a voided one gave its adjustments back: either may count them or not.
 */
function verifyReversal({ state, content }: RunToVerify, reversal: ReversalToVerify, about: Findings): void {
  const { takenBefore_usd, takenByRuns_usd, taken_usd, adjustments } = reversal;
  const again = decideReversal(reversal, takenBefore_usd).taken_usd;
  about.must('reversal_taken', compareMoney(again, taken_usd) === 0, again, taken_usd);
  if (takenByRuns_usd === null) return;
  const adjusted_usd = adjustTaken(takenByRuns_usd, adjustments);
  const expected =
    content === null || state === 'void' ? [adjusted_usd, takenByRuns_usd] : [content.rules === undefined ? takenByRuns_usd : adjusted_usd];
  const isOne = expected.some((usd) => compareMoney(usd, takenBefore_usd) === 0);
  about.must('reversal_taken_before', isOne, [...new Set(expected)].join(' or '), takenBefore_usd);
}

async function verifyContent(db: Db, gameId: number, run: RunToVerify, about: Findings): Promise<void> {
  const { content } = run;
  if (content === null) return;
  about.same('run_content', run.contentDigest ?? '', digestContent(content));
  about.same('run_snapshot', run.snapshotDigest, content.snapshotDigest);
  about.same('run_snapshot_id', String(content.snapshotId), String(run.snapshotId));
  about.same('run_window', `${content.window.start} to ${content.window.end}`, `${run.windowStart} to ${run.windowEnd}`);
  about.same('run_policy', String(content.policy.policyNo), String(run.policyNo));
  about.same('run_composed_at', content.composedAt, run.composedAt ?? 'none');
  const { secondApprovalFrom_usd } = content.policy;
  const isLarge = secondApprovalFrom_usd !== null && compareMoney(content.totals.payable, secondApprovalFrom_usd) >= 0;
  about.same('run_approvals_wanted', isLarge ? '2' : '1', String(run.approvalsWanted));
  // A voided run has given its adjustments and returned payments back.
  if (run.state !== 'void') about.same('run_adjustments', formatAdjustments(content.adjustments), formatAdjustments(run.adjustments));
  if (run.state !== 'void')
    about.same(
      'run_returned',
      formatReturned(content.returned ?? []),
      formatReturned(await listBoundItems(db, { gameId, runId: run.runId })),
    );
  about.same('run_eur_rate', formatRate(content.eurRate), formatRate(run.eurRate));
  about.same('run_number', String(run.runNo), String(content.runNo));
  about.same('run_before', run.previousContentDigest ?? 'none', content.previous ?? 'none');
  const digests = await digestRun(db, { gameId, runId: run.runId });
  about.same('run_lines_digest', content.lines, digests.lines);
  about.same('run_reversals_digest', content.reversals, digests.reversals);
}

function formatRate(rate: RunToVerify['eurRate'] | undefined): string {
  return rate === null || rate === undefined ? 'none' : `${normalizeMoney(rate.usd_per_eur)} ${rate.source}`;
}

function formatAdjustments(adjustments: RunToVerify['adjustments']): string {
  const each = adjustments.toSorted((one, other) => one.adjustmentId - other.adjustmentId);
  return each.map((a) => `${a.adjustmentId} ${a.kind} ${normalizeMoney(a.amount_usd)} of ${a.recipientId}`).join(', ') || 'none';
}

function formatReturned(items: readonly ReturnedItem[]): string {
  return (
    items.map((i) => `payment ${i.itemNo} of run ${i.runNo}, ${normalizeMoney(i.amount_usd)} of ${i.recipientId}`).join('; ') || 'none'
  );
}

function verifyLine(line: RunLine, about: Findings): void {
  const again = redecideLine(line);
  about.must('line_payable', compareMoney(again.payable_usd, line.payable_usd) === 0, again.payable_usd, line.payable_usd);
  about.must('line_held', compareMoney(again.held_usd, line.held_usd) === 0, again.held_usd, line.held_usd);
  about.same('line_outcome', again.outcome, line.outcome);
  about.same('line_reasons', again.also.join(', '), line.also.join(', '));
}
