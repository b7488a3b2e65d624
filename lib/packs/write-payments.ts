import type { Db } from '#db/kit/open.ts';
import type { ZipEntry } from '#lib/core/zip.ts';
import { openEntries, type PayeeKey } from '#lib/payees/seal.ts';
import { type FileBatch, findSealedFile, isFile, listBatches } from '#lib/payments/reads/batches.ts';
import {
  findErasedPayments,
  listPackedBatches,
  listPackedConfirmations,
  listPackedItems,
  listPackedListed,
  listPackedReports,
} from '#lib/payments/reads/pack-rows.ts';
import { listPaidDetails } from '#lib/payments/reads/payment-verification.ts';
import { openSenderOf } from '#lib/payments/recompute-file.ts';
import { readReport } from '#lib/payments/reports/read-report.ts';
import { accountOfDetails } from '#lib/payments/rules/account-of-details.ts';
import {
  CONFIRMATION_COLUMNS,
  type ErasedPayments,
  ITEM_COLUMNS,
  namesErased,
  PAYMENT_PATHS,
  type PackedAccounts,
  type PackedReport,
} from '#lib/payments/rules/packed-payments.ts';
import { toDateOrder } from '#lib/payments/rules/report-cells.ts';
import { openSealedFile } from '#lib/payments/seal-file.ts';
import { openStoredReport } from '#lib/payments/seal-report.ts';
import { csvEntry, jsonEntry, type PackSource } from './pack-entries.ts';
import { LEFT_OUT } from './text.ts';

/**
 * The payments of a run: its items, files and what reports state. Where the pack carries payment details, files and reports with the accounts that they were written
 * from, so that each file is written again byte for byte; else their totals and digests. Files and reports that name an erased person are left out.
 */
export async function* writePayments(source: PackSource): AsyncGenerator<ZipEntry> {
  const { run, accountsKey } = source;
  const { db } = source.game;
  yield csvEntry(PAYMENT_PATHS.items, ITEM_COLUMNS, await listPackedItems(db, run));
  yield csvEntry(PAYMENT_PATHS.confirmations, CONFIRMATION_COLUMNS, await listPackedConfirmations(db, run));
  yield jsonEntry(PAYMENT_PATHS.batches, await listPackedBatches(db, run));
  const reports = await listPackedReports(db, run);
  yield jsonEntry(PAYMENT_PATHS.reports, reports);
  yield jsonEntry(PAYMENT_PATHS.listed, await listPackedListed(db, run));
  if (accountsKey !== null) yield* writeNamingEntries(source, reports, accountsKey);
}

/** The accounts, files and reports, which name people. */
async function* writeNamingEntries(
  { game: { db }, run: { gameId, runId }, leftOut }: PackSource,
  reports: readonly PackedReport[],
  key: PayeeKey,
): AsyncGenerator<ZipEntry> {
  const erased = await findErasedPayments(db, gameId);
  const files = (await listBatches(db, gameId, runId)).filter(isFile);
  const isOfErased = ({ batchNo }: FileBatch): boolean => erased.batchNos.has(batchNo);
  leftOut.push(...files.filter(isOfErased).map(({ fileName }) => LEFT_OUT.file_of_erased(PAYMENT_PATHS.file(fileName))));
  const carried = files.filter((file) => !isOfErased(file));
  const accounts: PackedAccounts[] = [];
  for (const batch of carried) accounts.push(await openAccounts(db, batch, key));
  yield jsonEntry(PAYMENT_PATHS.accounts, accounts);
  for (const { batchNo, fileName } of carried) {
    const stored = await findSealedFile(db, gameId, batchNo);
    const bytes = stored === null ? null : openSealedFile(stored, key);
    if (bytes === null) throw new Error(`payment file ${batchNo} doesn't open with this key`);
    yield { name: PAYMENT_PATHS.file(fileName), content: [bytes] };
  }
  for (const report of reports) {
    const path = PAYMENT_PATHS.report(report.report_no);
    const bytes = await openStoredReport(db, gameId, report.report_no, key);
    if (bytes === null) throw new Error(`bank report ${report.report_no} doesn't open with this key`);
    const why = whyLeftOut(report, bytes, erased);
    if (why === null) yield { name: path, content: [bytes] };
    else leftOut.push(why === 'names' ? LEFT_OUT.report_of_erased(path) : LEFT_OUT.report_with_unmatched(path));
  }
}

function whyLeftOut({ report_no, date_order }: PackedReport, bytes: Buffer, erased: ErasedPayments): ReturnType<typeof namesErased> {
  if (erased.names.size === 0) return null;
  const reading = readReport(bytes, { dateOrder: toDateOrder(date_order) });
  return reading.ok ? namesErased(report_no, reading.report.rows, erased) : 'names';
}

/** What a file was written from. */
async function openAccounts(db: Db, batch: FileBatch, key: PayeeKey): Promise<PackedAccounts> {
  const details = await listPaidDetails(db, batch.gameId, batch.batchNo);
  const sender = await openSenderOf(db, batch, key);
  if (sender === null) throw new Error(`the sender account of payment file ${batch.batchNo} doesn't open with this key`);
  const items = details.map(({ itemNo, detail }) => {
    const entries = openEntries(detail.sealed, detail, key);
    if (entries === null) throw new Error(`the payment details of payment ${itemNo} don't open with this key`);
    const account = accountOfDetails(batch.method, entries);
    return { item_no: itemNo, holder_name: entries.holder_name ?? '', holder_kind: detail.holderKind, account };
  });
  return { batch_no: batch.batchNo, sender, items };
}
