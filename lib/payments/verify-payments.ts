import type { Db } from '#db/kit/open.ts';
import type { GameRef } from '../core/game.ts';
import { compareMoney, normalizeMoney } from '../core/money.ts';
import { findGameRef } from '../evidence/reads/verification.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import { nameKey, type PayeeKey } from '../payees/seal.ts';
import { type Batch, type FileBatch, findBatch, findSealedFile, isFile, listBatchItems } from './reads/batches.ts';
import {
  listBatchNos,
  listItemViolations,
  listPaidRuns,
  listPaymentEvents,
  listSendersToVerify,
  type PaymentEvent,
  sumBatch,
} from './reads/payment-verification.ts';
import { recomputeFile } from './recompute-file.ts';
import { digestBatch, paymentBatchOf } from './rules/payment-manifest.ts';
import { SENDER_METHODS } from './rules/sender-entries.ts';
import { openSealedFile } from './seal-file.ts';
import { openSender } from './seal-sender.ts';

/**
 * Verifies the payments of every run: they are those of its lines, replaced ones by two people; files have the sums of their payments, the people and digests of the
 * audit, and with the key the bytes that follow from payment details and sender account. Returns how many files and payments recorded elsewhere were verified.
 */
export async function verifyPayments(db: Db, gameId: number, key: PayeeKey | null, findings: Findings): Promise<number> {
  const game = await findGameRef(db, gameId);
  const events = Map.groupBy(await listPaymentEvents(db, gameId), ({ subject }) => subject);
  await verifySenders(db, gameId, key, events, findings);
  for (const run of await listPaidRuns(db, gameId)) findings.add(await listItemViolations(db, gameId, run));
  const batchNos = await listBatchNos(db, gameId);
  for (const batchNo of batchNos) {
    const batch = await findBatch(db, gameId, batchNo);
    const about = findings.about(`batch ${batchNo}`);
    if (batch === null) {
      about.must('batch_run', false, 'a stored run', 'none');
      continue;
    }
    const subject = batch.format === null ? `payments elsewhere ${batchNo}` : `payment file ${batchNo}`;
    verifyHistory(game, batch, events.get(subject) ?? [], about);
    events.delete(subject);
    await verifySums(db, batch, about);
    if (key !== null && isFile(batch)) await verifyBytes(db, batch, key, about);
  }
  for (const [subject, acts] of events)
    if (acts.some(({ act }) => act.startsWith('created') || act.startsWith('proposed')))
      findings.about(subject).must('batch_is_stored', false, 'the one the audit has', 'none');
  return batchNos.length;
}

async function verifySums(db: Db, batch: Batch, about: Findings): Promise<void> {
  const sums = await sumBatch(db, batch);
  about.same('batch_payments', String(sums.count), String(batch.itemCount));
  about.must('batch_total', compareMoney(sums.total_usd, batch.total_usd) === 0, sums.total_usd, batch.total_usd);
  about.must('batch_total_file', compareMoney(sums.total_file, batch.total_file) === 0, sums.total_file, batch.total_file);
  about.same('batch_run_id', String(batch.runId), sums.runIds.join(', '));
}

async function verifyBytes(db: Db, batch: FileBatch, key: PayeeKey, about: Findings): Promise<void> {
  const recomputed = await recomputeFile(db, batch.gameId, batch.batchNo, key);
  // Sealed under another key.
  if (recomputed.state === 'other_key') return;
  const stored = await findSealedFile(db, batch.gameId, batch.batchNo);
  const bytes = stored === null ? null : openSealedFile(stored, key);
  about.must('file_seal', bytes !== null, 'the bytes of the digest', 'bytes that don’t open');
  // Details that an erasure destroyed leave nothing to write the file from.
  if (bytes === null || recomputed.state === 'erased') return;
  const text = recomputed.state === 'written' ? recomputed.text : recomputed.state;
  about.must('file_bytes', text === bytes.toString('utf8'), 'the bytes that follow from payments and details', 'other bytes');
  if (recomputed.state !== 'written' || recomputed.traces.length === 0) return;
  const items = await listBatchItems(db, batch);
  about.same('file_traces', recomputed.traces.join(' '), items.map(({ trace }) => trace ?? 'none').join(' '));
}

