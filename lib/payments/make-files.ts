import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { lockRun, type Run } from '#lib/payouts/reads/find-run.ts';
import { findPayoutPause, listLostFiles } from '#lib/payouts/reads/payout-pause.ts';
import { idsOfLost, type LostFiles } from '#lib/payouts/rules/missing-run.ts';
import { asPreparer, type PreparerRefusal } from '#lib/payouts/writes/run-states.ts';
import { compareMoney, sumMoney } from '../core/money.ts';
import { isWeekend, localTimeOf, monthOf } from '../core/month.ts';
import type { Actor } from '../core/roles.ts';
import { isTargetClosingDay } from '../core/target-days.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findKeyRefusal, type KeyRefusal } from '../payees/find-key-refusal.ts';
import { namesAccount } from '../payees/rules/names-account.ts';
import { nameKey, openEntries, type PayeeKey } from '../payees/seal.ts';
import { listBatches } from './reads/batches.ts';
import { findSenderInForce } from './reads/senders.ts';
import { listWaiting, type WaitingItem } from './reads/waiting-items.ts';
import { accountOfDetails } from './rules/account-of-details.ts';
import { fileAmount } from './rules/convert-usd.ts';
import {
  BANK_METHODS,
  METHOD_FORMATS,
  PAYMENT_METHODS,
  type PaymentBatch,
  type PaymentFormat,
  type PaymentMethod,
  type PaymentSender,
} from './rules/payment.ts';
import { fileBlocker, itemBlocker, type PaymentBlocker } from './rules/payment-blocker.ts';
import { digestBatch } from './rules/payment-manifest.ts';
import { formatPaymentReference } from './rules/payment-reference.ts';
import { type FilesPlan, type PlannedItem, planFiles } from './rules/plan-files.ts';
import { readSender, SENDER_METHODS } from './rules/sender-entries.ts';
import { sealFile } from './seal-file.ts';
import { openSender } from './seal-sender.ts';
import { refreshStates } from './writes/refresh-states.ts';
import { findNextNumbers, insertFile, listFreeModifiers, putIntoFiles } from './writes/store-batches.ts';

/** What a person chooses for the files of one method. */
export interface FilesRequest {
  runId: number;
  method: string;
  /** null: the only layout of the method. */
  format: string | null;
  /** The day of payment, of bank files; null: none. */
  executionDate: string | null;
  /** What recipients read beside the reference. */
  note: string;
  /** The payments that the person saw: how many, and their sum in USD. */
  shown: { count: number; total_usd: string };
  /** The IDs of the run's files that a restore lost, or `UNKNOWN_FILES`, where a person says that they paid none of these payments; absent: there are none. */
  lostFiles?: readonly string[];
}

/** A file that was made, or would be. */
export interface MadeFile {
  batchNo: number;
  fileName: string;
  format: PaymentFormat;
  count: number;
  total_usd: string;
}

type FilesRefusal = PreparerRefusal | 'moved_on' | 'paused' | 'unknown' | 'changed' | 'sender_unreadable' | 'void_requested';
export type FilesResult =
  | { ok: true; files: MadeFile[] }
  | { ok: false; reason: FilesRefusal }
  /** A restore lost files of the run, which may have been paid. */
  | { ok: false; reason: 'lost_files'; lost: LostFiles }
  | KeyRefusal
  | { ok: false; reason: 'blocked'; blockers: PaymentBlocker[] };

/**
 * Makes the files of all payments of a run that wait and are paid by one method: all of them or none. Their bytes are stored sealed, and every download has the same. A
 * payment is in one file ever. Refused for a sandbox game, while payouts are paused or a void of the run is requested, and when other payments wait than the person saw.
 * After a restore it is refused until the person confirms that no lost file paid them.
 */
