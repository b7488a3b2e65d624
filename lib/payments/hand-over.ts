import type { Db } from '#db/kit/open.ts';
import type { AuditAct } from '#lib/audit/rules/acts.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { lockRun, type Run } from '#lib/payouts/reads/find-run.ts';
import { findPayoutPause } from '#lib/payouts/reads/payout-pause.ts';
import { asPreparer, lockDecider, type PreparerRefusal } from '#lib/payouts/writes/run-states.ts';
import { explainRefusal } from '#lib/people/explain-refusal.ts';
import type { ApproverRefusal } from '../approvals/rules/approval.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { namesAccountOf } from '../payees/find-named-account.ts';
import { parseSharedNote, parseSharedText, type SharedTextRefusal } from '../payees/rules/names-account.ts';
import type { PayeeKey } from '../payees/seal.ts';
import { isPayable } from './make-files.ts';
import { type Batch, findBatch } from './reads/batches.ts';
import { isReportedPaid } from './reads/reported-paid.ts';
import { listRecipients } from './reads/waiting-items.ts';
import { replaceItems } from './writes/create-items.ts';
import { refreshStates } from './writes/refresh-states.ts';
import { setCancelled, setCancelRequest, setHandedOver } from './writes/store-batches.ts';

/** Characters of the number that a bank or provider gives a file. */
const REFERENCE_MAX = 100;
/** Characters of the reason of a cancellation. */
const REASON_MAX = 500;

export type BatchResult =
  | { ok: true }
  | {
      ok: false;
      reason:
        | PreparerRefusal
        | ApproverRefusal
        | 'same_person'
        | 'moved_on'
        | 'paused'
        | SharedTextRefusal
        | 'cancel_requested'
        | 'not_as_shown'
        /** A bank reports payments of it as paid. */
        | 'reported_paid'
        /** The person didn't state that nobody uploaded the file. */
        | 'not_stated';
    };

type Work = (tx: Db, batch: Batch, run: Run) => Promise<BatchResult>;

/** Runs one act on a file that is made and not handed over, under the locks of the game's runs and of its own. Payouts aren't paused. */
async function withFile(game: OpenGame, actor: Actor, batchNo: number, work: Work): Promise<BatchResult> {
  return await asPreparer(game, actor, async (tx): Promise<BatchResult> => {
    await lockRunsOf(tx, game.gameId);
    const batch = await findBatch(tx, game.gameId, batchNo);
    const run = batch === null ? null : await lockRun(tx, game.gameId, batch.runId);
    if (batch === null || batch.format === null || run === null || !isPayable(run)) return { ok: false, reason: 'moved_on' };
    if ((await findPayoutPause(tx, game.gameId)) !== null) return { ok: false, reason: 'paused' };
    return await work(tx, batch, run);
  });
}

const auditFile = async (
  tx: Db,
  game: OpenGame,
  actor: Actor,
  batchNo: number,
  act: AuditAct,
  detail: Record<string, unknown>,
): Promise<void> => await recordAudit(tx, { gameId: game.gameId, actor: actor.email, act, subject: `payment file ${batchNo}`, detail });

/**
 * Records that a file was given to the bank or provider, with the number it got there, if any. From then on it can't be cancelled and its run can't be voided. The same
 * form sent again changes nothing. `key`: see `namesAccountOf`.
 */
export async function handOver(
  game: OpenGame,
  actor: Actor,
  { batchNo, providerReference }: { batchNo: number; providerReference: string },
  key: PayeeKey | null = null,
): Promise<BatchResult> {
  const typed = parseSharedText(providerReference, REFERENCE_MAX);
  if (!typed.ok) return { ok: false, reason: typed.reason };
  return await withFile(game, actor, batchNo, async (tx, batch, run) => {
    if (batch.state === 'handed_over' && batch.handedOverBy?.id === actor.id && batch.providerReference === typed.text) return { ok: true };
    if (batch.state !== 'made') return { ok: false, reason: 'moved_on' };
    if (batch.cancelRequestedBy !== null) return { ok: false, reason: 'cancel_requested' };
    if (await namesAccountOf(tx, game.gameId, key, { text: typed.text, recipientIds: await listRecipients(tx, batch, batch) }))
      return { ok: false, reason: 'account' };
    await setHandedOver(tx, batch, actor.id, typed.text);
    await auditFile(tx, game, actor, batchNo, 'handed over a payment file', { provider_reference: typed.text, sha256: batch.sha256 });
    await refreshStates(tx, run);
    return { ok: true };
  });
}

