import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';

/** One statement of a window's history. */
export interface Statement {
  snapshotId: number;
  chainNo: number;
  standing: 'complete' | 'open' | 'inconsistent';
  createdAt: string;
  coveredUntil: string;
  gross_attributed_usd: string;
  reversed_attributed_usd: string;
  net_attributed_usd: string;
  callCount: number;
  /** Who asked for it. */
  requestedBy: string;
}

/** Statements kept in a list; older ones stay in the book. */
const STATEMENTS_MAX = 30;

/** All statements of one window, newest first, at most 30. */
export async function listStatements(db: Db, gameId: number, window: Window): Promise<Statement[]> {
  return await db
    .selectFrom('snapshot')
    .innerJoin('pull', (join) => join.onRef('pull.game_id', '=', 'snapshot.game_id').onRef('pull.pull_id', '=', 'snapshot.pull_id'))
    .where('snapshot.game_id', '=', gameId)
    .where('snapshot.window_start', '=', window.start)
    .where('snapshot.window_end', '=', window.end)
    .orderBy('snapshot.snapshot_id', 'desc')
    .limit(STATEMENTS_MAX)
    .select([
      'snapshot.snapshot_id as snapshotId',
      'snapshot.chain_no as chainNo',
      sql<Statement['standing']>`snapshot.standing`.as('standing'),
      'snapshot.created_at as createdAt',
      'snapshot.covered_until as coveredUntil',
      'snapshot.gross_attributed_usd',
      'snapshot.reversed_attributed_usd',
      'snapshot.net_attributed_usd',
      'pull.call_count as callCount',
      'pull.requested_by as requestedBy',
    ])
    .execute();
}
