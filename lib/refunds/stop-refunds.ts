import { liftStop, stopRefunds } from '#db/refunds/writes/refund-stop.ts';
import { may } from '../core/roles.ts';
import { readWords, WHY_LENGTH_MAX } from '../core/typed-text.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { Actor } from '../people/rules/person.ts';

export type Stopped =
  | { ok: true; is: 'stopped' | 'asked' | 'lifted' }
  | { ok: false; reason: 'not_allowed' | 'why_missing' | 'why_too_long' | 'already_stopped' | 'no_stop' | 'same_person' };

/** Stops the sending of refunds of a game: anybody who may ask for one may stop them all. */
export async function stopAllRefunds(game: OpenGame, actor: Actor, why: string): Promise<Stopped> {
  if (!may(actor.role, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  const said = readWords(why, WHY_LENGTH_MAX);
  if (said === 'too_long') return { ok: false, reason: 'why_too_long' };
  if (said.words === null) return { ok: false, reason: 'why_missing' };
  const isNew = await stopRefunds(game.pool, { gameId: game.gameId, actor, why: said.words });
  return isNew ? { ok: true, is: 'stopped' } : { ok: false, reason: 'already_stopped' };
}

/** Lets refunds be sent again: two people who may approve, one after the other. */
export async function resumeRefunds(game: OpenGame, actor: Actor): Promise<Stopped> {
  if (!may(actor.role, 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
  const is = await liftStop(game.pool, { gameId: game.gameId, actor });
  return is === 'asked' || is === 'lifted' ? { ok: true, is } : { ok: false, reason: is };
}
