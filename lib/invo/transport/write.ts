import { isUtf8 } from 'node:buffer';
import type { Invo, PostResult, WriteResult } from '../invo.ts';
import { InvoError } from '../invo-error.ts';
import { waitOrAbort } from '../retry.ts';
import { decidingCode, errorOfStatus, type InvoErrorCode } from '../rules/error-codes.ts';
import { isPlayerLimit } from '../rules/route-codes.ts';
import {
  type CallEvent,
  type Endpoint,
  emptyEvent,
  type InvoSettings,
  ignoringErrors,
  type Limits,
  type Route,
  repeatsSecret,
  requestText,
} from '../settings.ts';
import { evidenceOf, inflateBody, isJsonType } from './body.ts';
import { readErrorBody } from './error-response.ts';
import { type Answer, sendRequest, type Transport } from './exchange.ts';

/**
 * Opens the writes of one game: a new connection each, one try, and one more with the other secret when Invo refused the first with a
 * 401 (which executes nothing). Every try takes from the budget first; a 429 pauses it.
 */
export function openWrites(settings: InvoSettings, endpoint: Endpoint): Invo['write'] {
  const limits = limitsOfWrites(endpoint.limits);
  const transport: Transport = { base: endpoint.base, agent: false, limits };
  return async ({ route, path, body, signal }) => {
    const posting = { request: requestText(endpoint.base, path), body: Buffer.from(body), totalMs: limits.writeMs, signal };
    let tries = 0;
    let last: WriteResult | undefined;
    const oneTry = async (secret: string): Promise<void> => {
      tries++;
      const isAllowed = await takeCall(settings, route, signal);
      const startedAt = endpoint.now();
      const observed = isAllowed ? await postOnce(transport, posting, secret, endpoint.slots.all, endpoint.now) : STOPPED;
      last = { ...observed, secret: secret === settings.access.secret ? 'current' : 'previous' };
      const tookMs = endpoint.now() - startedAt;
      // A failing log must not lose what was observed.
      await ignoringErrors(() => endpoint.log({ ...emptyEvent, ...eventOf(observed), route, request: posting.request, tries, tookMs }));
      // A limit of one player holds nobody else up.
      if (observed.status === 429 && !isPlayerLimit(decidingCode(observed))) {
        await ignoringErrors(() => settings.budget.blockUntil(route, endpoint.now() + (observed.retryAfterMs ?? 1_000)));
      }
      const error = secretErrorOf(observed);
      if (error !== null) throw error;
    };
    await endpoint.slots.callWith(oneTry).catch((error: unknown) => {
      const isOurBug = !(error instanceof InvoError) && (last === undefined || secretErrorOf(last) !== null);
      if (isOurBug) throw error;
    });
    if (last === undefined) throw new Error('a write was not tried');
    return last;
  };
}

const ANSWER_MAX_BYTES = 1024 * 1024;

/** The bounds on a write: a small answer, and no deadline but those for the connection and for the whole. */
function limitsOfWrites(limits: Limits): Limits {
  const { receivedBytes, inflatedBytes, writeMs } = limits;
  const answer_max = (bytes: number): number => Math.min(bytes, ANSWER_MAX_BYTES);
  return {
    ...limits,
    receivedBytes: answer_max(receivedBytes),
    inflatedBytes: answer_max(inflatedBytes),
    firstByteMs: writeMs,
    idleMs: writeMs,
  };
}

const NO_ERROR = { errorCode: null, errorId: null, retryAfterMs: null, facts: {} } as const;
const NO_ANSWER = { ...NO_ERROR, json: null, evidence: null, receivedBytes: null, inflatedBytes: null } as const;
const STOPPED: PostResult = { ...NO_ANSWER, phase: 'not_sent', transportError: 'aborted', status: null };

async function takeCall({ budget }: InvoSettings, route: Route, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await waitOrAbort(signal, () => budget.take(route, signal));
    return true;
  } catch {
    return false;
  }
}

