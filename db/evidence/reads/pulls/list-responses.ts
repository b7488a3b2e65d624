import type { Db } from '#db/kit/open.ts';

/** One kept answer of Invo: the body gzipped, the digest over the inflated bytes. */
export interface StoredResponse {
  responseId: number;
  pullId: number;
  status: number;
  inflatedByteCount: number;
  purpose: string;
  request: string;
  body: Buffer;
  sha256: Buffer;
}

/** The answers that belong to a slice, to a snapshot's control totals, or to neither (refused ones), in the order they came. Feeds `verify`. */
export async function listResponses(
  db: Db,
  gameId: number,
  owner: { sliceId: number } | { snapshotId: number } | 'refused',
): Promise<StoredResponse[]> {
  const rows = await db
    .selectFrom('response')
    .select(['response_id', 'pull_id', 'status', 'inflated_byte_count', 'purpose', 'request', 'body', 'sha256'])
    .where('game_id', '=', gameId)
    .$if(owner === 'refused', (query) => query.where('slice_id', 'is', null).where('snapshot_id', 'is', null))
    .$if(typeof owner === 'object' && 'sliceId' in owner, (query) => query.where('slice_id', '=', (owner as { sliceId: number }).sliceId))
    .$if(typeof owner === 'object' && 'snapshotId' in owner, (query) =>
      query.where('snapshot_id', '=', (owner as { snapshotId: number }).snapshotId),
    )
    .orderBy('response_id')
    .execute();
  return rows.map((row) => ({
    responseId: row.response_id,
    pullId: row.pull_id,
    status: row.status,
    inflatedByteCount: row.inflated_byte_count,
    purpose: row.purpose,
    request: row.request,
    body: row.body,
    sha256: row.sha256,
  }));
}
