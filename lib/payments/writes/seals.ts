import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { SealedPayment } from '../reads/sealed-payments.ts';

/** Stores something about payments under another key, if it is under the key `from` still. The database allows it to the owner of the tables. */
export async function updateSeal(
  db: Db,
  gameId: number,
  { kind, no }: SealedPayment,
  { from, to, sealed }: { from: string; to: string; sealed: Buffer },
): Promise<void> {
  const set = sql`set sealed = ${sealed}, key_name = ${to}`;
  if (kind === 'sender')
    await sql`update payout_sender s ${set} where s.game_id = ${gameId} and s.sender_no = ${no} and s.key_name = ${from}`.execute(db);
  else if (kind === 'file')
    await sql`update payout_batch b ${set} where b.game_id = ${gameId} and b.batch_no = ${no} and b.key_name = ${from}`.execute(db);
  else await sql`update payment_report r ${set} where r.game_id = ${gameId} and r.report_no = ${no} and r.key_name = ${from}`.execute(db);
}
