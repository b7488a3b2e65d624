import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { StoredSender } from '../reads/senders.ts';
import type { SenderMethod } from '../rules/sender-entries.ts';

/** Finds the number of the next sender account; null: one of the method waits for a second person. The caller has locked the runs of the game. */
export async function findNextSender(tx: Db, gameId: number, method: SenderMethod): Promise<number | null> {
  const { rows } = await sql<{ next: number; isOpen: boolean }>`
    select coalesce(max(sender_no), 0) + 1 as next,
      coalesce(bool_or(method = ${method} and confirmed_at is null and withdrawn_at is null), false) as "isOpen"
    from payout_sender where game_id = ${gameId}`.execute(tx);
  return rows[0] === undefined || rows[0].isOpen ? null : rows[0].next;
}

/** Stores a sender account that waits for a second person. */
export async function insertSender(
  tx: Db,
  { gameId, senderNo, method, mask, sealed, digest, keyName }: StoredSender,
  actorId: string,
): Promise<void> {
  const row = { game_id: gameId, sender_no: senderNo, method, sealed, key_name: keyName, mask, digest, proposed_by: actorId };
  await tx.insertInto('payout_sender').values(row).execute();
}

/** Confirms or withdraws a sender account. */
export async function decideSenderRow(
  tx: Db,
  { gameId, senderNo }: { gameId: number; senderNo: number },
  { actorId, decision }: { actorId: string; decision: 'confirmed' | 'withdrawn' },
): Promise<void> {
  const set =
    decision === 'confirmed'
      ? sql`confirmed_by = ${actorId}, confirmed_at = clock_now()`
      : sql`withdrawn_by = ${actorId}, withdrawn_at = clock_now()`;
  await sql`update payout_sender set ${set} where game_id = ${gameId} and sender_no = ${senderNo}`.execute(tx);
}

/** Finds who proposed a sender account that nobody decided yet; null: there is none. */
export async function findSenderAuthor(tx: Db, gameId: number, senderNo: number): Promise<string | null> {
  const row = await tx
    .selectFrom('payout_sender')
    .select('proposed_by')
    .where('game_id', '=', gameId)
    .where('sender_no', '=', senderNo)
    .where('confirmed_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst();
  return row?.proposed_by ?? null;
}
