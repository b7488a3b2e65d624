import * as z from 'zod';
import type { SheetColumn } from '#lib/core/csv.ts';
import { parseMoney } from '#lib/core/money.ts';
import { ITEM_STATES, type ItemState } from './item-state.ts';
import { PAYMENT_FORMATS, PAYMENT_METHODS, type PaymentAccount, type PaymentSender } from './payment.ts';
import type { StoredFile } from './payment-manifest.ts';
import type { ReportRow } from './report-row.ts';
import { REPORTED_STATES, type ReportedState } from './reported-states.ts';

// The payments of a run as an evidence pack has them. Money is exact decimal text, digests are hex.

export const PAYMENT_PATHS = {
  items: 'payments/items.csv',
  confirmations: 'payments/confirmations.csv',
  batches: 'payments/batches.json',
  reports: 'payments/reports.json',
  listed: 'payments/listed.json',
  accounts: 'payments/accounts.json',
  file: (name: string): string => `payments/files/${name}`,
  report: (reportNo: number): string => `payments/reports/${reportNo}`,
} as const;

export interface PackedItem {
  item_no: number;
  payment_reference: string;
  recipient_player_id: number;
  amount_usd: string;
  replaces_item_no: number | null;
  /** Of a re-issue; null: the first payment of its line. */
  reissue: 'proposed' | 'confirmed' | 'withdrawn' | null;
  detail_no: number | null;
  batch_no: number | null;
  amount_file: string | null;
  trace: string | null;
  returned_in_run_no: number | null;
  state: ItemState;
}

const column = <Key extends string>(key: Key): SheetColumn & { key: Key } => ({ key, label: key, kind: 'text' });

export const ITEM_COLUMNS = (
  [
    'item_no',
    'payment_reference',
    'recipient_player_id',
    'amount_usd',
    'replaces_item_no',
    'reissue',
    'detail_no',
    'batch_no',
    'amount_file',
    'trace',
    'returned_in_run_no',
    'state',
  ] as const
).map(column);

export interface PackedConfirmation {
  item_no: number;
  report_no: number;
  row_no: number;
  state: ReportedState;
  occurred_on: string | null;
  amount: string | null;
  currency: string | null;
  fee_usd: string | null;
  provider_id: string | null;
  reason_code: string | null;
  matched_by: string;
  row_digest: string;
}

export const CONFIRMATION_COLUMNS = (
  [
    'item_no',
    'report_no',
    'row_no',
    'state',
    'occurred_on',
    'amount',
    'currency',
    'fee_usd',
    'provider_id',
    'reason_code',
    'matched_by',
    'row_digest',
  ] as const
).map(column);

const id = z.int().min(0);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const money = z.string().refine((text) => parseMoney(text) !== null, 'an exact amount');

export const reportsFile = z.array(
  z.strictObject({
    report_no: id,
    kind: z.string(),
    file_name: z.string().nullable(),
    sha256: digest,
    date_order: z.enum(['day_first', 'month_first']).nullable(),
    row_count: id,
    result: z.string(),
    added_at: z.string(),
  }),
);
export type PackedReport = z.infer<typeof reportsFile>[number];

