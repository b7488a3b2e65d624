import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { compareInstants } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import type { HeldPeriod, ReportedRecipient } from '#lib/payouts/rules/compose-run.ts';
import type { ReportedReversal } from '#lib/payouts/rules/decide-reversal.ts';
import { OPEN_STATES } from '#lib/refunds/rules/state.ts';

/** Lists the recipients of a snapshot as a run needs them, by id. */
export async function listRunRecipients(db: Db, gameId: number, snapshotId: number): Promise<ReportedRecipient[]> {
  return await db
    .selectFrom('snapshot_recipient')
    .select([
      'recipient_player_id as recipientId',
      'identity_id as identityId',
      'resolved as isResolved',
      'gross_attributed_usd as earned_usd',
      'reversed_attributed_usd as reversed_usd',
    ])
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .orderBy('recipient_player_id')
    .execute();
}

/**
 * Lists what complete windows report as reversed of the periods that a snapshot reverses: a list for each window, oldest first, this
 * snapshot's last. Of windows that overlap, the one that begins first and lasts longest counts.
 */
export async function listReversalsInOrder(db: Db, gameId: number, snapshotId: number, window: Window): Promise<ReportedReversal[][]> {
  const { rows } = await sql<ReportedReversal & Window & { isThis: boolean }>`
    with window_reversal as (
      select s.snapshot_id, line.period_id, min(line.recipient_player_id) as recipient_player_id,
        max(line.originally_attributed_usd) as attributed, sum(line.reversed_attributed_usd) as reported,
        bool_or(line.reversal_basis <> 'refund_receipts') as is_coarse
      from snapshot_slice s join reversal_line line using (game_id, slice_id)
      where s.game_id = ${gameId} and line.period_id in (
        select of_this.period_id from snapshot_slice mine join reversal_line of_this using (game_id, slice_id)
        where mine.game_id = ${gameId} and mine.snapshot_id = ${snapshotId})
      group by s.snapshot_id, line.period_id
    )
    select w.window_start as start, w.window_end as "end", r.snapshot_id = ${snapshotId} as "isThis",
      r.period_id as "periodId", r.recipient_player_id as "recipientId", r.attributed as "attributed_usd", r.reported as "reported_usd",
      r.is_coarse as "isCoarse"
    from window_reversal r join current_window w on w.game_id = ${gameId} and w.snapshot_id = r.snapshot_id
    where r.snapshot_id = ${snapshotId} or (w.status = 'complete' and w.window_end <= ${window.start})
    order by w.window_start, w.window_end desc, r.period_id`.execute(db);
  const before: { window: Window; reversals: ReportedReversal[] }[] = [];
  const ofThis: ReportedReversal[] = [];
  for (const { start, end, isThis, ...reversal } of rows) {
    const last = before.at(-1);
    if (isThis) ofThis.push(reversal);
    else if (last?.window.start === start && last.window.end === end) last.reversals.push(reversal);
    else if (last === undefined || compareInstants(start, last.window.end) >= 0)
      before.push({ window: { start, end }, reversals: [reversal] });
  }
  return [...before.map(({ reversals }) => reversals), ofThis];
}

/** Lists the periods of a snapshot that a draft holds: a refund whose reversal Invo has not reported yet, or a base that differs from the settled fee. */
export async function listHeldPeriods(db: Db, gameId: number, snapshotId: number, window: Window): Promise<HeldPeriod[]> {
  const { rows } = await sql<HeldPeriod>`
    select period_id as "periodId", recipient_player_id as "recipientId", attributed_amount_usd as "attributed_usd",
      case when has_refund then 'open_refund' else 'base_mismatch' end as reason
    from (
      select line.*, exists (
        select from refund where refund.game_id = ${gameId} and refund.period_id = line.period_id and (
          refund.state in (${sql.join([...OPEN_STATES])})
          or (refund.state = 'landed' and refund.reversal_slice_id is null and refund.ended_at < ${window.end}))) as has_refund
      from snapshot_slice s join renewal_line line using (game_id, slice_id)
      where s.game_id = ${gameId} and s.snapshot_id = ${snapshotId}
    ) as line
    where has_refund or base_matches_settled_fee is false
    order by period_id`.execute(db);
  return rows;
}
