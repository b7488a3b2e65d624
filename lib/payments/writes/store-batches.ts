import { type RawBuilder, sql } from 'kysely';
import { type Db, withoutNestedLoops } from '#db/kit/open.ts';
import { hasReissue } from '../reads/waiting-items.ts';
import { sumPayments } from '../rules/convert-usd.ts';
import type { PlannedFile } from '../rules/plan-files.ts';

/** The numbers that the next files of a run get. Its runs are locked by the caller. */
export interface NextNumbers {
  batchNo: number;
  reissueNo: number;
  /** What batch IDs start with: of this database since its last restore, and of the game. */
  batchPrefix: string;
}

/** Finds the next numbers. A database that was restored has another prefix, so that a bank never sees one ID twice. */
export async function findNextNumbers(tx: Db, gameId: number, runId: number): Promise<NextNumbers> {
  const { rows } = await sql<NextNumbers>`
    select coalesce(max(b.batch_no), 0) + 1 as "batchNo", coalesce(max(b.reissue_no) filter (where b.run_id = ${runId}), 0) + 1 as "reissueNo",
      'SB' || (select upper(left(md5(m.lineage::text), 8)) from database_mark m) || '-' || ${gameId}::int as "batchPrefix"
    from payout_batch b where b.game_id = ${gameId}`.execute(tx);
  if (rows[0] === undefined) throw new Error('the next numbers of payment files are missing');
  return rows[0];
}

const MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Lists the file ID modifiers that no file of any game has used for an origin and a day. Other transactions that want one wait. */
export async function listFreeModifiers(tx: Db, immediateOrigin: string, day: string): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(hashtext('ach file id'))`.execute(tx);
  const used = await tx
    .selectFrom('ach_file_id')
    .select('modifier')
    .where('immediate_origin', '=', immediateOrigin)
    .where('created_on', '=', day)
    .execute();
  return [...MODIFIERS].filter((modifier) => !used.some((each) => each.modifier === modifier));
}

/** A file as it is stored: its bytes sealed. */
export interface SealedPlan extends Omit<PlannedFile, 'text'> {
  sealed: Buffer;
  keyName: string;
  sha256: Buffer;
}

/** Stores a file without its payments, see `putIntoFiles`. */
export async function insertFile(
  tx: Db,
  { gameId, senderNo, origin, actorId }: { gameId: number; senderNo: number | null; origin: string | null; actorId: string },
  { batchNo, batch, fileName, items, sealed, keyName, sha256 }: SealedPlan,
): Promise<void> {
  const { total_usd, total_file } = sumPayments(items);
  const currency = items[0]?.currency ?? 'USD';
  await tx
    .insertInto('payout_batch')
    .values({
      game_id: gameId,
      batch_no: batchNo,
      run_id: batch.runId,
      method: batch.method,
      format: batch.format,
      message_id: batch.batchId,
      part_no: batch.partNo,
      part_count: batch.partCount,
      reissue_no: batch.reissueNo,
      sender_no: senderNo,
      created_local: batch.createdAt,
      execution_date: batch.executionDate,
      file_id_modifier: batch.fileIdModifier,
      note: batch.note,
      usd_per_eur: batch.rate?.usd_per_eur ?? null,
      eur_rate_source: batch.rate?.source ?? null,
      item_count: items.length,
      total_usd,
      currency,
      total_file,
      file_name: fileName,
      sealed,
      key_name: keyName,
      sha256,
      made_by: actorId,
    })
    .execute();
  if (batch.fileIdModifier !== null && origin !== null)
    await tx
      .insertInto('ach_file_id')
      .values({
        immediate_origin: origin,
        created_on: batch.createdAt.slice(0, 10),
        modifier: batch.fileIdModifier,
        game_id: gameId,
        batch_no: batchNo,
      })
      .execute();
}

/**
 * Puts the payments of a run into stored files, in one statement for all of them: each file would read the whole run again. `details`: the number of the payment details
 * that each goes to, by item. Throws when one of them is in a file already.
 */
export async function putIntoFiles(
  tx: Db,
  { gameId, runId }: { gameId: number; runId: number },
  files: readonly Pick<PlannedFile, 'batchNo' | 'items' | 'traces'>[],
  details: ReadonlyMap<number, number>,
): Promise<void> {
  const puts = files.flatMap(({ batchNo, items, traces }) =>
    items.map(({ itemNo, amount }, index) => ({
      batchNo,
      itemNo,
      detailNo: details.get(itemNo) ?? null,
      amount,
      trace: traces[index] ?? null,
    })),
  );
  const column = (name: keyof (typeof puts)[number]): RawBuilder<unknown> => sql`${puts.map((put) => put[name])}`;
  const { numAffectedRows } = await withoutNestedLoops(tx, () =>
    sql`
    update payout_item i set batch_no = put.batch, detail_no = put.detail, amount_file = put.amount, trace = put.trace, state = 'in_file'
    from unnest(${column('batchNo')}::int[], ${column('itemNo')}::int[], ${column('detailNo')}::int[], ${column('amount')}::numeric[], ${column('trace')}::text[])
      as put (batch, no, detail, amount, trace)
    where i.game_id = ${gameId} and i.run_id = ${runId} and i.item_no = put.no and i.batch_no is null`.execute(tx),
  );
  if (Number(numAffectedRows ?? 0) !== puts.length) throw new Error(`payment files of run ${runId}: a payment is in another file already`);
}

interface BatchKey {
  gameId: number;
  batchNo: number;
}

async function updateBatch(tx: Db, { gameId, batchNo }: BatchKey, set: RawBuilder<unknown>): Promise<void> {
  await sql`update payout_batch set ${set} where game_id = ${gameId} and batch_no = ${batchNo}`.execute(tx);
}

/** Records who handed a file over, or confirmed payments as paid elsewhere. */
export async function setHandedOver(tx: Db, batch: BatchKey, actorId: string, providerReference: string | null): Promise<void> {
  await updateBatch(tx, batch, sql`handed_over_by = ${actorId}, handed_over_at = clock_now(), provider_reference = ${providerReference}`);
}

/** Records who wants a file cancelled and why; null: nobody any more. */
export async function setCancelRequest(tx: Db, batch: BatchKey, request: { actorId: string; reason: string } | null): Promise<void> {
  const requestedAt = request === null ? sql`null` : sql`clock_now()`;
  await updateBatch(
    tx,
    batch,
    sql`cancel_requested_by = ${request?.actorId ?? null}, cancel_requested_at = ${requestedAt}, cancel_reason = ${request?.reason ?? null}`,
  );
}

/** Records who cancelled a file, or withdrew payments as paid elsewhere. */
export async function setCancelled(tx: Db, batch: BatchKey, actorId: string): Promise<void> {
  await updateBatch(tx, batch, sql`cancelled_by = ${actorId}, cancelled_at = clock_now()`);
}

/** Locks those payments of a run that are in no file and not proposed as paid elsewhere, and returns their amounts in USD. */
export async function lockFreeItems(
  tx: Db,
  { gameId, runId }: { gameId: number; runId: number },
  itemNos: readonly number[],
): Promise<string[]> {
  const { rows } = await sql<{ amount_usd: string }>`
    select i.amount_usd from payout_item i where i.game_id = ${gameId} and i.run_id = ${runId} and i.item_no = any(${itemNos}::int[]) and i.state = 'waiting'
      and not exists (select from payout_batch b where b.game_id = ${gameId} and b.run_id = ${runId} and b.method = 'elsewhere'
        and b.handed_over_at is null and b.cancelled_at is null and i.item_no = any(b.item_nos)) and not ${hasReissue(gameId, runId, 'i.item_no')}
    order by i.item_no for update`.execute(tx);
  return rows.map(({ amount_usd }) => amount_usd);
}

/** Stores a proposal to record payments as paid elsewhere. */
export async function insertElsewhere(
  tx: Db,
  batch: BatchKey & {
    runId: number;
    messageId: string;
    createdLocal: string;
    paidOn: string;
    note: string;
    itemNos: number[];
    total_usd: string;
    actorId: string;
  },
): Promise<void> {
  await tx
    .insertInto('payout_batch')
    .values({
      game_id: batch.gameId,
      batch_no: batch.batchNo,
      run_id: batch.runId,
      method: 'elsewhere',
      message_id: batch.messageId,
      part_no: 1,
      part_count: 1,
      created_local: batch.createdLocal,
      execution_date: batch.paidOn,
      note: batch.note,
      item_count: batch.itemNos.length,
      total_usd: batch.total_usd,
      currency: 'USD',
      total_file: batch.total_usd,
      item_nos: batch.itemNos,
      made_by: batch.actorId,
    })
    .execute();
}

/** Puts payments into the batch that records them as paid elsewhere. Throws when one is in a file by now. */
export async function putElsewhere(
  tx: Db,
  { gameId, batchNo, runId, itemNos }: BatchKey & { runId: number; itemNos: readonly number[] },
): Promise<void> {
  const { numAffectedRows } = await sql`
    update payout_item set batch_no = ${batchNo}, amount_file = amount_usd
    where game_id = ${gameId} and run_id = ${runId} and item_no = any(${itemNos}::int[]) and batch_no is null`.execute(tx);
  if (Number(numAffectedRows ?? 0) !== itemNos.length) throw new Error(`payments elsewhere ${batchNo}: a payment is in a file`);
}
