import { findMonthJournals } from '#lib/accounting/reads.ts';
import { linesOf } from '#lib/accounting/rules/journal.ts';
import { LAYOUTS, type Layout, pickAccounts, writeJournals } from '#lib/accounting/rules/layouts.ts';
import { writeHeader, writeRow } from '#lib/core/csv.ts';
import { fromMicroseconds } from '#lib/core/instant.ts';
import type { ZipEntry } from '#lib/core/zip.ts';
import { listAdjustmentHistories, listJournalHistories, listRunHistories } from '#lib/payouts/reads/run-history.ts';
import { listDigestedLines, listDigestedReversals } from '#lib/payouts/reads/run-verification.ts';
import type { AdjustmentHistory, JournalHistory } from '#lib/payouts/rules/replay-run.ts';
import { csvEntry, jsonEntry, type PackSource } from './pack-entries.ts';
import { listClosings, listEarlierRuns, listHistoryAdjustments, listPeopleById, listReturnedFacts, listTaken } from './reads.ts';
import {
  CLOSING_COLUMNS,
  journalPath,
  LINE_COLUMNS,
  PATHS,
  type PackAdjustment,
  type PackJournal,
  REVERSAL_COLUMNS,
  type RunFile,
  TAKEN_COLUMNS,
} from './rules/pack-files.ts';
import { LEFT_OUT } from './text.ts';

/** Writes what earlier runs carried forward and deducted, as far as a run continues from it. */
export async function* writeHistory({ game: { db }, run }: PackSource): AsyncGenerator<ZipEntry> {
  yield jsonEntry(PATHS.runs, await listEarlierRuns(db, run));
  yield csvEntry(PATHS.closings, CLOSING_COLUMNS, await listClosings(db, run));
  yield csvEntry(PATHS.taken, TAKEN_COLUMNS, await listTaken(db, run));
  yield jsonEntry(PATHS.historyAdjustments, await listHistoryAdjustments(db, run));
}

/** Writes what was approved and by whom, the lines, reversals and adjustments of a run, and its journals. */
export async function* writeRun(source: PackSource): AsyncGenerator<ZipEntry> {
  const { run, stated, content } = source;
  const { gameId, db } = source.game;
  const { runId, runNo } = run;
  const [history] = await listRunHistories(db, gameId, runId);
  if (history === undefined) throw new Error(`run ${runNo} is gone`);
  const adjustments = await listAdjustmentHistories(db, gameId, runId);
  const journals = await listJournalHistories(db, gameId, runId);
  const { draftedBy, submittedBy, rejectedBy, voidRequestedBy, closedBy } = history;
  const named = [
    ...[draftedBy, submittedBy, rejectedBy, voidRequestedBy, closedBy].filter((id) => id !== null),
    ...[...history.approvals, ...history.editors].map(({ by }) => by),
    ...adjustments.flatMap(({ proposedBy, confirmedBy, withdrawnBy }) =>
      [proposedBy, confirmedBy, withdrawnBy].filter((id) => id !== null),
    ),
    ...journals.map(({ writtenBy }) => writtenBy),
  ];
  yield jsonEntry(PATHS.run, {
    runId,
    runNo,
    state: stated.state,
    snapshotId: stated.snapshotId,
    windowStart: stated.windowStart,
    windowEnd: stated.windowEnd,
    policyNo: stated.policyNo,
    composedAt: stated.composedAt,
    approvalsWanted: stated.approvalsWanted,
    contentDigest: stated.contentDigest ?? '',
    previousContentDigest: stated.previousContentDigest,
    sums: stated.sums,
    returned: await listReturnedFacts(db, run),
    eurRate: stated.eurRate,
    draftedBy,
    draftedAt: instantOrNull(history.draftedAt),
    submittedBy,
    submittedAt: instantOrNull(history.submittedAt),
    rejectedBy,
    rejectReason: history.rejectReason,
    approvedAt: run.approvedAt ?? '',
    voidRequestedBy,
    voidReason: history.voidReason,
    closedBy,
    closedAt: instantOrNull(history.closedAt),
    approvals: history.approvals
      .map(({ digest, by, at, provedAt }) => ({ digest, by, at: instantAt(at), provedAt: instantAt(provedAt) }))
      .toSorted(byTime),
    editors: history.editors.map(({ by, because, at }) => ({ by, because, at: instantAt(at) })).toSorted(byTime),
    people: await listPeopleById(db, [...new Set(named)].toSorted()),
  } satisfies RunFile);
  yield jsonEntry(PATHS.content, content);
  yield { name: PATHS.lines, content: streamLines(source) };
  yield csvEntry(PATHS.reversals, REVERSAL_COLUMNS, await listDigestedReversals(db, run));
  yield jsonEntry(PATHS.adjustments, adjustments.map(writeAdjustment));
  yield* writeJournal(source, journals);
}

const PART_LINES = 2_000;

async function* streamLines({ game: { db }, run }: PackSource): AsyncGenerator<string> {
  yield writeHeader(LINE_COLUMNS);
  for (let after = -1; ; ) {
    const rows = await listDigestedLines(db, run, after, PART_LINES);
    if (rows.length > 0) yield rows.map((row) => writeRow(LINE_COLUMNS, row)).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PART_LINES) return;
    after = Number(last.recipient_player_id);
  }
}

function writeAdjustment({ proposedAt, confirmedAt, withdrawnAt, ...rest }: AdjustmentHistory): PackAdjustment {
  return { ...rest, proposedAt: instantAt(proposedAt), confirmedAt: instantOrNull(confirmedAt), withdrawnAt: instantOrNull(withdrawnAt) };
}

/** Journals in the order in which they were posted. Their files are left out where accounts have no names. */
async function* writeJournal({ game, run, leftOut }: PackSource, histories: readonly JournalHistory[]): AsyncGenerator<ZipEntry> {
  const { journals, map } = await findMonthJournals(game.db, game.gameId, run.window);
  const byNo = new Map(histories.map((each) => [each.journalNo, each]));
  const own = journals.filter(({ runId }) => runId === run.runId);
  yield jsonEntry(
    PATHS.journals,
    own.map(({ journalNo, kind, postedOn, transfers }): PackJournal => {
      const history = byNo.get(journalNo);
      if (history === undefined) throw new Error(`journal ${journalNo} is gone`);
      return { journalNo, kind, postedOn, writtenBy: history.writtenBy, writtenAt: instantAt(history.writtenAt), transfers };
    }),
  );
  const posted = own.map((journal) => ({ ...journal, lines: linesOf(journal.transfers) }));
  const files: { layout: Layout; text: string }[] = [];
  for (const layout of LAYOUTS) {
    const file = writeJournals(layout, game, posted, map);
    if (file.ok) files.push({ layout, text: file.text });
    else leftOut.push(LEFT_OUT.journal_file(layout));
  }
  if (files.length === 0) return;
  yield jsonEntry(
    PATHS.accounts,
    pickAccounts(
      files.map(({ layout }) => layout),
      posted,
      map,
    ),
  );
  for (const { layout, text } of files) yield { name: journalPath(layout), content: text };
}

function byTime(one: { at: string; by: string }, other: { at: string; by: string }): number {
  return one.at === other.at ? (one.by < other.by ? -1 : 1) : one.at < other.at ? -1 : 1;
}

/** Seconds since 1970 as an instant. */
function instantAt(seconds: number): string {
  return fromMicroseconds(BigInt(Math.round(seconds * 1_000_000)));
}

function instantOrNull(seconds: number | null): string | null {
  return seconds === null ? null : instantAt(seconds);
}
