import type { Db } from '#db/kit/open.ts';
import { normalizeMoney } from '#lib/core/money.ts';
import { findGameRef } from '#lib/evidence/reads/verification.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import { type ApprovedRun, listApprovedRuns, listJournals, listPaidByRun, listPostedInAudit, type StoredJournal } from './reads.ts';
import type { TransferKind } from './rules/journal.ts';
import { addToTotals, exactOf, proveJournal } from './rules/prove-journal.ts';

/**
 * Verifies the journals of a game: each accrual follows from its run, each reversal from what it takes back, card fees from what was recorded as they were
 * posted, and every posted amount from the running total of its kind. An approved run has one accrual, a voided one a reversal too. Returns how many were verified.
 */
export async function verifyJournals(db: Db, gameId: number, findings: Findings): Promise<number> {
  const { timeZone } = await findGameRef(db, gameId);
  const runs = new Map((await listApprovedRuns(db, gameId)).map((run) => [run.runId, run]));
  const journals = await listJournals(db, gameId, null);
  const audited = new Map((await listPostedInAudit(db, gameId)).map((posting) => [posting.journalNo, posting]));
  const running = new Map<TransferKind, { exact_usd: string; posted_usd: string }>();
  for (const [index, journal] of journals.entries()) {
    const about = findings.about(`journal ${journal.journalNo}`);
    about.same('journals_without_gap', String(index + 1), String(journal.entryNo));
    const [run, posting] = [runs.get(journal.runId), audited.get(journal.journalNo)];
    const reversed = journals.slice(0, index).filter(({ runId }) => runId === journal.runId);
    const exact = exactOf(journal.kind, {
      accrual: run?.facts ?? null,
      audited: posting?.exact_usd,
      reversed: run === undefined ? [] : reversed.flatMap(({ transfers }) => transfers),
    });
    const auditedOn = posting?.postedOn ?? null;
    addToTotals(running, proveJournal(journal, { exact: run === undefined ? [] : exact, running, timeZone, auditedOn }, about));
  }
  for (const run of runs.values()) verifyPresence(run, journals, findings);
  for (const { runNo, paid_usd, posted_usd } of await listPaidByRun(db, gameId))
    findings.about(`payout run ${runNo}`).same('payments_posted', normalizeMoney(paid_usd), normalizeMoney(posted_usd));
  return journals.length;
}

function verifyPresence({ runId, runNo, state }: ApprovedRun, journals: StoredJournal[], findings: Findings): void {
  const own = journals
    .filter((journal) => journal.runId === runId && (journal.kind === 'accrual' || journal.kind === 'reversal'))
    .map(({ kind }) => kind);
  findings.about(`payout run ${runNo}`).same('journals_of_run', state === 'void' ? 'accrual, reversal' : 'accrual', own.join(', '));
}
