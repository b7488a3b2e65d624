import { canonicalText } from '#lib/core/canonical-digest.ts';
import { compareMoney, sumMoney } from '#lib/core/money.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import { adjustTaken, type DriftAdjustment } from '#lib/payouts/rules/decide-reversal.ts';
import type { OpenPack } from './open-pack.ts';
import {
  type AuditFileRow,
  amountOf,
  CLOSING_COLUMNS,
  type HistoryAdjustment,
  historyAdjustmentsFile,
  idOf,
  PATHS,
  type PackRun,
  type RunFile,
  runsFile,
  TAKEN_COLUMNS,
} from './rules/pack-files.ts';

/** What one earlier run deducted of a period. */
interface Taken {
  runNo: number;
  takenBefore_usd: string;
  taken_usd: string;
}

/** What was before a run: what its own pack states, and the packs of earlier runs prove. */
export interface RunHistoryFacts {
  /** Earlier approved runs, oldest first. */
  runs: readonly PackRun[];
  /** By recipient, where it isn't 0. */
  closings: ReadonlyMap<number, string>;
  /** By period, oldest run first. */
  taken: ReadonlyMap<number, Taken[]>;
  adjustments: readonly HistoryAdjustment[];
}

/** Reads what was before a run, and compares it with itself: runs follow each other, and what each deducted follows from those before it. */
export async function proveHistory(pack: OpenPack, run: RunFile, known: Set<string>, findings: Findings): Promise<RunHistoryFacts> {
  const runs = await pack.json(PATHS.runs, runsFile);
  const closings = new Map<number, string>();
  for await (const { recipient_player_id, closing_usd } of pack.rows(PATHS.closings, CLOSING_COLUMNS)) {
    const about = findings.about(`closing of recipient ${recipient_player_id}`);
    about.must('closing_is_once', !closings.has(idOf(recipient_player_id)), 'one closing', 'another one');
    closings.set(idOf(recipient_player_id), amountOf(closing_usd));
  }
  const taken = new Map<number, Taken[]>();
  for await (const row of pack.rows(PATHS.taken, TAKEN_COLUMNS)) {
    const own = taken.get(idOf(row.period_id)) ?? [];
    own.push({ runNo: idOf(row.run_no), takenBefore_usd: amountOf(row.taken_before_usd), taken_usd: amountOf(row.taken_usd) });
    taken.set(idOf(row.period_id), own);
  }
  const history = { runs, closings, taken, adjustments: await pack.json(PATHS.historyAdjustments, historyAdjustmentsFile) };
  for (const path of [PATHS.runs, PATHS.closings, PATHS.taken, PATHS.historyAdjustments]) known.add(path);
  proveOrder(history, run, findings);
  for (const [periodId, rows] of taken) proveTaken(history, periodId, rows, findings);
  return history;
}

function proveOrder({ runs }: RunHistoryFacts, run: RunFile, findings: Findings): void {
  const all = [...runs, run];
  for (const [index, each] of all.entries()) {
    const before = all[index - 1];
    if (before === undefined) continue;
    const about = findings.about(`run ${each.runNo}`);
    about.same('run_follows', before.windowEnd, each.windowStart);
    about.must('run_number_follows', before.runNo < each.runNo, `more than ${before.runNo}`, String(each.runNo));
  }
  findings.about(`run ${run.runNo}`).same('run_before', runs.at(-1)?.contentDigest ?? 'none', run.previousContentDigest ?? 'none');
}

function proveTaken(history: RunHistoryFacts, periodId: number, rows: readonly Taken[], findings: Findings): void {
  for (const [index, { runNo, takenBefore_usd }] of rows.entries()) {
    const about = findings.about(`run ${runNo}, period ${periodId}`);
    about.must('run_is_earlier', orderOf(history, runNo) < history.runs.length, 'a run before', `run ${runNo}`);
    const before = rows[index - 1];
    if (before === undefined) continue;
    about.must('run_is_later', orderOf(history, before.runNo) < orderOf(history, runNo), `a run after ${before.runNo}`, `run ${runNo}`);
    const total_usd = sumMoney([before.takenBefore_usd, before.taken_usd]);
    // A run of the first rules didn't count adjustments.
    const expected = [adjustTaken(total_usd, adjustmentsUntil(history, periodId, { runNo, lastRunNo: before.runNo })), total_usd];
    const isOne = expected.some((usd) => compareMoney(usd, takenBefore_usd) === 0);
    about.must('reversal_taken_before', isOne, [...new Set(expected)].join(' or '), takenBefore_usd);
  }
}

/** Where a run is among those before; after all of them: it is the run of the pack, or unknown. */
function orderOf({ runs }: RunHistoryFacts, runNo: number): number {
  const order = runs.findIndex((run) => run.runNo === runNo);
  return order < 0 ? runs.length : order;
}

