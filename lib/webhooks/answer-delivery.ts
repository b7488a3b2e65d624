import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingDelivery } from './read-bounded-body.ts';
import type { IntakeAnswer } from './receive-delivery.ts';

/**
 * Answers one request to the address of an intake: no session, no origin, only the signature counts. `receive` is the intake of the game named in the
 * path; null: there is none.
 */
export async function answerDelivery(
  receive: ((delivery: IncomingDelivery) => Promise<IntakeAnswer>) | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (receive === null) return send(response, 404, 'There is no such game.');
  if (request.method !== 'POST') return send(response, 405, 'Send a POST.', { allow: 'POST' });
  const { status, message, retryAfter_seconds: wait } = await receive({ headers: headersOf(request), body: piecesOf(request) });
  send(response, status, message, {
    ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
    // After a body that was not read to its end, the connection can't be used again.
    ...(request.complete ? {} : { connection: 'close' }),
  });
}

function send(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(JSON.stringify({ message }));
}

/** A repeated header is read as both values joined, so it never passes for one. */
function headersOf({ headersDistinct }: IncomingMessage): IncomingDelivery['headers'] {
  return { get: (name) => headersDistinct[name]?.join(', ') ?? null };
}

/** Giving up on a body must not close the connection: the answer is still sent over it. */
function piecesOf(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}
