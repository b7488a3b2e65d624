import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { ErasedPayments, PackedBatch, PackedConfirmation, PackedItem, PackedListed, PackedReport } from '../rules/packed-payments.ts';
import { formatPaymentReference } from '../rules/payment-reference.ts';

interface PackedRun {
  gameId: number;
  runId: number;
  runNo: number;
}

/** The runs `own` that rows of reports in a pack are about: the run, and those of its month that were approved and voided before it. */
export const runsOfPack = ({ gameId, runId }: Pick<PackedRun, 'gameId' | 'runId'>): RawBuilder<unknown> => sql`
  payout_run own where own.game_id = ${gameId} and (own.run_id = ${runId} or own.run_id < ${runId} and own.state = 'void' and own.approved_at is not null
    and own.window_start = (select of_pack.window_start from payout_run of_pack where of_pack.game_id = ${gameId} and of_pack.run_id = ${runId}))`;

/** Whether a listed row `r` is about one of the runs of a pack, by its payment or its file. */
export const isListedInPack = (run: Pick<PackedRun, 'gameId' | 'runId'>): RawBuilder<boolean> => sql<boolean>`
  (r.run_id in (select own.run_id from ${runsOfPack(run)}) or r.run_id is null and r.batch_no in (
    select b.batch_no from payout_batch b where b.game_id = ${run.gameId} and b.run_id in (select own.run_id from ${runsOfPack(run)})))`;

/** Lists the rows that reports list about the runs of a pack, by report and row, and the voided ones of these runs. */
export async function listPackedListed(db: Db, run: PackedRun): Promise<PackedListed> {
  const { gameId, runId } = run;
  const { rows: voided_runs } = await sql<PackedListed['voided_runs'][number]>`
    select own.run_id, own.run_no, array(select b.batch_no from payout_batch b where b.game_id = ${gameId} and b.run_id = own.run_id order by b.batch_no) as batch_nos
    from ${runsOfPack(run)} and own.run_id <> ${runId} order by own.run_id`.execute(db);
  const { rows } = await sql<Omit<PackedListed['rows'][number], 'payment_reference'> & { run_no: number | null }>`
    select r.report_no, r.row_no, r.run_id, r.item_no, about.run_no, r.batch_no, r.problem, r.state, r.occurred_on::text as occurred_on, r.amount::text as amount, r.currency,
      r.provider_id, encode(r.row_digest, 'hex') as row_digest, r.decision, person.email as decided_by, r.note
    from payment_report_row r left join payout_run about on about.game_id = ${gameId} and about.run_id = r.run_id left join person on person.id = r.decided_by
    where r.game_id = ${gameId} and ${isListedInPack(run)} order by r.report_no, r.row_no`.execute(db);
  return {
    voided_runs,
    rows: rows.map(({ report_no, row_no, run_id, item_no, run_no, ...row }) => {
      const payment_reference =
        run_no === null || item_no === null ? null : formatPaymentReference({ gameId, runNo: run_no, itemNo: item_no });
      return { report_no, row_no, run_id, item_no, payment_reference, ...row };
    }),
  };
}

/** Lists the payments of a run as a pack has them, by number. */
export async function listPackedItems(db: Db, { gameId, runId, runNo }: PackedRun): Promise<PackedItem[]> {
  const { rows } = await sql<Omit<PackedItem, 'payment_reference'>>`
    select i.item_no, i.recipient_player_id, i.amount_usd, i.replaces_item_no, i.detail_no, i.batch_no, i.amount_file, i.trace, i.state,
      case when i.replaces_item_no is not null then case when i.confirmed_at is not null then 'confirmed' when i.withdrawn_at is not null then 'withdrawn'
        else 'proposed' end end as reissue, later.run_no as returned_in_run_no
    from payout_item i left join payout_run later on later.game_id = ${gameId} and later.run_id = i.returned_in_run_id
    where i.game_id = ${gameId} and i.run_id = ${runId} order by i.item_no`.execute(db);
  return rows.map((row) => ({ ...row, payment_reference: formatPaymentReference({ gameId, runNo, itemNo: row.item_no }) }));
}

/** Lists what reports state of the payments of a run, by payment, report and row. */
export async function listPackedConfirmations(db: Db, { gameId, runId }: PackedRun): Promise<PackedConfirmation[]> {
  const { rows } = await sql<PackedConfirmation>`
    select c.item_no, c.report_no, c.row_no, c.state, c.occurred_on::text as occurred_on, c.amount::text as amount, c.currency, c.fee_usd::text as fee_usd,
      c.provider_id, c.reason_code, c.matched_by, encode(c.row_digest, 'hex') as row_digest
    from payment_confirmation c where c.game_id = ${gameId} and c.run_id = ${runId} order by c.item_no, c.report_no, c.row_no`.execute(db);
  return rows;
}