// What makes the other secret worth a try: a secret refused with the documented code, or a request that was not answered.
function secretErrorOf({ phase, transportError, status, errorCode }: PostResult): InvoError | null {
  if (phase !== 'answered') return new InvoError(transportError ?? 'malformed', 'no whole answer');
  const isRefused = status === 401 && (errorCode === null || errorCode === 'INVALID_GAME_SECRET');
  return isRefused ? new InvoError('unauthorized', 'status 401') : null;
}

function eventOf({
  transportError,
  status,
  errorId,
  errorCode,
  facts,
  receivedBytes,
  inflatedBytes,
}: PostResult): Omit<CallEvent, 'route' | 'request' | 'tries' | 'tookMs'> {
  const refused = status !== null && status >= 400 ? errorOfStatus(status, { errorCode, facts }) : 'answered';
  return { outcome: transportError ?? refused, status, errorId, errorCode, receivedBytes, inflatedBytes, waitMs: null };
}

interface PostRequest {
  /** Path as sent, the prefix of the base URL included. */
  request: string;
  body: Buffer;
  totalMs: number;
  signal: AbortSignal | undefined;
}

// A longer answer is cut to this size for evidence; digest and length are those of the whole.
const EVIDENCE_BYTES_MAX = 64 * 1024;

/** Sends one POST once and returns what was observed. Never throws for an error of Invo or the transport. */
async function postOnce(
  transport: Transport,
  posting: PostRequest,
  secret: string,
  secrets: readonly string[],
  now: () => number,
): Promise<PostResult> {
  const { request, body, totalMs, signal } = posting;
  let hasSentByte = false;
  const onFirstByte = (): void => {
    hasSentByte = true;
  };
  try {
    const answer = await sendRequest(transport, { path: request, secret, totalMs, signal, post: { body, onFirstByte } });
    return await readAnswer(transport, request, answer, secrets, now());
  } catch (error) {
    // After the first byte even a bug of ours must not hide that the request may have been executed.
    if (!hasSentByte && !(error instanceof InvoError)) throw error;
    const { code, status } = error instanceof InvoError ? error : { code: 'malformed' as const, status: null };
    return { ...NO_ANSWER, phase: hasSentByte ? 'sent' : 'not_sent', transportError: code, status };
  }
}

async function readAnswer(
  transport: Transport,
  request: string,
  answer: Answer,
  secrets: readonly string[],
  atMs: number,
): Promise<PostResult> {
  const { status, received } = answer;
  const torn = (transportError: InvoErrorCode): PostResult => ({
    ...NO_ANSWER,
    ...readErrorBody(answer, {}, false, atMs),
    phase: 'sent',
    transportError,
    status,
    receivedBytes: received.length,
  });
  const body = await inflateBody(answer, transport.limits).catch((error: unknown) =>
    error instanceof InvoError ? error.code : 'malformed',
  );
  if (typeof body === 'string') return torn(body);
  const { json, isSafe } = readObject(answer, body, secrets);
  const whole = evidenceOf(request, answer, body, atMs);
  const stored = { ...whole, received: received.subarray(0, EVIDENCE_BYTES_MAX) };
  const seen = { evidence: isSafe ? stored : null, inflatedBytes: body.length };
  if (json === null) return { ...torn(status >= 500 ? 'upstream_fault' : 'malformed'), ...seen };
  return { ...torn('malformed'), ...seen, ...readErrorBody(answer, json, isSafe, atMs), phase: 'answered', transportError: null, json };
}

// A secret may hide behind escapes: it is looked for in the bytes, and in every name and text once parsed, where it is left out.
function readObject({ contentType }: Answer, body: Buffer, secrets: readonly string[]): { json: PostResult['json']; isSafe: boolean } {
  let isSafe = !repeatsSecret(body, secrets);
  if (!isJsonType(contentType) || !isUtf8(body)) return { json: null, isSafe };
  const isSecret = (text: unknown): boolean => typeof text === 'string' && repeatsSecret(text, secrets);
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'), (name, value: unknown) => {
      if (!isSecret(name) && !isSecret(value)) return value;
      isSafe = false;
      return undefined;
    });
    return { json: typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null, isSafe };
  } catch {
    return { json: null, isSafe };
  }
}
