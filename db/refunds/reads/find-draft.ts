import type { Db } from '#db/kit/open.ts';

/** The refund the form of a period has become; null when it was not sent yet. */
export async function findDraft(
  db: Db,
  gameId: number,
  { draftId, periodId }: { draftId: string; periodId: number },
): Promise<number | null> {
  const found = await db
    .selectFrom('refund')
    .select('refund_id')
    .where('game_id', '=', gameId)
    .where('draft_id', '=', draftId)
    .where('period_id', '=', periodId)
    .executeTakeFirst();
  return found?.refund_id ?? null;
}
