import type { HeldPeriod, Hold } from '#lib/payouts/rules/compose-run.ts';
import { deductionsBefore } from '#lib/payouts/rules/decide-reversal.ts';
import { OPEN_STATES } from '#lib/refunds/rules/state.ts';
import { findDeductionHistory } from './deductions.ts';
import type { Queryable, RunBasis } from './run-facts.ts';

/**
 * The periods of refunds of ours that this month's payments wait for, as `refunded`, whatever month the period settled in; $1 is the game, `windowEnd` the
 * end of the window. An open refund may take the money back any moment. One that was made before the window ended belongs to this or an earlier month's
 * reversals; until a slice reports it, those are incomplete. One made later belongs to a later month: this month is complete without it. Whose share
 * it is comes from the evidence or, of a month that was never pulled, from what Invo reported when the refund was requested; nobody's: it concerns no recipient.
 */
const refundedPeriods = (windowEnd: string): string => `(
  select distinct on (period_id) * from (
    select refund.period_id, coalesce(line.recipient_player_id, (refund.facts -> 'period' -> 'attribution' ->> 'recipient_player_id')::bigint) as recipient_player_id,
      coalesce(line.attributed_amount_usd, (refund.facts -> 'period' -> 'attribution' ->> 'attributed_amount_usd')::numeric) as attributed_usd
    from refund left join lateral (
      select l.recipient_player_id, l.attributed_amount_usd from renewal_line l where l.game_id = refund.game_id and l.period_id = refund.period_id
      order by l.slice_id desc limit 1) line on true
    where refund.game_id = $1 and (refund.state in (${OPEN_STATES.map((state) => `'${state}'`).join(', ')})
      or refund.state = 'landed' and refund.reversal_slice_id is null
        and coalesce((refund.receipt ->> 'refunded_at')::timestamptz, refund.ended_at) < ${windowEnd})) found
  where recipient_player_id is not null order by period_id) refunded`;

/** The periods that a draft holds, with each reason: $1 game, $2 snapshot, $3 the window's end. */
export const HELD_PERIODS = `
  select period_id, recipient_player_id, attributed_usd, 'open_refund' as reason from ${refundedPeriods('$3')}
  union all
  select line.period_id, line.recipient_player_id, line.attributed_amount_usd, 'base_mismatch'
  from snapshot_slice s join renewal_line line using (game_id, slice_id)
  where s.game_id = $1 and s.snapshot_id = $2 and line.base_matches_settled_fee is false`;

/**
 * Lists the periods that a draft holds: refunds of ours whose reversal Invo has not reported yet, of whatever month, and bases of this month that differ from
 * the settled fee. Each is held once for a reason, an open refund first: one that was released stays released.
 */
export async function listHeldPeriods(from: Queryable, basis: RunBasis): Promise<HeldPeriod[]> {
  const { gameId, snapshotId, window } = basis;
  const { rows } = await from.query<Omit<HeldPeriod, 'takenBefore_usd'>>(
    `select period_id as "periodId", recipient_player_id as "recipientId", attributed_usd::text, reason
     from (select distinct on (period_id) * from (${HELD_PERIODS}) each order by period_id, reason desc) found
     where not exists (select from payout_hold h where h.game_id = $1 and h.recipient_player_id = found.recipient_player_id and h.period_id = found.period_id
       and h.reason_code = found.reason)
     order by period_id`,
    [gameId, snapshotId, window.end],
  );
  return await withTakenBefore(from, basis, rows);
}

/** Completes periods with what was deducted of each before the window. */
async function withTakenBefore<Row extends { periodId: number | null }>(
  from: Queryable,
  basis: RunBasis,
  rows: readonly Row[],
): Promise<(Row & { takenBefore_usd: string })[]> {
  const takenBefore = deductionsBefore(
    await findDeductionHistory(
      from,
      basis,
      rows.flatMap(({ periodId }) => periodId ?? []),
    ),
  );
  return rows.map((row) => {
    return { ...row, takenBefore_usd: row.periodId === null ? '0.00' : takenBefore(row.periodId) };
  });
}

/** A hold with its reason. */
export interface NamedHold extends Hold {
  reason: string;
}

/** Lists the holds that apply to a run at an instant, with what is left of the period each is about. */
export async function listHolds(from: Queryable, basis: RunBasis, now: string): Promise<NamedHold[]> {
  const { rows } = await from.query<Omit<NamedHold, 'takenBefore_usd'>>(
    `select hold_id as "holdId", recipient_player_id as "recipientId", period_id as "periodId", amount_usd, attributed_usd, reason_code as reason,
       only_run_id is not null as "isExclusion"
     from payout_hold
     where game_id = $1 and released_at is null and (expires_at is null or expires_at > $2) and (only_run_id is null or only_run_id = $3)
     order by hold_id`,
    [basis.gameId, now, basis.runId],
  );
  const holds = await withTakenBefore(from, basis, rows);
  return holds.map((hold) => (hold.periodId === null ? { ...hold, takenBefore_usd: null } : hold));
}
