/** A request as the intake sees it. */
export interface IncomingDelivery {
  headers: { get(name: string): string | null };
  body: AsyncIterable<Uint8Array> | null;
}

export const BODY_BYTES_MAX = 256 * 1024;
const BODY_LIMIT_MS = 10_000;
/** Bodies read at once in one process: 64 MiB at most, from all senders. */
const BODIES_MAX = 256;
let bodies = 0;

/** Reads a body within its bounds of length and time. Nothing beyond them is read. `busy`: as many as fit into memory are being read. */
export async function readBoundedBody(
  { headers, body }: IncomingDelivery,
  limit_ms: number = BODY_LIMIT_MS,
): Promise<Buffer | 'too_large' | 'too_slow' | 'busy'> {
  if (Number(headers.get('content-length') ?? 0) > BODY_BYTES_MAX) return 'too_large';
  if (body === null) return Buffer.alloc(0);
  if (bodies >= BODIES_MAX) return 'busy';
  const pieces = body[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'too_slow'>((resolve) => {
    timer = setTimeout(() => resolve('too_slow'), limit_ms);
  });
  bodies += 1;
  try {
    const read = await Promise.race([readAll(pieces), late]);
    // Without an answer to wait for: a body that stalls would hold the request open.
    if (typeof read === 'string') void Promise.resolve(pieces.return?.()).catch(() => undefined);
    return read;
  } finally {
    clearTimeout(timer);
    bodies -= 1;
  }
}

async function readAll(pieces: AsyncIterator<Uint8Array>): Promise<Buffer | 'too_large' | 'too_slow'> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
      bytes += piece.value.byteLength;
      if (bytes > BODY_BYTES_MAX) return 'too_large';
      read.push(piece.value);
    }
    return Buffer.concat(read);
  } catch {
    // The sender is gone; nobody reads the answer.
    return 'too_slow';
  }
}
