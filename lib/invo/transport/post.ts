import { isUtf8 } from 'node:buffer';
import type { ErrorBody, PostResult } from '../invo.ts';
import { type Evidence, InvoError } from '../invo-error.ts';
import { errorOfStatus, type InvoErrorCode } from '../rules/error-codes.ts';
import { type Endpoint, emptyEvent, ignoringErrors, type Limits, type Route, repeatsSecret } from '../settings.ts';
import { evidenceOf, inflateBody, isJsonType } from './body.ts';
import { readErrorBody } from './error-response.ts';
import { type Answer, type Credential, sendRequest, type Transport } from './exchange.ts';

const ANSWER_MAX_BYTES = 1024 * 1024;

/** The connections of writes: a new one each, a small answer, and no deadline but those for the connection and for the whole. */
export function openWriteTransport({ base, limits }: Endpoint): Transport {
  const { receivedBytes, inflatedBytes, writeMs } = limits;
  const answer_max = (bytes: number): number => Math.min(bytes, ANSWER_MAX_BYTES);
  const ofWrites: Limits = {
    ...limits,
    receivedBytes: answer_max(receivedBytes),
    inflatedBytes: answer_max(inflatedBytes),
    firstByteMs: writeMs,
    idleMs: writeMs,
  };
  return { base, agent: false, limits: ofWrites };
}

const NO_ERROR = { errorCode: null, errorId: null, retryAfterMs: null, facts: {} } as const;
export const NO_ANSWER = { ...NO_ERROR, json: null, evidence: null, receivedBytes: null, inflatedBytes: null } as const;

/** One POST to be sent once. */
interface Posting {
  /** Path as sent, the prefix of the base URL included. */
  request: string;
  credential: Credential;
  body: Buffer;
  totalMs: number;
  signal: AbortSignal | undefined;
  /** Texts that nothing of the answer may repeat. */
  secrets: readonly string[];
}

/** A whole answer: `json` is null when it is no JSON object, and `isSafe` false when it repeats a secret. */
export interface WholeAnswer {
  answer: Answer;
  json: PostResult['json'];
  isSafe: boolean;
  evidence: Evidence;
  atMs: number;
}

/** How a kind of write reads a whole answer; `Extra` is what it states beside every write's result. */
export interface AnswerReader<Extra extends object = object> {
  parse: (text: string, revive: (name: string, value: unknown) => unknown) => unknown;
  read(whole: WholeAnswer): ErrorBody & Pick<PostResult, 'evidence'> & Extra;
  /** Without a whole answer. */
  none: Extra;
}

/** Sends one POST once and returns what was observed. Never throws for an error of Invo or the transport. */
export async function postOnce<Extra extends object>(
  transport: Transport,
  posting: Posting,
  reader: AnswerReader<Extra>,
  now: () => number,
): Promise<PostResult & Extra> {
  const { request, credential, body, totalMs, signal } = posting;
  let hasSentByte = false;
  const onFirstByte = (): void => {
    hasSentByte = true;
  };
  try {
    const answer = await sendRequest(transport, { path: request, credential, totalMs, signal, post: { body, onFirstByte } });
    return await readAnswer(transport, posting, answer, reader, now());
  } catch (error) {
    // After the first byte even a bug of ours must not hide that the request may have been executed.
    if (!hasSentByte && !(error instanceof InvoError)) throw error;
    const { code, status } = error instanceof InvoError ? error : { code: 'malformed' as const, status: null };
    return { ...reader.none, ...NO_ANSWER, phase: hasSentByte ? 'sent' : 'not_sent', transportError: code, status };
  }
}

async function readAnswer<Extra extends object>(
  transport: Transport,
  { request, secrets }: Posting,
  answer: Answer,
  reader: AnswerReader<Extra>,
  atMs: number,
): Promise<PostResult & Extra> {
  const { status, received } = answer;
  const torn = (transportError: InvoErrorCode): PostResult & Extra => ({
    ...reader.none,
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
  const { json, isSafe } = readObject(answer, body, secrets, reader.parse);
  const said = reader.read({ answer, json, isSafe, evidence: evidenceOf(request, answer, body, atMs), atMs });
  const seen = { ...torn('malformed'), ...said, inflatedBytes: body.length };
  if (json === null) return { ...seen, transportError: status >= 500 ? 'upstream_fault' : 'malformed' };
  return { ...seen, phase: 'answered', transportError: null, json };
}

// A secret may hide behind escapes: it is looked for in the bytes, and in every name and text once parsed, where it is left out.
function readObject(
  { contentType }: Answer,
  body: Buffer,
  secrets: readonly string[],
  parse: AnswerReader['parse'],
): Pick<WholeAnswer, 'json' | 'isSafe'> {
  let isSafe = !repeatsSecret(body, secrets);
  if (!isJsonType(contentType) || !isUtf8(body)) return { json: null, isSafe };
  const isSecret = (text: unknown): boolean => typeof text === 'string' && repeatsSecret(text, secrets);
  try {
    const parsed = parse(body.toString('utf8'), (name, value) => {
      if (!isSecret(name) && !isSecret(value)) return value;
      isSafe = false;
      return undefined;
    });
    return { json: typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null, isSafe };
  } catch {
    return { json: null, isSafe };
  }
}

/**
 * Sends a write with the secret that Invo accepted last, and once more with the other when Invo refused the first (which executes nothing).
 * `secretErrorOf`: why what was observed says nothing of the secret, or refuses it.
 */
export async function postWithSecrets<T>(
  { slots }: Endpoint,
  once: (secret: string) => Promise<T>,
  secretErrorOf: (observed: T) => InvoError | null,
): Promise<T> {
  let last: { observed: T } | undefined;
  const oneTry = async (secret: string): Promise<void> => {
    last = { observed: await once(secret) };
    const error = secretErrorOf(last.observed);
    if (error !== null) throw error;
  };
  await slots.callWith(oneTry).catch((error: unknown) => {
    const isOurBug = !(error instanceof InvoError) && (last === undefined || secretErrorOf(last.observed) !== null);
    if (isOurBug) throw error;
  });
  if (last === undefined) throw new Error('a write was not tried');
  return last.observed;
}

/** What makes the other secret worth a try: a refused secret. An InvoError too for a request without a whole answer, which says nothing of the secret. */
export function secretErrorOf({ phase, transportError, status }: PostResult, isSecretNamed: boolean): InvoError | null {
  if (phase !== 'answered') return new InvoError(transportError ?? 'malformed', 'no whole answer');
  return status === 401 && isSecretNamed ? new InvoError('unauthorized', 'status 401') : null;
}

/** Writes one try to the log. A failing log must not lose what was observed. */
export async function logPost(
  { log, now }: Endpoint,
  observed: PostResult,
  call: { route: Route; request: string; tries: number; startedAt: number },
): Promise<void> {
  const { transportError, status, errorId, errorCode, facts, receivedBytes, inflatedBytes } = observed;
  const { startedAt, ...rest } = call;
  const tookMs = now() - startedAt;
  const refused = status !== null && status >= 400 ? errorOfStatus(status, { errorCode, facts }) : 'answered';
  const outcome = transportError ?? refused;
  const seen = { status, errorId, errorCode, receivedBytes, inflatedBytes };
  await ignoringErrors(() => log({ ...emptyEvent, ...seen, ...rest, outcome, tookMs }));
}
