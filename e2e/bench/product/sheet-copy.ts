import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** The columns of the two long sheets, read from the newest snapshot of a month as a file lists them. */
const SHEETS: Record<'renewals' | 'reversals', string> = {
  renewals: `select 'bench', 'production', snapshot.window_start, snapshot.window_end, snapshot.snapshot_id, line.recipient_player_id, line.period_id, line.subscription_id,
      line.period_seq, line.item_id, line.item_name, line.status, line.period_start, line.period_end, line.paid_at_reported, line.amount_usd, line.invo_fee_usd,
      line.partner_revenue_settled_usd, line.percent_at_renewal, line.base_usd, line.attributed_amount_usd, line.base_matches_settled_fee, line.rail, line.amount_coins,
      line.balance_applied_coins, line.card_charged_usd, line.pcstore_charged_usd, line.transaction_id, line.mint_order_id
    from snapshot join snapshot_slice using (game_id, snapshot_id) join renewal_line line using (game_id, slice_id)
    where SNAPSHOT order by line.recipient_player_id, line.paid_at, line.period_id`,
  reversals: `select 'bench', 'production', snapshot.window_start, snapshot.window_end, snapshot.snapshot_id, line.recipient_player_id, line.period_id, line.subscription_id,
      line.period_seq, line.paid_at_reported, line.settled_in_this_window, line.reversal_basis, event.refunded_at_reported, event.refunded_amount_usd, event.is_full_refund,
      line.originally_attributed_usd, coalesce(event.reversed_attributed_usd, line.reversed_attributed_usd), event.partner_revenue_reversed_usd,
      event.partner_revenue_reversal_basis, line.nets_to_zero_in_window
    from snapshot join snapshot_slice using (game_id, snapshot_id) join reversal_line line using (game_id, slice_id)
      left join refund_event event using (game_id, slice_id, period_id)
    where SNAPSHOT order by line.recipient_player_id, event.refunded_at nulls first, line.period_id, event.event_no`,
};

/** Copies a sheet out as bare CSV through pg-copy-streams into a sink, the limit of every file. Returns how long it took and how many bytes came. */
export async function copySheet(
  pool: pg.Pool,
  sheet: keyof typeof SHEETS,
  snapshotId: number,
): Promise<{ took_ms: number; bytes: number }> {
  const client = await pool.connect();
  try {
    const startedAt = performance.now();
    let bytes = 0;
    const sink = new Writable({
      write: (chunk: Buffer, _, done) => {
        bytes += chunk.length;
        done();
      },
    });
    const query = SHEETS[sheet].replace('SNAPSHOT', `snapshot.snapshot_id = ${snapshotId} and snapshot.game_id = 1`);
    await pipeline(client.query(copyTo(`copy (${query}) to stdout (format csv)`)), sink);
    return { took_ms: performance.now() - startedAt, bytes };
  } finally {
    client.release();
  }
}

/** The newest snapshot of a month in a database. */
export async function findNewestSnapshot(pool: pg.Pool, windowStart: string): Promise<number> {
  const { rows } = await pool.query<{ snapshot_id: number }>(
    'select max(snapshot_id) as snapshot_id from snapshot where window_start = $1',
    [windowStart],
  );
  const [row] = rows;
  if (!row) throw new Error(`no snapshot from ${windowStart}`);
  return row.snapshot_id;
}
