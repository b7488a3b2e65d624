import type { Db } from '#db/kit/open.ts';
import { POSTED_ACT } from '#lib/accounting/reads.ts';
import { normalizeMoney, parseMoney } from '../core/money.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import {
  listAdjustmentHistories,
  listJournalHistories,
  listPayoutEvents,
  listRowsWithoutRun,
  listRunHistories,
  type PayoutEvent,
  RUN_TEXTS,
  RUN_TIMES,
  type RunHistory,
} from './reads/run-history.ts';

/** Seconds between what a transaction stores and its audit row, at most: a large run is composed between them. */
const SAME_ACT_SECONDS = 600;

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
  for (const run of stored.values()) verifyRunHistory(run, events, findings.about(`run ${run.runNo}`));
  await verifyAdjustments(db, gameId, events, findings);
  await verifyPostings(db, gameId, events, findings);
}

const EDITED: Readonly<Record<string, string>> = {
  'started payout run': 'drafted',
  'recalculated payout run': 'composed',
  'returned payout run to draft': 'composed',
  'submitted payout run': 'submitted',
  'noted a check of payout run': 'noted',
  'recorded a finding for payout run': 'found',
  'excluded from a run': 'excluded',
  'released a hold': 'released',
  'set the minimum payout': 'set_minimum',
  'entered the EUR rate of payout run': 'set_rate',
};

function verifyRunHistory(run: RunHistory, all: readonly PayoutEvent[], about: Findings): void {
  const own = all.filter(({ subject, detail }) => subject === `payout run ${run.runNo}` || detail['run_no'] === run.runNo);
  const expected = replay(own, run.approvalsWanted);
  for (const key of RUN_TEXTS) about.same(`run_${key}`, expected[key] ?? 'none', run[key] ?? 'none');
  for (const key of RUN_TIMES) verifyTime(`run_${key}`, expected[key] ?? null, run[key], about);
  const approvals = (each: { digest: string; by: string }): string => `${each.by} of ${each.digest}`;
  compareRows(expected.approvals, run.approvals, approvals, (name, a, b) => about.same(`run_approval_${name}`, a, b));
  for (const { at: approvedAt, provedAt, by } of run.approvals)
    about.must(
      'approval_password',
      approvedAt >= provedAt && approvedAt - provedAt <= 300,
      'within five minutes',
      `${formatTime(provedAt)} by ${by}`,
    );
  // Holds released and minimums set before the audit named the run with them.
  const older = run.editors.filter((editor) =>
    all.some(
      (event) =>
        event.detail['run_no'] === undefined &&
        EDITED[event.act] === editor.because &&
        event.subject.startsWith('recipient ') &&
        event.personId === editor.by &&
        isSameAct(event.at, editor.at),
    ),
  );
  const editors = run.editors.filter((editor) => !older.includes(editor));
  const edits = (each: { by: string; because: string }): string => `${each.by} ${each.because}`;
  compareRows(expected.editors, editors, edits, (name, a, b) => about.same(`run_editor_${name}`, a, b));
}

type Replayed = Pick<RunHistory, 'approvals' | 'editors'> & Partial<RunHistory>;

/** What the row of a run must be after these events. */
function replay(events: readonly PayoutEvent[], approvalsWanted: number): Replayed {
  const run: Replayed = { state: 'none', approvals: [], editors: [] };
  for (const event of events) {
    const { personId: by, at: when, act } = event;
    Object.assign(run, changeOf(event, run, approvalsWanted));
    if (act === 'approved payout run' && by !== null)
      run.approvals.push({ digest: text(event, 'content_digest') ?? '', by, at: when, provedAt: when });
    const because = EDITED[act];
    if (because !== undefined && by !== null && !run.editors.some((editor) => editor.by === by && editor.because === because))
      run.editors.push({ by, because, at: when });
  }
  return run;
}

function changeOf(event: PayoutEvent, run: Replayed, approvalsWanted: number): Partial<Replayed> {
  const { personId: by, at: when } = event;
  switch (event.act) {
    case 'started payout run':
      return { state: 'draft', draftedBy: by, draftedAt: when };
    case 'submitted payout run':
      return { state: 'submitted', contentDigest: text(event, 'content_digest'), submittedBy: by, submittedAt: when };
    case 'returned payout run to draft':
      return { state: 'draft', contentDigest: null, rejectedBy: null, rejectReason: null };
    case 'rejected payout run':
      return { state: 'rejected', contentDigest: null, rejectedBy: by, rejectReason: text(event, 'reason') };
    case 'approved payout run': {
      const others = run.approvals.filter(({ digest }) => digest === run.contentDigest).length;
      return others + 1 < approvalsWanted ? {} : { state: 'approved', approvedAt: when };
    }
    case 'entered the EUR rate of payout run':
      return { usdPerEur: text(event, 'usd_per_eur'), eurRateSource: text(event, 'source') };
    case 'requested to void payout run':
      return { voidRequestedBy: by, voidReason: text(event, 'reason') };
    case 'discarded the request to void payout run':
      return { voidRequestedBy: null, voidReason: null };
    case 'voided payout run':
      return { state: 'void', voidedBy: by, voidedAt: when, voidReason: text(event, 'reason') };
    case 'closed payout run':
      return { closedBy: by, closedAt: when };
    default:
      return {};
  }
}

