import type { Db } from '#db/kit/open.ts';
import { knownWord } from '#lib/core/parse-enum.ts';
import { LIMITED_ROLES, type RefundLimits } from '#lib/refunds/rules/limits.ts';

/** The limits an admin set in a game. */
export async function findRefundLimits(db: Db, gameId: number): Promise<RefundLimits> {
  const rows = await db.selectFrom('refund_limit').select(['role', 'limit_usd']).where('game_id', '=', gameId).execute();
  return Object.fromEntries(rows.map((row) => [knownWord(LIMITED_ROLES, row.role), row.limit_usd]));
}