/** The adjustments of a period that count until a run; `lastRunNo`: the run before it that reported the period, which counts those until itself. */
export function adjustmentsUntil(
  history: RunHistoryFacts,
  periodId: number,
  { runNo, lastRunNo }: { runNo: number; lastRunNo: number | null },
): Omit<DriftAdjustment, 'periodId'>[] {
  const [order, last] = [orderOf(history, runNo), lastRunNo === null ? -1 : orderOf(history, lastRunNo)];
  return history.adjustments
    .filter((each) => each.periodId === periodId && orderOf(history, each.includedRunNo) <= order)
    .map(({ amount_usd, correctsRunNo, includedRunNo }) => ({
      amount_usd,
      correctsRunId: correctsRunNo,
      runTaken_usd: history.taken.get(periodId)?.find((row) => row.runNo === correctsRunNo)?.taken_usd ?? '0.00',
      isCounted: last >= orderOf(history, includedRunNo),
    }));
}

/** What packs of a game are compared by. */
export interface PackForSequence {
  file: string;
  runNo: number;
  contentDigest: string;
  history: RunHistoryFacts;
  /** What the run carries forward, by recipient, where it isn't 0. */
  closings: ReadonlyMap<number, string>;
  /** What the run deducted, by period. */
  taken: ReadonlyMap<number, Omit<Taken, 'runNo'>>;
  audit: readonly AuditFileRow[];
}

/** How far packs of one game follow from each other. */
export interface PackSequence {
  /** Numbers of runs of which each continues from the one before it, where there are two or more. */
  sequences: number[][];
  /** Runs that no pack is given of, between two that have one. */
  missing: { runNos: number[]; before: number; after: number }[];
  /** Runs that several files are packs of. */
  repeated: { runNo: number; files: string[] }[];
}

/** Proves the roll-forward between packs of one game: what an earlier run carried forward and deducted is the history of every later one. */
export function proveSequence(game: string, packs: readonly PackForSequence[], findings: Findings): PackSequence {
  const inOrder = packs.toSorted((one, other) => one.runNo - other.runNo);
  for (const [index, later] of inOrder.entries())
    for (const earlier of inOrder.slice(0, index))
      provePair(earlier, later, findings.about(`${game}, run ${later.runNo} after run ${earlier.runNo}`));
  const byRun = [...Map.groupBy(inOrder, ({ runNo }) => runNo)];
  const missing: PackSequence['missing'] = [];
  const sequences: number[][] = [];
  for (const [index, [runNo, [pack]]] of byRun.entries()) {
    const [before] = byRun[index - 1] ?? [];
    const runs = pack?.history.runs ?? [];
    if (before !== undefined && runs.at(-1)?.runNo === before) sequences.at(-1)?.push(runNo);
    else sequences.push([runNo]);
    const between = before === undefined ? [] : runs.filter((run) => run.runNo > before);
    if (before !== undefined && between.length > 0) missing.push({ runNos: between.map((run) => run.runNo), before, after: runNo });
  }
  return {
    sequences: sequences.filter(({ length }) => length > 1),
    missing,
    repeated: byRun.flatMap(([runNo, own]) => (own.length > 1 ? [{ runNo, files: own.map(({ file }) => file) }] : [])),
  };
}

function provePair(earlier: PackForSequence, later: PackForSequence, about: Findings): void {
  if (earlier.runNo === later.runNo) {
    about.same('same_run', earlier.contentDigest, later.contentDigest);
    return;
  }
  const { history } = later;
  const stated = history.runs.find(({ runNo }) => runNo === earlier.runNo);
  about.same('history_names_the_run', earlier.contentDigest, stated?.contentDigest ?? 'none');
  const isNext = history.runs.at(-1)?.runNo === earlier.runNo;
  if (isNext) {
    about.same('history_runs', canonicalText(earlier.history.runs), canonicalText(history.runs.slice(0, -1)));
    compareAmounts('closing', 'recipient', earlier.closings, history.closings, about);
  }
  for (const periodId of new Set([...history.taken.keys(), ...later.taken.keys()])) {
    const row = history.taken.get(periodId)?.find(({ runNo }) => runNo === earlier.runNo);
    const found = earlier.taken.get(periodId);
    about.same(
      `taken of period ${periodId}`,
      found === undefined ? 'none' : writeTaken(found),
      row === undefined ? 'none' : writeTaken(row),
    );
  }
  const rows = new Map(earlier.audit.map((row) => [row.audit_id, row]));
  for (const row of later.audit) {
    const found = rows.get(row.audit_id);
    if (found !== undefined) about.same(`audit row ${row.audit_id}`, writeAudited(found), writeAudited(row));
  }
}

/** Amounts alike, whatever number of decimals they have. */
function writeTaken({ takenBefore_usd, taken_usd }: Omit<Taken, 'runNo'>): string {
  return `${sumMoney([takenBefore_usd])} and ${sumMoney([taken_usd])}`;
}

function writeAudited({ link: _, ...row }: AuditFileRow): string {
  return canonicalText(row);
}

function compareAmounts(
  name: string,
  subject: string,
  expected: ReadonlyMap<number, string>,
  actual: ReadonlyMap<number, string>,
  about: Findings,
): void {
  for (const key of new Set([...expected.keys(), ...actual.keys()])) {
    const [one, other] = [expected.get(key), actual.get(key)];
    const isEqual = one !== undefined && other !== undefined && compareMoney(one, other) === 0;
    about.must(`${name} of ${subject} ${key}`, isEqual, one ?? 'none', other ?? 'none');
  }
}