const text = (value: unknown): string =>
  value === null || value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

/** Compares the row of a batch with what the audit says happened to it. */
function verifyHistory(game: GameRef, batch: Batch, events: readonly PaymentEvent[], about: Findings): void {
  const last = (act: string): PaymentEvent | undefined => events.findLast((event) => event.act.startsWith(act));
  const [created, handed] = [
    last(batch.format === null ? 'proposed' : 'created'),
    last(batch.format === null ? 'confirmed' : 'handed over'),
  ];
  const [requested, discarded, cancelled] = [last('requested'), last('discarded'), last(batch.format === null ? 'withdrew' : 'cancelled')];
  const isRequested = requested !== undefined && (discarded === undefined || events.indexOf(discarded) < events.indexOf(requested));
  const detail = created?.detail ?? {};
  const says = (...parts: unknown[]): string => parts.map(text).join(', ');
  about.same(
    'batch_created',
    says(
      created?.personId,
      detail['run_no'],
      detail['payments'],
      detail['total_usd'] === undefined ? null : normalizeMoney(String(detail['total_usd'])),
    ),
    says(batch.madeBy.id, batch.runNo, batch.itemCount, normalizeMoney(batch.total_usd)),
  );
  if (batch.format === null)
    about.same(
      'batch_named',
      says(detail['item_nos'], detail['paid_on'], detail['note']),
      says(batch.itemNos, batch.executionDate, batch.note),
    );
  else {
    const facts = isFile(batch) ? digestBatch(paymentBatchOf(game, batch), batch.senderNo) : null;
    about.same(
      'batch_file',
      says(detail['message_id'], detail['file'], detail['sha256'], detail['facts'], null),
      says(batch.messageId, batch.fileName, batch.sha256, facts, batch.itemNos),
    );
  }
  about.same(
    'batch_handed_over',
    says(handed?.personId, handed?.detail['provider_reference']),
    says(batch.handedOverBy?.id, batch.providerReference),
  );
  about.same(
    'batch_cancel_requested',
    isRequested ? says(requested.personId, requested.detail['reason']) : says(null, null),
    says(batch.cancelRequestedBy?.id, batch.cancelReason),
  );
  about.same('batch_cancelled', says(cancelled?.personId), says(batch.cancelledBy?.id));
}

async function verifySenders(
  db: Db,
  gameId: number,
  key: PayeeKey | null,
  events: Map<string, PaymentEvent[]>,
  findings: Findings,
): Promise<void> {
  const keyName = key === null ? null : nameKey(key);
  for (const sender of await listSendersToVerify(db, gameId)) {
    const subject = `sender account ${sender.senderNo}`;
    const about = findings.about(subject);
    const own = events.get(subject) ?? [];
    events.delete(subject);
    const [proposed, confirmed, withdrawn] = ['proposed', 'confirmed', 'withdrew'].map((act) =>
      own.find((event) => event.act.startsWith(act)),
    );
    const detail = proposed?.detail ?? {};
    about.same(
      'sender_proposed',
      [proposed?.personId, detail['method'], detail['mask'], detail['digest']].map(text).join(', '),
      [sender.proposedBy, sender.method, sender.mask, sender.digest.toString('hex')].map(text).join(', '),
    );
    about.same(
      'sender_decided',
      `${text(confirmed?.personId)}, ${text(withdrawn?.personId)}`,
      `${text(sender.confirmedBy)}, ${text(sender.withdrawnBy)}`,
    );
    const method = SENDER_METHODS.find((each) => each === sender.method);
    if (key !== null && sender.keyName === keyName && method !== undefined)
      about.must('sender_seal', openSender({ ...sender, method }, key) !== null, 'entries sealed for this row', 'a row that doesn’t open');
  }
}
