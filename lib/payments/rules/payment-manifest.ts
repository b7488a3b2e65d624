import { digestOf } from '#lib/core/canonical-digest.ts';
import type { GameRef } from '#lib/core/game.ts';
import { monthOf } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { sumPayments } from './convert-usd.ts';
import type { PaymentBatch, PaymentFormat, PaymentItem, PaymentMethod } from './payment.ts';

/** Describes a payment file without naming anybody: what it pays in total, and of which bytes and which approval it is. */
export interface PaymentManifest {
  game: string;
  environment: string;
  run_id: number;
  run_no: number;
  /** Of the run as approved, hex. */
  run_digest: string;
  window: Window;
  batch_id: string;
  method: PaymentMethod;
  format: PaymentFormat;
  file_name: string;
  part: number;
  parts: number;
  /** 1, 2, 3 … of a run's re-issues; null: the run's own file. */
  reissue: number | null;
  created_at: string;
  execution_date: string | null;
  file_id_modifier: string | null;
  payments: number;
  total_usd: string;
  currency: string;
  /** In the file's currency: the sum of its payments, each rounded. */
  total_file: string;
  /** USD for one EUR; null: the file is in USD. */
  usd_per_eur: string | null;
  usd_per_eur_source: string | null;
  first_reference: string;
  last_reference: string;
  /** Of the file's bytes, hex. */
  sha256: string;
}

/** The manifest beside a payment file. `runDigest` and `sha256` in hex. Throws for a file without payments, which isn't written. */
export function describePaymentFile(
  { batch, items }: { batch: PaymentBatch; items: readonly Pick<PaymentItem, 'reference' | 'amount_usd' | 'amount' | 'currency'>[] },
  { runDigest, sha256, fileName }: { runDigest: string; sha256: string; fileName: string },
): PaymentManifest {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`the batch ${batch.batchId} has no payments`);
  return {
    game: batch.game,
    environment: batch.environment,
    run_id: batch.runId,
    run_no: batch.runNo,
    run_digest: runDigest,
    window: batch.window,
    batch_id: batch.batchId,
    method: batch.method,
    format: batch.format,
    file_name: fileName,
    part: batch.partNo,
    parts: batch.partCount,
    reissue: batch.reissueNo,
    created_at: batch.createdAt,
    execution_date: batch.executionDate,
    file_id_modifier: batch.fileIdModifier,
    payments: items.length,
    total_usd: sumPayments(items).total_usd,
    currency: first.currency,
    total_file: sumPayments(items).total_file,
    usd_per_eur: batch.rate?.usd_per_eur ?? null,
    usd_per_eur_source: batch.rate?.source ?? null,
    first_reference: first.reference,
    last_reference: last.reference,
    sha256,
  };
}

/** The row of a file, as the database or an evidence pack has it. */
export interface StoredFile
  extends Pick<
    PaymentBatch,
    'method' | 'format' | 'runId' | 'runNo' | 'window' | 'partNo' | 'partCount' | 'reissueNo' | 'executionDate' | 'fileIdModifier' | 'note'
  > {
  messageId: string;
  createdLocal: string;
  /** The rate and where it is from: both or none. */
  usd_per_eur: string | null;
  eurRateSource: string | null;
}

/** What a file was written with besides its payments, from its row. */
export function paymentBatchOf(game: GameRef, row: StoredFile): PaymentBatch {
  const { method, format, runId, runNo, window, partNo, partCount, reissueNo, executionDate, fileIdModifier, note } = row;
  const { usd_per_eur, eurRateSource } = row;
  return {
    method,
    format,
    batchId: row.messageId,
    gameId: game.gameId,
    game: game.slug,
    environment: game.environment,
    runId,
    runNo,
    month: monthOf(window.start, game.timeZone),
    window,
    partNo,
    partCount,
    reissueNo,
    createdAt: row.createdLocal,
    executionDate,
    fileIdModifier,
    note,
    rate: usd_per_eur === null && eurRateSource === null ? null : { usd_per_eur: usd_per_eur ?? '', source: eurRateSource ?? '' },
  };
}

/** Hex digest of everything a file was written with besides its payments: the audit has it, so that no key is needed to compare it. */
export function digestBatch(batch: PaymentBatch, senderNo: number | null): string {
  return digestOf({ ...batch, senderNo }).toString('hex');
}

/** How a layout is called in a file's name, and the ending it has. */
const FILE_KINDS: Readonly<Record<PaymentFormat, { name: string | null; ending: string }>> = {
  paypal_web: { name: 'paypal', ending: 'csv' },
  paypal_api: { name: 'paypal', ending: 'json' },
  wise: { name: 'wise', ending: 'csv' },
  // SEPA and wires share a layout, so the method tells them apart.
  pain_001_09: { name: null, ending: 'xml' },
  pain_001_03: { name: null, ending: 'xml' },
  nacha_ppd: { name: 'ach-ppd', ending: 'txt' },
  nacha_ccd: { name: 'ach-ccd', ending: 'txt' },
  generic: { name: 'other', ending: 'csv' },
};

/** The name of a payment file, such as `demo-2026-10-run7-paypal-1of2.csv` or `demo-2026-10-run7-reissue1-paypal.csv`. */
export function formatPaymentFileName(batch: PaymentBatch): string {
  const { name, ending } = FILE_KINDS[batch.format];
  const reissue = batch.reissueNo === null ? '' : `-reissue${batch.reissueNo}`;
  const part = batch.partCount === 1 ? '' : `-${batch.partNo}of${batch.partCount}`;
  return `${batch.game}-${batch.month}-run${batch.runNo}${reissue}-${name ?? batch.method.replace('_', '-')}${part}.${ending}`;
}
