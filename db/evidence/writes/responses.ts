import { gzipSync } from 'node:zlib';
import type pg from 'pg';

/** One answer of Invo as it is kept: the body gzipped, the digest over the inflated bytes. */
export interface KeptResponse {
  purpose: 'page' | 'fill' | 'control' | 'refused';
  request: string;
  status: number;
  receivedAt: string;
  contentEncoding: 'identity' | 'gzip';
  received: Buffer;
  sha256: string;
  inflatedBytes: number;
  refusal?: string;
}

/** Keeps answers that belong to no slice: control totals of a snapshot, and bodies that were refused. */
export async function insertResponses(
  client: pg.ClientBase,
  pull: { gameId: number; pullId: number },
  responses: KeptResponse[],
  owner: { sliceId?: number; snapshotId?: number } = {},
): Promise<void> {
  for (const response of responses) {
    // What came uncompressed is compressed here, so that evidence costs the same however it travelled.
    const body = response.contentEncoding === 'gzip' ? response.received : gzipSync(response.received);
    await client.query(
      `insert into response (game_id, pull_id, slice_id, snapshot_id, purpose, request, status, received_at, body, sha256, inflated_byte_count, refusal)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        pull.gameId,
        pull.pullId,
        owner.sliceId ?? null,
        owner.snapshotId ?? null,
        response.purpose,
        response.request,
        response.status,
        response.receivedAt,
        body,
        Buffer.from(response.sha256, 'hex'),
        response.inflatedBytes,
        response.refusal ?? null,
      ],
    );
  }
}
