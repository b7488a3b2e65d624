import { type Month, monthOf, monthWindow } from '../core/month.ts';
import { findExportable, findSnapshot } from '../evidence/reads/snapshots.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findDemoReport } from '../payments/find-demo-report.ts';
import { isFile, listBatches } from '../payments/reads/batches.ts';
import { findReport } from '../payments/reads/reports.ts';
import { listSenders } from '../payments/reads/senders.ts';
import { sumWaiting, type WaitingGroup } from '../payments/reads/waiting-items.ts';
import { digestReport } from '../payments/seal-report.ts';
import { findClose } from '../payouts/find-close.ts';
import { listRuns, type Run } from '../payouts/reads/find-run.ts';
import { findStatementJob } from '../payouts/reads/statements.ts';
import { type CheckItem, RECHECK_ITEMS } from '../payouts/rules/close-input.ts';
import { isLeftToPeople, listDemoMonths, type MonthProgress } from '../payouts/rules/demo-year.ts';
import { progressOf } from '../payouts/rules/run-content.ts';
import type { MonthWork } from './rules/plan-step.ts';

/** The method by which the demo pays everyone. */
export const DEMO_METHOD = 'paypal';

/** A month of the demo's year with what a step needs to know of it. */
export interface FoundMonth {
  month: Month;
  run: Run | null;
  work: MonthWork;
  /** What a draft still needs a note or a finding for. */
  unanswered: readonly CheckItem[];
  waiting: WaitingGroup | null;
  /** The number of a proposed sender; null: none waits. */
  proposedSenderNo: number | null;
}

/** The months of the year that aren't closed, oldest first, and always the last one, whose loose ends may be missing; `left`: the demo people leave the rest to people. */
export async function listOpenMonths(game: OpenGame): Promise<{ open: Month[]; last: Month | null; runs: Map<Month, Run> } | 'left'> {
  const { db, gameId, timeZone, now } = game;
  const stored = (await listRuns(db, gameId)).filter(({ state }) => state !== 'void');
  const runs = new Map(stored.map((run) => [monthOf(run.window.start, timeZone), run]));
  const progress = [...runs].map(([month, run]): MonthProgress => ({ month, progress: progressOf(run) }));
  const current = monthOf(now(), timeZone);
  if (isLeftToPeople(progress, current)) return 'left';
  const months = listDemoMonths(progress, current);
  const last = months.at(-1) ?? null;
  const closed = new Set(progress.flatMap((each) => (each.progress === 'closed' ? each.month : [])));
  return { open: months.filter((month) => month === last || !closed.has(month)), last, runs };
}

/** Finds what exists of a month. `preparerId`: of the demo person who prepares runs. */
export async function findMonth(
  game: OpenGame,
  { month, run, isLast, preparerId }: { month: Month; run: Run | null; isLast: boolean; preparerId: string },
): Promise<FoundMonth> {
  const { db, gameId } = game;
  const nothing: MonthWork = {
    isComplete: false,
    isLast,
    run: run && { progress: progressOf(run), isOurs: run.draftedBy.id === preparerId },
    close: null,
    sender: 'none',
    waiting: 0,
    files: [],
    hasStatements: false,
  };
  const found: FoundMonth = { month, run, work: nothing, unanswered: [], waiting: null, proposedSenderNo: null };
  if (run === null) return { ...found, work: { ...nothing, isComplete: await isComplete(game, month) } };
  if (run.state === 'draft') {
    const { unanswered, close } = await findDraftNeeds(game, month);
    return { ...found, unanswered, work: { ...nothing, close } };
  }
  if (run.state !== 'approved') return found;
  const waiting = (await sumWaiting(db, run)).find(({ method }) => method === DEMO_METHOD) ?? null;
  const senders = (await listSenders(db, gameId)).filter(({ method }) => method === DEMO_METHOD);
  const proposed = senders.find(({ state }) => state === 'proposed');
  const hasSender = senders.some(({ state }) => state === 'in_force');
  return {
    ...found,
    waiting,
    proposedSenderNo: proposed?.senderNo ?? null,
    work: {
      ...nothing,
      sender: hasSender ? 'in_force' : proposed === undefined ? 'none' : 'proposed',
      waiting: waiting?.count ?? 0,
      files: await listFiles(game, run),
      hasStatements: (await findStatementJob(db, run)) !== null,
    },
  };
}

async function isComplete({ db, gameId, timeZone }: OpenGame, month: Month): Promise<boolean> {
  const found = await findExportable(db, gameId, monthWindow(month, timeZone));
  return found !== null && (await findSnapshot(db, gameId, found.snapshotId)).status === 'complete';
}

const RECHECKS: ReadonlyMap<string, NonNullable<MonthWork['close']>['recheck']> = new Map([
  [RECHECK_ITEMS.pulling, 'pulling'],
  [RECHECK_ITEMS.needed, 'needed'],
  [RECHECK_ITEMS.differs, 'failed'],
  [RECHECK_ITEMS.pull_failed, 'failed'],
]);

async function findDraftNeeds(game: OpenGame, month: Month): Promise<{ unanswered: CheckItem[]; close: MonthWork['close'] }> {
  const found = await findClose(game, month);
  if (found.kind !== 'run') return { unanswered: [], close: null };
  const open = found.close.items.filter(({ group, isAnswered }) => !isAnswered && (group === 'blocks' || group === 'note'));
  const unanswered = open.filter(({ answer }) => answer !== null);
  const blocking = open.filter(({ answer }) => answer === null);
  const rechecks = blocking.flatMap(({ key }) => RECHECKS.get(key) ?? []);
  const blockers = blocking.flatMap(({ key }) => (RECHECKS.has(key) ? [] : [key]));
  return { unanswered, close: { recheck: rechecks[0] ?? 'current', unanswered: unanswered.length, blockers } };
}

async function listFiles(game: OpenGame, { runId }: Run): Promise<MonthWork['files']> {
  const files: { batchNo: number; isHandedOver: boolean; isReported: boolean }[] = [];
  for (const batch of await listBatches(game.db, game.gameId, runId)) {
    if (!isFile(batch) || (batch.state !== 'made' && batch.state !== 'handed_over')) continue;
    const report = await findDemoReport(game, batch);
    const isReported = report !== null && (await findReport(game.db, game.gameId, { sha256: digestReport(report.bytes) })) !== null;
    files.push({ batchNo: batch.batchNo, isHandedOver: report !== null, isReported });
  }
  return files;
}
