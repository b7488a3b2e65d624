import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { OpenGame } from '../games/open-game.ts';
import { announceRun } from '../notices/announce.ts';
import { findOpenRun, findRunContent, lockRun, type Run } from './reads/find-run.ts';
import { listChangesSince } from './reads/run-changes.ts';
import { composeRun } from './writes/composition.ts';
import { inAudit, refreshBasis, setDraft } from './writes/run-states.ts';

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
    const detail = { cause, changes };
    await recordAudit(tx, { ...inAudit(run), actor: 'Sharebook', act: 'returned payout run to draft', detail });
    // The person who changed it gets the notice too: they may not know that a submission depended on it.
    await announceRun(tx, run, 'run_returned', null);
  } else if (run.state !== 'draft') return false;
  const draft = (await lockRun(tx, run.gameId, run.runId)) ?? run;
  await composeRun(tx, await refreshBasis(tx, draft), draft.draftedBy.id, game.now());
  return run.state === 'submitted';
}
