import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { compareMoney } from '#lib/core/money.ts';
import type { Window } from '#lib/core/window.ts';

/** What Invo reported for a window in two complete snapshots: an earlier one and the current one. Amounts in USD, exact text. */
export interface Drift {
  before: { snapshotId: number; createdAt: string };
  figures: { name: DriftName; before: string; after: string }[];
  /** How many recipients have another net. */
  recipientCount: number;
  /** Those whose net moved most, at most 20. */
  recipients: DriftedRecipient[];
}

export interface DriftedRecipient {
  playerId: number;
  name: string | null;
  /** null: not in that snapshot. */
  before: string | null;
  after: string | null;
}

/** The figures compared, in the order of the fee walk. */
const DRIFT_MONEY = [
  'settled_gross_usd',
  'invo_fee_usd',
  'partner_revenue_settled_usd',
  'partner_revenue_reversed_usd',
  'partner_revenue_usd',
  'gross_attributed_usd',
  'reversed_attributed_usd',
  'net_attributed_usd',
] as const;
type DriftName = (typeof DRIFT_MONEY)[number];

/** Recipients named at most; the count covers all of them. */
const RECIPIENTS_MAX = 20;

/** Statements looked back over. */
const SNAPSHOTS_MAX = 30;

/**
 * How a complete snapshot differs from the newest earlier complete one of its window with other figures; null when there is none.
 * Statements that only repeat it are passed over, so that pulling again does not hide what moved.
 */
export async function findDrift(db: Db, gameId: number, window: Window, snapshotId: number): Promise<Drift | null> {
  const earlier = await db
    .selectFrom('snapshot')
    .select(['snapshot_id as snapshotId', 'created_at as createdAt', ...DRIFT_MONEY])
    .where('game_id', '=', gameId)
    .where('window_start', '=', window.start)
    .where('window_end', '=', window.end)
    .where('status', '=', 'complete')
    .where('snapshot_id', '<=', snapshotId)
    .orderBy('snapshot_id', 'desc')
    .limit(SNAPSHOTS_MAX)
    .execute();
  const [after, ...olders] = earlier;
  if (after?.snapshotId !== snapshotId) return null;
  for (const before of olders) {
    const moved = await listMovedRecipients(db, gameId, before.snapshotId, snapshotId);
    const figures = DRIFT_MONEY.map((name) => ({ name, before: before[name], after: after[name] }));
    if (moved.length === 0 && figures.every((figure) => compareMoney(figure.before, figure.after) === 0)) continue;
    return {
      before: { snapshotId: before.snapshotId, createdAt: before.createdAt },
      figures,
      recipientCount: moved[0]?.movedCount ?? 0,
      recipients: moved.map(({ movedCount: _, ...recipient }) => recipient),
    };
  }
  return null;
}

async function listMovedRecipients(
  db: Db,
  gameId: number,
  before: number,
  after: number,
): Promise<(DriftedRecipient & { movedCount: number })[]> {
  const { rows } = await sql<DriftedRecipient & { movedCount: number }>`
    select coalesce(a.recipient_player_id, b.recipient_player_id) as "playerId", coalesce(a.player_name, b.player_name) as name,
      b.net_attributed_usd as before, a.net_attributed_usd as after, count(*) over () as "movedCount"
    from (select * from snapshot_recipient where game_id = ${gameId} and snapshot_id = ${before}) b
    full join (select * from snapshot_recipient where game_id = ${gameId} and snapshot_id = ${after}) a using (recipient_player_id)
    where a.net_attributed_usd is distinct from b.net_attributed_usd
    order by abs(coalesce(a.net_attributed_usd, 0) - coalesce(b.net_attributed_usd, 0)) desc, "playerId"
    limit ${RECIPIENTS_MAX}`.execute(db);
  return rows;
}
