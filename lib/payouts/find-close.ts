import type { Db } from '#db/kit/open.ts';
import { type CheckedSnapshot, findExportable, findSnapshot } from '#lib/evidence/reads/snapshots.ts';
import { subtractMoney, sumMoney } from '../core/money.ts';
import { type Month, monthWindow } from '../core/month.ts';
import type { OpenGame } from '../games/open-game.ts';
import {
  findHeldPeriods,
  findLineHistory,
  findMonthFacts,
  findRunAnswer,
  listCloseLines,
  listCloseReversals,
  type MonthFacts,
} from './reads/close-facts.ts';
import { findDriftFacts, findReversalHistory } from './reads/deductions.ts';
import { findPolicy, findPolicyNo, findPreviousRun, findRun, type Run } from './reads/find-run.ts';
import { listHeldPeriods, listHolds, type NamedHold } from './reads/holds.ts';
import { listMissingSenders, listPaidDetails } from './reads/paid-details.ts';
import { listRecipientFacts, type RunBasis } from './reads/run-facts.ts';
import { type Close, judgeClose } from './rules/close-checks.ts';
import { type CloseFacts, type CloseLine, judgeRecheck, type RecheckState } from './rules/close-input.ts';
import { type ComposedRun, composePreview, holdsToPlace } from './rules/compose-run.ts';
import { type DecidedReversal, decideDrift, decideReversals } from './rules/decide-reversal.ts';
import { DEFAULT_POLICY, type PayoutPolicy, recheckMinutes } from './rules/policy.ts';

/** A month as a run would be drafted from it now, or the reason why none can be. */
export type RunPreview =
  | { ok: true; snapshot: CheckedSnapshot; basis: RunBasis; policy: PayoutPolicy; run: ComposedRun; holds: NamedHold[] }
  | { ok: false; reason: 'never_pulled' }
  | { ok: false; reason: 'not_complete'; snapshot: CheckedSnapshot };

/**
 * Composes what a payout run of a month would pay if it were drafted now, the holds it would create included; a month that no approved run precedes is
 * composed as a first one. Stores nothing. Refused for a month that was never pulled or is not complete: a figure Invo has not reported is never paid from.
 */
export async function findRunPreview({ db, gameId, timeZone, now }: OpenGame, month: Month): Promise<RunPreview> {
  const window = monthWindow(month, timeZone);
  const found = await findExportable(db, gameId, window);
  if (found === null) return { ok: false, reason: 'never_pulled' };
  const { snapshotId } = found;
  const snapshot = await findSnapshot(db, gameId, snapshotId);
  if (snapshot.status !== 'complete') return { ok: false, reason: 'not_complete', snapshot };
  const previousRunId = await findPreviousRun(db, gameId, window);
  const basis: RunBasis = { gameId, window, snapshotId, runId: null, previousRunId };
  const [stored, recipients, history, heldPeriods, holds] = await Promise.all([
    findPolicy(db, gameId),
    listRecipientFacts(db, basis),
    findReversalHistory(db, basis),
    listHeldPeriods(db, basis),
    listHolds(db, basis, now()),
  ]);
  const policy = stored ?? DEFAULT_POLICY;
  const reversals = decideReversals(history);
  const placed = holdsToPlace(policy, heldPeriods, reversals).map((hold) => ({ ...hold, holdId: 0 }));
  const applied = [...holds, ...placed];
  const run = composePreview({ policy, recipients, reversals, holds: applied });
  return { ok: true, snapshot, basis, policy, run, holds: applied };
}

/** The close of a month: of its run, or of the run it would have. */
export type MonthClose =
  | { kind: 'run'; run: Run; close: Close; policy: PayoutPolicy }
  | { kind: 'preview'; preview: Extract<RunPreview, { ok: true }>; close: Close }
  | ({ kind: 'none' } & Extract<RunPreview, { ok: false }>);

