import { setRefundLimit } from '#db/refunds/writes/set-refund-limit.ts';
import { may } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { Actor } from '../people/rules/person.ts';
import { type LimitedRole, parseRefundLimit } from './rules/refund-limits.ts';

/** Sets what a role may refund without a second person. False for what is no amount of zero or more, and for those who may not. */
export async function changeRefundLimit(game: OpenGame, actor: Actor, role: LimitedRole, typed: string): Promise<boolean> {
  const limit_usd = parseRefundLimit(typed);
  if (!may(actor.role, 'people.manage') || limit_usd === null) return false;
  await setRefundLimit(game.pool, { gameId: game.gameId, actor, role, limit_usd });
  return true;
}
