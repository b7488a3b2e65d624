import http from 'node:http';
import https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Invo, StreamedAnswer, StreamLimits } from '../invo.ts';
import { InvoError, malformed } from '../invo-error.ts';
import { waitOrAbort } from '../retry.ts';
import { type Endpoint, emptyEvent, type InvoSettings, repeatsSecret, requestText } from '../settings.ts';
import { evidenceOf } from './body.ts';
import { errorOfResponse } from './error-response.ts';
import { type Answer, connectionError, openTransport, optionsOf } from './send-request.ts';

const GIB = 1024 * 1024 * 1024;
const STREAM_LIMITS: StreamLimits = { receivedBytes: GIB, inflatedBytes: 4 * GIB, idleMs: 30_000, totalMs: 60 * 60_000 };

/** Opens long reads of one game: one attempt each, never repeated, except once with the other secret before anything was read. */
export function openStreams(settings: InvoSettings, endpoint: Endpoint): Invo['stream'] {
  const { base, slots, now, log } = endpoint;
  return async ({ route, path, limits = {}, signal }) => {
    const request = requestText(base, path);
    const bounds = { ...STREAM_LIMITS, ...limits };
    const opened = async (secret: string): Promise<StreamedAnswer> => {
      await waitOrAbort(signal, () => settings.budget.take(route, signal));
      const startedAt = now();
      try {
        return await openStream(endpoint, { request, secret, bounds, signal });
      } catch (error) {
        const { code, status, errorId, errorCode, retryAfterMs } = error instanceof InvoError ? error : NO_DETAIL;
        log({ ...emptyEvent, route, request, tries: 1, tookMs: now() - startedAt, outcome: code, status, errorId, errorCode });
        if (code === 'rate_limited') await settings.budget.blockUntil(route, now() + (retryAfterMs ?? 1_000));
        throw error;
      }
    };
    const startedAt = now();
    const stream = await slots.callWith(opened);
    log({ ...emptyEvent, route, request, tries: 1, tookMs: now() - startedAt, status: 200 });
    return stream;
  };
}

const NO_DETAIL = { code: 'unreachable', status: null, errorId: null, errorCode: null, retryAfterMs: null } as const;

interface Opening {
  request: string;
  secret: string;
  bounds: StreamLimits;
  signal: AbortSignal | undefined;
}

/** Sends the request and waits for the head of the answer; a refusal is read whole, within the bounds of any other answer. */
async function openStream(
  { base, limits, slots, now }: Endpoint,
  { request: path, secret, bounds, signal }: Opening,
): Promise<StreamedAnswer> {
  const transport = { ...openTransport(base, limits), agent: false as const };
  const options = optionsOf(transport, { path, secret, totalMs: bounds.totalMs });
  const headers = { ...options.headers, Accept: 'application/json, application/x-ndjson, text/event-stream' };
  const request = (base.protocol === 'https:' ? https : http).request({ ...options, headers });
  const response = await headOf(request, limits.firstByteMs, signal);
  const status = response.statusCode ?? 0;
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const contentType = response.headers['content-type'] ?? '';
  const refuse = (error: InvoError): never => {
    request.destroy();
    throw error;
  };
  if (status >= 300 && status < 400) return refuse(new InvoError('redirected', 'a redirect is never followed', { status }));
  if (encoding !== 'identity' && encoding !== 'gzip')
    return refuse(malformed('content-encoding', 'expected identity or gzip', null, status));
  if (status !== 200 && status < 400) return refuse(malformed('status', `expected 200, received ${status}`, null, status));
  if (/^text\/html/i.test(contentType)) return refuse(malformed('content-type', 'expected JSON records', null, status));
  let received = 0;
  const bytes = readBytes({ request, response, bounds, signal, onBytes: (length) => void (received += length) });
  const inflated = encoding === 'gzip' ? inflate(bytes) : bytes;
  if (status >= 400) throw await refusalOf(inflated, { status, response, path, secrets: slots.all, now, limits });
  return { contentType, pieces: decode(inflated, bounds, slots.all), receivedBytes: () => received };
}

function headOf(request: http.ClientRequest, firstByteMs: number, signal: AbortSignal | undefined): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (error: InvoError): void => {
      reject(error);
      request.destroy();
    };
    const stop = (): void => fail(new InvoError('aborted', 'stopped by the caller'));
    const late = setTimeout(() => fail(new InvoError('timeout', `the first byte took longer than ${firstByteMs} ms`)), firstByteMs);
    request.on('response', (response) => {
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
      resolve(response);
    });
    request.on('close', () => clearTimeout(late));
    request.on('error', (error) => fail(connectionError(error)));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    else request.end();
  });
}

interface Reading {
  request: http.ClientRequest;
  response: http.IncomingMessage;
  bounds: StreamLimits;
  signal: AbortSignal | undefined;
  onBytes: (length: number) => void;
}

/**
 * The bytes as received. Throws InvoError unreachable when the transfer doesn't end whole: by its length or its last chunk. An answer that only
 * ends with its connection never does: it could have been cut anywhere.
 */
