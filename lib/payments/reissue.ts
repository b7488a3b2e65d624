import type { Db } from '#db/kit/open.ts';
import type { AuditAct } from '#lib/audit/rules/acts.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { explainRefusal } from '#lib/people/explain-refusal.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { namesAccountOf } from '../payees/find-named-account.ts';
import { parseSharedNote, type SharedTextRefusal } from '../payees/rules/names-account.ts';
import type { PayeeKey } from '../payees/seal.ts';
import type { DecisionResult } from '../payouts/adjust-balance.ts';
import { lockOpenRun, recomposeOpenRun } from '../payouts/draft-run.ts';
import { lockRun } from '../payouts/reads/find-run.ts';
import { findPayoutPause } from '../payouts/reads/payout-pause.ts';
import { asPreparer, lockDecider, type PreparerRefusal } from '../payouts/writes/run-states.ts';
import { isPayable } from './make-files.ts';
import { findReissue, type Reissue } from './reads/reissues.ts';
import { isReissuable } from './rules/item-state.ts';
import { refreshStates } from './writes/refresh-states.ts';
import { decideReissueRow, insertReissue } from './writes/store-reissue.ts';

/** Characters of the reason of a re-issue. */
const REASON_MAX = 500;

/** Which payment: the number of the one that failed or came back, or that no file takes because its payment details changed since the approval. */
export interface ReissueKey {
  runId: number;
  itemNo: number;
}

/** `closed`: what comes back to a closed run is in the next one. `in_balance`: a run in review or an approved one pays it already. */
type ReissueRefusal = 'paused' | 'closed' | 'in_balance' | 'no_details';
export type ReissueResult =
  | { ok: true; itemNo: number; reference: string }
  | { ok: false; reason: PreparerRefusal | ReissueRefusal | 'moved_on' | 'another_waits' | SharedTextRefusal };

/**
 * Proposes to pay what failed, came back or can enter no file to the payment details in force, under a reference of its own. Nothing is paid until a second person confirms,
 * and meanwhile the payment before it enters no file. `key`: see `namesAccountOf`.
 */
export async function proposeReissue(
  game: OpenGame,
  actor: Actor,
  proposed: ReissueKey & { reason: string },
  key: PayeeKey | null = null,
): Promise<ReissueResult> {
  const reason = parseSharedNote(proposed.reason, REASON_MAX);
  if (!reason.ok) return reason;
  const { gameId } = game;
  const { runId, itemNo } = proposed;
  return await asPreparer(game, actor, async (tx): Promise<ReissueResult> => {
    const found = await lockReissue(tx, gameId, proposed);
    if ('reason' in found) return { ok: false, reason: found.reason };
    if (found.proposal !== null) return { ok: false, reason: 'another_waits' };
    if (found.details === null) return { ok: false, reason: 'no_details' };
    if (await namesAccountOf(tx, gameId, key, { text: reason.text, recipientIds: [found.recipientId] }))
      return { ok: false, reason: 'account' };
    const added = await insertReissue(tx, { gameId, runId, itemNo }, { actorId: actor.id, reason: reason.text });
    await refreshStates(tx, { gameId, runId });
    const stored = await findReissue(tx, gameId, proposed);
    if (stored?.proposal?.itemNo !== added) throw new Error(`the re-issue of payment ${itemNo} is gone`);
    await auditReissue(tx, { gameId, actor }, stored, 'proposed to re-issue a payment', { reason: reason.text });
    return { ok: true, itemNo: added, reference: stored.proposal.reference };
  });
}

/** `reissueNo`: the proposal that the page showed, by the number of its payment; `detailNo`: the payment details that it showed to who confirms. */
export type DecidedReissue = ReissueKey & { reissueNo: number } & ({ decision: 'confirmed'; detailNo: number } | { decision: 'withdrawn' });

/**
 * Confirms a re-issue that another person proposed, or withdraws it. A confirmed one waits for a file, which it enters only while the payment details that it was
 * confirmed for are in force, and a draft no longer pays it. Refused when another proposal waits, or other details are in force, than were shown.
 */
