import type { Db } from '#db/kit/open.ts';
import type { ChainHead, GameHead } from '../rules/chain-head.ts';

/** Finds the newest link of a game's chain of snapshots; null: nothing is stored. */
export async function findChainHead(db: Db, gameId: number): Promise<ChainHead | null> {
  const row = await db
    .selectFrom('snapshot')
    .select(['chain_no', 'digest'])
    .where('game_id', '=', gameId)
    .orderBy('chain_no', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { position: row.chain_no, digest: row.digest.toString('hex') } : null;
}

/** Lists the newest link of each game that has one, or of one game. */
export async function listChainHeads(db: Db, game: { slug: string; environment: string } | null): Promise<GameHead[]> {
  const rows = await db
    .selectFrom('snapshot')
    .innerJoin('game', 'game.game_id', 'snapshot.game_id')
    .distinctOn('snapshot.game_id')
    .select(['game.slug', 'game.environment', 'snapshot.chain_no', 'snapshot.digest'])
    .$if(game !== null, (query) => query.where('slug', '=', game?.slug ?? '').where('environment', '=', game?.environment ?? ''))
    .orderBy('snapshot.game_id')
    .orderBy('snapshot.chain_no', 'desc')
    .execute();
  return rows.map((row) => ({ game: row.slug, environment: row.environment, position: row.chain_no, digest: row.digest.toString('hex') }));
}
