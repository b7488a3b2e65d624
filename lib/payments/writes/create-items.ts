import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { RunId } from '#lib/payouts/reads/find-run.ts';
import { refreshStates } from './refresh-states.ts';

/** Creates the payments of a run as its last approval is stored: one for each line that pays, numbered by recipient. A run that pays nobody is paid at once. */
export async function createItems(tx: Db, { gameId, runId }: RunId): Promise<void> {
  await sql`
    insert into payout_item (game_id, run_id, item_no, recipient_player_id, amount_usd, detail_no)
    select line.game_id, line.run_id, row_number() over (order by line.recipient_player_id), line.recipient_player_id, line.payable_usd, line.detail_no
    from payout_line line where line.game_id = ${gameId} and line.run_id = ${runId} and line.payable_usd > 0`.execute(tx);
  await refreshStates(tx, { gameId, runId });
}

/** Creates a payment in place of each one of a cancelled file, which two people agreed to. It goes to the same payment details: to others only as a re-issue. */
export async function replaceItems(
  tx: Db,
  { gameId, runId }: RunId,
  { batchNo, reason, proposedBy, confirmedBy }: { batchNo: number; reason: string; proposedBy: string; confirmedBy: string },
): Promise<void> {
  await sql`
    insert into payout_item (game_id, run_id, item_no, recipient_player_id, amount_usd, detail_no, replaces_item_no, proposed_by, proposed_at, reason, confirmed_by,
      confirmed_at, state)
    select i.game_id, i.run_id, (select max(item_no) from payout_item where game_id = ${gameId} and run_id = ${runId}) + row_number() over (order by i.item_no),
      i.recipient_player_id, i.amount_usd, i.detail_no, i.item_no, ${proposedBy}, clock_now(), ${reason}, ${confirmedBy}, clock_now(), 'waiting'
    from payout_item i where i.game_id = ${gameId} and i.run_id = ${runId} and i.batch_no = ${batchNo}`.execute(tx);
}
