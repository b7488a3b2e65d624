import { type RawBuilder, sql } from 'kysely';

/**
 * The refunds of a game that ended, are matched with no reversal, and that a stored slice reports: `refund_id`, `state`, and the first such `slice_id`. One that
 * landed is recognised by its total or its time; one that was recorded as not executed by its amount and time, unless another refund explains it.
 */
export function reportedRefunds(gameId: number): RawBuilder<{ refund_id: number; state: string; slice_id: number }> {
  return sql`(
    select refund.refund_id, refund.state, first.slice_id
    from refund cross join lateral (
      select reported.slice_id
      from (
        select event.slice_id, event.refunded_amount_usd as amount_usd, event.cumulative_refunded_after_usd as total_usd, event.refunded_at, false as is_coarse
        from reversal_line line join refund_event event on event.game_id = ${gameId} and event.slice_id = line.slice_id and event.period_id = line.period_id
        where line.game_id = ${gameId} and line.period_id = refund.period_id
        union all
        select line.slice_id, refund.amount_usd, line.refunded_to_date_usd, line.latest_refund_at::timestamptz, true
        from reversal_line line
        where line.game_id = ${gameId} and line.period_id = refund.period_id and line.reversal_basis = 'period_row'
      ) reported
      where reported.amount_usd = refund.amount_usd
        and case
          when refund.total_refunded_amount_usd is not null
            then reported.total_usd = refund.total_refunded_amount_usd or reported.is_coarse and reported.total_usd > refund.total_refunded_amount_usd
          when refund.state = 'landed'
            then reported.refunded_at between refund.first_sent_at - interval '15 minutes' and refund.ended_at + interval '15 minutes'
          else reported.refunded_at between refund.first_sent_at - interval '15 minutes' and refund.ended_at + interval '1 day'
            and not exists (
              select from refund other
              where other.game_id = ${gameId} and other.period_id = refund.period_id and other.state = 'landed' and other.amount_usd = refund.amount_usd
                and (reported.is_coarse or coalesce(other.total_refunded_amount_usd, reported.total_usd) = reported.total_usd)
            )
        end
      order by reported.slice_id limit 1
    ) first
    where refund.game_id = ${gameId} and refund.state in ('landed', 'not_landed', 'refused') and refund.reversal_slice_id is null)`;
}
