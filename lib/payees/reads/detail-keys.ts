import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { type DetailRow, detailColumns, detailOf, type StoredDetail } from './payee-details.ts';

/** Counts the payment details of a game by the name of the key that seals them, without erased ones. */
export async function countByKey(db: Db, gameId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ keyName: string; count: number }>`
    select d.key_name as "keyName", count(*)::int as count from payee_detail d where d.game_id = ${gameId} and d.erased_at is null
    group by d.key_name`.execute(db);
  return new Map(rows.map(({ keyName, count }) => [keyName, count]));
}

/** Lists and locks the details that a key seals, by recipient and number, those after one of them. */
export async function listSealedUnder(
  tx: Db,
  gameId: number,
  { keyName, after, limit }: { keyName: string; after: { recipientId: number; detailNo: number }; limit: number },
): Promise<StoredDetail[]> {
  const { rows } = await sql<DetailRow>`
    select ${detailColumns('d')} from payee_detail d
    where d.game_id = ${gameId} and (d.recipient_player_id, d.detail_no) > (${after.recipientId}, ${after.detailNo})
      and d.key_name = ${keyName} and d.erased_at is null
    order by d.recipient_player_id, d.detail_no limit ${limit} for update`.execute(tx);
  return rows.map(detailOf);
}

/**
 * Counts the payment details, sender accounts, payment files and bank reports that are sealed under other keys than the one of this name, by key; null: under
 * any.
 */
export async function listOtherKeys(db: Db, keyName: string | null): Promise<{ keyName: string; count: number }[]> {
  const { rows } = await sql<{ keyName: string; count: number }>`
    select own.key_name as "keyName", count(*)::int as count from (
      select d.key_name from game join payee_detail d on d.game_id = game.game_id where d.erased_at is null
      union all select s.key_name from game join payout_sender s on s.game_id = game.game_id
      union all select b.key_name from game join payout_batch b on b.game_id = game.game_id where b.key_name is not null
      union all select r.key_name from game join payment_report r on r.game_id = game.game_id) own
    where own.key_name is distinct from ${keyName} group by own.key_name order by own.key_name`.execute(db);
  return rows;
}
