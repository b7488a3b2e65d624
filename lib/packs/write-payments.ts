import type { ZipEntry } from '#lib/core/zip.ts';
import { openEntries, type PayeeKey } from '#lib/payees/seal.ts';
import { findSealedFile, isFile, listBatches } from '#lib/payments/reads/batches.ts';
import { listPackedBatches, listPackedConfirmations, listPackedItems, listPackedReports } from '#lib/payments/reads/pack-rows.ts';
import { listPaidDetails } from '#lib/payments/reads/payment-verification.ts';
import { openSenderOf } from '#lib/payments/recompute-file.ts';
import { accountOfDetails } from '#lib/payments/rules/account-of-details.ts';
import { CONFIRMATION_COLUMNS, ITEM_COLUMNS, PAYMENT_PATHS, type PackedAccounts } from '#lib/payments/rules/packed-payments.ts';
import { openSealedFile } from '#lib/payments/seal-file.ts';
import { openStoredReport } from '#lib/payments/seal-report.ts';
import { csvEntry, jsonEntry, type PackSource } from './write-entry.ts';

/**
 * The payments of a run: its items, files and what reports state. Where the pack carries payment details, files and reports with the accounts that they were written
 * from, so that each file is written again byte for byte; else their totals and digests.
 */
export async function* writePayments(source: PackSource): AsyncGenerator<ZipEntry> {
  const { run, accountsKey } = source;
  const { db } = source.game;
  yield csvEntry(PAYMENT_PATHS.items, ITEM_COLUMNS, await listPackedItems(db, run));
  yield csvEntry(PAYMENT_PATHS.confirmations, CONFIRMATION_COLUMNS, await listPackedConfirmations(db, run));
  yield jsonEntry(PAYMENT_PATHS.batches, await listPackedBatches(db, run));
  const reports = await listPackedReports(db, run);
  yield jsonEntry(PAYMENT_PATHS.reports, reports);
  if (accountsKey === null) return;
  yield jsonEntry(PAYMENT_PATHS.accounts, await listAccounts(source, accountsKey));
  for (const batch of (await listBatches(db, run.gameId, run.runId)).filter(isFile)) {
    const stored = await findSealedFile(db, run.gameId, batch.batchNo);
    const bytes = stored === null ? null : openSealedFile(stored, accountsKey);
    if (bytes === null) throw new Error(`payment file ${batch.batchNo} doesn't open with this key`);
    yield { name: PAYMENT_PATHS.file(batch.fileName), content: [bytes] };
  }
  for (const { report_no: reportNo } of reports) {
    const bytes = await openStoredReport(db, run.gameId, reportNo, accountsKey);
    if (bytes === null) throw new Error(`bank report ${reportNo} doesn't open with this key`);
    yield { name: PAYMENT_PATHS.report(reportNo), content: [bytes] };
  }
}

/** What each file was written from. Of a file with details that an erasure destroyed there is nothing. */
async function listAccounts({ game: { db }, run }: PackSource, key: PayeeKey): Promise<PackedAccounts[]> {
  const found: PackedAccounts[] = [];
  for (const batch of (await listBatches(db, run.gameId, run.runId)).filter(isFile)) {
    const details = await listPaidDetails(db, run.gameId, batch.batchNo);
    const sender = await openSenderOf(db, batch, key);
    if (sender === null || details.some(({ isErased }) => isErased)) continue;
    const items = details.map(({ itemNo, detail }) => {
      const entries = openEntries(detail.sealed, detail, key);
      if (entries === null) throw new Error(`the payment details of payment ${itemNo} don't open with this key`);
      const account = accountOfDetails(batch.method, entries);
      return { item_no: itemNo, holder_name: entries.holder_name ?? '', holder_kind: detail.holderKind, account };
    });
    found.push({ batch_no: batch.batchNo, sender, items });
  }
  return found;
}
