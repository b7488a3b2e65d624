import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Violation } from '#lib/evidence/rules/findings.ts';
import { type DetailRow, detailColumns, detailOf, type StoredDetail } from '#lib/payees/reads/payee-details.ts';
import type { Batch } from './batches.ts';
import { derivedState } from './item-states.ts';
import type { StoredSender } from './senders.ts';

/** A run that was approved, with its payments to verify. */
export interface PaidRun {
  runId: number;
  runNo: number;
}

/** Lists the runs of a game that have payments or must have some. */
export async function listPaidRuns(db: Db, gameId: number): Promise<PaidRun[]> {
  const { rows } = await sql<PaidRun>`
    select run.run_id as "runId", run.run_no as "runNo" from payout_run run
    where run.game_id = ${gameId} and (run.approved_at is not null
      or exists (select from payout_item i where i.game_id = ${gameId} and i.run_id = run.run_id)) order by run.run_no`.execute(db);
  return rows;
}

/**
 * Compares the payments of a run with what they follow from: first ones with the lines that pay, re-issues with the payment that they replace and the two people who
 * agreed, and each state with the facts that it is derived from.
 */
export async function listItemViolations(db: Db, gameId: number, { runId, runNo }: PaidRun): Promise<Violation[]> {
  const { rows } = await sql<Violation>`
    with first as (select i.item_no, i.recipient_player_id, i.amount_usd from payout_item i
        where i.game_id = ${gameId} and i.run_id = ${runId} and i.replaces_item_no is null),
      run as (select r.state from payout_run r where r.game_id = ${gameId} and r.run_id = ${runId}),
      line as (select l.recipient_player_id, l.payable_usd, l.detail_no, row_number() over (order by l.recipient_player_id) as no from payout_line l
        where l.game_id = ${gameId} and l.run_id = ${runId} and l.payable_usd > 0
          and ((select state from run) = 'approved' or exists (select from first))),
      compared as (
        select 'payment_of_line' as name, coalesce(first.item_no, line.no) as item_no,
          concat_ws(' ', line.no, line.recipient_player_id, trim_scale(line.payable_usd)) as expected,
          concat_ws(' ', first.item_no, first.recipient_player_id, trim_scale(first.amount_usd)) as actual
        from line full join first on first.recipient_player_id = line.recipient_player_id
        union all
        select 'payment_details', i.item_no, l.detail_no::text, i.detail_no::text
        from payout_item i join line l on l.recipient_player_id = i.recipient_player_id
        where i.game_id = ${gameId} and i.run_id = ${runId} and i.replaces_item_no is null and l.detail_no is not null
        union all
        select 'payment_replaces', i.item_no, concat_ws(' ', o.recipient_player_id, trim_scale(o.amount_usd)), concat_ws(' ', i.recipient_player_id, trim_scale(i.amount_usd))
        from payout_item i left join payout_item o on o.game_id = ${gameId} and o.run_id = i.run_id and o.item_no = i.replaces_item_no
        where i.game_id = ${gameId} and i.run_id = ${runId} and i.replaces_item_no is not null
        union all
        select 'payment_cancelled_by', i.item_no, concat_ws(' ', b.cancel_requested_by, b.cancelled_by, b.cancel_reason),
          concat_ws(' ', i.proposed_by, i.confirmed_by, i.reason, i.withdrawn_by)
        from payout_item i join payout_item o on o.game_id = ${gameId} and o.run_id = i.run_id and o.item_no = i.replaces_item_no
          join payout_batch b on b.game_id = ${gameId} and b.batch_no = o.batch_no and b.cancelled_at is not null
        where i.game_id = ${gameId} and i.run_id = ${runId}
        union all
        select 'payment_trace', i.item_no, case when b.format like 'nacha%' then 'a trace' else '' end, case when i.trace is not null then 'a trace' else '' end
        from payout_item i left join payout_batch b on b.game_id = ${gameId} and b.batch_no = i.batch_no
        where i.game_id = ${gameId} and i.run_id = ${runId}
        union all
        select 'payment_state', i.item_no, ${derivedState(gameId)}, i.state from payout_item i where i.game_id = ${gameId} and i.run_id = ${runId})
    select name, ${`run ${runNo}, payment `}::text || item_no as subject, coalesce(nullif(expected, ''), 'none') as expected, coalesce(nullif(actual, ''), 'none') as actual
    from compared where coalesce(expected, '') <> coalesce(actual, '') order by name, item_no limit 1000`.execute(db);
  return rows;
}

