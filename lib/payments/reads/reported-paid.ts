import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { RunId } from '#lib/payouts/reads/find-run.ts';

/** The rows `r` of bank reports that may show payments as paid, confirm nothing and wait for a person. An unknown status may mean that; a foreign row is about no payment. */
const openPaidRows = (gameId: number): RawBuilder<unknown> => sql`
  payment_report_row r where r.game_id = ${gameId} and r.decision is null and coalesce(r.state, 'paid') = 'paid' and r.problem <> 'foreign'`;

/**
 * Whose payments those rows name, by themselves or as part of a file, with their run and each run that pays them again. `run_id` NULL: theirs was voided, and any run may pay
 * it again. Payments are read by their key from the rows, which are few.
 */
const namedPaid = (gameId: number): RawBuilder<unknown> => sql`(
  with recursive named as (
    select p.recipient_player_id, p.run_id from (select r.run_id, r.item_no from ${openPaidRows(gameId)} and r.run_id is not null) own
      cross join lateral (select i.recipient_player_id, i.run_id from payout_item i
        where i.game_id = ${gameId} and i.run_id = own.run_id and i.item_no = own.item_no limit 1) p
    union
    select p.recipient_player_id, p.run_id from (select distinct r.batch_no from ${openPaidRows(gameId)} and r.batch_no is not null) own
      cross join lateral (select i.recipient_player_id, i.run_id from payout_item i where i.game_id = ${gameId} and i.batch_no = own.batch_no offset 0) p
    union
    select named.recipient_player_id, again.returned_in_run_id from named cross join lateral (
      select i.returned_in_run_id from payout_item i where i.game_id = ${gameId} and i.recipient_player_id = named.recipient_player_id
        and i.run_id = named.run_id and i.returned_in_run_id is not null offset 0) again)
  select named.recipient_player_id, case when run.state <> 'void' then named.run_id end as run_id
  from named join payout_run run on run.game_id = ${gameId} and run.run_id = named.run_id)`;

/**
 * Whether a bank may report `i` of a run as paid, or another payment whose money it pays again: one that it replaces, one that came back to its run, or one of a voided run.
 * A row that names neither one payment nor one file may be about any of these.
 */
export const paysReported = ({ gameId, runId }: RunId): RawBuilder<boolean> => sql<boolean>`(
  i.recipient_player_id in (select paid.recipient_player_id from ${namedPaid(gameId)} paid where paid.run_id = ${runId} or paid.run_id is null)
  or (i.replaces_item_no is not null or i.recipient_player_id in (
    select back.recipient_player_id from payout_item back where back.game_id = ${gameId} and back.returned_in_run_id = ${runId}))
    and exists (select from ${openPaidRows(gameId)} and r.run_id is null and r.batch_no is null))`;

/** Whether a bank may report payments of a file, or others whose money it pays again, as paid, and no person has decided those rows. */
export async function isFileReportedPaid(db: Db, { gameId, runId, batchNo }: RunId & { batchNo: number }): Promise<boolean> {
  const { rows } = await sql<{ isReported: boolean }>`
    select exists (select from payout_item i where i.game_id = ${gameId} and i.run_id = ${runId} and i.batch_no = ${batchNo}
      and ${paysReported({ gameId, runId })}) as "isReported"`.execute(db);
  return rows[0]?.isReported === true;
}

/**
 * Whether a bank may report payments of a file, or of any file of a run, as paid, and no person has decided the row. A row that names neither one payment nor one file may be
 * about any file of a run that has one, cancelled ones too.
 */
export async function isReportedPaid(
  db: Db,
  gameId: number,
  { runId, batchNo }: { runId: number; batchNo: number | null },
): Promise<boolean> {
  const { rows } = await sql<{ isReported: boolean }>`
    with file as (select b.batch_no from payout_batch b where b.game_id = ${gameId} and b.run_id = ${runId} and b.format is not null
      and (${batchNo}::int is null or b.batch_no = ${batchNo}))
    select exists (select from ${openPaidRows(gameId)} and (
      r.run_id = ${runId} and (${batchNo}::int is null or exists (select from payout_item i
        where i.game_id = ${gameId} and i.run_id = ${runId} and i.item_no = r.item_no and i.batch_no = ${batchNo}))
      or r.batch_no in (select batch_no from file)
      or r.run_id is null and r.batch_no is null and exists (select from file))) as "isReported"`.execute(db);
  return rows[0]?.isReported === true;
}
