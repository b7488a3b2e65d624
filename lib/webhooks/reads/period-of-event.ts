import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { NOT_CARRIED_OUT_STATES } from '#lib/refunds/rules/state.ts';
import { ELSEWHERE_OUTCOMES } from '../rules/delivery.ts';
import { isUsed } from './deliveries-about.ts';

/** What deliveries about a refund name of the period it belongs to. */
export interface RefundedPeriod {
  subscriptionId: string;
  periodSeq: number;
  /** Our id of it, where a pulled report or a reading has it; null: unknown here. */
  periodId: number | null;
}

/** Finds the period that deliveries under a refund's key name; null when none of them names a subscription and the number of its period. */
export async function findRefundedPeriod(db: Db, gameId: number, key: string): Promise<RefundedPeriod | null> {
  const { rows } = await sql<{ id_text: string; period_id: number | null }>`
    select named.id_text, coalesce(
      (select line.period_id from renewal_line line where line.game_id = ${gameId} and line.subscription_id = substring(named.id_text from '^(.+) [0-9]{1,9}$')
         and line.period_seq = substring(named.id_text from ' ([0-9]{1,9})$')::int limit 1),
      (select known.period_id from known_id known join delivery_subject paid on paid.game_id = ${gameId} and paid.kind = 'transaction'
           and paid.id_text = known.id_text and paid.delivery_id = named.delivery_id
         where known.game_id = ${gameId} and known.kind = 'transaction' and known.period_id > 0 limit 1)) as period_id
    from delivery_subject about
      join delivery_subject named on named.game_id = ${gameId} and named.delivery_id = about.delivery_id and named.kind = 'subscription_period'
    where about.game_id = ${gameId} and about.kind = 'client_request' and about.id_text = ${key}
    order by named.delivery_id desc limit 1`.execute(db);
  const [row] = rows;
  const [, subscriptionId, seq] = /^(.+) (\d{1,9})$/.exec(row?.id_text ?? '') ?? [];
  return row === undefined || subscriptionId === undefined ? null : { subscriptionId, periodSeq: Number(seq), periodId: row.period_id };
}

/**
 * Counts the refunds of a period that are known without one: ours that were made or may have been, and those that its reports have shown to be made
 * elsewhere.
 */
export async function countRefundsKnown(
  db: Db,
  gameId: number,
  { subscriptionId, periodSeq, periodId, exceptKey }: RefundedPeriod & { exceptKey: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from refund where game_id = ${gameId} and period_id = ${periodId}
        and state not in ('awaiting_approval', 'approved', ${sql.join([...NOT_CARRIED_OUT_STATES])}))
      + (select count(distinct opened.subject) from delivery_subject named
          join delivery on delivery.game_id = ${gameId} and delivery.delivery_id = named.delivery_id
          join delivery_read opened on opened.game_id = ${gameId} and opened.kind = delivery.read_kind and opened.subject = delivery.read_subject
         where named.game_id = ${gameId} and named.kind = 'subscription_period' and named.id_text = ${`${subscriptionId} ${periodSeq}`}
           and delivery.read_kind = 'refund' and opened.outcome = 'refunded_elsewhere' and opened.subject <> ${exceptKey}) as count`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** A refund that Invo reported by webhook and that was not made in Sharebook. Its amount is on the period, as Invo reports it there. */
export interface RefundElsewhere {
  /** Its newest delivery. */
  deliveryId: number;
  /** When Sharebook received that. */
  receivedAt: string;
  /** Its idempotency key, which no refund of Sharebook has. */
  client_request_id: string;
}

const ELSEWHERE_MAX = 25;

/** Lists the refunds of a period that were made elsewhere, newest first, at most 25. What came too late, names another game or is contradicted says nothing here. */
export async function listRefundsElsewhere(
  db: Db,
  gameId: number,
  { subscriptionId, periodSeq }: { subscriptionId: string; periodSeq: number },
): Promise<RefundElsewhere[]> {
  const { rows } = await sql<RefundElsewhere>`
    select max(delivery.delivery_id) as "deliveryId", max(delivery.received_at) as "receivedAt", delivery.read_subject as client_request_id
    from delivery_subject named
      join delivery on delivery.game_id = ${gameId} and delivery.delivery_id = named.delivery_id
      join delivery_read opened on opened.game_id = ${gameId} and opened.kind = delivery.read_kind and opened.subject = delivery.read_subject
    where named.game_id = ${gameId} and named.kind = 'subscription_period' and named.id_text = ${`${subscriptionId} ${periodSeq}`}
      and delivery.read_kind = 'refund' and ${isUsed(gameId)} and opened.outcome in (${sql.join([...ELSEWHERE_OUTCOMES])})
    group by delivery.read_subject order by 1 desc limit ${ELSEWHERE_MAX}`.execute(db);
  return rows;
}