async function verifyAdjustments(db: Db, gameId: number, events: readonly PayoutEvent[], findings: Findings): Promise<void> {
  const stored = await listAdjustmentHistories(db, gameId);
  const proposals = new Map(events.filter(({ act }) => act === 'proposed an adjustment').map((event) => [event.subject, event]));
  const known = new Set(stored.map(({ adjustmentId }) => `adjustment ${adjustmentId}`));
  for (const subject of proposals.keys())
    findings.about(subject).must('adjustment_is_stored', known.has(subject), 'the one the audit has', 'none');
  for (const each of stored) {
    const about = findings.about(`adjustment ${each.adjustmentId}`);
    const proposal = proposals.get(`adjustment ${each.adjustmentId}`);
    // Both halves of a transfer are decided with one of them.
    const subjects = stored
      .filter(({ adjustmentId, pairId }) => adjustmentId === each.adjustmentId || (pairId !== null && pairId === each.pairId))
      .map(({ adjustmentId }) => `adjustment ${adjustmentId}`);
    const decided = (act: string): PayoutEvent | undefined => events.find((event) => event.act === act && subjects.includes(event.subject));
    const says = (...parts: (string | number | null | undefined)[]): string => parts.map((part) => part ?? 'none').join(', ');
    const amount = text(proposal, 'amount_usd');
    const [confirmed, withdrawn] = [decided('confirmed a proposal'), decided('withdrew a proposal')];
    const proposed = [text(proposal, 'recipientId'), amount === null ? null : normalizeMoney(amount), text(proposal, 'kind')];
    about.same(
      'adjustment_proposed',
      says(...proposed, text(proposal, 'reason'), proposal?.personId),
      says(each.recipientId, normalizeMoney(each.amount_usd), each.kind, each.reason, each.proposedBy),
    );
    // What it corrects decides what later runs deduct. Proposals of before that don't have it in the audit.
    if (proposal?.detail['correctsPeriodId'] !== undefined)
      about.same(
        'adjustment_corrects',
        says(text(proposal, 'correctsRunId'), text(proposal, 'correctsPeriodId')),
        says(each.correctsRunId, each.correctsPeriodId),
      );
    about.same('adjustment_decided', says(confirmed?.personId, withdrawn?.personId), says(each.confirmedBy, each.withdrawnBy));
    for (const [name, event, when] of [
      ['proposed_at', proposal, each.proposedAt],
      ['confirmed_at', confirmed, each.confirmedAt],
      ['withdrawn_at', withdrawn, each.withdrawnAt],
    ] as const)
      verifyTime(`adjustment_${name}`, event?.at ?? null, when, about);
  }
}

async function verifyPostings(db: Db, gameId: number, events: readonly PayoutEvent[], findings: Findings): Promise<void> {
  const posted = new Map(events.filter(({ act }) => act === POSTED_ACT).map((event) => [text(event, 'journal_no'), event]));
  const stored = await listJournalHistories(db, gameId);
  const known = new Set<string | null>(stored.map(({ journalNo }) => journalNo));
  for (const journalNo of posted.keys())
    findings.about(`journal ${journalNo}`).must('journal_is_stored', known.has(journalNo), 'the journal the audit has', 'none');
  for (const { journalNo, runNo, writtenBy, writtenAt, exact_usd } of stored) {
    const about = findings.about(`journal ${journalNo}`);
    const event = posted.get(journalNo);
    about.same('journal_run', event?.subject ?? 'none', `payout run ${runNo ?? 'none'}`);
    about.same('journal_written_by', event?.personId ?? 'none', writtenBy);
    verifyTime('journal_written_at', event?.at ?? null, writtenAt, about);
    about.same('journal_posted', formatExact(event?.detail['exact_usd']), formatExact(exact_usd));
  }
}

function formatExact(exact_usd: unknown): string {
  const amounts = Object.entries(exact_usd ?? {}).map(
    ([kind, amount]) => `${kind} ${parseMoney(amount) === null ? 'none' : normalizeMoney(String(amount))}`,
  );
  return amounts.toSorted().join(', ') || 'nothing';
}

/** Compares rows with events by a key, and their times. */
function compareRows<Row extends { at: number }>(
  expected: readonly Row[],
  actual: readonly Row[],
  keyOf: (row: Row) => string,
  report: (name: string, expected: string, actual: string) => void,
): void {
  const rows = new Map(actual.map((row) => [keyOf(row), row.at]));
  const events = new Map(expected.map((row) => [keyOf(row), row.at]));
  for (const key of new Set([...events.keys(), ...rows.keys()])) {
    const [event, row] = [events.get(key) ?? null, rows.get(key) ?? null];
    if (event === null || row === null) report('is_recorded', event === null ? 'none' : key, row === null ? 'none' : key);
    else if (!isSameAct(event, row)) report('at', `${key} ${formatTime(event)}`, `${key} ${formatTime(row)}`);
  }
}

function verifyTime(name: string, audited: number | null, stored: number | null, about: Findings): void {
  about.must(name, isSameAct(audited, stored), formatTime(audited), formatTime(stored));
}

function isSameAct(audited: number | null, stored: number | null): boolean {
  return audited === null || stored === null ? audited === stored : Math.abs(audited - stored) <= SAME_ACT_SECONDS;
}

function formatTime(seconds: number | null): string {
  return seconds === null ? 'none' : new Date(seconds * 1_000).toISOString();
}

function text(event: PayoutEvent | undefined, key: string): string | null {
  const value = event?.detail[key];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
}
