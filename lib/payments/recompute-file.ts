import type { Db } from '#db/kit/open.ts';
import { findGameRef } from '#lib/evidence/reads/verification.ts';
import { nameKey, openEntries, type PayeeKey } from '../payees/seal.ts';
import { type FileBatch, findBatch, findSealedFile, isFile } from './reads/batches.ts';
import { listPaidDetails } from './reads/payment-verification.ts';
import { findSender } from './reads/senders.ts';
import { accountOfDetails } from './rules/account-of-details.ts';
import type { PaymentItem, PaymentSender } from './rules/payment.ts';
import { paymentBatchOf } from './rules/payment-manifest.ts';
import { formatPaymentReference } from './rules/payment-reference.ts';
import { readSender } from './rules/sender-entries.ts';
import { listTraceNumbers } from './rules/write-nacha.ts';
import { writePaymentFile } from './rules/write-payment-file.ts';
import { openSender } from './seal-sender.ts';

/** A file written again from payments, payment details and sender account, or why it can't be. */
export type RecomputedFile =
  | { state: 'written'; text: string; traces: readonly string[] }
  /** `erased`: details of a payment were destroyed; `unreadable`: details or the sender account don't open; `blocked`: what is stored can't be written. */
  | { state: 'other_key' | 'erased' | 'unreadable' | 'blocked' };

/** Writes a stored file again from what it was written from, with the key that seals it. */
export async function recomputeFile(db: Db, gameId: number, batchNo: number, key: PayeeKey): Promise<RecomputedFile> {
  const batch = await findBatch(db, gameId, batchNo);
  const stored = await findSealedFile(db, gameId, batchNo);
  if (batch === null || stored === null || !isFile(batch)) return { state: 'blocked' };
  if (stored.keyName !== nameKey(key)) return { state: 'other_key' };
  const sender = await openSenderOf(db, batch, key);
  if (sender === null) return { state: 'unreadable' };
  const items = await openItems(db, batch, key);
  if (!Array.isArray(items)) return items;
  const game = await findGameRef(db, gameId);
  try {
    const written = writePaymentFile({ batch: paymentBatchOf(game, batch), sender, items });
    const traces = sender.family === 'ach' ? listTraceNumbers(sender, items.length) : [];
    return written.ok ? { state: 'written', text: written.text, traces } : { state: 'blocked' };
  } catch {
    // A stored row that no code wrote.
    return { state: 'blocked' };
  }
}

/** The sender account that a file was written with; null: it doesn't open with this key. */
export async function openSenderOf(db: Db, { gameId, senderNo }: FileBatch, key: PayeeKey): Promise<PaymentSender | null> {
  if (senderNo === null) return { family: 'generic' };
  const stored = await findSender(db, gameId, senderNo);
  const entries = stored === null ? null : openSender(stored, key);
  return stored === null || entries === null ? null : readSender(stored.method, entries);
}

async function openItems(
  db: Db,
  { gameId, batchNo, runNo, method, currency }: FileBatch,
  key: PayeeKey,
): Promise<PaymentItem[] | { state: 'erased' | 'unreadable' }> {
  const rows = await listPaidDetails(db, gameId, batchNo);
  if (rows.some(({ isErased }) => isErased)) return { state: 'erased' };
  const items: PaymentItem[] = [];
  for (const row of rows) {
    const { detail } = row;
    const entries = openEntries(detail.sealed, detail, key);
    if (entries === null) return { state: 'unreadable' };
    items.push({
      itemNo: row.itemNo,
      recipientId: detail.recipientId,
      reference: formatPaymentReference({ gameId, runNo, itemNo: row.itemNo }),
      holderName: entries.holder_name ?? '',
      holderKind: detail.holderKind,
      amount_usd: row.amount_usd,
      amount: row.amount,
      currency,
      account: accountOfDetails(method, entries),
    });
  }
  return items;
}
