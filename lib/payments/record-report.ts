import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Db } from '#db/kit/open.ts';
import { postPayments } from '#lib/accounting/post-journals.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { sumMoney } from '../core/money.ts';
import type { Actor } from '../core/roles.ts';
import { runInTurns } from '../core/steps.ts';
import { storableText } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import { announcePaymentAlarm } from '../notices/announce.ts';
import { findKeyRefusal, type KeyRefusal } from '../payees/find-key-refusal.ts';
import { nameKey, type PayeeKey, sealBytes } from '../payees/seal.ts';
import { lockOpenRun, recomposeOpenRun } from '../payouts/draft-run.ts';
import { lockRun } from '../payouts/reads/find-run.ts';
import { findPayoutPause } from '../payouts/reads/payout-pause.ts';
import { asPreparer, type PreparerRefusal } from '../payouts/writes/run-states.ts';
import { amountOf, digestByRun, digestFactsInSteps, digestListed, listFactsInSteps } from './digest-report.ts';
import { findKnownPayments } from './reads/known-payments.ts';
import { findReport, type StoredReport } from './reads/reports.ts';
import { listBankSenders } from './reads/senders.ts';
import { formatReportResult, nameInClear } from './report-text.ts';
import { readReportInSteps } from './reports/read-report.ts';
import { type ListedReason, type MatchedRow, matchRows } from './rules/match-rows.ts';
import type { PreviewedRow } from './rules/report-answer.ts';
import { toDateOrder } from './rules/report-cells.ts';
import type { ChosenDateOrder, ParsedReport, ReportKind, ReportRefusal } from './rules/report-row.ts';
import { BACK_STATES, REPORTED_STATES, type ReportedState } from './rules/reported-states.ts';
import { MATCH_RULES_VERSION, type StoredFact } from './rules/stored-fact.ts';
import { digestReport, reportAs } from './seal-report.ts';
import { openSender } from './seal-sender.ts';
import { refreshStates } from './writes/refresh-states.ts';
import { findNextReport, insertReport } from './writes/store-report.ts';

/** A report as a person gives it: a file, or pasted lines without a name. */
export interface GivenReport {
  bytes: Uint8Array;
  fileName: string | null;
  /** Which number of its dates is the day, where the report doesn't show it; null: not chosen. */
  dateOrder: ChosenDateOrder | null;
}

/** What a report would confirm, or has confirmed. */
interface ReportPreview {
  kind: ReportKind;
  rowCount: number;
  feeCount: number;
  /** In one sentence. */
  result: string;
  /** Payments by what their rows say. */
  confirmed: Record<ReportedState, { count: number; amount_usd: string }>;
  repeatedCount: number;
  listedCount: number;
  /** The first rows that confirm nothing, those that name no payment last. */
  listed: PreviewedRow[];
  /** The number of the report that has the same bytes; null: it is new. */
  recordedAs: number | null;
}

/** The report can't be read, or is about an account that no payments of this game are sent from; `account`: its last characters. */
type Unreadable = { ok: false; reason: 'report'; refusal: ReportRefusal } | { ok: false; reason: 'other_account'; account: string };
export type ReportPreviewResult = { ok: true; preview: ReportPreview } | Unreadable;
export type RecordReportResult =
  /** `isNew` false: it was recorded before, and nothing changed. */
  | { ok: true; isNew: boolean; report: StoredReport; voidedSubmission: boolean }
  | Unreadable
  | KeyRefusal
  | { ok: false; reason: PreparerRefusal | 'paused' };

/** Listed rows that a preview shows. */
const SHOWN_MAX = 200;

/** Says what a report would confirm and which rows a person would decide. Stores nothing. `key` null: its account isn't compared. */
export async function previewReport(db: Db, gameId: number, key: PayeeKey | null, given: GivenReport): Promise<ReportPreviewResult> {
  const reading = await readGiven(given);
  if (!reading.ok) return reading;
  const refusal = await findOtherAccount(db, gameId, key, reading.report);
  if (refusal !== null) return refusal;
  const recorded = await findReport(db, gameId, { sha256: digestReport(given.bytes) });
  const matched = await matchReport(db, gameId, reading.report, (await findNextReport(db, gameId)).addedAt);
  return { ok: true, preview: previewOf(reading.report, matched, recorded?.reportNo ?? null) };
}

