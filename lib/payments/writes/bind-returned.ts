import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { RunId } from '#lib/payouts/reads/find-run.ts';
import type { ReturnedItem } from '../rules/item-state.ts';
import { refreshStates } from './refresh-states.ts';

/** Makes payments that failed or came back a part of a run as it is submitted. Throws when one of them no longer did, or is part of another run. */
export async function bindReturned(tx: Db, { gameId, runId }: RunId, items: readonly ReturnedItem[]): Promise<void> {
  if (items.length === 0) return;
  const { rows } = await sql<{ run_id: number }>`
    update payout_item i set returned_in_run_id = ${runId}
    from unnest(${items.map(({ runNo }) => runNo)}::int[], ${items.map(({ itemNo }) => itemNo)}::int[]) as back (run_no, item_no)
      join payout_run origin on origin.game_id = ${gameId} and origin.run_no = back.run_no
    where i.game_id = ${gameId} and i.run_id = origin.run_id and i.item_no = back.item_no and i.returned_in_run_id is null
      and i.state in ('failed', 'returned') returning i.run_id`.execute(tx);
  if (rows.length !== items.length) throw new Error(`run ${runId} pays ${items.length} payments again, and ${rows.length} are free`);
  await refreshEach(tx, gameId, rows);
}

/** Gives the payments that came back to a run free again, before it is a draft, rejected or voided. */
export async function freeReturned(tx: Db, { gameId, runId }: RunId): Promise<void> {
  const { rows } = await sql<{ run_id: number }>`
    update payout_item i set returned_in_run_id = null where i.game_id = ${gameId} and i.returned_in_run_id = ${runId} returning i.run_id`.execute(
    tx,
  );
  await refreshEach(tx, gameId, rows);
}

async function refreshEach(tx: Db, gameId: number, rows: readonly { run_id: number }[]): Promise<void> {
  for (const runId of new Set(rows.map(({ run_id }) => run_id))) await refreshStates(tx, { gameId, runId });
}
