import { type Actor, may } from '../core/roles.ts';
import { seal, unseal } from '../core/sealed-bytes.ts';
import { askWithin, type GameContext, toInvoFailure } from '../games/game-context.ts';
import { InvoError } from '../invo/invo-error.ts';
import { readPhoneShare } from '../invo/routes/phone-reads.ts';
import { findStoredPlayer } from '../players/reads.ts';
import { findHeldPhone, type HeldPhone } from './reads/find-grant.ts';
import type { ActionJob, ReadError } from './rules/action-ports.ts';
import { storeHeldPhone, storeOwnerAnswer, takeOwnerReading } from './writes/held-phones.ts';

function sealOf({ gameId, actionId }: Pick<ActionJob, 'gameId' | 'actionId'>): Parameters<typeof seal>[1] {
  return { purpose: 'sharebook held phone', bound: [gameId, actionId] };
}

/** Whether Invo holds a start until the owner of its phone agrees: nothing was reserved (document 3, Phone-share approval). */
export function isHeldForOwner({ state, result }: Pick<ActionJob, 'state' | 'result'>): boolean {
  return state === 'approved' && result?.['waits_for'] === 'owner';
}

/** Seals the phone of a start that waits for its owner, so that the same bytes can be sent once they agreed. */
export async function holdPhone({ game }: GameContext, job: ActionJob, phone: string, key: Uint8Array): Promise<void> {
  await storeHeldPhone(game.db, job, seal(Buffer.from(phone), sealOf(job), key));
}

/** Opens the phone of a start that waits for its owner; null: it waits for none, or the phone was sealed under another key. */
export async function openHeldPhone(
  { game }: GameContext,
  start: Pick<ActionJob, 'gameId' | 'actionId'>,
  key: Uint8Array | undefined,
): Promise<(HeldPhone & { phone: string }) | null> {
  const held = await findHeldPhone(game.db, start.gameId, start.actionId);
  const phone = held === null || key === undefined ? null : unseal(held.sealedPhone, sealOf(start), key);
  return held === null || phone === null ? null : { ...held, phone: phone.toString('utf8') };
}

/** What a start that waits for an owner is sent again with, once Invo reports that they agreed; null: it waits for none. */
export async function openAgreedPhone(
  context: GameContext,
  job: ActionJob,
  key: Uint8Array | undefined,
): Promise<{ phone: string } | { ok: false; reason: 'not_agreed' } | ({ ok: false; reason: 'no_answer' } & ReadError) | null> {
  const held = await openHeldPhone(context, job, key);
  if (held === null) return null;
  const { phone } = held;
  const read = await readOwner(context, { ...job, playerId: job.content.player_id }, phone);
  if (typeof read !== 'boolean') return { ok: false, reason: 'no_answer', ...read };
  return read ? { phone } : { ok: false, reason: 'not_agreed' };
}

/** Whether the owner of a phone agreed, for the screen that waits: one process reads, every few seconds. Null: it waits for none, or nothing is known. */
export async function watchOwner(context: GameContext, actor: Actor, actionId: number, key: Uint8Array): Promise<boolean | null> {
  const { db, gameId } = context.game;
  const ref = { gameId, actionId };
  if (!may(actor.roles, 'actions.request')) return null;
  const held = await openHeldPhone(context, ref, key);
  if (held === null) return null;
  if (held.hasAgreed === true || !(await takeOwnerReading(db, ref))) return held.hasAgreed;
  const read = await readOwner(context, { ...ref, playerId: held.playerId }, held.phone);
  return typeof read === 'boolean' ? read : held.hasAgreed;
}

/** False says two things: they haven't answered, or refused (document 3). */
async function readOwner(
  context: GameContext,
  { playerId, ...action }: { gameId: number; actionId: number; playerId: number },
  phone: string,
): Promise<boolean | ReadError> {
  const { db, gameId } = context.game;
  const email = (await findStoredPlayer(db, gameId, playerId))?.email ?? null;
  if (email === null) return { error: 'other_player', errorId: null };
  try {
    const hasAgreed = await askWithin(context, {}, (invo, signal) => readPhoneShare(invo, { email, phone }, signal));
    await storeOwnerAnswer(db, action, hasAgreed);
    return hasAgreed;
  } catch (error) {
    if (!(error instanceof InvoError)) throw error;
    const { code, errorId } = toInvoFailure(error, { isUnstored: true });
    return { error: code, errorId };
  }
}
