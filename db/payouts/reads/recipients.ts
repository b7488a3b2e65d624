import type { Queryable } from './run-facts.ts';

/** Of these ids, those that Invo has reported as recipients or that a run has a line of, in order. */
export async function listKnownRecipients(from: Queryable, gameId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await from.query<{ id: number }>(
    `select distinct id from unnest($2::bigint[]) as id
     where exists (select from snapshot_recipient r where r.game_id = $1 and r.recipient_player_id = id)
       or exists (select from payout_line line where line.game_id = $1 and line.recipient_player_id = id)
     order by id`,
    [gameId, ids],
  );
  return rows.map(({ id }) => id);
}

/** Finds a settled period of a recipient with what is attributed for it; null: no complete snapshot in use has it. */
export async function findAttributedPeriod(
  from: Queryable,
  gameId: number,
  periodId: number,
  recipientId: number,
): Promise<{ periodId: number; attributed_usd: string } | null> {
  const { rows } = await from.query<{ periodId: number; attributed_usd: string }>(
    `select line.period_id as "periodId", line.attributed_amount_usd::text as attributed_usd
     from renewal_line line join snapshot_slice s using (game_id, slice_id)
       join current_window w on w.game_id = s.game_id and w.snapshot_id = s.snapshot_id and w.status = 'complete'
     where line.game_id = $1 and line.period_id = $2 and line.recipient_player_id = $3 limit 1`,
    [gameId, periodId, recipientId],
  );
  return rows[0] ?? null;
}
