import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { ITEM_STATES, type ItemState } from '../rules/item-state.ts';
import { formatPaymentReference, parsePaymentReference } from '../rules/payment-reference.ts';

/** A payment as a search finds it. */
export interface FoundPayment {
  reference: string;
  runNo: number;
  recipientId: number;
  amount_usd: string;
  state: ItemState;
}

const FOUND_MAX = 10;

/**
 * Lists the payments of a game that have these references, or whose report names them by a provider's ID; at most ten. Most searches are about something else: they cost
 * one statement that is quick to plan.
 */
export async function listPaymentsOf(
  db: Db,
  gameId: number,
  by: { references: readonly string[]; providerId: string },
): Promise<FoundPayment[]> {
  const named = by.references.flatMap((reference) => parsePaymentReference(reference) ?? []).filter((each) => each.gameId === gameId);
  const reported = await db
    .selectFrom('payment_confirmation')
    .select(['run_id as runId', 'item_no as itemNo'])
    .where('game_id', '=', gameId)
    .where('provider_id', '=', by.providerId)
    .limit(FOUND_MAX)
    .execute();
  if (named.length + reported.length === 0) return [];
  const { rows } = await sql<Omit<FoundPayment, 'reference' | 'state'> & { itemNo: number; state: string }>`
    select run.run_no as "runNo", i.item_no as "itemNo", i.recipient_player_id as "recipientId", i.amount_usd, i.state
    from (
      select run.run_id, named.item_no from unnest(${named.map(({ runNo }) => runNo)}::int[], ${named.map(({ itemNo }) => itemNo)}::int[]) as named (run_no, item_no)
        join payout_run run on run.game_id = ${gameId} and run.run_no = named.run_no
      union select * from unnest(${reported.map(({ runId }) => runId)}::bigint[], ${reported.map(({ itemNo }) => itemNo)}::int[])) found
      join payout_item i on i.game_id = ${gameId} and i.run_id = found.run_id and i.item_no = found.item_no
      join payout_run run on run.game_id = ${gameId} and run.run_id = found.run_id
    order by run.run_no desc, i.item_no limit ${FOUND_MAX}`.execute(db);
  return rows.map(({ itemNo, state, ...row }) => ({
    ...row,
    reference: formatPaymentReference({ gameId, runNo: row.runNo, itemNo }),
    state: parseEnum(ITEM_STATES, state),
  }));
}
