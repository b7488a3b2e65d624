import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** A payment of a run by its number. */
interface ItemKey {
  gameId: number;
  runId: number;
  itemNo: number;
}

/** Stores a payment in place of one that failed, came back or enters no file, which waits for a second person. Returns its number. The caller has locked the run. */
export async function insertReissue(
  tx: Db,
  { gameId, runId, itemNo }: ItemKey,
  { actorId, reason }: { actorId: string; reason: string },
): Promise<number> {
  const { rows } = await sql<{ item_no: number }>`
    insert into payout_item as added (game_id, run_id, item_no, recipient_player_id, amount_usd, replaces_item_no, proposed_by, proposed_at, reason, state)
    select i.game_id, i.run_id, (select max(item_no) + 1 from payout_item where game_id = ${gameId} and run_id = ${runId}), i.recipient_player_id, i.amount_usd,
      i.item_no, ${actorId}, clock_now(), ${reason}, 'proposed'
    from payout_item i where i.game_id = ${gameId} and i.run_id = ${runId} and i.item_no = ${itemNo} returning added.item_no`.execute(tx);
  const [added] = rows;
  if (added === undefined) throw new Error(`run ${runId} has no payment ${itemNo}`);
  return added.item_no;
}

/**
 * Decides a proposed re-issue by its own number; false: it is decided already. `confirmedFor`: the number of the payment details that it goes to; null: it is withdrawn.
 * The caller has locked who confirms.
 */
export async function decideReissueRow(
  tx: Db,
  { gameId, runId, itemNo }: ItemKey,
  { actorId, confirmedFor }: { actorId: string; confirmedFor: number | null },
): Promise<boolean> {
  const set =
    confirmedFor === null
      ? sql`withdrawn_by = ${actorId}, withdrawn_at = clock_now()`
      : sql`confirmed_by = ${actorId}, confirmed_at = clock_now(), detail_no = ${confirmedFor}`;
  const { numAffectedRows } = await sql`
    update payout_item i set ${set} where i.game_id = ${gameId} and i.run_id = ${runId} and i.item_no = ${itemNo} and i.proposed_by is not null
      and i.confirmed_at is null and i.withdrawn_at is null`.execute(tx);
  return numAffectedRows === 1n;
}
