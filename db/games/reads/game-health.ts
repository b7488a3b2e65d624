import type { Db } from '#db/kit/open.ts';

/** What the book knows of its talk with Invo about one game. */
export interface GameHealth {
  /** Invo's own id, pinned by the first report; null until one came. */
  invoGameId: string | null;
  /** When Invo last refused the current secret and took the previous one; null: never. */
  previousSecretUsedAt: string | null;
  /** The last answer of Invo that was kept; null: none was. */
  lastAnswer: { at: string; status: number; wasRefused: boolean } | null;
  /** The last pull that failed, when no later one was done; null: none did. */
  lastFailure: { at: string; sentence: string; errorId: string | null } | null;
}

/** How the talk with Invo goes for one game, from what is stored; Invo is not asked. */
export async function findGameHealth(db: Db, gameId: number): Promise<GameHealth> {
  const [game, answer, ended] = await Promise.all([
    db.selectFrom('game').select(['invo_game_id', 'previous_secret_used_at']).where('game_id', '=', gameId).executeTakeFirst(),
    db
      .selectFrom('response')
      .select(['received_at', 'status', 'refusal'])
      .where('game_id', '=', gameId)
      .orderBy('response_id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('pull')
      .select(['ended_at', 'state', 'failure_message', 'failure_error_id'])
      .where('game_id', '=', gameId)
      .where('ended_at', 'is not', null)
      .orderBy('ended_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  const failed = ended?.state === 'failed' ? ended : null;
  return {
    invoGameId: game?.invo_game_id ?? null,
    previousSecretUsedAt: game?.previous_secret_used_at ?? null,
    lastAnswer: answer ? { at: answer.received_at, status: answer.status, wasRefused: answer.refusal !== null } : null,
    lastFailure: failed?.ended_at
      ? { at: failed.ended_at, sentence: failed.failure_message ?? '', errorId: failed.failure_error_id }
      : null,
  };
}
