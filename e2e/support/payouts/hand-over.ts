import type pg from 'pg';
import type { OpenGame } from '#lib/games/open-game.ts';
import { formatPaymentReference } from '#lib/payments/rules/payment-reference.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';

/** A payment as a bank's report would name it. */
export interface TestPayment {
  itemNo: number;
  recipientId: number;
  reference: string;
  amount: string;
}

/** Hands the payments of a run over in one PayPal file that nobody made, in the order of their numbers. `batchId`: what the bank knows it by. */
export async function handOver(
  testEnv: { pool: pg.Pool; game(): Promise<OpenGame> },
  run: Pick<Run, 'runId' | 'runNo'>,
  actorId: string,
): Promise<{ batchNo: number; batchId: string; payments: TestPayment[] }> {
  const { gameId } = await testEnv.game();
  const { rows: waiting } = await testEnv.pool.query<{ item_no: number; recipient_player_id: number; amount_usd: string }>(
    `select item_no, recipient_player_id, amount_usd from payout_item where game_id = $1 and run_id = $2 and state = 'waiting' order by item_no`,
    [gameId, run.runId],
  );
  const { rows } = await testEnv.pool.query<{ batch_no: number }>(
    `insert into payout_batch (game_id, batch_no, run_id, method, format, message_id, part_no, part_count, created_local, note, item_count, total_usd, currency,
       total_file, file_name, sealed, key_name, sha256, made_by)
     select $1, next.no, $2, 'paypal', 'paypal_web', 'TEST-' || $1 || '-' || next.no, 1, 1, '2026-11-04T09:30:00', 'Revenue share', count(*), sum(i.amount_usd), 'USD',
       sum(i.amount_usd), 'test.csv', '\\x00', '00000000', sha256('\\x00'), $3
     from payout_item i, (select coalesce(max(batch_no), 0) + 1 as no from payout_batch where game_id = $1) next
     where i.game_id = $1 and i.run_id = $2 and i.state = 'waiting' group by next.no returning batch_no`,
    [gameId, run.runId, actorId],
  );
  const batchNo = rows[0]?.batch_no ?? 0;
  await testEnv.pool.query(
    `update payout_item set batch_no = $3, amount_file = amount_usd, state = 'in_file' where game_id = $1 and run_id = $2 and state = 'waiting'`,
    [gameId, run.runId, batchNo],
  );
  await testEnv.pool.query(
    'update payout_batch set handed_over_by = $3, handed_over_at = clock_timestamp() where game_id = $1 and batch_no = $2',
    [gameId, batchNo, actorId],
  );
  await testEnv.pool.query(`update payout_item set state = 'sent' where game_id = $1 and batch_no = $2`, [gameId, batchNo]);
  await testEnv.pool.query('update payout_run set exported_at = clock_timestamp() where game_id = $1 and run_id = $2', [gameId, run.runId]);
  return {
    batchNo,
    batchId: `TEST-${gameId}-${batchNo}`,
    payments: waiting.map(({ item_no, recipient_player_id, amount_usd }) => ({
      itemNo: item_no,
      recipientId: recipient_player_id,
      reference: formatPaymentReference({ gameId, runNo: run.runNo, itemNo: item_no }),
      amount: amount_usd,
    })),
  };
}

/** A report of the generic layout: each row a reference, a word, an amount, a currency, an ID of the provider and a date. */
export function reportOf(
  rows: readonly (readonly [reference: string, status: string, amount: string, id?: string, date?: string])[],
): Buffer {
  const lines = rows.map(([reference, status, amount, id = '', date = '2026-11-05']) =>
    [reference, status, amount, 'USD', id, date].join(','),
  );
  return Buffer.from(['reference,status,amount,currency,provider_id,date', ...lines, ''].join('\n'));
}
