import type { Db } from '#db/kit/open.ts';
import { findGameRef } from '#lib/evidence/reads/verification.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import { type ApprovedRun, listApprovedRuns, listJournals, listPostedInAudit, type StoredJournal } from './reads.ts';
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
  const audited = new Map((await listPostedInAudit(db, gameId)).map(({ journalNo, exact_usd }) => [journalNo, exact_usd]));
  const running = new Map<TransferKind, { exact_usd: string; posted_usd: string }>();
  for (const [index, journal] of journals.entries()) {
    const about = findings.about(`journal ${journal.journalNo}`);
    about.same('journals_without_gap', String(index + 1), String(journal.entryNo));
    const run = runs.get(journal.runId);
    const reversed = journals.slice(0, index).filter(({ runId }) => runId === journal.runId);
    const exact = exactOf(journal.kind, {
      accrual: run?.facts ?? null,
      audited: audited.get(journal.journalNo),
      reversed: run === undefined ? [] : reversed.flatMap(({ transfers }) => transfers),
    });
    addToTotals(running, proveJournal(journal, { exact: run === undefined ? [] : exact, running, timeZone }, about));
  }
  for (const run of runs.values()) verifyPresence(run, journals, findings);
  return journals.length;
}

function verifyPresence({ runId, runNo, state }: ApprovedRun, journals: StoredJournal[], findings: Findings): void {
  const own = journals.filter((journal) => journal.runId === runId && journal.kind !== 'card_fees').map(({ kind }) => kind);
  findings.about(`payout run ${runNo}`).same('journals_of_run', state === 'void' ? 'accrual, reversal' : 'accrual', own.join(', '));
}
