import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import { writeLiteral } from '#db/kit/copy-csv.ts';
import { mayNow } from '#db/people/rights-now.ts';

/** A person who acts on one delivery. */
export interface DeliveryAct {
  gameId: number;
  deliveryId: number;
  actor: { id: string; email: string };
}

async function recordDeliveryAudit(
  client: pg.ClientBase,
  { gameId, deliveryId, actor }: DeliveryAct,
  act: string,
  detail: object,
): Promise<void> {
  await client.query(`insert into audit (actor, game_id, act, subject, detail) values ($1, $2, $3, $4, $5)`, [
    actor.email,
    gameId,
    act,
    `webhook delivery ${deliveryId}`,
    JSON.stringify(detail),
  ]);
}

/**
 * Settles a delivery that needs a person, with the reason. Its state stays what it is, so that it can still be found by it. False when it is settled
 * already, needs nobody, or the person no longer may.
 */
export async function recordSettled(pool: pg.Pool, settle: DeliveryAct & { reason: string; act: string }): Promise<boolean> {
  const { gameId, deliveryId, actor, reason, act } = settle;
  return await inClientTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update delivery set settled_at = clock_now(), settled_by = person.id, settled_reason = $4 from person
       where game_id = $1 and delivery_id = $2 and settled_at is null and state in ('conflict', 'other_game', 'failing')
         and person.id = $3 and ${writeLiteral(mayNow('person', 'deliveries.settle'))}`,
      [gameId, deliveryId, actor.id, reason],
    );
    if (rowCount === 1) await recordDeliveryAudit(client, settle, act, { reason });
    return rowCount === 1;
  });
}

/** Makes what a delivery opened due again now. False when it opened nothing, or the person no longer may. */
export async function recordReadAgain(pool: pg.Pool, again: DeliveryAct): Promise<boolean> {
  const { gameId, deliveryId, actor } = again;
  return await inClientTransaction(pool, async (client) => {
    const { rows } = await client.query<{ kind: string }>(
      `select d.read_kind as kind, ask_delivery_read(d.game_id, d.read_kind, d.read_subject) from delivery d, person
       where d.game_id = $1 and d.delivery_id = $2 and d.read_kind is not null
         and person.id = $3 and ${writeLiteral(mayNow('person', 'deliveries.settle'))}`,
      [gameId, deliveryId, actor.id],
    );
    const [read] = rows;
    if (read === undefined) return false;
    await recordDeliveryAudit(client, again, 'asked for another reading', { read: read.kind });
    await client.query(`select wake('deliveries', $1::int::text, jsonb_build_object('gameId', $1::int), clock_now())`, [gameId]);
    return true;
  });
}
