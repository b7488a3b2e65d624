import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { type RefundState, stateOf } from '#lib/refunds/rules/state.ts';
import { FOR_PEOPLE, PEOPLE_REASON, type PeopleReason } from './for-people.ts';

/** A refund nothing goes on with before a person has acted. */
export interface WaitingRefund {
  refund_id: number;
  state: RefundState;
  amount_usd: string;
  item_name: string | null;
  period_id: number;
  period_seq: number;
  requested_by: { id: string; name: string };
  owner_name: string;
  reason: PeopleReason;
  /** Since when it waits. */
  state_since: string;
  /** Of two people the first has said what happened. */
  has_statement: boolean;
}

/** The refunds of a game that wait for a person, whoever waited longest first; at most so many. */
export async function listRefundsForPeople(db: Db, gameId: number, limit: number): Promise<WaitingRefund[]> {
  const rows = await db
    .selectFrom('refund')
    .innerJoin('person as requester', 'requester.id', 'refund.requested_by')
    .innerJoin('person as owner', 'owner.id', 'refund.owner_id')
    .where('refund.game_id', '=', gameId)
    .where(FOR_PEOPLE)
    .orderBy('refund.state_since')
    .orderBy('refund.refund_id')
    .limit(limit)
    .select((select) => [
      'refund.refund_id',
      'refund.state',
      'refund.amount_usd',
      sql<string | null>`refund.facts -> 'period' ->> 'item_name'`.as('item_name'),
      'refund.period_id',
      'refund.period_seq',
      'refund.requested_by',
      'requester.name as requester_name',
      'owner.name as owner_name',
      'refund.state_since',
      PEOPLE_REASON.$notNull().as('reason'),
      select
        .exists(
          select
            .selectFrom('refund_decision')
            .whereRef('refund_decision.game_id', '=', 'refund.game_id')
            .whereRef('refund_decision.refund_id', '=', 'refund.refund_id')
            .where('refund_decision.confirmed_at', 'is', null)
            .where('refund_decision.withdrawn_at', 'is', null),
        )
        .as('has_statement'),
    ])
    .execute();
  return rows.map(({ requested_by: id, requester_name: name, state, has_statement, ...row }) => ({
    ...row,
    state: stateOf(state),
    requested_by: { id, name },
    has_statement: Boolean(has_statement),
  }));
}
