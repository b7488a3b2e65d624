import { createHash } from 'node:crypto';
import { findMonthJournals } from '#lib/accounting/reads.ts';
import { linesOf } from '#lib/accounting/rules/journal.ts';
import { LAYOUTS, type Layout, pickAccounts, writeJournals } from '#lib/accounting/rules/layouts.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { writeHeader, writeRow } from '#lib/core/csv.ts';
import { fromMicroseconds } from '#lib/core/instant.ts';
import { writeZip, type ZipEntry } from '#lib/core/zip.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import type { PayeeKey } from '#lib/payees/seal.ts';
import { findRun, findRunContent, type Run, type RunKey } from '#lib/payouts/reads/find-run.ts';
import { listAdjustmentHistories, listJournalHistories, listRunHistories } from '#lib/payouts/reads/run-history.ts';
import { listDigestedLines, listDigestedReversals, listRunsToVerify } from '#lib/payouts/reads/run-verification.ts';
import type { AdjustmentHistory, JournalHistory } from '#lib/payouts/rules/replay-run.ts';
import {
  type LinkedAuditRow,
  listClosings,
  listEarlierRuns,
  listHistoryAdjustments,
  listPeopleById,
  listReturnedFacts,
  listRunAudit,
  listTaken,
} from './reads.ts';
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
import { INDEX_PATH, type LeftOut, type PackEntry, writeIndex } from './rules/pack-index.ts';
import { BANNERS, LEFT_OUT, VERIFY_COMMAND } from './text.ts';
import { csvEntry, jsonEntry, type PackSource } from './write-entry.ts';
import { type PackEvidence, writeEvidence, writeStatements } from './write-evidence.ts';
import { writePayments } from './write-payments.ts';

export type PackFile =
  | { ok: true; fileName: string; run: Run; pieces: AsyncIterable<Uint8Array> }
  | { ok: false; reason: 'no_run' | 'not_approved' | 'voided' };

export interface PackRequest {
  /** Who takes it: email of the person, or "command line". */
  takenBy: string;
  /** The key of payment details, where accounts, payment files and bank reports are wanted in the pack. */
  accountsKey?: PayeeKey | null;
}

/**
 * The evidence pack of an approved run: one ZIP with everything that `verify --pack` needs to prove the run without a database, written as it is read.
 * The same run gives the same bytes. Its entries aren't compressed: how a compressor writes them differs between versions. Recorded in the audit.
 */
export async function exportPack(game: OpenGame, key: RunKey, { takenBy, accountsKey = null }: PackRequest): Promise<PackFile> {
  const run = await findRun(game.db, game.gameId, key);
  if (run === null) return { ok: false, reason: 'no_run' };
  if (run.state !== 'approved') return { ok: false, reason: run.state === 'void' ? 'voided' : 'not_approved' };
  const fileName = `${game.slug}-${game.environment === 'sandbox' ? 'SANDBOX-' : ''}evidence-run${run.runNo}.zip`;
  const detail = accountsKey === null ? {} : { with_accounts: true };
  await recordAudit(game.db, { actor: takenBy, gameId: game.gameId, act: 'took a file', subject: fileName, detail });
  return {
    ok: true,
    fileName,
    run,
    pieces: writeZip(listEntries(game, { db: game.db, run, accountsKey }), { compress: false }),
  };
}

async function* listEntries(game: OpenGame, source: PackSource): AsyncGenerator<ZipEntry> {
  const { run } = source;
  const entries: PackEntry[] = [];
  const leftOut: LeftOut[] = source.accountsKey === null ? [LEFT_OUT.payment_details] : [];
  const evidence: PackEvidence = { redactedCount: 0 };
  async function* all(): AsyncGenerator<ZipEntry> {
    yield* writeEvidence(game, run, evidence);
    yield* writeHistory(source);
    yield* writeRun(source);
    yield* writeJournal(game, run, leftOut);
    yield* writeStatements(game, run);
    yield* writeAudit(source, leftOut);
    yield* writePayments(source);
  }
  for await (const entry of all()) yield digested(entry, (facts) => void entries.push(facts));
  if (source.accountsKey === null) leftOut.push(LEFT_OUT.payment_files);
  leftOut.push(LEFT_OUT.salts, LEFT_OUT.earlier_months);
  if (evidence.redactedCount > 0) leftOut.push(LEFT_OUT.erased_people(evidence.redactedCount));
  const now = await findRun(game.db, game.gameId, { runId: run.runId });
  if (now?.state !== 'approved') throw new Error(`run ${run.runNo} was voided while its pack was written`);
  yield {
    name: INDEX_PATH,
    content: writeIndex({
      pack: 1,
      banner: game.isSimulated === true ? BANNERS.simulated : game.environment === 'sandbox' ? BANNERS.sandbox : null,
      game: game.slug,
      environment: game.environment,
      time_zone: game.timeZone,
      run_no: run.runNo,
      window_start: run.window.start,
      window_end: run.window.end,
      snapshot_digest: run.snapshotDigest,
      content_digest: run.contentDigest ?? '',
      verify: VERIFY_COMMAND,
      left_out: leftOut,
      entries,
    }),
  };
}

/** The entry with its size and digest, which are known when it has been read. */
function digested({ name, content }: ZipEntry, onEnd: (facts: PackEntry) => void): ZipEntry {
  const hash = createHash('sha256');
  let bytes = 0;
  const take = (piece: string | Uint8Array): void => {
    const taken = typeof piece === 'string' ? Buffer.from(piece) : piece;
    hash.update(taken);
    bytes += taken.length;
  };
  const end = (): void => onEnd({ path: name, bytes, sha256: hash.digest('hex') });
  if (typeof content === 'string') {
    take(content);
    end();
    return { name, content };
  }
  if (Symbol.asyncIterator in content) {
    const pieces = async function* (): AsyncGenerator<string> {
      for await (const piece of content) {
        take(piece);
        yield piece;
      }
      end();
    };
    return { name, content: pieces() };
  }
  const pieces = [...content];
  for (const piece of pieces) take(piece);
  end();
  return { name, content: pieces };
}

