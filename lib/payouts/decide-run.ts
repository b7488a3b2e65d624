import { type Db, inTransaction } from '#db/kit/open.ts';
import { postAccrual, reverseJournals } from '#lib/accounting/post-journals.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { isReportedPaid } from '#lib/payments/reads/reported-paid.ts';
import { findAccountRefusal, findApprover, findApproverRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type ApproverRefusal, approverRefusalOf } from '../approvals/rules/approval.ts';
import { type Actor, may, type SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { announceRun } from '../notices/announce.ts';
import { parseSharedText, type SharedTextRefusal } from '../payees/rules/names-account.ts';
import { createItems } from '../payments/writes/create-items.ts';
import { recomposeOpenRun } from './draft-run.ts';
import { findRecheck } from './find-close.ts';
import { findRun, findRunContent, listChangesSince, listEditors, lockRun, type Run, type RunChange } from './reads/find-run.ts';
import { findPayoutPause } from './reads/payout-pause.ts';
import { digestRun } from './reads/run-verification.ts';
import type { RecheckState } from './rules/close-input.ts';
import { digestContent } from './rules/run-content.ts';
import {
  auditRun,
  insertApproval,
  lockDecider,
  lockPreparer,
  type PreparerRefusal,
  setApproved,
  setRejected,
  setVoid,
  setVoidRequest,
} from './writes/run-states.ts';

export type RunApproval =
  | { ok: true; run: Run; isComplete: boolean }
  | { ok: false; reason: 'not_allowed' | 'moved_on' | 'changed' | 'password' | 'broken' | 'paused' | ApproverRefusal }
  /** The person worked on the run. */
  | { ok: false; reason: 'editor'; because: string[] }
  /** Invo's newest answer about the month doesn't confirm it; the run stays in review. */
  | { ok: false; reason: 'recheck'; recheck: Exclude<RecheckState, 'current'> }
  /** What was submitted no longer holds; the run is a draft again. */
  | { ok: false; reason: 'sent_back'; changes: RunChange[] };

/**
 * Approves a submitted run exactly as shown: `contentDigest` is the hex digest of what the person saw. Refused to people who worked on the run. When
 * anything relevant changed since submission, the run returns to draft instead; without a re-check as recent as the policy requires it stays in review. The last required approval approves the run and posts its journal.
 */
export async function approveRun(game: OpenGame, actor: SessionActor, runId: number, contentDigest: string): Promise<RunApproval> {
  const attempt = { actor, gameId: game.gameId, what: 'approval of this payout run', subject: `payout run id ${runId}` };
  return await auditRefusal(game.db, attempt, await approve(game, actor, runId, contentDigest));
}

async function approve(game: OpenGame, actor: SessionActor, runId: number, contentDigest: string): Promise<RunApproval> {
  const { db, gameId } = game;
  // Who may approve is read before the transaction, which would otherwise hold one connection and wait for another; the statement that stores the
  // approval has the same conditions.
  const refusal = await refusalOf(game, actor, await findRun(db, gameId, { runId }), contentDigest);
  if (refusal !== null) return refusal;
  const answer = await inTransaction(db, async (tx): Promise<RunApproval> => {
    // Before the row of the run, as a draft locks: journals carry roundings from run to run.
    await lockRunsOf(tx, gameId);
    const run = await lockRun(tx, gameId, runId);
    if (run?.state !== 'submitted') return afterApproval(run, actor, contentDigest);
    if (run.contentDigest !== contentDigest) return { ok: false, reason: 'changed' };
    const content = await findRunContent(tx, run);
    const { lines, reversals } = await digestRun(tx, run);
    if (content === null || digestContent(content) !== contentDigest || lines !== content.lines || reversals !== content.reversals)
      return { ok: false, reason: 'broken' };
    const changes = await listChangesSince(tx, run, content, game.now());
    if (changes.length > 0) {
      await recomposeOpenRun(tx, game, run, 'approval');
      return { ok: false, reason: 'sent_back', changes };
    }
    const { state: recheck } = await findRecheck(game, tx, run);
    if (recheck !== 'current') return { ok: false, reason: 'recheck', recheck };
    if (!(await insertApproval(tx, run, actor))) return { ok: false, reason: 'password' };
    const isComplete = await setApproved(tx, run);
    await auditRun(tx, run, actor, 'approved payout run', { payable_usd: run.totals.payable, content_digest: contentDigest });
    if (isComplete) {
      await createItems(tx, run);
      await postAccrual(tx, game, run, actor);
      await announceRun(tx, run, 'run_approved', actor.id);
    }
    return { ok: true, run: (await lockRun(tx, gameId, runId)) ?? run, isComplete };
  });
  // What was read before the transaction no longer held when the approval was stored.
  if (answer.ok || answer.reason !== 'password') return answer;
  return (await refusalOf(game, actor, await findRun(db, gameId, { runId }), contentDigest)) ?? answer;
}

/**
 * Whether an approval of this content by this person could succeed now, but for their password: the run is submitted, unchanged since and re-checked, and
 * they didn't work on it. One that couldn't is refused without asking for the password.
 */
export async function canApproveRun(game: OpenGame, actor: Actor, runId: number, contentDigest: string): Promise<boolean> {
  const run = await findRun(game.db, game.gameId, { runId });
  if (run === null || run.contentDigest !== contentDigest || (await refusalOf(game, actor, run, contentDigest)) !== null) return false;
  const content = await findRunContent(game.db, run);
  if (content === null || (await listChangesSince(game.db, run, content, game.now())).length > 0) return false;
  return (await findRecheck(game, game.db, run)).state === 'current';
}

/** The answer to an approval of a run that isn't submitted: the same form sent again after its answer was lost has approved it. */
function afterApproval(run: Run | null, actor: Actor, contentDigest: string): RunApproval {
  const isOwn = run?.state === 'approved' && run.contentDigest === contentDigest && run.approvals.some(({ by }) => by.id === actor.id);
  return isOwn ? { ok: true, run, isComplete: true } : { ok: false, reason: 'moved_on' };
}

/** Why a person can't approve a run, whatever it pays, or that they have; null: they can. */
async function refusalOf({ db }: OpenGame, actor: Actor, run: Run | null, contentDigest: string): Promise<RunApproval | null> {
  if (run?.state !== 'submitted') return afterApproval(run, actor, contentDigest);
  const approver = await findApprover(db, actor.id, run.submittedBy?.id ?? run.draftedBy.id);
  if (approver === null || !may(approver.roles, 'payouts.approve')) return { ok: false, reason: 'not_allowed' };
  const because = (await listEditors(db, run)).filter(({ personId }) => personId === actor.id).map((editor) => editor.because);
  if (because.length > 0) return { ok: false, reason: 'editor', because };
  const reason = approverRefusalOf(approver.accounts);
  if (reason !== null) return { ok: false, reason };
  if (run.approvals.some(({ by }) => by.id === actor.id)) return { ok: false, reason: 'moved_on' };
  return (await findPayoutPause(db, run.gameId)) === null ? null : { ok: false, reason: 'paused' };
}

export type RunDecision =
  | { ok: true; run: Run }
  | {
      ok: false;
      reason: PreparerRefusal | ApproverRefusal | 'moved_on' | SharedTextRefusal | 'editor' | VoidRefusal | 'not_as_shown';
    };

type VoidRefusal =
  | 'followed'
  | 'handed_over'
  /** Payments proposed as paid elsewhere wait for a second person. */
  | 'elsewhere_waits'
  /** A bank reports payments of its files as paid. */
  | 'reported_paid'
  /** The run has files, and the person didn't confirm that nobody uploaded them. */
  | 'not_stated';

/** Characters of the reason for a rejection or for voiding. */
const REJECT_LENGTH_MAX = 1_000;

type Decide = (tx: Parameters<typeof lockRun>[0], run: Run, reason: string) => Promise<Extract<RunDecision, { ok: false }> | null>;

/** Runs one decision about a run with its reason under a lock, of a person who may prepare runs if `preparer` names one; null from `decide`: done. */
async function decideRun(
  game: OpenGame,
  { runId, why, preparer }: { runId: number; why: string | null; preparer: Actor | null },
  decide: Decide,
): Promise<RunDecision> {
  const typed = parseSharedText(why, REJECT_LENGTH_MAX);
  if (!typed.ok) return typed;
  if (why !== null && typed.text === null) return { ok: false, reason: 'missing' };
  return await inTransaction(game.db, async (tx): Promise<RunDecision> => {
    const refusal = preparer === null ? null : await lockPreparer(tx, game.gameId, preparer);
    if (refusal !== null) return { ok: false, reason: refusal };
    await lockRunsOf(tx, game.gameId);
    const run = await lockRun(tx, game.gameId, runId);
    if (run === null) return { ok: false, reason: 'moved_on' };
    const refused = await decide(tx, run, typed.text ?? '');
    return refused ?? { ok: true, run: (await lockRun(tx, game.gameId, runId)) ?? run };
  });
}

/** Sends a submitted run back with a reason. People who worked on it return it to draft instead. */
export async function rejectRun(game: OpenGame, actor: Actor, runId: number, why: string): Promise<RunDecision> {
  const decided = await decideRun(game, { runId, why, preparer: null }, async (tx, run, reason) => {
    if (run.state !== 'submitted') return { ok: false, reason: 'moved_on' };
    const isEditor = (await listEditors(tx, run)).some(({ personId }) => personId === actor.id);
    if (isEditor) return { ok: false, reason: 'editor' };
    if (!(await lockDecider(tx, actor.id, null, 'payouts.approve'))) return { ok: false, reason: 'not_allowed' };
    await setRejected(tx, run, actor, reason);
    await auditRun(tx, run, actor, 'rejected payout run', { reason });
    await announceRun(tx, run, 'run_rejected', actor.id);
    return null;
  });
  const attempt = { actor, gameId: game.gameId, what: 'to send back this payout run', subject: `payout run id ${runId}` };
  return await auditRefusal(game.db, attempt, await explained(game, actor, decided, null));
}

/** A decision refused because of the person, with the reason why their account or the requester's doesn't count, if that is why. */
async function explained({ db }: OpenGame, actor: Actor, decided: RunDecision, preparerId: string | null): Promise<RunDecision> {
  if (decided.ok || decided.reason !== 'not_allowed') return decided;
  const right = 'payouts.approve';
  const reason = await (preparerId === null
    ? findAccountRefusal(db, actor.id, right)
    : findApproverRefusal(db, actor.id, { right, preparerId }));
  return reason === null ? decided : { ok: false, reason };
}

/** Returns a run in review to draft because something changed since its submission. Refused when nothing has. */
export async function returnChangedRun(game: OpenGame, actor: Actor, runId: number): Promise<RunDecision> {
  return await decideRun(game, { runId, why: null, preparer: actor }, async (tx, run) => {
    const isReturned = run.state === 'submitted' && (await recomposeOpenRun(tx, game, run, 'approval'));
    return isReturned ? null : { ok: false, reason: 'moved_on' };
  });
}

/** Voids a run that isn't approved. */
export async function voidRun(game: OpenGame, actor: Actor, runId: number, why: string): Promise<RunDecision> {
  return await decideRun(game, { runId, why, preparer: actor }, async (tx, run, reason) => {
    if (run.state === 'approved' || run.state === 'void') return { ok: false, reason: 'moved_on' };
    await setVoid(tx, run, actor, reason);
    await auditRun(tx, run, actor, 'voided payout run', { reason });
    await announceRun(tx, run, 'run_voided', actor.id);
    return null;
  });
}

/** Why an approved run can't be voided; null: it can. After a hand-over corrections are adjustments and re-issues. */
async function voidRefusalOf(
  tx: Db,
  { gameId, runId, isFollowed, isHandedOver, hasFiles, hasProposals }: Run,
  isNotUploaded: boolean,
): Promise<VoidRefusal | null> {
  if (isFollowed) return 'followed';
  if (isHandedOver) return 'handed_over';
  if (hasProposals) return 'elsewhere_waits';
  if (await isReportedPaid(tx, gameId, { runId, batchNo: null })) return 'reported_paid';
  return hasFiles && !isNotUploaded ? 'not_stated' : null;
}

/** What a person confirms about the payment files of a run before voiding it: an uploaded file may be paid, and its month would then be paid twice. */
interface StatedOfFiles {
  isNotUploaded: boolean;
}

/**
 * The first of two people requests that an approved run be voided. Refused when another run follows it or its payments were handed over, and where it has files until the
 * person confirms that nobody uploaded them.
 */
export async function requestVoid(
  game: OpenGame,
  actor: Actor,
  { runId, why, isNotUploaded }: { runId: number; why: string } & StatedOfFiles,
): Promise<RunDecision> {
  return await decideRun(game, { runId, why, preparer: actor }, async (tx, run, reason) => {
    if (run.state !== 'approved' || run.voidRequestedBy !== null) return { ok: false, reason: 'moved_on' };
    const refusal = await voidRefusalOf(tx, run, isNotUploaded);
    if (refusal !== null) return { ok: false, reason: refusal };
    await setVoidRequest(tx, run, { actor, reason });
    await auditRun(tx, run, actor, 'requested to void payout run', { reason, ...(run.hasFiles && { not_uploaded: true }) });
    return null;
  });
}

/**
 * The second person voids an approved run: not the requester, and both accounts count. Either of them can discard the request. `version`: of the run with the request, as
 * the person saw it.
 */
export async function confirmVoid(
  game: OpenGame,
  actor: Actor,
  { runId, version }: { runId: number; version: number },
  decision: ({ isAgreed: true } & StatedOfFiles) | { isAgreed: false },
): Promise<RunDecision> {
  let requesterId: string | null = null;
  const decided = await decideRun(game, { runId, why: null, preparer: decision.isAgreed ? null : actor }, async (tx, run) => {
    if (run.state !== 'approved' || run.voidRequestedBy === null) return { ok: false, reason: 'moved_on' };
    if (run.version !== version) return { ok: false, reason: 'not_as_shown' };
    if (!decision.isAgreed) {
      await setVoidRequest(tx, run, null);
      await auditRun(tx, run, actor, 'discarded the request to void payout run');
      return null;
    }
    requesterId = run.voidRequestedBy.id;
    if (requesterId === actor.id) return { ok: false, reason: 'editor' };
    if (!(await lockDecider(tx, actor.id, requesterId, 'payouts.approve'))) return { ok: false, reason: 'not_allowed' };
    const refusal = await voidRefusalOf(tx, run, decision.isNotUploaded);
    if (refusal !== null) return { ok: false, reason: refusal };
    await reverseJournals(tx, game, run, actor);
    await setVoid(tx, run, actor, null);
    await auditRun(tx, run, actor, 'voided payout run', { reason: run.voidReason, asked_by: run.voidRequestedBy.email });
    await announceRun(tx, run, 'run_voided', actor.id);
    return null;
  });
  const attempt = { actor, gameId: game.gameId, what: 'to void this payout run', subject: `payout run id ${runId}` };
  return await auditRefusal(game.db, attempt, await explained(game, actor, decided, requesterId));
}
