import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Window } from '#lib/core/window.ts';
import { windowOf } from '#lib/payouts/reads/run-facts.ts';
import { PAYMENT_FORMATS, PAYMENT_METHODS, type PaymentFormat, type PaymentItem, type PaymentMethod } from '../rules/payment.ts';
import { formatPaymentReference } from '../rules/payment-reference.ts';

/** A person as a batch names them. */
interface BatchPerson {
  id: string;
  name: string;
  at: string;
}

/** A payment file, or payments recorded as paid elsewhere. */
export interface Batch {
  gameId: number;
  batchNo: number;
  runId: number;
  runNo: number;
  window: Window;
  /** `made`: not handed over; `proposed`: paid elsewhere, for a second person. */
  state: 'made' | 'proposed' | 'handed_over' | 'cancelled' | 'void';
  method: PaymentMethod | 'elsewhere';
  /** null: no file. */
  format: PaymentFormat | null;
  messageId: string;
  partNo: number;
  partCount: number;
  reissueNo: number | null;
  senderNo: number | null;
  createdLocal: string;
  executionDate: string | null;
  fileIdModifier: string | null;
  note: string;
  usd_per_eur: string | null;
  eurRateSource: string | null;
  itemCount: number;
  total_usd: string;
  currency: string;
  total_file: string;
  fileName: string | null;
  /** Hex; null: no file. */
  sha256: string | null;
  madeBy: BatchPerson;
  handedOverBy: BatchPerson | null;
  providerReference: string | null;
  cancelRequestedBy: BatchPerson | null;
  cancelReason: string | null;
  cancelledBy: BatchPerson | null;
  itemNos: number[] | null;
  /** Hex, of what was approved. */
  runDigest: string;
  /** The database was restored since it was made: whether it was handed over after the backup isn't known. */
  isFromBackup: boolean;
}

/** A batch that is a file. */
export type FileBatch = Batch & { method: PaymentMethod; format: PaymentFormat; fileName: string; sha256: string };

/** Whether a batch is a file. */
export function isFile(batch: Batch): batch is FileBatch {
  const { format, method, fileName, sha256 } = batch;
  return format !== null && method !== 'elsewhere' && fileName !== null && sha256 !== null;
}

const person = (column: 'made' | 'handed_over' | 'cancel_requested' | 'cancelled'): RawBuilder<BatchPerson | null> => sql`
  (select json_build_object('id', p.id, 'name', p.name, 'at', to_json(${sql.ref(`b.${column}_at`)} at time zone 'UTC') #>> '{}' || 'Z') from person p
    where p.id = ${sql.ref(`b.${column}_by`)})`;

const batches = (gameId: number): RawBuilder<BatchRow> => sql`
  select b.game_id as "gameId", b.batch_no as "batchNo", b.run_id as "runId", run.run_no as "runNo", ${windowOf('run')} as "window",
    case when b.cancelled_at is not null then 'cancelled' when run.state = 'void' then 'void' when b.handed_over_at is not null then 'handed_over'
      when b.format is null then 'proposed' else 'made' end as state,
    b.method, b.format, b.message_id as "messageId", b.part_no as "partNo", b.part_count as "partCount", b.reissue_no as "reissueNo", b.sender_no as "senderNo",
    b.created_local as "createdLocal", b.execution_date::text as "executionDate", b.file_id_modifier as "fileIdModifier", b.note, b.usd_per_eur,
    b.eur_rate_source as "eurRateSource", b.item_count as "itemCount", b.total_usd, b.currency, b.total_file, b.file_name as "fileName",
    encode(b.sha256, 'hex') as sha256, ${person('made')} as "madeBy", ${person('handed_over')} as "handedOverBy", b.provider_reference as "providerReference",
    ${person('cancel_requested')} as "cancelRequestedBy",
    b.cancel_reason as "cancelReason", ${person('cancelled')} as "cancelledBy", b.item_nos as "itemNos",
    coalesce(encode(run.content_digest, 'hex'), '') as "runDigest",
    exists (select from payout_pause pause where pause.game_id = ${gameId} and pause.paused_at > b.made_at) as "isFromBackup"
  from payout_batch b join payout_run run on run.game_id = ${gameId} and run.run_id = b.run_id
  where b.game_id = ${gameId}`;

type BatchRow = Omit<Batch, 'method' | 'format'> & { method: string; format: string | null };

const batchOf = ({ method, format, ...row }: BatchRow): Batch => ({
  ...row,
  method: parseEnum([...PAYMENT_METHODS, 'elsewhere'], method),
  format: format === null ? null : parseEnum(PAYMENT_FORMATS, format),
});

/** Finds a batch by its number; null: there is none. */
export async function findBatch(db: Db, gameId: number, batchNo: number): Promise<Batch | null> {
  const { rows } = await sql<BatchRow>`${batches(gameId)} and b.batch_no = ${batchNo}::bigint`.execute(db);
  return rows[0] === undefined ? null : batchOf(rows[0]);
}

/** Lists the batches of a run, oldest first. */
export async function listBatches(db: Db, gameId: number, runId: number): Promise<Batch[]> {
  const { rows } = await sql<BatchRow>`${batches(gameId)} and b.run_id = ${runId} order by b.batch_no`.execute(db);
  return rows.map(batchOf);
}

/** The payments of a batch in the order of its file. Amounts are those of the file beside USD. */
export async function listBatchItems(
  db: Db,
  { gameId, runNo, batchNo, currency }: Pick<Batch, 'gameId' | 'runNo' | 'batchNo' | 'currency'>,
): Promise<
  (Pick<PaymentItem, 'itemNo' | 'recipientId' | 'reference' | 'amount_usd' | 'amount' | 'currency'> & { trace: string | null })[]
> {
  const { rows } = await sql<{ itemNo: number; recipientId: number; amount_usd: string; amount: string; trace: string | null }>`
    select i.item_no as "itemNo", i.recipient_player_id as "recipientId", i.amount_usd, i.amount_file as amount, i.trace from payout_item i
    where i.game_id = ${gameId} and i.batch_no = ${batchNo} order by i.item_no`.execute(db);
  return rows.map((row) => ({ ...row, currency, reference: formatPaymentReference({ gameId, runNo, itemNo: row.itemNo }) }));
}

/** The sealed bytes of a file. */
export interface SealedFile {
  gameId: number;
  batchNo: number;
  messageId: string;
  sha256: Buffer;
  sealed: Buffer;
  keyName: string;
}

/** Finds the sealed bytes of a file; null: there is no such file. */
export async function findSealedFile(db: Db, gameId: number, batchNo: number): Promise<SealedFile | null> {
  const { rows } = await sql<SealedFile>`
    select b.game_id as "gameId", b.batch_no as "batchNo", b.message_id as "messageId", b.sha256, b.sealed, b.key_name as "keyName"
    from payout_batch b where b.game_id = ${gameId} and b.batch_no = ${batchNo} and b.sealed is not null`.execute(db);
  return rows[0] ?? null;
}
