import { lockRunsOf } from '#lib/games/writes.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { lockRun, type Run } from '../payouts/reads/find-run.ts';
import { findPayoutPause } from '../payouts/reads/payout-pause.ts';
import { asPreparer, auditRun, type PreparerRefusal, setClosed } from '../payouts/writes/run-states.ts';
import { hasOpenRows } from './reads/reports.ts';

export type CloseRunResult =
  | { ok: true; run: Run }
  | { ok: false; reason: PreparerRefusal | 'paused' | 'moved_on' | 'not_paid' | 'rows_open' };

/**
 * Closes a run whose payments are all paid, failed or returned, once no report row about them waits for a decision. What is returned afterwards is due in the next run.
 * The same form sent again changes nothing.
 */
export async function closeRun(game: OpenGame, actor: Actor, runId: number): Promise<CloseRunResult> {
  return await asPreparer(game, actor, async (tx): Promise<CloseRunResult> => {
    await lockRunsOf(tx, game.gameId);
    const run = await lockRun(tx, game.gameId, runId);
    if (run?.closedBy?.id === actor.id) return { ok: true, run };
    if (run?.state !== 'approved' || run.closedAt !== null || run.voidRequestedBy !== null) return { ok: false, reason: 'moved_on' };
    if ((await findPayoutPause(tx, game.gameId)) !== null) return { ok: false, reason: 'paused' };
    if (run.paidAt === null) return { ok: false, reason: 'not_paid' };
    if (await hasOpenRows(tx, run)) return { ok: false, reason: 'rows_open' };
    await setClosed(tx, run, actor);
    await auditRun(tx, run, actor, 'closed payout run', { payable_usd: run.totals.payable });
    return { ok: true, run: (await lockRun(tx, game.gameId, runId)) ?? run };
  });
}