/** Lists the reports that state something of a run's payments, or list a row about a run of its pack, by number. */
export async function listPackedReports(db: Db, { gameId, runId }: PackedRun): Promise<PackedReport[]> {
  const { rows } = await sql<PackedReport>`
    select r.report_no, r.kind, r.file_name, encode(r.sha256, 'hex') as sha256, r.date_order, r.row_count, r.result, ${nestedInstant('r.added_at')} as added_at
    from payment_report r where r.game_id = ${gameId} and (exists (select from payment_confirmation c
      where c.game_id = ${gameId} and c.report_no = r.report_no and c.run_id = ${runId}) or r.report_no in (
      select r.report_no from payment_report_row r where r.game_id = ${gameId} and ${isListedInPack({ gameId, runId })})) order by r.report_no`.execute(
    db,
  );
  return rows;
}

/** Lists the files of a run, and payments recorded as paid elsewhere, by number. People by the email that the audit names them with. */
export async function listPackedBatches(db: Db, { gameId, runId }: PackedRun): Promise<PackedBatch[]> {
  const { rows } = await sql<PackedBatch>`
    select b.batch_no, b.method, b.format, b.message_id, b.part_no, b.part_count, b.reissue_no, b.sender_no, b.created_local,
      b.execution_date::text as execution_date, b.file_id_modifier, b.note, b.usd_per_eur::text as usd_per_eur, b.eur_rate_source, b.item_count,
      b.total_usd::text as total_usd, b.currency, b.total_file::text as total_file, b.file_name, encode(b.sha256, 'hex') as sha256, b.item_nos,
      maker.email as made_by, hander.email as handed_over_by, b.provider_reference, canceller.email as cancelled_by
    from payout_batch b join person maker on maker.id = b.made_by left join person hander on hander.id = b.handed_over_by
      left join person canceller on canceller.id = b.cancelled_by
    where b.game_id = ${gameId} and b.run_id = ${runId} order by b.batch_no`.execute(db);
  return rows;
}

/** Finds by what files and bank reports name payments to erased people of a game, of every run: a report may be about several. */
export async function findErasedPayments(db: Db, gameId: number): Promise<ErasedPayments> {
  const { rows } = await sql<{ runNo: number; itemNo: number; batchNo: number | null; trace: string | null; rows: StatedRow[] }>`
    select run.run_no as "runNo", i.item_no as "itemNo", i.batch_no as "batchNo", i.trace, stated.rows
    from recipient_erasure e join payout_item i on i.game_id = ${gameId} and i.recipient_player_id = e.recipient_player_id
      join payout_run run on run.game_id = ${gameId} and run.run_id = i.run_id
      cross join lateral (
        select coalesce(json_agg(json_build_object('reportNo', own.report_no, 'providerId', own.provider_id, 'digest', encode(own.row_digest, 'hex'))), '[]') as rows
        from (select c.report_no, c.provider_id, c.row_digest from payment_confirmation c
            where c.game_id = ${gameId} and c.run_id = i.run_id and c.item_no = i.item_no
          union all select r.report_no, r.provider_id, r.row_digest from payment_report_row r
            where r.game_id = ${gameId} and r.run_id = i.run_id and r.item_no = i.item_no) own) stated
    where e.game_id = ${gameId}`.execute(db);
  const stated = rows.flatMap((row) => row.rows);
  const { rows: unmatched } = await sql<{ digest: string }>`
    select encode(r.row_digest, 'hex') as digest from payment_report_row r where r.game_id = ${gameId} and r.item_no is null and ${rows.length > 0}
      and not exists (select from payment_confirmation c where c.game_id = ${gameId} and c.report_no = r.report_no and c.row_no = r.row_no)`.execute(
    db,
  );
  return {
    batchNos: new Set(rows.flatMap(({ batchNo }) => batchNo ?? [])),
    reportNos: new Set(stated.map(({ reportNo }) => reportNo)),
    names: new Set([
      ...rows.map(({ runNo, itemNo }) => formatPaymentReference({ gameId, runNo, itemNo })),
      ...rows.flatMap(({ trace }) => trace ?? []),
      ...stated.flatMap(({ providerId }) => providerId ?? []),
      ...stated.map(({ digest }) => digest),
    ]),
    unmatched: new Set(unmatched.map(({ digest }) => digest)),
  };
}

interface StatedRow {
  reportNo: number;
  providerId: string | null;
  digest: string;
}
