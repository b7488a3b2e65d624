import type { Db } from '#db/kit/open.ts';
import type { DetailKind } from '../writes/details.ts';

export interface StoredDetail {
  /** By the clock of the database. */
  readAt: string;
  /** Gzip. */
  body: Buffer;
  /** Over the inflated body. */
  sha256: Buffer;
}

/** The newest sound answer of a detail route that is kept about a subject; null when there is none. */
export async function findDetail(db: Db, gameId: number, kind: DetailKind, subject: string): Promise<StoredDetail | null> {
  const row = await db
    .selectFrom('detail_read')
    .select(['read_at as readAt', 'body', 'sha256'])
    .where('game_id', '=', gameId)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row ?? null;
}
