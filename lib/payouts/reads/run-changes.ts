import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { RunContent } from '../rules/run-content.ts';
import type { Run } from './find-run.ts';
import { findPolicy } from './find-run.ts';
import { listHolds } from './holds.ts';
import { listChangedDetails } from './paid-details.ts';
import { isContradicted, newestAnswer } from './run-facts.ts';

/** What changed since a run was submitted and makes its content out of date. */
export interface RunChange {
  kind: 'hold_placed' | 'hold_ended' | 'minimum' | 'details' | 'policy' | 'evidence';
  /** null: it is about the run. */
  recipientId: number | null;
}

/**
 * Lists what changed since a run was submitted: a hold placed or ended of a recipient with money due, another minimum, other payment details, another policy, or evidence of
 * its month that differs: another snapshot, or other totals that Invo's newest answer has.
 */
export async function listChangesSince(db: Db, run: Run, content: RunContent, now: string): Promise<RunChange[]> {
  const { gameId, runId, snapshotId } = run;
  const changes: RunChange[] = [];
  const before = new Set(content.holds.map(({ holdId }) => holdId));
  const holds = await listHolds(db, run, now);
  const nowHeld = new Set(holds.map(({ holdId }) => holdId));
  const moved = [
    ...holds.filter(({ holdId }) => !before.has(holdId)).map(({ recipientId }) => ({ kind: 'hold_placed' as const, recipientId })),
    ...content.holds.filter(({ holdId }) => !nowHeld.has(holdId)).map(({ recipientId }) => ({ kind: 'hold_ended' as const, recipientId })),
  ];
  if (moved.length > 0) {
    const recipientIds = moved.map(({ recipientId }) => recipientId);
    const { rows: due } = await sql<{ id: number }>`
      select recipient_player_id as id from payout_line
      where game_id = ${gameId} and run_id = ${runId} and due_usd > 0 and recipient_player_id = any(${recipientIds}::bigint[])`.execute(db);
    const concerned = new Set(due.map(({ id }) => id));
    changes.push(...moved.filter(({ recipientId }) => concerned.has(recipientId)));
  }
  const { rows: minimums } = await sql<{ recipientId: number }>`
    select line.recipient_player_id as "recipientId" from payout_line line
      join lateral (select minimum_usd from payout_minimum m where m.game_id = ${gameId} and m.recipient_player_id = line.recipient_player_id
        order by minimum_no desc limit 1) own on true
    where line.game_id = ${gameId} and line.run_id = ${runId} and coalesce(own.minimum_usd, ${content.policy.minimum_usd}) <> line.minimum_usd
    order by line.recipient_player_id`.execute(db);
  changes.push(...minimums.map(({ recipientId }) => ({ kind: 'minimum' as const, recipientId })));
  const changed = await listChangedDetails(db, { gameId, runId });
  changes.push(...changed.map((recipientId) => ({ kind: 'details' as const, recipientId })));
  const policy = await findPolicy(db, gameId);
  if (policy !== null && policy.policyNo !== content.policy.policyNo) changes.push({ kind: 'policy', recipientId: null });
  const { rows: evidence } = await sql`
    select 1 from snapshot ours where ours.game_id = ${gameId} and ours.snapshot_id = ${snapshotId}
      and (${isContradicted(gameId, 'ours')} or ${newestAnswer(gameId, 'ours')} #>> '{recheck,isEqual}' = 'false')`.execute(db);
  if (evidence.length > 0) changes.push({ kind: 'evidence', recipientId: null });
  return changes;
}
