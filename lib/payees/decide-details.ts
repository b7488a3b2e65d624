import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { asPreparer } from '#lib/payouts/writes/run-states.ts';
import { findApproverRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { DecisionResult } from '../payouts/adjust-balance.ts';
import { lockOpenRun, recomposeOpenRun } from '../payouts/draft-run.ts';
import { decideDetailRows, findDetailsAuthor, type Proposal } from './writes.ts';

/**
 * Confirms payment details another person proposed, or withdraws them: of one recipient, or of a whole imported file. Confirmed details are in force at
 * once: a draft is composed again, and a run in review that they concern returns to draft. Confirming doesn't count as work on the run.
 */
export async function decideDetails(
  game: OpenGame,
  actor: Actor,
  { proposal, decision }: { proposal: Proposal; decision: 'confirmed' | 'withdrawn' },
): Promise<DecisionResult> {
  const { gameId } = game;
  const subject = 'changeSet' in proposal ? `import ${proposal.changeSet}` : `recipient ${proposal.recipientId}`;
  const decided = await asPreparer(game, actor, async (tx): Promise<DecisionResult> => {
    await lockRunsOf(tx, gameId);
    const run = await lockOpenRun(tx, gameId);
    const count = await decideDetailRows(tx, gameId, proposal, { actorId: actor.id, decision });
    if (count === 0) return { ok: false, reason: 'moved_on' };
    const act = decision === 'confirmed' ? 'confirmed payment details' : 'withdrew payment details';
    const detail = 'changeSet' in proposal ? { recipients: count } : { detail_no: proposal.detailNo };
    await recordAudit(tx, { gameId, actor: actor.email, act, subject, detail });
    return {
      ok: true,
      voidedSubmission: decision === 'confirmed' && (await recomposeOpenRun(tx, game, run, `payment details of ${subject}`)),
    };
  });
  if (decided.ok || decided.reason !== 'moved_on' || decision === 'withdrawn') return decided;
  const author = await findDetailsAuthor(game.db, gameId, proposal);
  if (author === null) return decided;
  const reason =
    author === actor.id ? 'same_person' : await findApproverRefusal(game.db, actor.id, { right: 'payouts.approve', preparerId: author });
  const attempt = { actor, gameId, what: 'confirmation of payment details', subject };
  return reason === null ? decided : await auditRefusal(game.db, attempt, { ok: false, reason });
}
