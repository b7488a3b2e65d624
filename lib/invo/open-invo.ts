import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Invo, StreamedAnswer, StreamLimits } from './invo.ts';
import { InvoError, malformed } from './invo-error.ts';
import { abortedError } from './retry.ts';
import { type Endpoint, type InvoSettings, openEndpoint, repeatsSecret, requestText } from './settings.ts';
import { refusalOf } from './transport/error-response.ts';
import { type Credential, type OpenAnswer, openExchange, readWhole, tornError } from './transport/exchange.ts';
import { openCalls, openReads } from './transport/read.ts';
import { openWrites } from './transport/write.ts';
import { openActionWrites } from './transport/write-action.ts';

/** Opens one game at Invo for the functions of `routes/`. Throws an Error when the base URL or a secret can't be used; it repeats neither. */
export function openInvo(settings: InvoSettings): Invo {
  const endpoint = openEndpoint(settings);
  const gameId = settings.access.gameId ?? null;
  return {
    ask: openReads(settings, endpoint),
    stream: openStreams(settings, endpoint),
    write: openWrites(settings, endpoint),
    writeAction: openActionWrites(settings, endpoint),
    gameId,
    key: `${endpoint.base.href} ${settings.access.environment} ${gameId ?? ''}`,
  };
}

const GIB = 1024 * 1024 * 1024;
const STREAM_LIMITS: StreamLimits = { receivedBytes: GIB, inflatedBytes: 4 * GIB, idleMs: 30_000, totalMs: 60 * 60_000 };
const ACCEPT = 'application/json, application/x-ndjson, text/event-stream';

/** Opens long reads of one game: one attempt each, never repeated, except once with the other secret before anything was read. */
function openStreams(settings: InvoSettings, endpoint: Endpoint): Invo['stream'] {
  const { base, slots } = endpoint;
  const call = openCalls(settings, endpoint);
  return async ({ route, path, limits = {}, signal }) => {
    const request = requestText(base, path);
    const bounds = { ...STREAM_LIMITS, ...limits };
    const transport = { base, agent: false as const, limits: { ...endpoint.limits, idleMs: bounds.idleMs } };
    const once = async (credential: Credential): Promise<StreamedAnswer> => {
      const opened = await openExchange(transport, { path: request, credential, totalMs: bounds.totalMs, signal, accept: ACCEPT });
      if (opened.status >= 400) throw await refusalOfStream(opened, request, endpoint);
      return readStream(opened, bounds, slots.all, signal);
    };
    return call({ route, shown: request, signal, triesMax: 1 }, once, () => ({ status: 200 }));
  };
}

// A refusal is known by its status: a body that doesn't come whole takes away its details, not its meaning.
async function refusalOfStream(opened: OpenAnswer, shown: string, { limits, slots, now }: Endpoint): Promise<InvoError> {
  const answer = await readWhole(opened, limits).catch(() => ({
    ...opened,
    contentEncoding: 'identity' as const,
    received: Buffer.alloc(0),
  }));
  return refusalOf(answer, { shown, receivedAtMs: now(), limits, secrets: slots.all });
}

function readStream(opened: OpenAnswer, bounds: StreamLimits, secrets: readonly string[], signal: AbortSignal | undefined): StreamedAnswer {
  const { status, contentType, contentEncoding } = opened;
  const refuse = (error: InvoError): never => {
    opened.close();
    throw error;
  };
  if (status !== 200) refuse(malformed('status', `expected 200, received ${status}`, null, status));
  if (/^text\/html/i.test(contentType)) refuse(malformed('content-type', 'expected JSON records', null, status));
  let received = 0;
  async function* readBytes(): AsyncGenerator<Buffer> {
    for await (const chunk of opened.read(bounds.receivedBytes)) {
      if (signal?.aborted) throw abortedError();
      received += chunk.length;
      yield chunk;
    }
    if (!opened.statesItsEnd) throw tornError(status);
  }
  const bytes = contentEncoding === 'gzip' ? inflate(readBytes()) : readBytes();
  return { contentType, pieces: decode(bytes, bounds, secrets), receivedBytes: () => received };
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
    throw code === 'Z_BUF_ERROR' ? tornError(200) : malformed('content-encoding', 'the body is not gzip', null, 200);
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
