import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { refreshStates } from './item-states.ts';

/** Creates the payments of a run as its last approval is stored: one for each line that pays, numbered by recipient. A run that pays nobody is paid at once. */
export async function createItems(tx: Db, { gameId, runId }: { gameId: number; runId: number }): Promise<void> {
  await sql`
    insert into payout_item (game_id, run_id, item_no, recipient_player_id, amount_usd, detail_no)
    select line.game_id, line.run_id, row_number() over (order by line.recipient_player_id), line.recipient_player_id, line.payable_usd, line.detail_no
    from payout_line line where line.game_id = ${gameId} and line.run_id = ${runId} and line.payable_usd > 0`.execute(tx);
  await refreshStates(tx, { gameId, runId });
}