/**
 * The first of two people requests that a file be cancelled, before it is handed over, and states that nobody uploaded it: a restore may have lost its hand-over. Until it
 * is decided nobody downloads the file or hands it over. `key`: see `namesAccountOf`.
 */
export async function requestCancel(
  game: OpenGame,
  actor: Actor,
  { batchNo, reason, isNotUploaded }: { batchNo: number; reason: string; isNotUploaded: boolean },
  key: PayeeKey | null = null,
): Promise<BatchResult> {
  const note = parseSharedNote(reason, REASON_MAX);
  if (!note.ok) return { ok: false, reason: note.reason };
  if (!isNotUploaded) return { ok: false, reason: 'not_stated' };
  return await withFile(game, actor, batchNo, async (tx, batch) => {
    if (batch.state !== 'made' || batch.cancelRequestedBy !== null) return { ok: false, reason: 'moved_on' };
    if (await isReportedPaid(tx, game.gameId, batch)) return { ok: false, reason: 'reported_paid' };
    if (await namesAccountOf(tx, game.gameId, key, { text: note.text, recipientIds: await listRecipients(tx, batch, batch) }))
      return { ok: false, reason: 'account' };
    await setCancelRequest(tx, batch, { actorId: actor.id, reason: note.text });
    await auditFile(tx, game, actor, batchNo, 'requested to cancel a payment file', { reason: note.text, not_uploaded: true });
    return { ok: true };
  });
}

/** A request to cancel a file, as its page showed it. */
interface ShownCancel {
  batchNo: number;
  requesterId: string;
  reason: string;
}

/**
 * The second person cancels a file as its page showed it: each of its payments gets a new one with a new reference, so that a bank line of the cancelled file is
 * recognised. The request discarded: its requester may do that too.
 */
export async function decideCancel(
  game: OpenGame,
  actor: Actor,
  { batchNo, requesterId, reason }: ShownCancel,
  decision: { isAgreed: true; isNotUploaded: boolean } | { isAgreed: false },
): Promise<BatchResult> {
  const decided = await withFile(game, actor, batchNo, async (tx, batch, run) => {
    if (batch.state !== 'made' || batch.cancelRequestedBy === null) return { ok: false, reason: 'moved_on' };
    if (batch.cancelRequestedBy.id !== requesterId || batch.cancelReason !== reason) return { ok: false, reason: 'not_as_shown' };
    if (!decision.isAgreed) {
      await setCancelRequest(tx, batch, null);
      await auditFile(tx, game, actor, batchNo, 'discarded the request to cancel a payment file', {});
      return { ok: true };
    }
    if (requesterId === actor.id) return { ok: false, reason: 'same_person' };
    if (await isReportedPaid(tx, game.gameId, batch)) return { ok: false, reason: 'reported_paid' };
    if (!decision.isNotUploaded) return { ok: false, reason: 'not_stated' };
    if (!(await lockDecider(tx, actor.id, requesterId, 'payouts.approve'))) return { ok: false, reason: 'not_allowed' };
    await setCancelled(tx, batch, actor.id);
    await replaceItems(tx, run, { batchNo, reason, proposedBy: requesterId, confirmedBy: actor.id });
    await refreshStates(tx, run);
    await auditFile(tx, game, actor, batchNo, 'cancelled a payment file', {
      reason,
      asked_by: requesterId,
      not_uploaded: true,
      sha256: batch.sha256,
    });
    return { ok: true };
  });
  const attempt = { actor, authorId: requesterId, what: 'to cancel a payment file', subject: `payment file ${batchNo}` };
  return await explainRefusal(game, attempt, decided);
}
