import type { IncomingMessage } from 'node:http';

const BYTES_MAX = 256 * 1024;

/** Reads a request's body whole; null when it is larger than anybody needs or cut before its end. */
export async function readRequestBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += (chunk as Buffer).length;
      if (size > BYTES_MAX) return null;
      chunks.push(chunk as Buffer);
    }
  } catch {
    return null;
  }
  return request.complete ? Buffer.concat(chunks) : null;
}

/** The idempotency key a body holds, for the log and for matching faults; null where it has none that can be read. */
export function keyIn(bytes: Buffer): string | null {
  try {
    const key: unknown = (JSON.parse(bytes.toString('utf8')) as { client_request_id?: unknown } | null)?.client_request_id;
    return typeof key === 'string' ? key : null;
  } catch {
    return null;
  }
}
