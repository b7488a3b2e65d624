import { sql } from 'kysely';

/** Why a refund waits for a person. */
export type PeopleReason = 'approval' | 'two_people' | 'not_shown' | 'reversal_missing' | 'no_access';

// As a query of its own it is read from the receipt once, not once for every slice it is held against.
const REFUNDED_AT = sql`(select (refund.receipt ->> 'refunded_at')::timestamptz)`;

/**
 * Why a refund waits for a person, or null: approval; two people; a look at Invo, because two people said that it was refunded and an
 * hour later the period still does not show it, or because a slice that covers the refund brought no reversal of it (a minute is left
 * for noting it); or a look at key and status of the game, because Invo did not let it in when it was called or read last.
 */
export const PEOPLE_REASON = sql<PeopleReason | null>`(case
  when refund.state = 'awaiting_approval' then 'approval'
  when refund.state = 'attention' then 'two_people'
  when refund.state = 'landed' and refund.receipt is null and refund.ended_at < clock_timestamp() - interval '1 hour' then 'not_shown'
  when refund.state = 'landed' and refund.reversal_slice_id is null and jsonb_typeof(refund.facts -> 'period' -> 'attribution') = 'object'
    and exists (
      select from slice where slice.game_id = refund.game_id and slice.pulled_at < clock_timestamp() - interval '1 minute'
        and ${REFUNDED_AT} >= slice.window_start and ${REFUNDED_AT} < slice.window_end
    ) then 'reversal_missing'
  when refund.state in ('approved', 'waiting', 'verifying') and refund.last_error_code in ('unauthorized', 'not_live') then 'no_access'
  when refund.state in ('waiting', 'unknown') and (
      select class from refund_attempt tried where tried.game_id = refund.game_id and tried.refund_id = refund.refund_id order by attempt_no desc limit 1
    ) = 'no_access' then 'no_access'
end)`;

/** Whether it waits for a person; the first condition is that of the index `refund_for_people`. */
export const FOR_PEOPLE = sql<boolean>`(refund.ended_at is null or refund.state = 'landed' and refund.reversal_slice_id is null) and ${PEOPLE_REASON} is not null`;
