import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { ITEM_STATES, type ItemState } from '../rules/item-state.ts';
import { LISTED_REASONS, type ListedReason } from '../rules/match-rows.ts';
import { formatPaymentReference, parsePaymentReference } from '../rules/payment-reference.ts';

/** A payment as a search finds it. */
export interface FoundPayment {
  kind: 'payment';
  reference: string;
  runNo: number;
  recipientId: number;
  amount_usd: string;
  state: ItemState;
}

/** A row of a bank report that confirmed nothing by itself, as a search finds it. */
export interface FoundRow {
  kind: 'report_row';
  reportNo: number;
  rowNo: number;
  problem: ListedReason;
}

/** A payment file as a search finds it: a bank may show its total alone. */
export interface FoundFile {
  kind: 'payment_file';
  batchNo: number;
  runNo: number;
  itemCount: number;
  /** Of the file, in its currency. */
  total: string;
  currency: string;
}

const FOUND_MAX = 10;

/** Lists the payment files that a bank knows by this message ID, or that were handed over under this number of the bank; at most ten, the newest first. */
export async function listFilesOf(db: Db, gameId: number, by: { messageId: string; providerReference: string }): Promise<FoundFile[]> {
  const { rows } = await sql<Omit<FoundFile, 'kind'>>`
    select b.batch_no as "batchNo", run.run_no as "runNo", b.item_count as "itemCount", b.total_file::text as total, b.currency
    from payout_batch b join payout_run run on run.game_id = ${gameId} and run.run_id = b.run_id
    where b.game_id = ${gameId} and b.format is not null and (b.message_id = ${by.messageId} or b.provider_reference = ${by.providerReference})
    order by b.batch_no desc limit ${FOUND_MAX}`.execute(db);
  return rows.map((row) => ({ kind: 'payment_file', ...row }));
}

/**
 * Lists the payments of a game that have these references, whose report names them by a provider's ID, or that have this trace of ACH, and the listed rows that have this
 * ID; at most ten of each, of the newest runs and reports. Most searches are about something else: they cost one statement that is quick to plan.
 */
export async function listPaymentsOf(
  db: Db,
  gameId: number,
  by: { references: readonly string[]; providerId: string },
): Promise<(FoundPayment | FoundRow)[]> {
  const named = by.references.flatMap((reference) => parsePaymentReference(reference) ?? []).filter((each) => each.gameId === gameId);
  const { rows: reported } = await sql<{ runId: number; itemNo: number; reportNo: null; rowNo: null; problem: null } | ListedMatch>`
    (select distinct c.run_id as "runId", c.item_no as "itemNo", null::int as "reportNo", null::int as "rowNo", null as problem from payment_confirmation c
      where c.game_id = ${gameId} and c.provider_id = ${by.providerId} order by c.run_id desc, c.item_no limit ${FOUND_MAX})
    union all
    (select t.run_id, t.item_no, null, null, null from payout_item t where t.game_id = ${gameId} and t.trace = ${by.providerId}
      order by t.run_id desc, t.item_no limit ${FOUND_MAX})
    union all
    (select null, null, r.report_no, r.row_no, r.problem from payment_report_row r
      where r.game_id = ${gameId} and r.provider_id = ${by.providerId} order by r.report_no desc, r.row_no limit ${FOUND_MAX})`.execute(db);
  const confirmed = reported.filter((each) => each.runId !== null);
  return [
    ...(named.length + confirmed.length === 0 ? [] : await readPayments(db, gameId, named, confirmed)),
    ...reported.flatMap(({ runId, reportNo, rowNo, problem }): FoundRow[] =>
      runId === null ? [{ kind: 'report_row', reportNo, rowNo, problem: parseEnum(LISTED_REASONS, problem) }] : [],
    ),
  ];
}

interface ListedMatch {
  runId: null;
  itemNo: null;
  reportNo: number;
  rowNo: number;
  problem: string;
}

async function readPayments(
  db: Db,
  gameId: number,
  named: readonly { runNo: number; itemNo: number }[],
  reported: readonly { runId: number; itemNo: number }[],
): Promise<FoundPayment[]> {
  const { rows } = await sql<Omit<FoundPayment, 'kind' | 'reference' | 'state'> & { itemNo: number; state: string }>`
    select run.run_no as "runNo", i.item_no as "itemNo", i.recipient_player_id as "recipientId", i.amount_usd, i.state
    from (
      select run.run_id, named.item_no from unnest(${named.map(({ runNo }) => runNo)}::int[], ${named.map(({ itemNo }) => itemNo)}::int[]) as named (run_no, item_no)
        join payout_run run on run.game_id = ${gameId} and run.run_no = named.run_no
      union select * from unnest(${reported.map(({ runId }) => runId)}::bigint[], ${reported.map(({ itemNo }) => itemNo)}::int[])) found
      join payout_item i on i.game_id = ${gameId} and i.run_id = found.run_id and i.item_no = found.item_no
      join payout_run run on run.game_id = ${gameId} and run.run_id = found.run_id
    order by run.run_no desc, i.item_no limit ${FOUND_MAX}`.execute(db);
  return rows.map(({ itemNo, state, ...row }) => ({
    kind: 'payment',
    ...row,
    reference: formatPaymentReference({ gameId, runNo: row.runNo, itemNo }),
    state: parseEnum(ITEM_STATES, state),
  }));
}
