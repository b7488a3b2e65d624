import type { Db } from '#db/kit/open.ts';
import { findExportable, findSnapshot } from '#lib/evidence/reads/snapshots.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { type Month, monthWindow } from '../core/month.ts';
import type { Actor } from '../core/roles.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import type { OpenGame } from '../games/open-game.ts';
import { announceRun } from '../notices/announce.ts';
import { findClose } from './find-close.ts';
import { findOpenRun, findPreviousRun, findRun, findRunContent, listChangesSince, listRuns, lockRun, type Run } from './reads/find-run.ts';
import { composeRun } from './writes/composition.ts';
import {
  asPreparer,
  auditRun,
  insertDraft,
  type PreparerRefusal,
  recordWork,
  refreshBasis,
  setDraft,
  withRun,
} from './writes/run-states.ts';

export type DraftResult =
  | { ok: true; run: Run }
  | { ok: false; reason: PreparerRefusal | 'never_pulled' | 'not_complete' | 'does_not_follow' | 'paused' }
  /** Another person was first. */
  | { ok: false; reason: 'exists'; run: Run };

/**
 * Starts the payout run of a month: a draft composed from its complete snapshot and the run before. Two drafts of one month are one: the second person
 * sees who started the first. A re-check that submission will need is requested with it.
 */
export async function draftRun(game: OpenGame, actor: Actor, month: Month): Promise<DraftResult> {
  const { db, gameId, timeZone } = game;
  const window = monthWindow(month, timeZone);
  const found = await findExportable(db, gameId, window);
  if (found === null) return { ok: false, reason: 'never_pulled' };
  if ((await findSnapshot(db, gameId, found.snapshotId)).status !== 'complete') return { ok: false, reason: 'not_complete' };
  const drafted = await asPreparer(game, actor, async (tx): Promise<DraftResult> => {
    await lockRunsOf(tx, gameId);
    const existing = await findRun(tx, gameId, { window });
    if (existing !== null) return { ok: false, reason: 'exists', run: existing };
    const previousRunId = await findPreviousRun(tx, gameId, window);
    const hasOthers = (await listRuns(tx, gameId)).some(({ state }) => state !== 'void');
    if (previousRunId === null && hasOthers) return { ok: false, reason: 'does_not_follow' };
    const runId = await insertDraft(tx, { gameId, window, snapshotId: found.snapshotId, previousRunId, actor });
    if (runId === null) return { ok: false, reason: 'paused' };
    const run = await lockRun(tx, gameId, runId);
    if (run === null) throw new Error(`the draft ${runId} is gone`);
    const composed = await composeRun(tx, run, actor.id, game.now());
    await recordWork(tx, run, actor, { as: 'drafted', act: 'started payout run', detail: { month, snapshot_id: run.snapshotId } });
    return { ok: true, run: composed.run };
  });
  if (drafted.ok) await requestRecheck(game, actor, month);
  return drafted;
}

/** Checks again at Invo whether a month's figures still are the same, when submission would need it. */
async function requestRecheck(game: OpenGame, actor: Actor, month: Month): Promise<void> {
  const found = await findClose(game, month);
  if (found.kind !== 'run' || found.close.passed.includes('rechecked')) return;
  const { db, gameId, settleLag_minutes, now } = game;
  await requestPull(db, { gameId, window: found.run.window, isFresh: false, requestedBy: actor.email, now: now(), settleLag_minutes });
}

export type RunChangeResult = { ok: true; run: Run } | { ok: false; reason: PreparerRefusal | 'moved_on' };

/** Composes a draft again, from the newest complete snapshot of its month, the policy in force and the holds and adjustments of now. */
export async function recomposeRun(game: OpenGame, actor: Actor, runId: number): Promise<RunChangeResult> {
  return await withRun(game, actor, { runId, from: ['draft'] }, async (tx, run): Promise<RunChangeResult> => {
    const composed = await composeRun(tx, await refreshBasis(tx, run), actor.id, game.now());
    const detail = { payable_usd: composed.run.totals.payable };
    await recordWork(tx, run, actor, { as: 'composed', act: 'recalculated payout run', detail });
    return { ok: true, run: composed.run };
  });
}

/** Returns a submitted or rejected run to draft, by a person who may prepare runs. */
export async function returnToDraft(game: OpenGame, actor: Actor, runId: number): Promise<RunChangeResult> {
  return await withRun(game, actor, { runId, from: ['submitted', 'rejected'] }, async (tx, run): Promise<RunChangeResult> => {
    await setDraft(tx, run);
    const composed = await composeRun(tx, await refreshBasis(tx, run), actor.id, game.now());
    await recordWork(tx, run, actor, { as: 'composed', act: 'returned payout run to draft' });
    return { ok: true, run: composed.run };
  });
}

/** Locks the run of a game that is not approved; null: there is none. */
export async function lockOpenRun(tx: Db, gameId: number): Promise<Run | null> {
  const runId = await findOpenRun(tx, gameId);
  return runId === null ? null : await lockRun(tx, gameId, runId);
}

/**
 * After something a run depends on changed, in the same transaction: a draft is composed again; a submitted run that it concerns returns to draft, so
 * that nobody approves what no longer holds. Returns whether a submission was voided.
 */
export async function recomposeOpenRun(tx: Db, game: OpenGame, run: Run | null, cause: string): Promise<boolean> {
  if (run === null) return false;
  if (run.state === 'submitted') {
    const content = await findRunContent(tx, run);
    const changes = content === null ? [] : await listChangesSince(tx, run, content, game.now());
    if (changes.length === 0) return false;
    await setDraft(tx, run);
    await auditRun(tx, run, { email: 'Sharebook' }, 'returned payout run to draft', { cause, changes });
    // The person who changed it gets the notice too: they may not know that a submission depended on it.
    await announceRun(tx, run, 'run_returned', null);
  } else if (run.state !== 'draft') return false;
  await composeRun(tx, await refreshBasis(tx, run), run.draftedBy.id, game.now());
  return run.state === 'submitted';
}
