import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { Resealed } from '../payees/reseal-details.ts';
import { nameKey, openBytes, type PayeeKey, type SealedAs, sealBytes } from '../payees/seal.ts';
import { findSealedFile } from './reads/batches.ts';
import { findSealedReport } from './reads/reports.ts';
import { countPaymentsByKey, listPaymentsUnder, type SealedPayment } from './reads/sealed-payments.ts';
import { findSender } from './reads/senders.ts';
import { fileAs } from './seal-file.ts';
import { reportAs } from './seal-report.ts';
import { senderAs } from './seal-sender.ts';
import { updateSeal } from './writes/seals.ts';

/**
 * Seals every sender account, payment file and bank report of a game that is under the key `previous` under `key`; each is committed, so that a run that was stopped is
 * run again. Their bytes and digests stay as they are. The database allows it to the owner of the tables only.
 */
export async function resealPayments(db: Db, gameId: number, { previous, key }: { previous: PayeeKey; key: PayeeKey }): Promise<Resealed> {
  const [from, to] = [nameKey(previous), nameKey(key)];
  const counts = await countPaymentsByKey(db, gameId);
  const [before, after] = [counts.get(from) ?? 0, counts.get(to) ?? 0];
  const waiting = await listPaymentsUnder(db, gameId, from);
  // Another run may have sealed some meanwhile.
  let already = after + before - waiting.length;
  let neither = [...counts.values()].reduce((sum, count) => sum + count, 0) - before - after;
  if (waiting.length > 0)
    await recordAudit(db, {
      gameId,
      actor: 'command line',
      act: 'sealed payment files under another key',
      subject: 'payment files',
      detail: { from, to, sealed: waiting.length },
    });
  let done = 0;
  for (const each of waiting) {
    const found = await findSealed(db, gameId, each);
    const bytes = found === null ? null : openBytes(found.sealed, found.as, previous);
    if (found === null || bytes === null) {
      if (found !== null && openBytes(found.sealed, found.as, key) !== null) already += 1;
      else neither += 1;
      continue;
    }
    await updateSeal(db, gameId, each, { from, to, sealed: sealBytes(bytes, found.as, key) });
    done += 1;
  }
  return { done, already, neither };
}

async function findSealed(db: Db, gameId: number, { kind, no }: SealedPayment): Promise<{ sealed: Buffer; as: SealedAs } | null> {
  if (kind === 'sender') {
    const sender = await findSender(db, gameId, no);
    return sender && { sealed: sender.sealed, as: senderAs(sender) };
  }
  if (kind === 'file') {
    const file = await findSealedFile(db, gameId, no);
    return file && { sealed: file.sealed, as: fileAs(file) };
  }
  const report = await findSealedReport(db, gameId, no);
  return report && { sealed: report.sealed, as: reportAs(gameId, no, report.sha256) };
}
