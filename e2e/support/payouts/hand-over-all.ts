import type pg from 'pg';
import type { Actor } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { decideSender, proposeSender } from '#lib/payments/change-sender.ts';
import { handOver } from '#lib/payments/hand-over.ts';
import { makeFiles } from '#lib/payments/make-files.ts';
import { findBatch } from '#lib/payments/reads/batches.ts';
import { listSenders } from '#lib/payments/reads/senders.ts';
import { sumWaiting } from '#lib/payments/reads/waiting-items.ts';
import { formatPaymentReference } from '#lib/payments/rules/payment-reference.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { PAYEE_KEY } from './confirm-details.ts';

/** A payment as a bank's report would name it. */
export interface TestPayment {
  itemNo: number;
  recipientId: number;
  reference: string;
  amount: string;
}

/** Files are made before the days on which reports of tests pay them. */
const MADE_AT = '2026-09-01T09:00:00Z';

interface FilePeople {
  preparer: Actor;
  approver: Actor;
}

/** Makes the PayPal file of everything in a run that waits. Returns its number. */
export async function makeFileOfAll(game: OpenGame, people: FilePeople, run: Pick<Run, 'gameId' | 'runId'>): Promise<number> {
  const { gameId } = game;
  if (!(await listSenders(game.db, gameId)).some(({ method }) => method === 'paypal')) {
    const proposed = await proposeSender(game, people.preparer, PAYEE_KEY, { method: 'paypal', typed: { decimal_sign: '.' } });
    if (!proposed.ok) throw new Error(JSON.stringify(proposed));
    const decided = await decideSender(game, people.approver, PAYEE_KEY, { senderNo: proposed.senderNo, decision: 'confirmed' });
    if (!decided.ok) throw new Error(decided.reason);
  }
  const waiting = (await sumWaiting(game.db, run)).find(({ method }) => method === 'paypal');
  const shown = { count: waiting?.count ?? 0, total_usd: waiting?.total_usd ?? '0.00' };
  const wanted = { runId: run.runId, method: 'paypal', format: null, executionDate: null, note: 'Revenue share', shown };
  const made = await makeFiles({ ...game, now: () => MADE_AT }, people.preparer, PAYEE_KEY, wanted);
  if (!made.ok) throw new Error(JSON.stringify(made));
  return made.files[0]?.batchNo ?? 0;
}

/** Makes the PayPal file of everything in a run that waits and hands it over. `batchId`: what the bank knows it by. */
export async function handOverAll(
  testEnv: { pool: pg.Pool; game(): Promise<OpenGame> },
  people: FilePeople,
  run: Pick<Run, 'gameId' | 'runId' | 'runNo'>,
): Promise<{ batchNo: number; batchId: string; payments: TestPayment[] }> {
  const game = await testEnv.game();
  const { gameId } = game;
  const batchNo = await makeFileOfAll(game, people, run);
  const handed = await handOver(game, people.preparer, { batchNo, providerReference: '' });
  if (!handed.ok) throw new Error(handed.reason);
  const { rows } = await testEnv.pool.query<{ item_no: number; recipient_player_id: number; amount_file: string }>(
    'select item_no, recipient_player_id, amount_file from payout_item where game_id = $1 and batch_no = $2 order by item_no',
    [gameId, batchNo],
  );
  return {
    batchNo,
    batchId: (await findBatch(game.db, gameId, batchNo))?.messageId ?? '',
    payments: rows.map(({ item_no: itemNo, recipient_player_id, amount_file }) => ({
      itemNo,
      recipientId: recipient_player_id,
      reference: formatPaymentReference({ gameId, runNo: run.runNo, itemNo }),
      amount: amount_file,
    })),
  };
}

/** A report of the generic layout: each row a reference, a word, an amount in USD, an ID of the provider and a date. */
export function reportOf(
  rows: readonly (readonly [reference: string, status: string, amount: string, id?: string, date?: string])[],
): Buffer {
  const lines = rows.map(([reference, status, amount, id = '', date = '2026-11-05']) =>
    [reference, status, amount, 'USD', id, date].join(','),
  );
  return Buffer.from(['reference,status,amount,currency,provider_id,date', ...lines, ''].join('\n'));
}

/** A bank's statement (camt.053) with one debit for a whole file. */
export function debitOf(batchId: string, total: string, date: string): Buffer {
  const entry = `<Ntry><Amt Ccy="USD">${total}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${date}</Dt></BookgDt>
    <NtryDtls><Btch><PmtInfId>${batchId}</PmtInfId></Btch></NtryDtls></Ntry>`;
  return Buffer.from(`<Document><BkToCstmrStmt><Stmt>${entry}</Stmt></BkToCstmrStmt></Document>`);
}
