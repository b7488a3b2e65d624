import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** Something about payments that is sealed: a sender account, a payment file or a bank report, by its number in the game. */
export interface SealedPayment {
  kind: 'sender' | 'file' | 'report';
  no: number;
}

/** Everything about payments of a game that is sealed, with the name of its key. */
const sealedPayments = (gameId: number): RawBuilder<SealedPayment & { keyName: string }> => sql`
  select 'sender' as kind, s.sender_no as no, s.key_name as "keyName" from payout_sender s where s.game_id = ${gameId}
  union all select 'file', b.batch_no, b.key_name from payout_batch b where b.game_id = ${gameId} and b.key_name is not null
  union all select 'report', r.report_no, r.key_name from payment_report r where r.game_id = ${gameId}`;

/** Lists what of a game's payments a key seals. */
export async function listPaymentsUnder(db: Db, gameId: number, keyName: string): Promise<SealedPayment[]> {
  const { rows } = await sql<SealedPayment>`
    select own.kind, own.no from (${sealedPayments(gameId)}) own where own."keyName" = ${keyName} order by own.kind, own.no`.execute(db);
  return rows;
}

/** Counts what of a game's payments each key seals. */
export async function countPaymentsByKey(db: Db, gameId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ keyName: string; count: number }>`
    select own."keyName", count(*)::int as count from (${sealedPayments(gameId)}) own group by own."keyName"`.execute(db);
  return new Map(rows.map(({ keyName, count }) => [keyName, count]));
}
