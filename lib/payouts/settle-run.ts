import type pg from 'pg';
import { dbOn } from '#db/kit/open.ts';
import { findOpenRun, findRunContent, lockRun, type Run } from '#db/payouts/reads/find-run.ts';
import { listChangesSince } from '#db/payouts/reads/run-changes.ts';
import { composeRun } from '#db/payouts/writes/composition.ts';
import { recordRunAudit, refreshBasis, setDraft } from '#db/payouts/writes/run-states.ts';
import type { OpenGame } from '../games/open-game.ts';
import { announceRun } from '../notices/announce.ts';

/** Locks the run of a game that is not approved; null: there is none. */
export async function lockOpenRun(client: pg.ClientBase, gameId: number): Promise<Run | null> {
  const runId = await findOpenRun(client, gameId);
  return runId === null ? null : await lockRun(client, gameId, runId);
}

/**
 * After something a run depends on changed, in the same transaction: a draft is composed again; a submitted run that it concerns returns to draft, so
 * that nobody approves what no longer holds. Returns whether a submission was voided.
 */
export async function settleRun(client: pg.ClientBase, game: OpenGame, run: Run | null, cause: string): Promise<boolean> {
  if (run === null) return false;
  if (run.state === 'submitted') {
    const content = await findRunContent(client, run);
    const changes = content === null ? [] : await listChangesSince(client, run, content, game.now());
    if (changes.length === 0) return false;
    await setDraft(client, run);
    await recordRunAudit(client, run, 'Sharebook', 'returned payout run to draft', { cause, changes });
    // The person who changed it gets the notice too: they may not know that a submission depended on it.
    await announceRun(dbOn(client), run, 'run_returned', null);
  } else if (run.state !== 'draft') return false;
  const draft = (await lockRun(client, run.gameId, run.runId)) ?? run;
  await composeRun(client, await refreshBasis(client, draft), draft.draftedBy.id, game.now());
  return run.state === 'submitted';
}
