import { recordAudit } from '#lib/audit/writes.ts';
import { findAccountRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { AccountRefusal } from '../approvals/rules/approval.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { PayeeKey } from '../payees/seal.ts';
import { findRun } from '../payouts/reads/find-run.ts';
import { findPayoutPause } from '../payouts/reads/payout-pause.ts';
import type { FileRefusal } from './action-text.ts';
import { type FileBatch, findBatch, findSealedFile, isFile, listBatchItems } from './reads/batches.ts';
import { isFileReportedPaid } from './reads/reported-paid.ts';
import { describePaymentFile, type PaymentManifest, paymentBatchOf } from './rules/payment-manifest.ts';
import { openSealedFile } from './seal-file.ts';

export type OpenedFile =
  | { ok: true; bytes: Buffer; fileName: string; sha256: string; manifest: PaymentManifest }
  | { ok: false; reason: FileRefusal | 'not_allowed' | AccountRefusal };

/**
 * Opens a payment file for a person who prepares payouts: the same bytes each time. Refused while payouts are paused, once the file was cancelled, while its cancellation or
 * the void of its run is requested, and when it may have been uploaded before a restore or a bank reports what it pays as paid. The audit has each download before it starts.
 */
export async function openFile(game: OpenGame, actor: Actor, key: PayeeKey | null, batchNo: number): Promise<OpenedFile> {
  const { db, gameId } = game;
  const subject = `payment file ${batchNo}`;
  const refusal = await findAccountRefusal(db, actor.id, 'payouts.prepare');
  if (refusal !== null)
    return await auditRefusal(db, { actor, gameId, what: 'to download a payment file', subject }, { ok: false, reason: refusal });
  const opened = await readFile(game, key, batchNo);
  if (opened.ok) {
    const detail = { file: opened.fileName, sha256: opened.sha256 };
    await recordAudit(db, { gameId, actor: actor.email, act: 'downloaded a payment file', subject, detail });
  }
  return opened;
}

/** Reads a payment file and its manifest, for the command and for a person who may. */
export async function readFile(
  game: OpenGame,
  key: PayeeKey | null,
  batchNo: number,
): Promise<Extract<OpenedFile, { ok: true }> | { ok: false; reason: FileRefusal }> {
  const batch = await findBatch(game.db, game.gameId, batchNo);
  if (batch === null || !isFile(batch)) return { ok: false, reason: 'gone' };
  if (batch.state === 'cancelled' || batch.state === 'void') return { ok: false, reason: 'cancelled' };
  if ((await findPayoutPause(game.db, game.gameId)) !== null) return { ok: false, reason: 'paused' };
  if (batch.state === 'made' && batch.isFromBackup) return { ok: false, reason: 'restored' };
  if (batch.cancelRequestedBy !== null) return { ok: false, reason: 'cancel_requested' };
  const run = batch.state === 'made' ? await findRun(game.db, game.gameId, { runId: batch.runId }) : null;
  if (run !== null && run.voidRequestedBy !== null) return { ok: false, reason: 'void_requested' };
  if (batch.state === 'made' && (await isFileReportedPaid(game.db, batch))) return { ok: false, reason: 'reported_paid' };
  if (key === null) return { ok: false, reason: 'no_key' };
  const stored = await findSealedFile(game.db, game.gameId, batchNo);
  const bytes = stored === null ? null : openSealedFile(stored, key);
  if (bytes === null) return { ok: false, reason: 'unreadable' };
  return { ok: true, bytes, fileName: batch.fileName, sha256: batch.sha256, manifest: await describeBatch(game, batch) };
}

/** The manifest of a stored file. It names nobody. */
async function describeBatch(game: OpenGame, batch: FileBatch): Promise<PaymentManifest> {
  const items = await listBatchItems(game.db, batch);
  const { fileName, sha256, runDigest } = batch;
  return describePaymentFile({ batch: paymentBatchOf(game, batch), items }, { runDigest, sha256, fileName });
}
