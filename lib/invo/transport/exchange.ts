import http from 'node:http';
import https from 'node:https';
import { InvoError, malformed } from '../invo-error.ts';
import { abortedError } from '../retry.ts';
import type { Limits } from '../settings.ts';

/** The connection settings of one Invo: base URL, keep-alive sockets (false: a new connection for each call), bounds. */
export interface Transport {
  base: URL;
  agent: http.Agent | false;
  limits: Limits;
}

/** Who calls: the game by its secret, or one player by a token. A request carries one of the two headers, never both. */
export type Credential = { secret: string; token?: never } | { token: string; secret?: never };

/** One request: `path` with its query. With a `post` it is a POST, else a GET. */
interface Sending {
  path: string;
  credential: Credential;
  totalMs: number;
  signal: AbortSignal | undefined;
  post?: Post | undefined;
  /** The content types to ask for; absent: JSON. */
  accept?: string;
}

/** What a POST carries; an empty body is none. `onFirstByte` is called right before the first byte of the request goes to an open connection. */
interface Post {
  body: Buffer;
  onFirstByte?: () => void;
}

interface Head {
  status: number;
  contentType: string;
  contentEncoding: 'identity' | 'gzip';
  retryAfter: string | null;
}

/** An answer whose head has arrived. */
export interface OpenAnswer extends Head {
  /** The answer states its end, by its length or its last chunk. One that only ends with its connection could have been cut anywhere. */
  statesItsEnd: boolean;
  /**
   * Reads the body once, as received, in pieces, and closes the connection when it isn't read to its end. Throws InvoError: unreachable (a torn
   * body), timeout, aborted, malformed (HTTP itself), and too_large beyond so many bytes.
   */
  read(bytes_max: number): AsyncGenerator<Buffer>;
  /** Closes the connection of an answer that isn't read. */
  close(): void;
}

/** One whole answer, not parsed; `received` holds the bytes as received, still gzipped when the encoding says so. */
export interface Answer extends Head {
  received: Buffer;
}

/** Opens the transport to one base URL, with at most six idle keep-alive sockets for all clients of this process. */
export function openTransport(base: URL, limits: Limits): Transport {
  const agent = agents.get(base.href) ?? new (base.protocol === 'https:' ? https : http).Agent({ keepAlive: true, maxFreeSockets: 6 });
  agents.set(base.href, agent);
  return { base, agent, limits };
}

/** One per base URL, which a configuration has few of: a page that opens a client for each click still reuses its connections. */
const agents = new Map<string, http.Agent>();

/** Sends one request and receives one whole answer within all bounds. Throws InvoError as `openExchange` and its body do. */
export async function sendRequest(transport: Transport, sending: Sending): Promise<Answer> {
  return await readWhole(await openExchange(transport, sending), transport.limits);
}

/** Receives the rest of an opened answer. */
export async function readWhole({ read, ...head }: OpenAnswer, { receivedBytes }: Limits): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of read(receivedBytes)) chunks.push(chunk);
  return { ...head, received: Buffer.concat(chunks) };
}

/**
 * Sends one request and waits for the head of its answer, following no redirect and never sending twice. Every read, stream and write begins here.
 * Throws InvoError: unreachable, timeout, redirected, too_large (the head), malformed (encoding or HTTP itself), aborted.
 */
export function openExchange(transport: Transport, sending: Sending): Promise<OpenAnswer> {
  const { totalMs, signal, post } = sending;
  return new Promise((resolve, reject) => {
    const request = (transport.base.protocol === 'https:' ? https : http).request(optionsOf(transport, sending));
    let body: Body | null = null;
    const fail = (error: InvoError): void => {
      reject(error);
      body?.fail(error);
      request.destroy();
    };
    const deadlines = watchDeadlines(request, transport.limits, totalMs, fail);
    const stop = (): void => fail(abortedError());
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    request.on('close', () => signal?.removeEventListener('abort', stop));
    request.on('error', (error) => fail(body === null ? connectionError(error) : body.errorOf(connectionError(error))));
    request.on('response', (response) => {
      const head = headOf(response);
      if (head instanceof InvoError) return fail(head);
      body = receiveBody(response, head.status, deadlines);
      resolve({ ...head, ...body, close: () => void request.destroy() });
    });
    // Without a listener Node drops the socket and says nothing at all.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(malformed('status', 'an upgrade that was not requested', null, 101));
    });
    if (post) endOnceConnected(request, post);
    else request.end();
  });
}

// Node would hand the bytes to a socket that is still connecting. Held back until it is open, an earlier failure has sent nothing.
function endOnceConnected(request: http.ClientRequest, { body, onFirstByte }: Post): void {
  const begin = (): void => {
    onFirstByte?.();
    request.end(body);
  };
  request.on('socket', (socket) => {
    if (isSecure(request)) socket.once('secureConnect', begin);
    else if (socket.connecting) socket.once('connect', begin);
    else begin();
  });
}

/** What a request carries. */
function optionsOf(
  { base, agent, limits }: Transport,
  { path, credential, post, accept = 'application/json' }: Sending,
): https.RequestOptions {
  const caller =
    credential.token === undefined ? { 'X-Game-Secret-Key': credential.secret } : { Authorization: `Bearer ${credential.token}` };
  const typed = post && post.body.length > 0 ? { 'Content-Type': 'application/json' } : {};
  const posted = post ? { ...typed, 'Content-Length': String(post.body.length) } : {};
  return {
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
    path,
    method: post ? 'POST' : 'GET',
    agent,
    maxHeaderSize: limits.headerBytes,
    // Stated, so that no environment variable can switch the check off.
    rejectUnauthorized: true,
    headers: { ...caller, Accept: accept, 'Accept-Encoding': 'gzip', ...posted },
  };
}

