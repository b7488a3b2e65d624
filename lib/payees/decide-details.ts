import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { asPreparer } from '#lib/payouts/writes/run-states.ts';
import { findApproverRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { DecisionResult } from '../payouts/adjust-balance.ts';
import { lockOpenRun, recomposeOpenRun } from '../payouts/draft-run.ts';
import { findKeyRefusal, type KeyRefusal } from './find-key-refusal.ts';
import { findShownDigest, listProposed, type Proposal } from './reads/open-proposals.ts';
import { openSealed, type PayeeKey } from './seal.ts';
import { decideDetailRows, findDetailsAuthor } from './writes.ts';

/** What a person decides. `shown`: the digest of what the page showed them. */
export type Decision = { proposal: Proposal } & ({ decision: 'confirmed'; shown: string } | { decision: 'withdrawn' });

export type DetailDecision = DecisionResult<'not_as_shown' | 'unreadable'> | KeyRefusal;

/**
 * Confirms payment details another person proposed, or withdraws them: of one recipient, or of a whole imported file. Confirmed details are in force at
 * once: a draft is composed again, and a run in review that they concern returns to draft. Confirming doesn't count as work on the run. It needs the key that sealed them, and
 * is refused when the proposal is no longer what was shown.
 */
export async function decideDetails(game: OpenGame, actor: Actor, key: PayeeKey | null, decided: Decision): Promise<DetailDecision> {
  const { proposal, decision } = decided;
  const { gameId } = game;
  const subject = 'changeSet' in proposal ? `import ${proposal.changeSet}` : `recipient ${proposal.recipientId}`;
  const answer = await asPreparer(game, actor, async (tx): Promise<DetailDecision> => {
    await lockRunsOf(tx, gameId);
    const run = await lockOpenRun(tx, gameId);
    if (decided.decision === 'confirmed') {
      const refusal = await findConfirmRefusal(tx, gameId, key, decided);
      if (refusal !== null) return refusal;
    }
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
  if (!answer.ok && answer.reason === 'not_as_shown')
    return await auditRefusal(game.db, { actor, gameId, what: 'confirmation of payment details', subject }, answer);
  if (answer.ok || answer.reason !== 'moved_on' || decision === 'withdrawn') return answer;
  const author = await findDetailsAuthor(game.db, gameId, proposal);
  if (author === null) return answer;
  const reason =
    author === actor.id ? 'same_person' : await findApproverRefusal(game.db, actor.id, { right: 'payouts.approve', preparerId: author });
  const attempt = { actor, gameId, what: 'confirmation of payment details', subject };
  return reason === null ? answer : await auditRefusal(game.db, attempt, { ok: false, reason });
}

/** Why a proposal isn't confirmed, apart from who confirms it; null: nothing prevents it. One that was decided already is left to the update. */
async function findConfirmRefusal(
  tx: Db,
  gameId: number,
  key: PayeeKey | null,
  { proposal, shown }: { proposal: Proposal; shown: string },
): Promise<Extract<DetailDecision, { ok: false }> | null> {
  const refusal = await findKeyRefusal(tx, key);
  if (refusal !== null || key === null) return refusal;
  const rows = await listProposed(tx, gameId, proposal);
  if (rows.length === 0) return null;
  if (rows.some((row) => openSealed(row.sealed, row, key) === null)) return { ok: false, reason: 'unreadable' };
  return (await findShownDigest(tx, gameId, proposal)) === shown ? null : { ok: false, reason: 'not_as_shown' };
}