export async function decideReissue(
  game: OpenGame,
  actor: Actor,
  decided: DecidedReissue,
): Promise<DecisionResult<ReissueRefusal | 'not_as_shown'>> {
  type Answer = DecisionResult<ReissueRefusal | 'not_as_shown'>;
  const { gameId } = game;
  const { runId, decision } = decided;
  let author: string | null = null;
  let subject = `payout run id ${runId}`;
  const answer = await asPreparer(game, actor, async (tx): Promise<Answer> => {
    const found = await lockReissue(tx, gameId, decided, decision === 'withdrawn');
    if ('reason' in found) return { ok: false, reason: found.reason };
    const { proposal, details } = found;
    if (proposal === null || proposal.confirmedBy !== null) return { ok: false, reason: 'moved_on' };
    author = proposal.proposedById;
    subject = `payment ${found.reference}`;
    if (proposal.itemNo !== decided.reissueNo) return { ok: false, reason: 'not_as_shown' };
    if (decided.decision === 'confirmed') {
      if (details === null) return { ok: false, reason: 'no_details' };
      if (details.detailNo !== decided.detailNo) return { ok: false, reason: 'not_as_shown' };
      if (author === actor.id) return { ok: false, reason: 'same_person' };
      if (!(await lockDecider(tx, actor.id, author, 'payouts.approve'))) return { ok: false, reason: 'not_allowed' };
    }
    const confirmedFor = decided.decision === 'confirmed' ? decided.detailNo : null;
    if (!(await decideReissueRow(tx, { gameId, runId, itemNo: proposal.itemNo }, { actorId: actor.id, confirmedFor })))
      return { ok: false, reason: 'moved_on' };
    await refreshStates(tx, { gameId, runId });
    const act = decision === 'confirmed' ? 'confirmed the re-issue of a payment' : 'withdrew the re-issue of a payment';
    await auditReissue(tx, { gameId, actor }, found, act, decision === 'confirmed' ? { detail_no: details?.detailNo } : {});
    return {
      ok: true,
      voidedSubmission:
        decision === 'confirmed' && (await recomposeOpenRun(tx, game, await lockOpenRun(tx, gameId), `re-issue of ${subject}`)),
    };
  });
  return await explainRefusal(game, { actor, authorId: author, what: 'confirmation of a re-issue', subject }, answer);
}

/** Locks a payment that can be re-issued now, or names why it can't. `isWithdrawal`: a proposal can be withdrawn whatever became of its payment. */
async function lockReissue(
  tx: Db,
  gameId: number,
  key: ReissueKey,
  isWithdrawal = false,
): Promise<Reissue | { reason: Exclude<ReissueRefusal, 'no_details'> | 'moved_on' }> {
  await lockRunsOf(tx, gameId);
  const run = await lockRun(tx, gameId, key.runId);
  const found = await findReissue(tx, gameId, key);
  if (run?.state !== 'approved' || found === null) return { reason: 'moved_on' };
  if (isWithdrawal) return found;
  if (!isPayable(run)) return { reason: 'closed' };
  if ((await findPayoutPause(tx, gameId)) !== null) return { reason: 'paused' };
  if (found.returnedInRunNo !== null) return { reason: 'in_balance' };
  return isReissuable(found) ? found : { reason: 'moved_on' };
}

async function auditReissue(
  tx: Db,
  { gameId, actor }: { gameId: number; actor: Actor },
  { reference, runNo, itemNo, proposal, amount_usd }: Reissue,
  act: AuditAct,
  detail: Record<string, unknown>,
): Promise<void> {
  const about = { run_no: runNo, item_no: itemNo, reissue_no: proposal?.itemNo, reissue: proposal?.reference, amount_usd };
  await recordAudit(tx, { gameId, actor: actor.email, act, subject: `payment ${reference}`, detail: { ...about, ...detail } });
}
