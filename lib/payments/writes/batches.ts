import { gzipSync } from 'node:zlib';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { nameKey, type PayeeKey, sealBytes } from '#lib/payees/seal.ts';
import { boundFile } from '../reads/batches.ts';
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

/** Stores a file with its sealed bytes, and puts its payments into it. Returns its digest, hex. */
export async function insertFile(
  tx: Db,
  { gameId, senderNo, origin, actorId }: { gameId: number; senderNo: number | null; origin: string | null; actorId: string },
  { batchNo, batch, fileName, items, traces, text }: PlannedFile & { fileName: string },
  details: ReadonlyMap<number, number>,
  key: PayeeKey,
): Promise<string> {
  const bytes = Buffer.from(text, 'utf8');
  const sha256 = sha256Of(bytes);
  const { total_usd, total_file } = sumPayments(items);
  const currency = items[0]?.currency ?? 'USD';
  const own = { gameId, batchNo, messageId: batch.batchId, sha256 };
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
      sealed: sealBytes(gzipSync(bytes), boundFile(own), key),
      key_name: nameKey(key),
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
  const rows = {
    no: items.map(({ itemNo }) => itemNo),
    detail: items.map(({ itemNo }) => details.get(itemNo) ?? null),
    amount: items.map(({ amount }) => amount),
    trace: items.map((_, index) => traces[index] ?? null),
  };
  const { numAffectedRows } = await sql`
    update payout_item i set batch_no = ${batchNo}, detail_no = put.detail, amount_file = put.amount, trace = put.trace
    from unnest(${rows.no}::int[], ${rows.detail}::int[], ${rows.amount}::numeric[], ${rows.trace}::text[]) as put (no, detail, amount, trace)
    where i.game_id = ${gameId} and i.run_id = ${batch.runId} and i.item_no = put.no and i.batch_no is null`.execute(tx);
  if (Number(numAffectedRows ?? 0) !== items.length) throw new Error(`payment file ${batchNo}: a payment is in another file already`);
  return sha256.toString('hex');
}

/** Sets columns of a batch that are set once. */
export async function updateBatch(
  tx: Db,
  { gameId, batchNo }: { gameId: number; batchNo: number },
  set: RawBuilder<unknown>,
): Promise<void> {
  await sql`update payout_batch set ${set} where game_id = ${gameId} and batch_no = ${batchNo}`.execute(tx);
}
