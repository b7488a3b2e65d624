import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

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
      (select known.period_id from known_id known join delivery_subject paid on paid.game_id = known.game_id and paid.kind = 'transaction'
           and paid.id_text = known.id_text and paid.delivery_id = named.delivery_id
         where known.game_id = ${gameId} and known.kind = 'transaction' and known.period_id > 0 limit 1)) as period_id
    from delivery_subject about
      join delivery_subject named on named.game_id = about.game_id and named.delivery_id = about.delivery_id and named.kind = 'subscription_period'
    where about.game_id = ${gameId} and about.kind = 'client_request' and about.id_text = ${key}
    order by named.delivery_id desc limit 1`.execute(db);
  const [row] = rows;
  const [, subscriptionId, seq] = /^(.+) (\d{1,9})$/.exec(row?.id_text ?? '') ?? [];
  return row === undefined || subscriptionId === undefined ? null : { subscriptionId, periodSeq: Number(seq), periodId: row.period_id };
}
