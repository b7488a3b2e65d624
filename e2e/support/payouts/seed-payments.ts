import type pg from 'pg';
import { formatPaymentReference } from '#lib/payments/rules/payment-reference.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import type { TestPayment } from './hand-over-all.ts';

/** Adds payments of 12.00 to an approved run as if a file with them was handed over: more than any test month has. They follow from no evidence. */
export async function seedPayments(
  pool: pg.Pool,
  { gameId, runId, runNo }: Pick<Run, 'gameId' | 'runId' | 'runNo'>,
  count: number,
  actorId: string,
): Promise<{ batchId: string; payments: TestPayment[] }> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`set local session_replication_role = 'replica'`);
    const key = [gameId, runId, count];
    const next = `(select coalesce(max(item_no), 0) from payout_item where game_id = $1 and run_id = $2)`;
    const columns = 'snapshot_id, resolved, opening_usd, earned_usd, reversed_usd, pinned_usd, adjusted_usd, returned_usd, held_usd';
    await client.query(
      `insert into payout_line (game_id, run_id, recipient_player_id, ${columns.replace('snapshot_id', 'seen_snapshot_id')}, minimum_usd, together_usd, payable_usd, outcome, also)
       select $1, $2, 1000000 + ${next} + n, null, true, 0, 12, 0, 0, 0, 0, 0, 10, 12, 12, 'payable', '{}' from generate_series(1, $3::int) n`,
      key,
    );
    const { rows } = await client.query<{ batch_no: number }>(
      `insert into payout_batch (game_id, batch_no, run_id, method, format, message_id, part_no, part_count, created_local, note, item_count, total_usd, currency,
         total_file, file_name, sealed, key_name, sha256, made_by, handed_over_by, handed_over_at)
       select $1, next.no, $2, 'paypal', 'paypal_web', 'SEED-' || next.no, 1, 1, '2026-11-04T09:30:00', 'Share', $3::int, 12.00 * $3::int, 'USD', 12.00 * $3::int, 'seed.csv', '\\x00',
         '00000000', sha256('\\x00'), $4, $4, clock_timestamp()
       from (select coalesce(max(batch_no), 0) + 1 as no from payout_batch where game_id = $1) next returning batch_no`,
      [...key, actorId],
    );
    const batchNo = rows[0]?.batch_no ?? 0;
    const { rows: items } = await client.query<{ item_no: number; recipient_player_id: number }>(
      `insert into payout_item (game_id, run_id, item_no, recipient_player_id, amount_usd, batch_no, amount_file, state)
       select $1, $2, ${next} + n, 1000000 + ${next} + n, 12.00, $4, 12.00, 'sent' from generate_series(1, $3::int) n returning item_no, recipient_player_id`,
      [...key, batchNo],
    );
    await client.query('commit');
    return {
      batchId: `SEED-${batchNo}`,
      payments: items.map(({ item_no: itemNo, recipient_player_id: recipientId }) => ({
        itemNo,
        recipientId,
        reference: formatPaymentReference({ gameId, runNo, itemNo }),
        amount: '12.00',
      })),
    };
  } finally {
    client.release();
  }
}
