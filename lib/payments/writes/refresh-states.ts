import { type RawBuilder, sql } from 'kysely';
import { type Db, findDatabaseNow } from '#db/kit/open.ts';
import { derivedState } from '../reads/item-states.ts';
import { type ItemState, OPEN_STATES } from '../rules/item-state.ts';

/**
 * Stores the state of each payment of a run and how far the run is: after everything that changes one of their facts, in the same transaction. The caller has locked the
 * run.
 */
export async function refreshStates(tx: Db, { gameId, runId }: { gameId: number; runId: number }): Promise<void> {
  await sql`
    update payout_item i set state = ${derivedState(gameId)}
    where i.game_id = ${gameId} and i.run_id = ${runId} and i.state <> ${derivedState(gameId)}`.execute(tx);
  const has = (states: readonly ItemState[]): RawBuilder<boolean> => sql`exists (
    select from payout_item i where i.game_id = ${gameId} and i.run_id = ${runId} and i.state = any(${[...states]}::text[]))`;
  const now = await findDatabaseNow(tx);
  await sql`
    update payout_run run set
      exported_at = case when ${has(['proposed', 'waiting'])} then null else coalesce(run.exported_at, ${now}::timestamptz) end,
      paid_at = case when ${has(OPEN_STATES)} then null else coalesce(run.paid_at, ${now}::timestamptz) end
    where run.game_id = ${gameId} and run.run_id = ${runId} and run.state = 'approved' and run.closed_at is null`.execute(tx);
}