async function* writeHistory({ db, run }: PackSource): AsyncGenerator<ZipEntry> {
  yield jsonEntry(PATHS.runs, await listEarlierRuns(db, run));
  yield csvEntry(PATHS.closings, CLOSING_COLUMNS, await listClosings(db, run));
  yield csvEntry(PATHS.taken, TAKEN_COLUMNS, await listTaken(db, run));
  yield jsonEntry(PATHS.historyAdjustments, await listHistoryAdjustments(db, run));
}

async function* writeRun({ db, run }: PackSource): AsyncGenerator<ZipEntry> {
  const { gameId, runId, runNo } = run;
  const stated = (await listRunsToVerify(db, gameId)).find((each) => each.runId === runId);
  const history = (await listRunHistories(db, gameId)).find((each) => each.runNo === runNo);
  const content = await findRunContent(db, run);
  if (stated === undefined || history === undefined || content === null) throw new Error(`run ${runNo} has no content`);
  const adjustments = await listAdjustments(db, run, content.adjustments);
  const journals = (await listJournalHistories(db, gameId)).filter((journal) => journal.runNo === runNo);
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
    draftedAt: instantOf(history.draftedAt),
    submittedBy,
    submittedAt: instantOf(history.submittedAt),
    rejectedBy,
    rejectReason: history.rejectReason,
    approvedAt: run.approvedAt ?? '',
    voidRequestedBy,
    voidReason: history.voidReason,
    closedBy,
    closedAt: instantOf(history.closedAt),
    approvals: history.approvals
      .map(({ digest, by, at, provedAt }) => ({ digest, by, at: written(at), provedAt: written(provedAt) }))
      .toSorted(byTime),
    editors: history.editors.map(({ by, because, at }) => ({ by, because, at: written(at) })).toSorted(byTime),
    people: await listPeopleById(db, [...new Set(named)].toSorted()),
  } satisfies RunFile);
  yield jsonEntry(PATHS.content, content);
  yield { name: PATHS.lines, content: streamLines(db, run) };
  yield csvEntry(PATHS.reversals, REVERSAL_COLUMNS, await listDigestedReversals(db, run));
  yield jsonEntry(PATHS.adjustments, adjustments.map(writeAdjustment));
}

const PART_LINES = 2_000;

async function* streamLines(db: OpenGame['db'], run: Run): AsyncGenerator<string> {
  yield writeHeader(LINE_COLUMNS);
  for (let after = -1; ; ) {
    const rows = await listDigestedLines(db, run, after, PART_LINES);
    if (rows.length > 0) yield rows.map((row) => writeRow(LINE_COLUMNS, row)).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PART_LINES) return;
    after = Number(last.recipient_player_id);
  }
}

async function listAdjustments(
  db: OpenGame['db'],
  { gameId }: Run,
  included: readonly { adjustmentId: number }[],
): Promise<AdjustmentHistory[]> {
  if (included.length === 0) return [];
  const ids = new Set(included.map(({ adjustmentId }) => adjustmentId));
  return (await listAdjustmentHistories(db, gameId)).filter(({ adjustmentId }) => ids.has(adjustmentId));
}

function writeAdjustment({ proposedAt, confirmedAt, withdrawnAt, ...rest }: AdjustmentHistory): PackAdjustment {
  return { ...rest, proposedAt: written(proposedAt), confirmedAt: instantOf(confirmedAt), withdrawnAt: instantOf(withdrawnAt) };
}

async function* writeJournal({ db, ...game }: OpenGame, run: Run, leftOut: LeftOut[]): AsyncGenerator<ZipEntry> {
  const { journals, map } = await findMonthJournals(db, game.gameId, run.window);
  const own = journals.filter(({ runId }) => runId === run.runId);
  const histories = new Map((await listJournalHistories(db, game.gameId)).map((each) => [each.journalNo, each]));
  yield jsonEntry(
    PATHS.journals,
    own.map(({ journalNo, kind, postedOn, transfers }): PackJournal => {
      const { writtenBy, writtenAt } = histories.get(journalNo) as JournalHistory;
      return { journalNo, kind, postedOn, writtenBy, writtenAt: written(writtenAt), transfers };
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

async function* writeAudit({ db, run }: PackSource, leftOut: LeftOut[]): AsyncGenerator<ZipEntry> {
  const content = await findRunContent(db, run);
  const rows = await listRunAudit(
    db,
    run,
    (content?.adjustments ?? []).map(({ adjustmentId }) => adjustmentId),
  );
  const unlinked = rows.filter(({ link }) => link === null).length;
  if (unlinked > 0) leftOut.push(LEFT_OUT.audit_links(unlinked));
  yield jsonEntry(
    PATHS.audit,
    rows.map(({ audit_id, at, actor, game_id, act, subject, detail, link }: LinkedAuditRow) => ({
      audit_id,
      at,
      actor,
      game_id,
      act,
      subject,
      detail,
      link,
    })),
  );
}

function byTime(one: { at: string; by: string }, other: { at: string; by: string }): number {
  return one.at === other.at ? (one.by < other.by ? -1 : 1) : one.at < other.at ? -1 : 1;
}

/** Seconds since 1970 as an instant. */
function written(seconds: number): string {
  return fromMicroseconds(BigInt(Math.round(seconds * 1_000_000)));
}

function instantOf(seconds: number | null): string | null {
  return seconds === null ? null : written(seconds);
}