/** Finds the close of a month. Stores nothing. */
export async function findClose(game: OpenGame, month: Month): Promise<MonthClose> {
  const run = await findRun(game.db, game.gameId, { window: monthWindow(month, game.timeZone) });
  if (run !== null) {
    const [close, policy] = await Promise.all([judgeRun(game, game.db, run), findPolicyNo(game.db, game.gameId, run.policyNo)]);
    return { kind: 'run', run, close, policy };
  }
  const preview = await findRunPreview(game, month);
  if (!preview.ok) return { kind: 'none', ...preview };
  const { basis, holds } = preview;
  const [facts, history] = await Promise.all([
    readMonth(game, game.db, basis, holds, preview.run.reversals),
    findLineHistory(game.db, basis),
  ]);
  const paidDetails = await listPaidDetails(game.db, basis, preview.run.lines);
  const missingSenders = await listMissingSenders(game.db, game.gameId, preview.run.lines);
  const lines = preview.run.lines.map(
    (line): CloseLine => ({
      ...line,
      net_usd: subtractMoney(sumMoney([line.earned_usd, line.pinned_usd]), line.reversed_usd),
      lastNet_usd: history.lastNet.get(line.recipientId) ?? null,
      wasPaid: history.paid.has(line.recipientId),
    }),
  );
  const names = new Map(lines.map(({ recipientId, name }) => [recipientId, name]));
  const reversals = preview.run.reversals.map((reversal) => ({ ...reversal, name: names.get(reversal.recipientId) ?? null }));
  return {
    kind: 'preview',
    preview,
    close: judgeClose({ ...facts, policy: preview.policy, lines, paidDetails, missingSenders, eurRate: null, reversals }),
  };
}

/** Judges the close of a stored run, by the handle of its transaction or any other. */
export async function judgeRun(game: OpenGame, db: Db, run: Run): Promise<Close> {
  const policy = await findPolicyNo(db, run.gameId, run.policyNo);
  const holds = await listHolds(db, run, game.now());
  const [facts, lines, reversals] = [
    await readMonth(game, db, run, holds),
    await listCloseLines(db, run),
    await listCloseReversals(db, run),
  ];
  const paidDetails = await listPaidDetails(db, run, lines);
  const missingSenders = await listMissingSenders(db, run.gameId, lines);
  return judgeClose({ ...facts, policy, lines, paidDetails, missingSenders, eurRate: run.eurRate, reversals });
}

/** Whether Invo's newest answer lets a run be approved. */
export interface RunRecheck {
  state: RecheckState;
  /** The newest re-check; null: none. */
  checkedAt: string | null;
  /** Hours for which an equal one counts. */
  recheckHours: number;
  /** The pull of the month that runs, is queued, or failed since; null: none. */
  pullId: number | null;
}

/** Finds whether Invo's newest answer lets a run be approved, by the handle of its transaction or any other. */
export async function findRecheck(game: OpenGame, db: Db, run: Run): Promise<RunRecheck> {
  const { isContradicted, recheckHours, ...answer } = await findRunAnswer(db, run);
  const facts = { ...answer, window: run.window, now: game.now(), recheckFrom_minutes: recheckMinutes(game) };
  const judged = judgeRecheck({ ...facts, policy: { recheckHours } });
  const state = isContradicted && judged !== 'pulling' ? 'differs' : judged;
  return { state, recheckHours, checkedAt: answer.recheck?.checkedAt ?? null, pullId: answer.pull?.pullId ?? null };
}

type ReadFacts = Omit<CloseFacts, 'policy' | 'lines' | 'paidDetails' | 'missingSenders' | 'eurRate' | 'reversals'>;

/** Reads what a close is judged by. `previewed`: the reversals of a run that isn't stored; of a stored one they are read. */
async function readMonth(
  game: OpenGame,
  db: Db,
  basis: RunBasis,
  holds: readonly NamedHold[],
  previewed: readonly DecidedReversal[] = [],
): Promise<ReadFacts> {
  const month: MonthFacts = await findMonthFacts(db, basis, game.now());
  const periods = await findHeldPeriods(db, basis, holds);
  const drift = await findDriftFacts(db, basis);
  const takenByRuns = new Map(drift.takenByRuns);
  for (const { periodId, taken_usd } of previewed) takenByRuns.set(periodId, sumMoney([takenByRuns.get(periodId) ?? '0.00', taken_usd]));
  const times = { window: basis.window, now: game.now(), recheckFrom_minutes: recheckMinutes(game) };
  return { ...month, ...periods, ...times, drift: decideDrift({ ...drift, takenByRuns }) };
}