export async function makeFiles(game: OpenGame, actor: Actor, key: PayeeKey | null, request: FilesRequest): Promise<FilesResult> {
  const chosen = parseRequest(request);
  if (chosen === null) return { ok: false, reason: 'unknown' };
  if (key === null) return { ok: false, reason: 'no_key' };
  return await asPreparer(game, actor, async (tx): Promise<FilesResult> => {
    await lockRunsOf(tx, game.gameId);
    const run = await lockRun(tx, game.gameId, request.runId);
    if (run === null || !isPayable(run)) return { ok: false, reason: 'moved_on' };
    if (run.voidRequestedBy !== null) return { ok: false, reason: 'void_requested' };
    if ((await findPayoutPause(tx, game.gameId)) !== null) return { ok: false, reason: 'paused' };
    const refusal = await findKeyRefusal(tx, key);
    if (refusal !== null) return refusal;
    const lost = await listLostFiles(tx, game.gameId, run);
    const lostFiles = idsOfLost(lost);
    if (lostFiles.some((messageId) => request.lostFiles?.includes(messageId) !== true)) return { ok: false, reason: 'lost_files', lost };
    const items = await listWaiting(tx, run, chosen.method);
    const total_usd = sumMoney(items.map(({ amount_usd }) => amount_usd));
    if (items.length !== request.shown.count || compareMoney(total_usd, request.shown.total_usd) !== 0)
      return { ok: false, reason: 'changed' };
    const sender = await openSenderInForce(tx, game.gameId, chosen.method, key);
    if (sender === 'unreadable') return { ok: false, reason: 'sender_unreadable' };
    const origin = sender?.sender.family === 'ach' ? sender.sender.immediateOrigin : null;
    const plan = await plannedFiles(tx, { game, run, key, items, sender: sender?.sender ?? null, origin, ...chosen }, request);
    if (!plan.ok) return { ok: false, reason: 'blocked', blockers: plan.blockers };
    const details = new Map(items.map(({ itemNo, detail }) => [itemNo, detail.detailNo]));
    const isFirst = (await listBatches(tx, game.gameId, run.runId)).every(({ method }) => method !== chosen.method);
    const to = { gameId: game.gameId, senderNo: sender?.senderNo ?? null, origin, actorId: actor.id };
    const files: MadeFile[] = [];
    for (const file of plan.files) {
      // Later files of a method have their number: they pay what waited longer, or what was in a cancelled file. Re-issues have numbers of their own.
      const isNumbered = !isFirst && file.batch.reissueNo === null;
      const fileName = isNumbered ? file.fileName.replace(/(\.\w+)$/, `-file${file.batchNo}$1`) : file.fileName;
      const { format, batchId: message_id } = file.batch;
      const sealed = sealFile(Buffer.from(file.text, 'utf8'), { gameId: game.gameId, batchNo: file.batchNo, messageId: message_id }, key);
      await insertFile(tx, to, { ...file, ...sealed, fileName, keyName: nameKey(key) });
      const sha256 = sealed.sha256.toString('hex');
      const facts = digestBatch(file.batch, to.senderNo);
      const sum_usd = sumMoney(file.items.map(({ amount_usd }) => amount_usd));
      const detail = {
        run_no: run.runNo,
        message_id,
        file: fileName,
        payments: file.items.length,
        total_usd: sum_usd,
        sha256,
        facts,
        ...(lostFiles.length > 0 && { unpaid: lostFiles }),
      };
      const subject = `payment file ${file.batchNo}`;
      await recordAudit(tx, { gameId: game.gameId, actor: actor.email, act: 'created a payment file', subject, detail });
      files.push({ batchNo: file.batchNo, fileName, format, count: file.items.length, total_usd: sum_usd });
    }
    await putIntoFiles(tx, run, plan.files, details);
    await refreshStates(tx, run);
    return { ok: true, files };
  });
}

/** Whether payments of a run can go into files: it is approved and nobody closed it. */
export function isPayable({ state, closedAt }: Pick<Run, 'state' | 'closedAt'>): boolean {
  return state === 'approved' && closedAt === null;
}

function parseRequest({ method, format }: FilesRequest): { method: PaymentMethod; format: PaymentFormat | null } | null {
  const known = PAYMENT_METHODS.find((each) => each === method);
  if (known === undefined) return null;
  if (format === null) return { method: known, format: null };
  const layout = METHOD_FORMATS[known].find((each) => each === format);
  return layout === undefined ? null : { method: known, format: layout };
}

