import type { Db } from '#db/kit/open.ts';
import { normalizeMoney, sumMoney } from '#lib/core/money.ts';
import { lastDayOf, monthOfWindow } from '#lib/core/month.ts';
import { findGameRef } from '#lib/evidence/reads/verification.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import {
  type ApprovedRun,
  type AuditedPosting,
  listApprovedRuns,
  listJournals,
  listPaidByRun,
  listPostedInAudit,
  type StoredJournal,
} from './reads.ts';
import {
  accrue,
  type ExactTransfer,
  type JournalKind,
  postTransfers,
  reverseTransfers,
  TRANSFER_KINDS,
  type Transfer,
  type TransferKind,
} from './rules/journal.ts';

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
    const exact = exactOf(journal, {
      run: runs.get(journal.runId),
      audited: audited.get(journal.journalNo),
      before: journals.slice(0, index),
    });
    const expected = postTransfers(exact, running);
    about.same('journal_transfers', formatTransfers(expected), formatTransfers(journal.transfers));
    if (isOfPayments(journal.kind)) about.same('journal_date', audited.get(journal.journalNo)?.postedOn ?? 'none', journal.postedOn);
    else if (monthOfWindow(journal.window, timeZone) !== null)
      about.same('journal_date', lastDayOf(journal.window, timeZone), journal.postedOn);
    for (const { kind, exact_usd, posted_usd } of expected) {
      const before = running.get(kind) ?? { exact_usd: '0.00', posted_usd: '0.00' };
      running.set(kind, { exact_usd: sumMoney([before.exact_usd, exact_usd]), posted_usd: sumMoney([before.posted_usd, posted_usd]) });
    }
  }
  for (const run of runs.values()) verifyPresence(run, journals, findings);
  for (const { runNo, paid_usd, posted_usd } of await listPaidByRun(db, gameId))
    findings.about(`payout run ${runNo}`).same('payments_posted', normalizeMoney(paid_usd), normalizeMoney(posted_usd));
  return journals.length;
}

/** What a journal must post: nothing when its run isn't approved. */
function exactOf(
  { kind, runId }: StoredJournal,
  sources: { run: ApprovedRun | undefined; audited: AuditedPosting | undefined; before: StoredJournal[] },
): ExactTransfer[] {
  if (sources.run === undefined) return [];
  if (kind === 'accrual') return accrue(sources.run.facts);
  // What these are worked out from is a reading or a report, so that the audit has what was posted.
  if (kind === 'card_fees' || isOfPayments(kind))
    return TRANSFER_KINDS.flatMap((each) => {
      const exact_usd = sources.audited?.exact_usd[each];
      return exact_usd !== undefined && POSTS[kind].includes(each) ? [{ kind: each, exact_usd }] : [];
    });
  return reverseTransfers(sources.before.filter((journal) => journal.runId === runId).flatMap(({ transfers }) => transfers));
}

const POSTS: Readonly<Record<'card_fees' | 'payments' | 'returns', readonly TransferKind[]>> = {
  card_fees: ['card_fees'],
  payments: ['items_paid'],
  returns: ['items_returned', 'return_fees'],
};

function isOfPayments(kind: JournalKind): kind is 'payments' | 'returns' {
  return kind === 'payments' || kind === 'returns';
}

function verifyPresence({ runId, runNo, state }: ApprovedRun, journals: StoredJournal[], findings: Findings): void {
  const own = journals
    .filter((journal) => journal.runId === runId && (journal.kind === 'accrual' || journal.kind === 'reversal'))
    .map(({ kind }) => kind);
  findings.about(`payout run ${runNo}`).same('journals_of_run', state === 'void' ? 'accrual, reversal' : 'accrual', own.join(', '));
}

function formatTransfers(transfers: readonly Transfer[]): string {
  const each = transfers.map(
    ({ kind, debit, credit, exact_usd, posted_usd }) =>
      `${kind} ${normalizeMoney(exact_usd)}, ${normalizeMoney(posted_usd)} from ${credit} to ${debit}`,
  );
  return each.join('; ') || 'nothing';
}
