import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { asPreparer, lockDecider, type PreparerRefusal } from '#lib/payouts/writes/run-states.ts';
import { findAccountRefusal, findApproverRefusal } from '#lib/people/reads.ts';
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
    const { rows } = await sql<{ next: number; isOpen: boolean }>`
      select coalesce(max(sender_no), 0) + 1 as next,
        coalesce(bool_or(method = ${known} and confirmed_at is null and withdrawn_at is null), false) as "isOpen"
      from payout_sender where game_id = ${gameId}`.execute(tx);
    if (rows[0] === undefined || rows[0].isOpen) return { ok: false, reason: 'another_waits' };
    const senderNo = rows[0].next;
    const { sealed, digest } = sealSender(entries, { gameId, senderNo, method: known, mask }, key);
    const row = {
      game_id: gameId,
      sender_no: senderNo,
      method: known,
      sealed,
      key_name: nameKey(key),
      mask,
      digest,
      proposed_by: actor.id,
    };
    await tx.insertInto('payout_sender').values(row).execute();
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
    author = await findAuthor(tx, gameId, senderNo);
    if (author === null) return { ok: false, reason: 'moved_on' };
    if (decision === 'confirmed') {
      if (author === actor.id) return { ok: false, reason: 'same_person' };
      if (!(await lockDecider(tx, actor.id, author, 'payouts.approve'))) return { ok: false, reason: 'not_allowed' };
      const refusal = await findKeyRefusal(tx, key);
      if (refusal !== null || key === null) return refusal ?? { ok: false, reason: 'no_key' };
      const stored = await findSender(tx, gameId, senderNo);
      if (stored === null || openSender(stored, key) === null) return { ok: false, reason: 'unreadable' };
    }
    const set =
      decision === 'confirmed'
        ? sql`confirmed_by = ${actor.id}, confirmed_at = clock_now()`
        : sql`withdrawn_by = ${actor.id}, withdrawn_at = clock_now()`;
    await sql`update payout_sender set ${set} where game_id = ${gameId} and sender_no = ${senderNo}`.execute(tx);
    const act = decision === 'confirmed' ? 'confirmed a sender account' : 'withdrew a sender account';
    await recordAudit(tx, { gameId, actor: actor.email, act, subject });
    return { ok: true, voidedSubmission: false };
  });
  if (answer.ok || author === null || (answer.reason !== 'not_allowed' && answer.reason !== 'same_person')) return answer;
  const reason =
    answer.reason === 'same_person'
      ? 'same_person'
      : ((await findApproverRefusal(game.db, actor.id, { right: 'payouts.approve', preparerId: author })) ?? answer.reason);
  return await auditRefusal(game.db, { actor, gameId, what: 'confirmation of a sender account', subject }, { ok: false, reason });
}

/** Who proposed a sender account that nobody decided yet; null: there is none. */
async function findAuthor(tx: Db, gameId: number, senderNo: number): Promise<string | null> {
  const row = await tx
    .selectFrom('payout_sender')
    .select('proposed_by')
    .where('game_id', '=', gameId)
    .where('sender_no', '=', senderNo)
    .where('confirmed_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst();
  return row?.proposed_by ?? null;
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