/** Rows of reports that confirmed nothing by themselves, about the run or about voided ones that it replaced, with what people decided. */
export const listedFile = z.strictObject({
  voided_runs: z.array(z.strictObject({ run_id: id, run_no: id, batch_nos: z.array(id) })),
  rows: z.array(
    z.strictObject({
      report_no: id,
      row_no: id,
      /** null: it is about a file as a whole. */
      run_id: id.nullable(),
      item_no: id.nullable(),
      payment_reference: z.string().nullable(),
      batch_no: id.nullable(),
      problem: z.string(),
      state: z.string().nullable(),
      occurred_on: z.string().nullable(),
      amount: money.nullable(),
      currency: z.string().nullable(),
      provider_id: z.string().nullable(),
      row_digest: digest,
      decision: z.enum(['accepted', 'set_aside']).nullable(),
      decided_by: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
});
export type PackedListed = z.infer<typeof listedFile>;

export const batchesFile = z.array(
  z.strictObject({
    batch_no: id,
    method: z.enum([...PAYMENT_METHODS, 'elsewhere']),
    format: z.enum(PAYMENT_FORMATS).nullable(),
    message_id: z.string(),
    part_no: id,
    part_count: id,
    reissue_no: id.nullable(),
    sender_no: id.nullable(),
    created_local: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    execution_date: z.string().nullable(),
    file_id_modifier: z.string().nullable(),
    note: z.string(),
    usd_per_eur: money.nullable(),
    eur_rate_source: z.string().nullable(),
    item_count: id,
    total_usd: money,
    currency: z.string(),
    total_file: money,
    file_name: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,200}$/)
      .nullable(),
    sha256: digest.nullable(),
    item_nos: z.array(id).nullable(),
    made_by: z.string(),
    handed_over_by: z.string().nullable(),
    provider_reference: z.string().nullable(),
    cancelled_by: z.string().nullable(),
  }),
);
export type PackedBatch = z.infer<typeof batchesFile>[number];

/** What a file was written from besides payments: present only where the pack carries payment details. */
export interface PackedAccounts {
  batch_no: number;
  sender: PaymentSender;
  items: { item_no: number; holder_name: string; holder_kind: 'person' | 'company'; account: PaymentAccount }[];
}
export const accountsFile = z.array(
  z.strictObject({
    batch_no: id,
    // A file is written from them again: another shape gives other bytes.
    sender: z.custom<PaymentSender>((value) => typeof value === 'object' && value !== null),
    items: z.array(
      z.strictObject({
        item_no: id,
        holder_name: z.string(),
        holder_kind: z.enum(['person', 'company']),
        account: z.custom<PaymentAccount>((value) => typeof value === 'object' && value !== null),
      }),
    ),
  }),
);

/** Parses a row of the payments; null: it isn't one. */
export function parsePackedItem(row: Record<keyof PackedItem, string | null>): PackedItem | null {
  const parsed = itemRow.safeParse(row);
  return parsed.success ? parsed.data : null;
}

const number = z.coerce.number().int().min(0);
const optional = <Shape extends z.ZodType>(shape: Shape) => z.union([z.null(), shape]);
const itemRow = z.object({
  item_no: number,
  payment_reference: z.string(),
  recipient_player_id: number,
  amount_usd: money,
  replaces_item_no: optional(number),
  reissue: z.enum(['proposed', 'confirmed', 'withdrawn']).nullable(),
  detail_no: optional(number),
  batch_no: optional(number),
  amount_file: money.nullable(),
  trace: z.string().nullable(),
  returned_in_run_no: optional(number),
  state: z.enum(ITEM_STATES),
});

/** Parses a row of the confirmations; null: it isn't one. */
export function parsePackedConfirmation(row: Record<keyof PackedConfirmation, string | null>): PackedConfirmation | null {
  const parsed = confirmationRow.safeParse(row);
  return parsed.success ? parsed.data : null;
}

const confirmationRow = z.object({
  item_no: number,
  report_no: number,
  row_no: number,
  state: z.enum(REPORTED_STATES),
  occurred_on: z.string().nullable(),
  amount: money.nullable(),
  currency: z.string().nullable(),
  fee_usd: money.nullable(),
  provider_id: z.string().nullable(),
  reason_code: z.string().nullable(),
  matched_by: z.string(),
  row_digest: digest,
});

/** The row of a file, from a pack; null: payments recorded as paid elsewhere. */
export function fileOfPack(batch: PackedBatch, run: Pick<StoredFile, 'runId' | 'runNo' | 'window'>): StoredFile | null {
  const { method, format, note, usd_per_eur } = batch;
  if (format === null || method === 'elsewhere') return null;
  return {
    ...run,
    method,
    format,
    messageId: batch.message_id,
    partNo: batch.part_no,
    partCount: batch.part_count,
    reissueNo: batch.reissue_no,
    createdLocal: batch.created_local,
    executionDate: batch.execution_date,
    fileIdModifier: batch.file_id_modifier,
    note,
    usd_per_eur,
    eurRateSource: batch.eur_rate_source,
  };
}

/** By what files and reports name payments to erased people. */
export interface ErasedPayments {
  /** Batches that have one of these payments. */
  batchNos: ReadonlySet<number>;
  /** Reports that state something of one, or list a row about one. */
  reportNos: ReadonlySet<number>;
  /** Payment references and traces, IDs of the provider and digests of rows. */
  names: ReadonlySet<string>;
  /** Digests of listed rows that are about no single payment: their reference may be one of these, mistyped by a bank. */
  unmatched: ReadonlySet<string>;
}

/**
 * Whether a report names a payment to an erased person, also in a row that repeats another report and so states nothing; or may, because a row is about no payment that
 * is known.
 */
export function namesErased(
  reportNo: number,
  rows: readonly ReportRow[],
  { reportNos, names, unmatched }: ErasedPayments,
): 'names' | 'may_name' | null {
  const isNamed = rows.some(({ references, trace, providerId, relatedId, digest }) =>
    [...references, trace, providerId, relatedId, digest].some((name) => name !== null && names.has(name)),
  );
  if (isNamed || reportNos.has(reportNo)) return 'names';
  return rows.some(({ digest }) => unmatched.has(digest)) ? 'may_name' : null;
}