async function openSenderInForce(
  tx: Db,
  gameId: number,
  method: PaymentMethod,
  key: PayeeKey,
): Promise<{ senderNo: number | null; sender: PaymentSender } | 'unreadable' | null> {
  const needed = SENDER_METHODS.find((each) => each === method);
  if (needed === undefined) return { senderNo: null, sender: { family: 'generic' } };
  const stored = await findSenderInForce(tx, gameId, needed);
  if (stored === null) return null;
  const entries = openSender(stored, key);
  return entries === null ? 'unreadable' : { senderNo: stored.senderNo, sender: readSender(needed, entries) };
}

interface Ingredients {
  game: OpenGame;
  run: Run;
  key: PayeeKey;
  items: readonly WaitingItem[];
  sender: PaymentSender | null;
  origin: string | null;
  method: PaymentMethod;
  format: PaymentFormat | null;
}

/** The files of payments, from their opened details; or every reason against them, those of single payments by their reference. */
async function plannedFiles(
  tx: Db,
  { game, run, key, items, sender, origin, method, format }: Ingredients,
  request: FilesRequest,
): Promise<FilesPlan> {
  const rate = run.eurRate;
  const common = { method, rate };
  const executionDate = request.executionDate ?? '';
  const isOnWeekend = BANK_METHODS.includes(method) && isWeekend(executionDate);
  const blockers = [
    ...(method === 'sepa' && isTargetClosingDay(executionDate) && !isOnWeekend ? [fileBlocker('execution_date_closed')] : []),
    ...(isOnWeekend ? [fileBlocker('execution_date_weekend')] : []),
    ...(namesAccount(request.note, {}) ? [fileBlocker('note_names_account')] : []),
  ];
  const planned = items.flatMap(({ itemNo, recipientId, amount_usd, isReissue, isChanged, isReportedPaid, detail }): PlannedItem[] => {
    const reference = formatPaymentReference({ gameId: game.gameId, runNo: run.runNo, itemNo });
    const entries = openEntries(detail.sealed, detail, key);
    if (isReportedPaid) blockers.push(itemBlocker('reported_paid', { itemNo, recipientId, reference }));
    if (isChanged || entries === null) {
      blockers.push(itemBlocker(isChanged ? 'details_changed' : 'details_unreadable', { itemNo, recipientId, reference }));
      return [];
    }
    const account = accountOfDetails(method, entries);
    const inFile = fileAmount(common, amount_usd) ?? { amount: '0.00', currency: 'EUR' };
    const holder = { holderName: entries.holder_name ?? '', holderKind: detail.holderKind };
    return [{ itemNo, recipientId, reference, ...holder, amount_usd, ...inFile, account, isReissue }];
  });
  const createdAt = localTimeOf(game.now(), game.timeZone);
  const numbers = await findNextNumbers(tx, game.gameId, run.runId);
  const plan = planFiles(planned, sender, {
    ...common,
    format,
    gameId: game.gameId,
    game: game.slug,
    environment: game.environment,
    runId: run.runId,
    runNo: run.runNo,
    month: monthOf(run.window.start, game.timeZone),
    window: run.window,
    createdAt,
    executionDate: request.executionDate,
    note: request.note.normalize('NFC').trim(),
    firstBatchNo: numbers.batchNo,
    nextReissueNo: numbers.reissueNo,
    batchPrefix: numbers.batchPrefix,
    modifiers: origin === null ? [] : await listFreeModifiers(tx, origin, createdAt.slice(0, 10)),
  } satisfies Omit<PaymentBatch, 'batchId' | 'format' | 'partNo' | 'partCount' | 'reissueNo' | 'fileIdModifier'> & Record<string, unknown>);
  if (blockers.length === 0) return plan;
  return { ok: false, blockers: [...blockers, ...(plan.ok ? [] : plan.blockers.filter(({ reason }) => reason !== 'no_payments'))] };
}
