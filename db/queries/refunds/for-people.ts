import { sql } from 'kysely';

/**
 * What waits for a person: approval, two people, or a look at Invo, because Invo said without a receipt that it was refunded and an hour
 * later the period still does not show it.
 */
export const FOR_PEOPLE = sql<boolean>`(refund.state in ('awaiting_approval', 'attention')
  or (refund.state = 'landed' and refund.receipt is null and refund.ended_at < clock_timestamp() - interval '1 hour'))`;
