import { type InferResult, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import type { Named } from '../rules/locate-unattributed.ts';

/** Lists when the named renewals without attribution of a month settled, for the search for the others. */
export async function listNamed(db: Db, gameId: number, window: Window): Promise<Named[]> {
  const rows = await db
    .selectFrom('unattributed_renewal')
    .select(['settled_from', 'reason'])
    .where('game_id', '=', gameId)
    .where('window_start', '=', window.start)
    .where('window_end', '=', window.end)
    .where('period_id', 'is not', null)
    .orderBy('item_id')
    .execute();
  return rows.map(({ settled_from: paidAt, reason }) => ({ paidAt, reason }));
}

/** Renewals of one month listed on a screen at most. */
const LISTED_MAX = 200;

/** A settled renewal without attribution, named by a report or placed in time. */
export type UnattributedRenewal = InferResult<ReturnType<typeof selectUnattributed>>[number];

/** The renewals without attribution of a month that ask for a finding, in order of time, as one column of a statement. */
export function unattributedColumn(db: Db, gameId: number, window: Window, leftOut: string): RawBuilder<UnattributedRenewal[]> {
  return jsonArrayFrom(selectUnattributed(db, gameId, window, leftOut));
}

function selectUnattributed(db: Db, gameId: number, window: Window, leftOut: string) {
  return db
    .selectFrom('unattributed_renewal as item')
    .leftJoin('person as assigned', 'assigned.id', 'item.assigned_to')
    .leftJoin('person as noted', 'noted.id', 'item.noted_by')
    .where('item.game_id', '=', gameId)
    .where('item.window_start', '=', window.start)
    .where('item.window_end', '=', window.end)
    .where((where) => where.or([where('item.reason', 'is', null), where('item.reason', '<>', leftOut)]))
    .orderBy('item.settled_from')
    .orderBy('item.item_id')
    .limit(LISTED_MAX)
    .select([
      'item.item_id as itemId',
      // Invo's; null: not reported, or several.
      'item.reason',
      // null: no report names it.
      'item.period_id as periodId',
      'item.subscription_id as subscriptionId',
      // When it settled, or the span in which it did.
      nestedInstant('item.settled_from').as('settledFrom'),
      nestedInstant('item.settled_to').as('settledTo'),
      'item.renewal_count as renewalCount',
      nestedMoney<string | null>('item.amount_usd').as('amount_usd'),
      nestedMoney<string | null>('item.invo_fee_usd').as('invo_fee_usd'),
      nestedMoney<string | null>('item.partner_revenue_settled_usd').as('partner_revenue_settled_usd'),
      sql<{
        id: string;
        name: string;
      } | null>`case when assigned.id is not null then json_build_object('id', assigned.id, 'name', assigned.name) end`.as('assignedTo'),
      'item.note',
      'noted.name as notedBy',
      nestedInstant<string | null>('item.noted_at').as('notedAt'),
    ]);
}
