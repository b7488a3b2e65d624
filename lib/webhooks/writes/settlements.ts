import { sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { mayNow } from '#lib/approvals/reads.ts';
import { recordAudit } from '#lib/audit/writes.ts';

/** A person who acts on one delivery. */
export interface DeliveryAct {
  gameId: number;
  deliveryId: number;
  actor: { id: string; email: string };
}

async function recordDeliveryAudit(
  tx: Db,
  { gameId, deliveryId, actor }: DeliveryAct,
  act: string,
  detail: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, { actor: actor.email, gameId, act, subject: `webhook delivery ${deliveryId}`, detail });
}

/**
 * Settles a delivery that needs a person, with the reason. Its state stays what it is, so that it can still be found by it. False when it is settled
 * already, needs nobody, or the person no longer may.
 */
export async function recordSettled(db: Db, settle: DeliveryAct & { reason: string; act: string }): Promise<boolean> {
  const { gameId, deliveryId, actor, reason, act } = settle;
  return await inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`update delivery set settled_at = clock_now(), settled_by = person.id, settled_reason = ${reason} from person
       where game_id = ${gameId} and delivery_id = ${deliveryId} and settled_at is null and state in ('conflict', 'other_game', 'failing')
         and person.id = ${actor.id} and ${mayNow('person', 'deliveries.settle')}`,
    );
    if (rowCount === 1) await recordDeliveryAudit(tx, settle, act, { reason });
    return rowCount === 1;
  });
}

/** Makes what a delivery opened due again now. False when it opened nothing, or the person no longer may. */
export async function recordReadAgain(db: Db, again: DeliveryAct): Promise<boolean> {
  const { gameId, deliveryId, actor } = again;
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<{
      kind: string;
    }>`select d.read_kind as kind, ask_delivery_read(d.game_id, d.read_kind, d.read_subject) from delivery d, person
       where d.game_id = ${gameId} and d.delivery_id = ${deliveryId} and d.read_kind is not null
         and person.id = ${actor.id} and ${mayNow('person', 'deliveries.settle')}`.execute(tx);
    const [read] = rows;
    if (read === undefined) return false;
    await recordDeliveryAudit(tx, again, 'asked for another reading', { read: read.kind });
    await sql`select wake('deliveries', ${gameId}::int::text, jsonb_build_object('gameId', ${gameId}::int), clock_now())`.execute(tx);
    return true;
  });
}
