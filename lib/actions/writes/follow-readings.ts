import { type RawBuilder, sql } from 'kysely';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import { ACTION_ACTS } from '../rules/audit-acts.ts';
import { recordActionAudit } from './action-rows.ts';

/** Whether a desk action waits for an order, or its recorded outcome is what the order may contradict. */
export function awaitsOrder(gameId: number, orderId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from desk_action action where action.game_id = ${gameId} and action.order_id = ${orderId}
    and (action.state in ('checking', 'not_done') or action.state = 'done' and action.outcome_source = 'people'))`;
}

/** What is due within this is being read, or will be soon: its own reading must not move it. */
const SOON = sql`interval '90 seconds'`;

/** Makes the desk actions that wait for what was read due now, those to be read soon apart. */
async function lookNow(db: Db, gameId: number, waits: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ action_id: number }>`update desk_action set next_look_at = clock_now()
    where game_id = ${gameId} and ${waits} and next_look_at > clock_now() + ${SOON} returning action_id`.execute(db);
  for (const { action_id: id } of rows) await wakeWorker(db, { queue: 'actions', gameId, id });
}

/** What a reading of a transfer means for desk actions: those that wait for it look now. */
export async function followTransfer(db: Db, gameId: number, transactionId: string): Promise<void> {
  await lookNow(
    db,
    gameId,
    sql`ended_at is null and state in ('checking', 'with_player')
    and ${transactionId} in (transaction_id, result->>'transaction_id', facts->'request'->>'transaction_id')`,
  );
}

/** An order as Invo reported it just now. */
export interface ReadOrder {
  gameId: number;
  orderId: string;
  status: string | null;
  playerId: number | null;
  /** Our ID in the metadata of a link that was paid; null: the order has none. */
  link: string | null;
}

/**
 * What a reading of an order means for desk actions: those that wait for it are settled now, one whose recorded outcome it contradicts needs people again,
 * and a link is marked as paid where order and player agree.
 */
export async function followOrder(db: Db, order: ReadOrder): Promise<void> {
  const { gameId, orderId, status, playerId, link } = order;
  await lookNow(db, gameId, sql`order_id = ${orderId} and state = 'checking'`);
  const contradicted = contradictedBy(status);
  if (contradicted !== null)
    await inTransaction(db, async (tx) => {
      const { rows } = await sql<{
        action_id: number;
      }>`update desk_action set state = 'attention', attention_reason = 'reading_contradicts', outcome_source = null
        where game_id = ${gameId} and order_id = ${orderId} and kind = 'payment_confirm' and state = ${contradicted}
          and (state = 'not_done' or outcome_source = 'people') returning action_id`.execute(tx);
      const detail = { reason: 'reading_contradicts', from: contradicted, to: 'attention' };
      for (const { action_id: actionId } of rows)
        await recordActionAudit(tx, { gameId, actionId }, 'worker', ACTION_ACTS.needsAttention, detail);
    });
  if (status !== 'completed' || link === null || playerId === null) return;
  await sql`update desk_action set paid_order_id = ${orderId}
    where game_id = ${gameId} and kind = 'payment_link' and draft_id = ${link}::uuid and player_id = ${playerId} and first_sent_at is not null
      and paid_order_id is null`.execute(db);
}

/** The outcome of a payment confirmation that the status of its order contradicts; null: none. */
function contradictedBy(status: string | null): 'done' | 'not_done' | null {
  if (status === 'completed') return 'not_done';
  return status === 'failed' || status === 'cancelled' ? 'done' : null;
}