/**
 * Records a report of a bank or a payment provider: what it confirms, the rows that a person decides, and its sealed bytes, in one transaction. The states of payments
 * follow, their journals are posted, and a draft that something comes back to is composed again. The same bytes again change nothing.
 */
export async function recordReport(game: OpenGame, actor: Actor, key: PayeeKey | null, given: GivenReport): Promise<RecordReportResult> {
  const reading = await readGiven(given);
  if (!reading.ok) return reading;
  if (key === null) return { ok: false, reason: 'no_key' };
  const { gameId } = game;
  const sha256 = digestReport(given.bytes);
  const packed = await promisify(gzip)(given.bytes);
  return await asPreparer(game, actor, async (tx): Promise<RecordReportResult> => {
    await lockRunsOf(tx, gameId);
    const recorded = await findReport(tx, gameId, { sha256 });
    if (recorded !== null) return { ok: true, isNew: false, report: recorded, voidedSubmission: false };
    const refusal = await findKeyRefusal(tx, key);
    if (refusal !== null) return refusal;
    const other = await findOtherAccount(tx, gameId, key, reading.report);
    if (other !== null) return other;
    if ((await findPayoutPause(tx, gameId)) !== null) return { ok: false, reason: 'paused' };
    const { reportNo, addedAt } = await findNextReport(tx, gameId);
    const matched = await matchReport(tx, gameId, reading.report, addedAt);
    const preview = previewOf(reading.report, matched, null);
    const { kind, rowCount, feeCount, result } = preview;
    const name = given.fileName === null ? null : nameInClear(storableText(given.fileName));
    const sealed = sealBytes(packed, reportAs(gameId, reportNo, sha256), key);
    const stored = { gameId, reportNo, kind, fileName: name, sealed, keyName: nameKey(key), sha256, dateOrder: given.dateOrder };
    const facts = await runInTurns(listFactsInSteps(matched));
    await insertReport(tx, { ...stored, rowCount, feeCount, result, addedBy: actor.id, addedAt }, facts);
    await auditReport(tx, { gameId, reportNo, sha256, actor, dateOrder: given.dateOrder }, preview, facts);
    for (const runId of runsOf(matched)) {
      if ((await lockRun(tx, gameId, runId)) === null) throw new Error(`run ${runId} is gone`);
      await refreshStates(tx, { gameId, runId });
    }
    await postPayments(tx, game, { reportNo, rowNo: null }, actor);
    await announceAlarms(tx, gameId, reportNo, matched);
    const voidedSubmission =
      changesBalances(matched) && (await recomposeOpenRun(tx, game, await lockOpenRun(tx, gameId), `bank report ${reportNo}`));
    const report = await findReport(tx, gameId, { reportNo });
    if (report === null) throw new Error(`the report ${reportNo} is gone`);
    return { ok: true, isNew: true, report, voidedSubmission };
  });
}

async function readGiven({ bytes, dateOrder }: GivenReport): Promise<{ ok: true; report: ParsedReport } | Unreadable> {
  const reading = await runInTurns(readReportInSteps(bytes, { dateOrder: toDateOrder(dateOrder) }));
  return reading.ok ? reading : { ok: false, reason: 'report', refusal: reading.refusal };
}

/** Whether a bank's report is about another account than those that files of this game name as sender; null: no, or nothing says. */
async function findOtherAccount(
  db: Db,
  gameId: number,
  key: PayeeKey | null,
  { account }: ParsedReport,
): Promise<Extract<Unreadable, { reason: 'other_account' }> | null> {
  if (account === null || key === null) return null;
  const opened = (await listBankSenders(db, gameId)).flatMap((stored) => openSender(stored, key)?.account ?? []);
  const isOurs = opened.length === 0 || opened.includes(account.toUpperCase());
  return isOurs ? null : { ok: false, reason: 'other_account', account: account.slice(-4) };
}