async function* readBytes({ request, response, bounds, signal, onBytes }: Reading): AsyncGenerator<Buffer> {
  const until = performance.now() + bounds.totalMs;
  const arrivals = collectArrivals(response, bounds.idleMs, signal);
  let bytes = 0;
  try {
    for (;;) {
      const chunk = await arrivals.next();
      if (chunk === null) break;
      bytes += chunk.length;
      onBytes(chunk.length);
      if (bytes > bounds.receivedBytes) throw new InvoError('too_large', 'more bytes received than accepted', { status: 200 });
      if (performance.now() > until) throw new InvoError('timeout', `the stream took longer than ${bounds.totalMs} ms`);
      yield chunk;
    }
    const saysItsEnd = 'content-length' in response.headers || /chunked/i.test(response.headers['transfer-encoding'] ?? '');
    if (!response.complete || !saysItsEnd) throw torn();
  } finally {
    request.destroy();
  }
}

function torn(): InvoError {
  return new InvoError('unreachable', 'the connection closed in the middle of the stream', { facts: { torn: true } });
}

/** What arrives faster than it is read; beyond it the connection waits. */
const HELD_BYTES_MAX = 8 * 1024 * 1024;

interface Arrivals {
  /** The next bytes; null: the transfer has ended, whole or not. Throws InvoError when none come in time. */
  next(): Promise<Buffer | null>;
}

/** Takes chunks as they arrive: read by iteration, those that came before a cut would be lost with it. */
function collectArrivals(response: http.IncomingMessage, idleMs: number, signal: AbortSignal | undefined): Arrivals {
  const held: Buffer[] = [];
  let [heldBytes, hasEnded] = [0, false];
  let wake = (): void => undefined;
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes > HELD_BYTES_MAX) response.pause();
    wake();
  });
  response.on('close', () => {
    hasEnded = true;
    wake();
  });
  signal?.addEventListener('abort', () => wake(), { once: true });
  return {
    async next() {
      for (let isLate = false; ; ) {
        if (signal?.aborted) throw new InvoError('aborted', 'stopped by the caller');
        const chunk = held.shift();
        if (chunk !== undefined) {
          heldBytes -= chunk.length;
          if (heldBytes <= HELD_BYTES_MAX) response.resume();
          return chunk;
        }
        if (hasEnded) return null;
        if (isLate) throw new InvoError('timeout', `no byte for ${idleMs} ms`, { facts: { deadline: 'the next byte' } });
        await new Promise<void>((resolve) => {
          const late = setTimeout(() => {
            isLate = true;
            resolve();
          }, idleMs);
          wake = () => {
            clearTimeout(late);
            resolve();
          };
        });
      }
    },
  };
}

/** Throws InvoError for bytes that are no gzip, or stop too early. */
async function* inflate(bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  pipeline(Readable.from(bytes), gunzip, () => undefined);
  try {
    for await (const piece of gunzip) yield piece as Buffer;
  } catch (error) {
    if (error instanceof InvoError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : null;
    throw code === 'Z_BUF_ERROR' ? torn() : malformed('content-encoding', 'the body is not gzip', null, 200);
  }
}

async function* decode(bytes: AsyncGenerator<Buffer>, bounds: StreamLimits, secrets: readonly string[]): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let inflated = 0;
  // A secret may lie across two pieces.
  let tail = '';
  const overlap = Math.max(...secrets.map((secret) => secret.length * 2));
  const read = (piece?: Buffer): string => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw malformed('body', 'expected UTF-8', null, 200);
    }
  };
  for await (const piece of bytes) {
    inflated += piece.length;
    if (inflated > bounds.inflatedBytes) throw new InvoError('too_large', 'more bytes inflated than accepted', { status: 200 });
    const text = read(piece);
    if (repeatsSecret(tail + text, secrets)) throw malformed('body', 'the answer repeats the game secret', null, 200);
    tail = (tail + text).slice(-overlap);
    yield text;
  }
  yield read();
}

interface Refused extends Pick<Endpoint, 'now' | 'limits'> {
  status: number;
  response: http.IncomingMessage;
  path: string;
  secrets: readonly string[];
}

/** What longer bodies than this say besides their status is not read. */
const REFUSAL_BYTES_MAX = 1024 * 1024;

async function refusalOf(bytes: AsyncGenerator<Buffer>, { status, response, path, secrets, now }: Refused): Promise<InvoError> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of bytes) {
      length += piece.length;
      if (length > REFUSAL_BYTES_MAX) break;
      pieces.push(piece);
    }
  } catch {
    // The status says enough.
  }
  const body = length > REFUSAL_BYTES_MAX ? Buffer.alloc(0) : Buffer.concat(pieces);
  const { 'content-type': contentType = '', 'retry-after': retryAfter = null } = response.headers;
  const answer: Answer = { status, contentType, contentEncoding: 'identity', retryAfter, received: body };
  return errorOfResponse(answer, body, evidenceOf(path, answer, body, now()), secrets, now());
}
