import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { asPreparer, lockDecider, type PreparerRefusal } from '#lib/payouts/writes/run-states.ts';
import { explainRefusal } from '#lib/people/explain-refusal.ts';
import { findAccountRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { AccountRefusal } from '../approvals/rules/approval.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findKeyRefusal, type KeyRefusal } from '../payees/find-key-refusal.ts';
import { nameKey, type PayeeKey } from '../payees/seal.ts';
import type { DecisionResult } from '../payouts/adjust-balance.ts';
import { findSender } from './reads/senders.ts';
import type { PaymentBlocker } from './rules/payment-blocker.ts';
import { checkSender, SENDER_METHODS, type TypedSender } from './rules/sender-entries.ts';
import { openSender, sealSender } from './seal-sender.ts';
import { decideSenderRow, findNextSender, findSenderAuthor, insertSender } from './writes/store-senders.ts';

export type SenderResult =
  | { ok: true; senderNo: number }
  | { ok: false; reason: PreparerRefusal | 'another_waits' | 'unknown_method' }
  | KeyRefusal
  | { ok: false; reason: 'invalid'; blockers: PaymentBlocker[] };

/** Proposes the account or settings that payments of a method are sent with. They apply once a second person confirms them. */
export async function proposeSender(
  game: OpenGame,
  actor: Actor,
  key: PayeeKey | null,
  { method, typed }: { method: string; typed: TypedSender },
): Promise<SenderResult> {
  const known = SENDER_METHODS.find((each) => each === method);
  if (known === undefined) return { ok: false, reason: 'unknown_method' };
  const result = checkSender(known, typed);
  if (!result.ok) return { ok: false, reason: 'invalid', blockers: result.blockers };
  if (key === null) return { ok: false, reason: 'no_key' };
  const { entries, mask } = result.checked;
  const { gameId } = game;
  return await asPreparer(game, actor, async (tx): Promise<SenderResult> => {
    await lockRunsOf(tx, gameId);
    const refusal = await findKeyRefusal(tx, key);
    if (refusal !== null) return refusal;
    const senderNo = await findNextSender(tx, gameId, known);
    if (senderNo === null) return { ok: false, reason: 'another_waits' };
    const { sealed, digest } = sealSender(entries, { gameId, senderNo, method: known, mask }, key);
    await insertSender(tx, { gameId, senderNo, method: known, mask, sealed, digest, keyName: nameKey(key) }, actor.id);
    await recordAudit(tx, {
      gameId,
      actor: actor.email,
      act: 'proposed a sender account',
      subject: `sender account ${senderNo}`,
      detail: { method: known, mask, digest: digest.toString('hex') },
    });
    return { ok: true, senderNo };
  });
}

export type SenderDecision = DecisionResult<'unreadable'> | KeyRefusal;

/** Confirms a sender account that another person proposed, or withdraws it. Confirming needs the key that sealed it. */
export async function decideSender(
  game: OpenGame,
  actor: Actor,
  key: PayeeKey | null,
  { senderNo, decision }: { senderNo: number; decision: 'confirmed' | 'withdrawn' },
): Promise<SenderDecision> {
  const { gameId } = game;
  const subject = `sender account ${senderNo}`;
  let author: string | null = null;
  const answer = await asPreparer(game, actor, async (tx): Promise<SenderDecision> => {
    await lockRunsOf(tx, gameId);
    author = await findSenderAuthor(tx, gameId, senderNo);
    if (author === null) return { ok: false, reason: 'moved_on' };
    if (decision === 'confirmed') {
      if (author === actor.id) return { ok: false, reason: 'same_person' };
      if (!(await lockDecider(tx, actor.id, author, 'payouts.approve'))) return { ok: false, reason: 'not_allowed' };
      const refusal = await findKeyRefusal(tx, key);
      if (refusal !== null || key === null) return refusal ?? { ok: false, reason: 'no_key' };
      const stored = await findSender(tx, gameId, senderNo);
      if (stored === null || openSender(stored, key) === null) return { ok: false, reason: 'unreadable' };
    }
    await decideSenderRow(tx, { gameId, senderNo }, { actorId: actor.id, decision });
    const act = decision === 'confirmed' ? 'confirmed a sender account' : 'withdrew a sender account';
    await recordAudit(tx, { gameId, actor: actor.email, act, subject });
    return { ok: true, voidedSubmission: false };
  });
  return await explainRefusal(game, { actor, authorId: author, what: 'confirmation of a sender account', subject }, answer);
}

export type ShownSender =
  | { ok: true; entries: TypedSender }
  | { ok: false; reason: 'no_key' | 'gone' | 'unreadable' | 'not_allowed' | AccountRefusal };

/** Opens a sender account for a person who may see accounts. The audit has each look, before anything is shown. */
export async function showSender(game: OpenGame, actor: Actor, key: PayeeKey | null, senderNo: number): Promise<ShownSender> {
  const { db, gameId } = game;
  const subject = `sender account ${senderNo}`;
  const refusal = await findAccountRefusal(db, actor.id, 'payees.show');
  if (refusal !== null)
    return await auditRefusal(db, { actor, gameId, what: 'to view a sender account', subject }, { ok: false, reason: refusal });
  if (key === null) return { ok: false, reason: 'no_key' };
  const stored = await findSender(db, gameId, senderNo);
  if (stored === null) return { ok: false, reason: 'gone' };
  const entries = openSender(stored, key);
  const detail = entries === null ? { unreadable: true } : {};
  await recordAudit(db, { gameId, actor: actor.email, act: 'viewed a sender account', subject, detail });
  return entries === null ? { ok: false, reason: 'unreadable' } : { ok: true, entries };
}
