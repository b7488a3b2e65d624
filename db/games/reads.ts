import { sql } from 'kysely';
import type { Game } from '#lib/core/game.ts';
import type { Db } from '../kit/open.ts';

/** A game as its row has it. */
export type StoredGame = Game;

/** The row of a game as an object; a fragment, so that another statement can bring the games along. */
export const STORED_GAME = sql<StoredGame>`json_build_object('gameId', game_id, 'invoGameId', invo_game_id, 'slug', slug,
  'environment', environment, 'name', name, 'timeZone', time_zone)`;

/** Lists every game that was ever configured, in no order. */
export async function listStoredGames(db: Db): Promise<StoredGame[]> {
  const rows = await db.selectFrom('game').select(STORED_GAME.as('game')).execute();
  return rows.map(({ game }) => game);
}

/** The state of the connection to Invo for one game, as far as it is stored. */
export interface GameHealth {
  /** Invo's own id, pinned by the first report; null until then. */
  invoGameId: string | null;
  /** When Invo last refused the current secret and accepted the previous one; null: never. */
  previousSecretUsedAt: string | null;
  /** The newest stored response of Invo; null: there is none. */
  lastAnswer: { at: string; status: number; wasRefused: boolean } | null;
  /** The newest ended pull, if it failed; null otherwise. */
  lastFailure: { at: string; sentence: string; errorId: string | null } | null;
}

/** Reads the health of one game from stored rows; sends no request to Invo. */
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

/** Counts for monitoring: no names, no amounts. */
export interface OperatingFigures {
  pulls: { state: string; count: number }[];
  refunds: { state: string; count: number }[];
  /** Requests to Invo in the last minute, by game and budget; the budgets of single subscriptions are one sum. */
  calls: { game: string; environment: string; budget: string; count: number }[];
}

/** Counts pulls and refunds by state, and the used rate budget of each game. */
export async function readOperatingFigures(db: Db): Promise<OperatingFigures> {
  const [pulls, refunds, calls] = await Promise.all([
    db
      .selectFrom('pull')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute(),
    db
      .selectFrom('refund')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute(),
    db
      .selectFrom('rate_call')
      .innerJoin('game', 'game.game_id', 'rate_call.game_id')
      .select(({ fn }) => [
        'game.slug as game',
        'game.environment',
        sql<string>`split_part(bucket, ':', 1)`.as('budget'),
        fn.countAll<number>().as('count'),
      ])
      .where('called_at', '>', sql<string>`clock_timestamp() - interval '1 minute'`)
      .groupBy(['game.slug', 'game.environment', 'budget'])
      .execute(),
  ]);
  return { pulls, refunds, calls };
}
