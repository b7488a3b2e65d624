import type { Db } from '#db/kit/open.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import {
  listAdjustmentHistories,
  listJournalHistories,
  listPayoutEvents,
  listRowsWithoutRun,
  listRunHistories,
} from './reads/run-history.ts';
import { indexPostings, type PayoutEvent, proveAdjustment, provePosting, proveRunHistory } from './rules/replay-run.ts';

/**
 * Compares who worked on runs, adjustments and journals, when, and what became of them with the audit, which is chained. Names what the audit has and the
 * tables don't, the reverse, and rows whose run is gone.
 */
export async function verifyHistory(db: Db, gameId: number, findings: Findings): Promise<void> {
  const events = await listPayoutEvents(db, gameId);
  for (const { table, runId, count } of await listRowsWithoutRun(db, gameId))
    findings.about(`${table}, run id ${runId}`).must('run_is_stored', false, 'a stored run', `${count} rows without it`);
  const stored = new Map((await listRunHistories(db, gameId)).map((run) => [run.runNo, run]));
  const audited = events.flatMap(({ act, subject }) => (act === 'started payout run' ? [Number(subject.split(' ')[2])] : []));
  const missing = (number: number): boolean => !stored.has(number);
  for (const runNo of audited.filter(missing)) findings.about(`run ${runNo}`).same('run_is_stored', 'the run the audit has', 'none');
  for (const run of stored.values()) proveRunHistory(run, events, findings.about(`run ${run.runNo}`));
  await verifyAdjustments(db, gameId, events, findings);
  await verifyPostings(db, gameId, events, findings);
}

async function verifyAdjustments(db: Db, gameId: number, events: readonly PayoutEvent[], findings: Findings): Promise<void> {
  const stored = await listAdjustmentHistories(db, gameId);
  const proposals = new Set(events.filter(({ act }) => act === 'proposed an adjustment').map(({ subject }) => subject));
  const known = new Set(stored.map(({ adjustmentId }) => `adjustment ${adjustmentId}`));
  for (const subject of proposals)
    findings.about(subject).must('adjustment_is_stored', known.has(subject), 'the one the audit has', 'none');
  for (const each of stored) proveAdjustment(each, { stored, events }, findings.about(`adjustment ${each.adjustmentId}`));
}

async function verifyPostings(db: Db, gameId: number, events: readonly PayoutEvent[], findings: Findings): Promise<void> {
  const stored = await listJournalHistories(db, gameId);
  const known = new Set<unknown>(stored.map(({ journalNo }) => journalNo));
  const postings = indexPostings(events);
  for (const journalNo of postings.keys())
    findings.about(`journal ${journalNo}`).must('journal_is_stored', known.has(journalNo), 'the journal the audit has', 'none');
  for (const journal of stored) provePosting(journal, postings.get(journal.journalNo), findings.about(`journal ${journal.journalNo}`));
}
