import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import type { Fault } from '../faults/fault.ts';

/** An answer that is sent record by record. */
export class StreamedBody {
  readonly contentType: string;
  readonly before: string;
  readonly records: Iterable<string>;
  readonly between: string;
  readonly after: string;
  readonly isGzip: boolean;
  /** Its end is announced: by a last chunk. Otherwise only the connection ends. */
  readonly isMarked: boolean;

  constructor(body: Omit<StreamedBody, 'isGzip' | 'isMarked'> & { isGzip?: boolean; isMarked?: boolean }) {
    this.contentType = body.contentType;
    this.before = body.before;
    this.records = body.records;
    this.between = body.between;
    this.after = body.after;
    this.isGzip = body.isGzip ?? false;
    this.isMarked = body.isMarked ?? true;
  }
}

const PIECE_CHARS = 65_536;

/** Sends a streamed answer; a fault cuts it off, between two records or within one, or lets it stall. */
export async function sendStream(response: ServerResponse, body: StreamedBody, fault: Fault | null): Promise<void> {
  response.useChunkedEncodingByDefault = body.isMarked;
  response.writeHead(200, {
    'content-type': body.contentType,
    'cache-control': 'no-store',
    ...(body.isGzip ? { 'content-encoding': 'gzip' } : {}),
    ...(body.isMarked ? {} : { connection: 'close' }),
  });
  const out = body.isGzip ? createGzip() : response;
  if (out !== response) out.pipe(response);
  const isCut = fault?.kind === 'stream_cut' || fault?.kind === 'stream_mid_record' || fault?.kind === 'stream_stall';
  const last = isCut ? (fault.records ?? 70_000) : Number.POSITIVE_INFINITY;
  let [sent, held] = [0, body.before];
  for (const record of body.records) {
    if (sent === last) {
      const part = fault?.kind === 'stream_mid_record' ? `${body.between}${record.slice(0, record.length / 2)}` : '';
      await new Promise((resolve) => out.write(`${held}${part}`, resolve));
      if (fault?.kind !== 'stream_stall') response.socket?.destroy();
      return;
    }
    held += sent === 0 ? record : `${body.between}${record}`;
    sent += 1;
    if (held.length < PIECE_CHARS) continue;
    await write(held);
    held = '';
    if (response.destroyed) return;
  }
  out.end(`${held}${body.after}`);

  async function write(text: string): Promise<void> {
    if (out.write(text) || response.destroyed) return;
    const given = new AbortController();
    const waits = [once(out, 'drain', { signal: given.signal }), once(response, 'close', { signal: given.signal })];
    await Promise.race(waits).finally(() => given.abort());
    await Promise.allSettled(waits);
  }
}