async function matchReport(db: Db, gameId: number, report: ParsedReport, addedAt: string): Promise<MatchedRow[]> {
  return await runInTurns(matchRows(report, await findKnownPayments(db, gameId, report.rows), addedAt));
}

function previewOf({ kind, rows, feeRows }: ParsedReport, matched: readonly MatchedRow[], recordedAs: number | null): ReportPreview {
  const listed = matched.filter((each) => each.kind === 'listed');
  const isForeign = ({ reason }: { reason: ListedReason }): boolean => reason === 'foreign';
  const shown = [...listed.filter((each) => !isForeign(each)), ...listed.filter(isForeign)].slice(0, SHOWN_MAX);
  const confirmed = Object.fromEntries(
    REPORTED_STATES.map((state) => {
      const own = matched.flatMap((each) => (each.kind === 'confirmed' && each.state === state ? [each.payment.amount_usd] : []));
      return [state, { count: own.length, amount_usd: sumMoney(own) }];
    }),
  ) as ReportPreview['confirmed'];
  return {
    kind,
    rowCount: rows.length,
    feeCount: feeRows,
    result: formatReportResult(rows.length, matched),
    confirmed,
    repeatedCount: matched.filter((each) => each.kind === 'repeated').length,
    listedCount: listed.length,
    listed: shown.map((each) => {
      const [amount, currency] = amountOf(each);
      const { row, reason, payment } = each;
      return {
        rowNo: row.rowNo,
        problem: reason,
        reference: payment?.reference ?? null,
        amount,
        currency,
        hasAmounts: row.hasAmount,
        text: row.text,
      };
    }),
    recordedAs,
  };
}

/** Digests and counts alone: the rows of a report name accounts and people. */
async function auditReport(
  tx: Db,
  {
    gameId,
    reportNo,
    sha256,
    actor,
    dateOrder,
  }: Pick<GivenReport, 'dateOrder'> & { gameId: number; reportNo: number; sha256: string; actor: Actor },
  { kind, rowCount, feeCount, result, confirmed, repeatedCount, listedCount }: ReportPreview,
  facts: readonly StoredFact[],
): Promise<void> {
  const counts = Object.fromEntries(REPORTED_STATES.map((state) => [state, confirmed[state].count]));
  await recordAudit(tx, {
    gameId,
    actor: actor.email,
    act: 'recorded a bank report',
    subject: `bank report ${reportNo}`,
    detail: {
      sha256,
      kind,
      date_order: dateOrder,
      rows: rowCount,
      fees: feeCount,
      ...counts,
      listed: listedCount,
      repeated: repeatedCount,
      result,
      rules: MATCH_RULES_VERSION,
      digest: await runInTurns(digestFactsInSteps(facts)),
      run_digests: digestByRun(facts),
      listed_digests: digestListed(facts),
    },
  });
}

function runsOf(matched: readonly MatchedRow[]): number[] {
  return [...new Set(matched.flatMap((each) => (each.kind === 'confirmed' ? [each.payment.runId] : [])))].toSorted(
    (one, other) => one - other,
  );
}

/** Whether something failed or came back, or no longer did: the next run pays it. */
function changesBalances(matched: readonly MatchedRow[]): boolean {
  return matched.some(
    (each) =>
      each.kind === 'confirmed' &&
      (BACK_STATES.includes(each.state) || each.payment.confirmations.some(({ state }) => BACK_STATES.includes(state))),
  );
}

/** Announces rows that may show a payment twice, by run. */
async function announceAlarms(tx: Db, gameId: number, reportNo: number, matched: readonly MatchedRow[]): Promise<void> {
  const alarms = matched.flatMap((each) => (each.kind === 'listed' && each.alarm !== null ? [each.alarm] : []));
  for (const [runId, own] of Map.groupBy(alarms, ({ runId: id }) => id)) {
    const run = await lockRun(tx, gameId, runId);
    if (run === null) throw new Error(`run ${runId} is gone`);
    await announcePaymentAlarm(tx, run, { reportNo, count: own.length, amount_usd: sumMoney(own.map(({ amount_usd }) => amount_usd)) });
  }
}
