import { randomBytes } from 'node:crypto';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { asPreparer, type PreparerRefusal } from '#lib/payouts/writes/run-states.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findKeyRefusal, type KeyRefusal } from './find-key-refusal.ts';
import { findStoredPayees, type StoredPayee } from './reads/payee-details.ts';
import { checkDetails } from './rules/check-details.ts';
import { type CheckedDetails, type DetailRefusal, METHODS, type TypedDetails } from './rules/details.ts';
import { namesAccount, parseSharedNote, type SharedTextRefusal } from './rules/names-account.ts';
import { digestFacts, fingerprintOf, nameKey, openEntries, type PayeeKey, sealEntries } from './seal.ts';
import { insertDetails, type NewDetails } from './writes.ts';

/** Characters of the reason of a proposal. */
export const REASON_MAX = 500;

type ProposeRefusal = PreparerRefusal | 'unknown_recipient' | 'another_waits' | 'unchanged';
export type ProposeResult =
  | { ok: true; detailNo: number }
  | { ok: false; reason: ProposeRefusal }
  | KeyRefusal
  | { ok: false; reason: 'invalid'; field: 'reason'; problem: SharedTextRefusal }
  | { ok: false; reason: 'invalid'; field: 'method'; problem: 'unknown' }
  | DetailRefusal;

/** Proposes payment details of a recipient: checked, then sealed. They pay nothing until a second person confirms them. */
export async function proposeDetails(
  game: OpenGame,
  actor: Actor,
  key: PayeeKey | null,
  { recipientId, method, typed, reason }: { recipientId: number; method: string; typed: TypedDetails; reason: string },
): Promise<ProposeResult> {
  const known = METHODS.find((each) => each === method);
  if (known === undefined) return { ok: false, reason: 'invalid', field: 'method', problem: 'unknown' };
  const checked = checkDetails(known, typed);
  if (!checked.ok) return checked;
  const note = parseSharedNote(reason, REASON_MAX);
  if (!note.ok) return { ok: false, reason: 'invalid', field: 'reason', problem: note.reason };
  if (namesAccount(note.text, checked.details.entries)) return { ok: false, reason: 'invalid', field: 'reason', problem: 'account' };
  if (key === null) return { ok: false, reason: 'no_key' };
  return await asPreparer(game, actor, async (tx): Promise<ProposeResult> => {
    // As an import does: the number of a proposal is part of what seals it.
    await lockRunsOf(tx, game.gameId);
    const refusal = await findKeyRefusal(tx, key);
    if (refusal !== null) return refusal;
    const payee = (await findStoredPayees(tx, game.gameId, [recipientId])).get(recipientId);
    if (payee === undefined) return { ok: false, reason: 'unknown_recipient' };
    if (payee.openNo !== null) return { ok: false, reason: 'another_waits' };
    if (isSame(game.gameId, payee, checked.details, key)) return { ok: false, reason: 'unchanged' };
    const details = sealFor(game.gameId, payee, checked.details, key);
    await insertDetails(tx, { gameId: game.gameId, changeSet: null, reason: note.text, proposedBy: actor.id }, [details]);
    await recordAudit(tx, {
      gameId: game.gameId,
      actor: actor.email,
      act: 'proposed payment details',
      subject: `recipient ${recipientId}`,
      // No mask: the audit isn't erased.
      detail: { detail_no: details.detailNo, digest: details.digest.toString('hex'), reason: note.text },
    });
    return { ok: true, detailNo: details.detailNo };
  });
}

/** Details as they are stored: sealed, for the identity Invo reports now. */
export function sealFor(
  gameId: number,
  { recipientId, nextNo, identityId }: StoredPayee,
  { entries, account, ...checked }: CheckedDetails,
  key: PayeeKey,
): NewDetails {
  const { method, holderKind, country, mask } = checked;
  const facts = { recipientId, detailNo: nextNo, identityId, method, holderKind, country, mask };
  const fingerprint = account === null ? null : fingerprintOf(account, gameId, key);
  const salt = randomBytes(32);
  return {
    ...facts,
    sealed: sealEntries({ entries, account }, { gameId, ...facts, fingerprint }, key),
    keyName: nameKey(key),
    fingerprint,
    salt,
    digest: digestFacts({ gameId, ...facts }, salt),
  };
}

/** Whether the details in force have the same entries and identity already. Those that can't be opened count as others. */
export function isSame(gameId: number, { identityId, inForce }: StoredPayee, details: CheckedDetails, key: PayeeKey): boolean {
  if (inForce === null || inForce.method !== details.method || inForce.identityId !== identityId) return false;
  const entries = openEntries(inForce.sealed, inForce, key);
  const texts = (each: TypedDetails): string => JSON.stringify(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return entries !== null && texts(entries) === texts(details.entries);
}
