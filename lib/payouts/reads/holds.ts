import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { OPEN_STATES } from '#lib/refunds/rules/state.ts';
import type { HeldPeriod, Hold } from '../rules/compose-run.ts';
import { deductionsBefore } from '../rules/decide-reversal.ts';
import { findDeductionHistory } from './deductions.ts';
import type { RunBasis } from './run-facts.ts';

/**
 * The periods of refunds of ours that this month's payments wait for, as `refunded`, whatever month the period settled in. An open refund may take the money back any moment. One that was made before the window ended belongs to this or an earlier month's
 * reversals; until a slice reports it, those are incomplete. One made later belongs to a later month: this month is complete without it. Whose share
 * it is comes from the evidence or, of a month that was never pulled, from what Invo reported when the refund was requested; nobody's: it concerns no recipient.
 */
const refundedPeriods = ({ gameId, window }: RunBasis): RawBuilder<unknown> => sql`(
  select distinct on (period_id) * from (
    select refund.period_id, coalesce(line.recipient_player_id, (refund.facts -> 'period' -> 'attribution' ->> 'recipient_player_id')::bigint) as recipient_player_id,
      coalesce(line.attributed_amount_usd, (refund.facts -> 'period' -> 'attribution' ->> 'attributed_amount_usd')::numeric) as attributed_usd
    from refund left join lateral (
      select l.recipient_player_id, l.attributed_amount_usd from renewal_line l where l.game_id = ${gameId} and l.period_id = refund.period_id
      order by l.slice_id desc limit 1) line on true
    where refund.game_id = ${gameId} and (refund.state in (${sql.join(OPEN_STATES.map((state) => sql.lit(state)))})
      or refund.state = 'landed' and refund.reversal_slice_id is null
        and coalesce((refund.receipt ->> 'refunded_at')::timestamptz, refund.ended_at) < ${window.end})) found
  where recipient_player_id is not null order by period_id) refunded`;

/** The periods that a draft holds, with each reason. */
export const heldPeriods = (basis: RunBasis): RawBuilder<unknown> => sql`
  select period_id, recipient_player_id, attributed_usd, 'open_refund' as reason from ${refundedPeriods(basis)}
  union all
  select line.period_id, line.recipient_player_id, line.attributed_amount_usd, 'base_mismatch'
  from snapshot_slice s join renewal_line line on line.game_id = ${basis.gameId} and line.slice_id = s.slice_id
  where s.game_id = ${basis.gameId} and s.snapshot_id = ${basis.snapshotId} and line.base_matches_settled_fee is false`;

/**
 * Lists the periods that a draft holds: refunds of ours whose reversal Invo has not reported yet, of whatever month, and bases of this month that differ from
 * the settled fee. Each is held once for a reason, an open refund first: one that was released stays released.
 */
export async function listHeldPeriods(db: Db, basis: RunBasis): Promise<HeldPeriod[]> {
  const { gameId } = basis;
  const { rows } = await sql<Omit<HeldPeriod, 'takenBefore_usd'>>`
    select period_id as "periodId", recipient_player_id as "recipientId", attributed_usd::text, reason
    from (select distinct on (period_id) * from (${heldPeriods(basis)}) each order by period_id, reason desc) found
    where not exists (select from payout_hold h where h.game_id = ${gameId} and h.recipient_player_id = found.recipient_player_id and h.period_id = found.period_id
      and h.reason_code = found.reason)
    order by period_id`.execute(db);
  return await withTakenBefore(db, basis, rows);
}

/** Completes periods with what was deducted of each before the window. */
async function withTakenBefore<Row extends { periodId: number | null }>(
  db: Db,
  basis: RunBasis,
  rows: readonly Row[],
): Promise<(Row & { takenBefore_usd: string })[]> {
  const periodIds = rows.flatMap(({ periodId }) => periodId ?? []);
  const takenBefore = deductionsBefore(await findDeductionHistory(db, basis, periodIds));
  return rows.map((row) => ({ ...row, takenBefore_usd: row.periodId === null ? '0.00' : takenBefore(row.periodId) }));
}

/** A hold with its reason. */
export interface NamedHold extends Hold {
  reason: string;
}

/** Lists the holds that apply to a run at an instant, with what is left of the period each is about. */
export async function listHolds(db: Db, basis: RunBasis, now: string): Promise<NamedHold[]> {
  const { rows } = await sql<Omit<NamedHold, 'takenBefore_usd'>>`
    select hold_id as "holdId", recipient_player_id as "recipientId", period_id as "periodId", amount_usd, attributed_usd, reason_code as reason,
      only_run_id is not null as "isExclusion"
    from payout_hold
    where game_id = ${basis.gameId} and released_at is null and (expires_at is null or expires_at > ${now}) and (only_run_id is null or only_run_id = ${basis.runId})
    order by hold_id`.execute(db);
  const holds = await withTakenBefore(db, basis, rows);
  return holds.map((hold) => (hold.periodId === null ? { ...hold, takenBefore_usd: null } : hold));
}

/** Finds the newest hold of a recipient with a note; null: there is none. */
export async function findNotedHold(
  db: Db,
  gameId: number,
  { recipientId, note }: { recipientId: number; note: string },
): Promise<{ holdId: number; isReleased: boolean } | null> {
  const { rows } = await sql<{ holdId: number; isReleased: boolean }>`
    select hold_id as "holdId", released_at is not null as "isReleased" from payout_hold
    where game_id = ${gameId} and recipient_player_id = ${recipientId} and note = ${note} order by hold_id desc limit 1`.execute(db);
  return rows[0] ?? null;
}
