import { POSTED_ACT } from '#lib/accounting/rules/journal.ts';
import { normalizeMoney, parseMoney } from '#lib/core/money.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import type { NewAdjustment } from './policy.ts';

// What the audit says that runs, adjustments and journals must be, whether both come from the database or from an evidence pack.

/** One audit row about payouts, with the person whose email it names. */
export interface PayoutEvent {
  /** Seconds since 1970. */
  at: number;
  /** null: nobody has that email, such as what Sharebook did itself. */
  personId: string | null;
  act: string;
  subject: string;
  detail: Record<string, unknown>;
}

/** Texts and times of a run that the audit knows too. */
const RUN_TEXTS = [
  'state',
  'contentDigest',
  'draftedBy',
  'submittedBy',
  'rejectedBy',
  'rejectReason',
  'voidRequestedBy',
  'voidReason',
  'voidedBy',
  'closedBy',
  'usdPerEur',
  'eurRateSource',
] as const;
const RUN_TIMES = ['draftedAt', 'submittedAt', 'approvedAt', 'voidedAt', 'closedAt'] as const;

/** What a run's row has about people and times. Times in seconds since 1970. */
export interface RunHistory extends Record<(typeof RUN_TEXTS)[number], string | null>, Record<(typeof RUN_TIMES)[number], number | null> {
  runNo: number;
  approvalsWanted: number;
  approvals: { digest: string; by: string; at: number; provedAt: number }[];
  editors: { by: string; because: string; at: number }[];
}

/** An adjustment as the audit is compared with it. Times in seconds since 1970. */
export interface AdjustmentHistory extends NewAdjustment {
  adjustmentId: number;
  proposedBy: string;
  proposedAt: number;
  confirmedBy: string | null;
  confirmedAt: number | null;
  withdrawnBy: string | null;
  withdrawnAt: number | null;
}

/** A journal as the audit is compared with it. */
export interface JournalHistory {
  journalNo: string;
  /** null: its run is gone. */
  runNo: number | null;
  writtenBy: string;
  /** Seconds since 1970. */
  writtenAt: number;
  /** Exact USD by kind of transfer. */
  exact_usd: Record<string, string>;
}

/** Seconds between what a transaction stores and its audit row, at most: a large run is composed between them. */
const SAME_ACT_SECONDS = 600;

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

/** Compares who worked on a run and decided about it, and when, with the audit. */
export function proveRunHistory(run: RunHistory, all: readonly PayoutEvent[], about: Findings): void {
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
    case 'closed payout run':
      return { closedBy: by, closedAt: when };
    case 'requested to void payout run':
      return { voidRequestedBy: by, voidReason: text(event, 'reason') };
    case 'discarded the request to void payout run':
      return { voidRequestedBy: null, voidReason: null };
    case 'voided payout run':
      return { state: 'void', voidedBy: by, voidedAt: when, voidReason: text(event, 'reason') };
    default:
      return {};
  }
}

/** Compares an adjustment with the audit of its proposal and of the decision about it. `stored`: with the other half of a transfer. */
export function proveAdjustment(
  each: AdjustmentHistory,
  { stored, events }: { stored: readonly AdjustmentHistory[]; events: readonly PayoutEvent[] },
  about: Findings,
): void {
  const proposal = events.find((event) => event.act === 'proposed an adjustment' && event.subject === `adjustment ${each.adjustmentId}`);
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

/** The postings of an audit by the number of their journal: of several the first, which is the one that counts. */
export function indexPostings<Event extends Pick<PayoutEvent, 'act' | 'detail'>>(events: readonly Event[]): Map<unknown, Event> {
  return new Map(events.toReversed().flatMap((event) => (event.act === POSTED_ACT ? [[event.detail['journal_no'], event]] : [])));
}

/** Compares a journal with the audit of its posting; undefined: the audit has none. */
export function provePosting(
  { runNo, writtenBy, writtenAt, exact_usd }: Omit<JournalHistory, 'journalNo'>,
  posting: PayoutEvent | undefined,
  about: Findings,
): void {
  about.same('journal_run', posting?.subject ?? 'none', `payout run ${runNo ?? 'none'}`);
  about.same('journal_written_by', posting?.personId ?? 'none', writtenBy);
  verifyTime('journal_written_at', posting?.at ?? null, writtenAt, about);
  about.same('journal_posted', formatExact(posting?.detail['exact_usd']), formatExact(exact_usd));
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

/** Compares a stored time with that of its audit row: they differ by ten minutes at most. */
export function verifyTime(name: string, audited: number | null, stored: number | null, about: Findings): void {
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
