import { createHash } from 'node:crypto';
import type { Answer } from './answer.ts';

/**
 * What Invo answered, to be kept for ever. `request` is path and query, never the secret; `received` the bytes as received (still
 * gzipped when `contentEncoding` says so); `sha256` the hex digest of the inflated bytes; `receivedAt` a UTC instant.
 */
export interface Evidence {
  request: string;
  status: number;
  receivedAt: string;
  contentEncoding: 'identity' | 'gzip';
  received: Buffer;
  sha256: string;
  inflatedBytes: number;
}

/** Binds an answer to the digest of its inflated body. */
export function evidenceOf(request: string, answer: Answer, body: Buffer, receivedAtMs: number): Evidence {
  return {
    request,
    status: answer.status,
    receivedAt: new Date(receivedAtMs).toISOString(),
    contentEncoding: answer.contentEncoding,
    received: answer.received,
    sha256: createHash('sha256').update(body).digest('hex'),
    inflatedBytes: body.length,
  };
}
