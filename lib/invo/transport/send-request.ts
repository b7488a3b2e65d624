import http from 'node:http';
import https from 'node:https';
import { RECORD_ID, SUBSCRIPTION_ID } from '#lib/core/ids.ts';
import { InvoError, malformed } from '../invo-error.ts';
import type { Limits } from '../settings.ts';

/** The connection settings of one Invo: base URL, keep-alive sockets (false: a new connection for each call), bounds. */
export interface Transport {
  base: URL;
  agent: http.Agent | false;
  limits: Limits;
}

/** One request: `path` with its query. With a `post` it is a POST, else a GET. */
export interface Sending {
  path: string;
  secret: string;
  totalMs: number;
  signal?: AbortSignal | undefined;
  post?: Post;
}

/** What a POST carries. `onFirstByte` is called right before the first byte of the request goes to an open connection. */
interface Post {
  body: Buffer;
  onFirstByte: () => void;
}

/** Opens the transport to one base URL, with at most six idle sockets kept alive for all clients of this process. */
export function openTransport(base: URL, limits: Limits): Transport {
  const agent = agents.get(base.href) ?? new (base.protocol === 'https:' ? https : http).Agent({ keepAlive: true, maxFreeSockets: 6 });
  agents.set(base.href, agent);
  return { base, agent, limits };
}

/** One per base URL, which a configuration has few of: a page that opens a client for each click still reuses its connections. */
const agents = new Map<string, http.Agent>();

/**
 * Sends one request and receives one answer within all bounds, following no redirect and never sending twice.
 * Throws InvoError: unreachable (also a torn body), timeout, redirected, too_large, malformed (encoding or HTTP itself), aborted.
 */
export function sendRequest(transport: Transport, sending: Sending): Promise<Answer> {
  const { totalMs, signal, post } = sending;
  return new Promise((resolve, reject) => {
    const request = (transport.base.protocol === 'https:' ? https : http).request(optionsOf(transport, sending));
    const fail = (error: InvoError): void => {
      reject(error);
      request.destroy();
    };
    const stop = (): void => fail(new InvoError('aborted', 'stopped by the caller'));
    watchDeadlines(request, transport.limits, totalMs, fail);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    request.on('close', () => signal?.removeEventListener('abort', stop));
    request.on('error', (error) => fail(connectionError(error)));
    request.on('response', (response) => receive(response, transport.limits, resolve, fail));
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
    onFirstByte();
    request.end(body);
  };
  request.on('socket', (socket) => {
    if (request.protocol === 'https:') socket.once('secureConnect', begin);
    else if (socket.connecting) socket.once('connect', begin);
    else begin();
  });
}

/** What a request carries. */
export function optionsOf({ base, agent, limits }: Transport, { path, secret, post }: Sending): https.RequestOptions {
  const posted = post ? { 'Content-Type': 'application/json', 'Content-Length': String(post.body.length) } : {};
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
    headers: { 'X-Game-Secret-Key': secret, Accept: 'application/json', 'Accept-Encoding': 'gzip', ...posted },
  };
}

function receive(
  response: http.IncomingMessage,
  limits: Limits,
  resolve: (answer: Answer) => void,
  fail: (error: InvoError) => void,
): void {
  const status = response.statusCode ?? 0;
  const contentEncoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  // 'close' follows every error and decides there.
  response.on('error', () => {});
  if (status >= 300 && status < 400) return fail(new InvoError('redirected', 'a redirect is never followed', { status }));
  if (contentEncoding !== 'identity' && contentEncoding !== 'gzip')
    return fail(malformed('content-encoding', 'expected identity or gzip', null, status));
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.receivedBytes) return fail(new InvoError('too_large', 'more bytes received than accepted', { status }));
    chunks.push(chunk);
  });
  response.on('close', () => {
    const isWhole = response.complete && response.readableEnded;
    if (!isWhole)
      return fail(new InvoError('unreachable', 'the connection closed in the middle of the answer', { status, facts: { torn: true } }));
    const { 'content-type': contentType = '', 'retry-after': retryAfter = null } = response.headers;
    resolve({ status, contentType, contentEncoding, retryAfter, received: Buffer.concat(chunks, bytes) });
  });
}

/** One whole answer, not parsed; `received` holds the bytes as received, still gzipped when the encoding says so. */
export interface Answer {
  status: number;
  contentType: string;
  contentEncoding: 'identity' | 'gzip';
  retryAfter: string | null;
  received: Buffer;
}

/** Ends a call that connects, begins, continues or finishes too late; the wait for a free socket does not count. */
function watchDeadlines(request: http.ClientRequest, limits: Limits, totalMs: number, fail: (error: InvoError) => void): void {
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
  request.on('response', (response) => {
    enter('the next byte', limits.idleMs);
    response.on('data', () => phase?.refresh());
  });
  request.on('close', () => {
    clearTimeout(phase);
    clearTimeout(total);
  });
}

function isSecure(request: http.ClientRequest): boolean {
  return request.protocol === 'https:';
}

const TORN = new Set(['HPE_INVALID_EOF_STATE', 'HPE_CLOSED_CONNECTION']);
const CERTIFICATE = /^(CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

/**
 * Names what the socket reported. Only the system's own code is kept: the original error may lead to the request and its headers.
 * A bad certificate stays bad, so it is not retried; an answer that is not HTTP is malformed.
 */
export function connectionError(error: Error): InvoError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
  if (code === 'HPE_HEADER_OVERFLOW') return new InvoError('too_large', 'more header bytes received than accepted');
  if (code.startsWith('HPE_') && !TORN.has(code)) return malformed('http', code);
  return new InvoError('unreachable', code, { isRetryable: !CERTIFICATE.test(code), facts: { system_code: code } });
}

/** A subscription id as a path carries it. Throws an Error for one that would lead to another route. */
export function subscriptionSegment(subscriptionId: string): string {
  if (!SUBSCRIPTION_ID.test(subscriptionId)) throw new Error(`not a subscription id: ${subscriptionId}`);
  return encodeURIComponent(subscriptionId);
}

/** A transaction id as a path carries it. Throws an Error for one that would lead to another route. */
export function recordSegment(id: string): string {
  if (!RECORD_ID.test(id)) throw new Error('not an id');
  return encodeURIComponent(id);
}

/** A period id as a path carries it. Throws an Error for what is no id. */
export function periodSegment(periodId: number): string {
  if (!Number.isSafeInteger(periodId) || periodId < 0) throw new Error(`not a period id: ${periodId}`);
  return String(periodId);
}

/** A trimmed email that Invo can be searched by. Throws an Error that does not repeat any other text. */
export function askedEmail(text: string): string {
  if (!isAskedEmail(text)) throw new Error('not an email');
  return text.trim();
}

/** Whether Invo can be searched by a text as an email. */
export function isAskedEmail(text: string): boolean {
  const email = text.trim();
  return email.length <= 1_000 && email.isWellFormed() && /^[^\s\p{Cc}]+@[^\s\p{Cc}]+$/u.test(email);
}

/** A query string with its question mark; empty for an empty query. */
export function queryText(query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

/** Values of a query; those that are undefined are left out. */
export type Query = Record<string, string | number | undefined>;

/** The path of Invo's attribution reports. */
export const REPORTING_PATH = '/api/subscriptions/reporting';