/** The sums over the payments of a batch, and the amounts as the file has them. */
export interface BatchSums {
  count: number;
  total_usd: string;
  total_file: string;
  /** Runs whose payments it has. */
  runIds: number[];
}

/** Sums the payments of a batch; of one that nobody confirmed as paid elsewhere, those it names. */
export async function sumBatch(db: Db, { gameId, batchNo, runId, state, method, itemNos }: Batch): Promise<BatchSums> {
  const isNamed = method === 'elsewhere' && state !== 'handed_over';
  const own = isNamed ? sql`i.run_id = ${runId} and i.item_no = any(${itemNos ?? []}::int[])` : sql`i.batch_no = ${batchNo}`;
  const { rows } = await sql<BatchSums>`
    select count(*)::int as count, coalesce(sum(i.amount_usd), 0)::text as total_usd, coalesce(sum(coalesce(i.amount_file, i.amount_usd)), 0)::text as total_file,
      coalesce(array_agg(distinct i.run_id), '{}') as "runIds"
    from payout_item i where i.game_id = ${gameId} and ${own}`.execute(db);
  return rows[0] ?? { count: 0, total_usd: '0', total_file: '0', runIds: [] };
}

/** Lists the numbers of the batches of a game. */
export async function listBatchNos(db: Db, gameId: number): Promise<number[]> {
  const rows = await db.selectFrom('payout_batch').select('batch_no').where('game_id', '=', gameId).orderBy('batch_no').execute();
  return rows.map((row) => row.batch_no);
}

/** Lists the sender accounts of a game with what verifies them, by number. */
export async function listSendersToVerify(
  db: Db,
  gameId: number,
): Promise<
  (Omit<StoredSender, 'method'> & { method: string; confirmedBy: string | null; withdrawnBy: string | null; proposedBy: string })[]
> {
  const { rows } = await sql<
    Omit<StoredSender, 'method'> & { method: string; confirmedBy: string | null; withdrawnBy: string | null; proposedBy: string }
  >`
    select s.game_id as "gameId", s.sender_no as "senderNo", s.method, s.mask, s.sealed, s.key_name as "keyName", s.digest,
      s.proposed_by as "proposedBy", s.confirmed_by as "confirmedBy", s.withdrawn_by as "withdrawnBy"
    from payout_sender s where s.game_id = ${gameId} order by s.sender_no`.execute(db);
  return rows;
}

/** One audit row about payment files, payments elsewhere and sender accounts. */
export interface PaymentEvent {
  /** null: nobody has that email. */
  personId: string | null;
  act: string;
  subject: string;
  detail: Record<string, unknown>;
}

/** Lists what the audit has about payment files, payments elsewhere and sender accounts of a game, oldest first. */
export async function listPaymentEvents(db: Db, gameId: number): Promise<PaymentEvent[]> {
  const { rows } = await sql<PaymentEvent>`
    select p.id as "personId", audit.act, audit.subject, audit.detail from audit left join person p on p.email = audit.actor
    where audit.game_id = ${gameId} and audit.subject ~ '^(payment file|payments elsewhere|sender account) \\d+$'
      and audit.act !~ '^(was refused|downloaded|viewed)' order by audit.audit_id`.execute(db);
  return rows;
}

/** A payment of a file with the details that it went to. */
export interface PaidDetail {
  itemNo: number;
  amount_usd: string;
  /** In the file's currency. */
  amount: string;
  /** An erasure destroyed what was sealed. */
  isErased: boolean;
  detail: StoredDetail;
}

/** Lists the payments of a file with the details that they went to, by number. */
export async function listPaidDetails(db: Db, gameId: number, batchNo: number): Promise<PaidDetail[]> {
  const { rows } = await sql<DetailRow & Omit<PaidDetail, 'detail'>>`
    select i.item_no as "itemNo", i.amount_usd, i.amount_file as amount, d.erased_at is not null as "isErased", ${detailColumns('d')}
    from payout_item i join payee_detail d on d.game_id = ${gameId} and d.recipient_player_id = i.recipient_player_id and d.detail_no = i.detail_no
    where i.game_id = ${gameId} and i.batch_no = ${batchNo} order by i.item_no`.execute(db);
  return rows.map(({ itemNo, amount_usd, amount, isErased, ...row }) => ({ itemNo, amount_usd, amount, isErased, detail: detailOf(row) }));
}