/** The head of an answer that may be read; an InvoError for a redirect or an encoding that wasn't offered. */
function headOf({ statusCode: status = 0, headers }: http.IncomingMessage): Head | InvoError {
  const contentEncoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (status >= 300 && status < 400) return new InvoError('redirected', 'a redirect is never followed', { status });
  if (contentEncoding !== 'identity' && contentEncoding !== 'gzip')
    return malformed('content-encoding', 'expected identity or gzip', null, status);
  return { status, contentType: headers['content-type'] ?? '', contentEncoding, retryAfter: headers['retry-after'] ?? null };
}

/** What arrives faster than it is read; beyond it the connection waits. */
const HELD_BYTES_MAX = 8 * 1024 * 1024;

interface Body extends Pick<OpenAnswer, 'statesItsEnd' | 'read'> {
  /** Ends the body with an error once what came before is read. */
  fail(error: InvoError): void;
  /** What an error of the connection means once the head was there: an answer that is torn. */
  errorOf(error: InvoError): InvoError;
}

/** Takes a body as it arrives: read by iterating over the response, the chunks before a cut would be lost with it. */
function receiveBody(response: http.IncomingMessage, status: number, deadlines: Deadlines): Body {
  const held: Buffer[] = [];
  let heldBytes = 0;
  let failure: InvoError | null = null;
  let hasEnded = false;
  let wake = (): void => undefined;
  const fail = (error: InvoError): void => {
    failure ??= error;
    wake();
  };
  // 'close' follows every error and decides there.
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes > HELD_BYTES_MAX) response.pause();
    wake();
  });
  response.on('close', () => {
    hasEnded = true;
    if (!response.complete || !response.readableEnded) fail(tornError(status));
    wake();
  });
  async function next(): Promise<Buffer | null> {
    for (;;) {
      const chunk = held.shift();
      if (chunk !== undefined) {
        heldBytes -= chunk.length;
        if (heldBytes <= HELD_BYTES_MAX) response.resume();
        return chunk;
      }
      if (failure !== null) throw failure;
      if (hasEnded) return null;
      deadlines.waitForByte();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      deadlines.byteCame();
    }
  }
  async function* read(bytes_max: number): AsyncGenerator<Buffer> {
    let bytes = 0;
    try {
      for (let chunk = await next(); chunk !== null; chunk = await next()) {
        bytes += chunk.length;
        if (bytes > bytes_max) throw new InvoError('too_large', 'more bytes received than accepted', { status });
        yield chunk;
      }
    } finally {
      if (!hasEnded) response.destroy();
    }
  }
  const { headers } = response;
  const statesItsEnd = 'content-length' in headers || /chunked/i.test(headers['transfer-encoding'] ?? '');
  return { statesItsEnd, read, fail, errorOf: (error) => (error.code === 'unreachable' ? tornError(status) : error) };
}

/** The error of an answer that stopped before its end. */
export function tornError(status: number): InvoError {
  return new InvoError('unreachable', 'the connection closed in the middle of the answer', { status, facts: { torn: true } });
}

interface Deadlines {
  /** The body is waited for: a byte that nobody waits for is never late. */
  waitForByte(): void;
  byteCame(): void;
}

/** Ends a call that connects, begins, continues or finishes too late; the wait for a free socket does not count. */
function watchDeadlines(request: http.ClientRequest, limits: Limits, totalMs: number, fail: (error: InvoError) => void): Deadlines {
  let phase: NodeJS.Timeout | undefined;
  let total: NodeJS.Timeout | undefined;
  const late = (what: string, ms: number): NodeJS.Timeout =>
    setTimeout(() => fail(new InvoError('timeout', `${what} took longer than ${ms} ms`, { facts: { deadline: what } })), ms);
  const enter = (what: string, ms: number): void => {
    clearTimeout(phase);
    phase = late(what, ms);
  };
  request.on('socket', (socket) => {
    total = late('the whole call', totalMs);
    if (!socket.connecting) return enter('the first byte', limits.firstByteMs);
    enter('connecting', limits.connectMs);
    socket.once(isSecure(request) ? 'secureConnect' : 'connect', () => enter('the first byte', limits.firstByteMs));
  });
  request.on('response', () => clearTimeout(phase));
  request.on('close', () => {
    clearTimeout(phase);
    clearTimeout(total);
  });
  return { waitForByte: () => enter('the next byte', limits.idleMs), byteCame: () => clearTimeout(phase) };
}

function isSecure(request: http.ClientRequest): boolean {
  return request.protocol === 'https:';
}

const TORN = new Set(['HPE_INVALID_EOF_STATE', 'HPE_CLOSED_CONNECTION']);
const CERTIFICATE = /^(CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

/**
 * Names what the socket reported. Only the system's own code is passed on: the original error may lead to the request and its headers.
 * A bad certificate stays bad, so it is not retried; an answer that is not HTTP is malformed.
 */
function connectionError(error: Error): InvoError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
  if (code === 'HPE_HEADER_OVERFLOW') return new InvoError('too_large', 'more header bytes received than accepted');
  if (code.startsWith('HPE_') && !TORN.has(code)) return malformed('http', code);
  return new InvoError('unreachable', code, { isRetryable: !CERTIFICATE.test(code), facts: { system_code: code } });
}
