/** A request as the intake sees it. */
export interface IncomingDelivery {
  headers: { get(name: string): string | null };
  body: AsyncIterable<Uint8Array> | null;
}

export const BODY_BYTES_MAX = 256 * 1024;
const BODY_LIMIT_MS = 10_000;
/** Bytes of unfinished bodies that one process holds at most, from all senders. Senders who send nothing don't use any of it. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;
let held_bytes = 0;

/** Why a body was not read. `busy`: no more fits into memory now; `gone`: the sender left before its end, so nobody waits for an answer. */
export type UnreadBody = 'too_large' | 'too_slow' | 'busy' | 'gone';

/** Reads a body within its bounds of length and time. Nothing beyond them is read. */
export async function readBoundedBody({ headers, body }: IncomingDelivery, limit_ms: number = BODY_LIMIT_MS): Promise<Buffer | UnreadBody> {
  if (Number(headers.get('content-length') ?? 0) > BODY_BYTES_MAX) return 'too_large';
  if (body === null) return Buffer.alloc(0);
  const pieces = body[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'too_slow'>((resolve) => {
    timer = setTimeout(() => resolve('too_slow'), limit_ms);
  });
  try {
    const read = await Promise.race([readAll(pieces), late]);
    // Without an answer to wait for: a body that stalls would hold the request open.
    if (typeof read === 'string') void Promise.resolve(pieces.return?.()).catch(() => undefined);
    return read;
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(pieces: AsyncIterator<Uint8Array>): Promise<Buffer | UnreadBody> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
      const { byteLength } = piece.value;
      if (bytes + byteLength > BODY_BYTES_MAX) return 'too_large';
      if (held_bytes + byteLength > HELD_BYTES_MAX) return 'busy';
      bytes += byteLength;
      held_bytes += byteLength;
      read.push(piece.value);
    }
    return Buffer.concat(read);
  } catch {
    return 'gone';
  } finally {
    held_bytes -= bytes;
  }
}
