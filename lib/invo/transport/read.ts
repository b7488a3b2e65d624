import type { Exchange, Invo, Question } from '../invo.ts';
import { InvoError, malformed } from '../invo-error.ts';
import { queryText } from '../request-path.ts';
import { sleep, tryCall, waitOrAbort } from '../retry.ts';
import type { RouteFamily } from '../rules/route-codes.ts';
import { type CallEvent, type Endpoint, emptyEvent, type InvoSettings, repeatsSecret, requestText } from '../settings.ts';
import type { Reader } from '../shapes/fields.ts';
import { evidenceOf, inflateBody, readJson } from './body.ts';
import { errorOfResponse } from './error-response.ts';
import { type Answer, openTransport, sendRequest, type Transport } from './send-request.ts';

/** Puts budget, retries, the two secrets and the transport together: one question in, one answer with its evidence out. */
export function openReads(settings: InvoSettings, { limits, base, slots, now, log }: Endpoint): Invo['ask'] {
  const { budget } = settings;
  const transport = openTransport(base, limits);
  const policy = { budget, now, sleep: settings.sleep ?? sleep, random: settings.random ?? Math.random, triesMax: limits.tries };

  return async <T>(question: Question<T>): Promise<Exchange<T>> => {
    const { route, read, signal } = question;
    const request = requestText(base, `${question.path}${queryText(question.query ?? {})}`);
    const shown = question.shown === undefined ? request : requestText(base, question.shown);
    const totalMs = route.kind === 'aggregate' || question.post ? limits.aggregateMs : limits.detailMs;
    let startedAt = now();
    const logCall = (tries: number, seen: Partial<CallEvent>): void =>
      log({ ...emptyEvent, route, request: shown, tries, tookMs: now() - startedAt, ...seen });
    const oneTry = async (secret: string): Promise<Exchange<T>> => {
      await waitOrAbort(signal, () => budget.take(route, signal));
      startedAt = now();
      const call = { request, shown, totalMs, read, signal, family: question.family, parse: question.parse, post: question.post };
      return exchange(transport, call, secret, slots.all, now);
    };
    const onFailure = (error: InvoError, waitMs: number | null, tries: number): void => logCall(tries, failureOf(error, waitMs));
    return tryCall({ ...policy, onFailure }, route, signal, async (tries) => {
      const answer = await slots.callWith(oneTry);
      const { status, received, inflatedBytes } = answer.evidence;
      logCall(tries, { outcome: 'answered', status, receivedBytes: received.length, inflatedBytes });
      return answer;
    });
  };
}

function failureOf(error: InvoError, waitMs: number | null): Partial<CallEvent> {
  const { code: outcome, status, errorId, errorCode, evidence } = error;
  return {
    outcome,
    status,
    errorId,
    errorCode,
    waitMs,
    receivedBytes: evidence?.received.length ?? null,
    inflatedBytes: evidence?.inflatedBytes ?? null,
  };
}

interface Call<T> {
  /** Path and query as sent, the prefix of the base URL included. */
  request: string;
  /** The same as people may read it in evidence and logs: without emails. */
  shown: string;
  totalMs: number;
  read: Reader<T>;
  signal: AbortSignal | undefined;
  family: RouteFamily | undefined;
  parse: ((text: string) => unknown) | undefined;
  post: Buffer | undefined;
}

/** One call, one try: sends, inflates, keeps the evidence, reads. Throws InvoError with the evidence of a refused body. */
async function exchange<T>(
  transport: Transport,
  call: Call<T>,
  secret: string,
  secrets: readonly string[],
  now: () => number,
): Promise<Exchange<T>> {
  const post = call.post === undefined ? {} : { post: { body: call.post, onFirstByte: () => undefined } };
  const sentAt_ms = performance.now();
  const answer = await sendRequest(transport, { path: call.request, secret, totalMs: call.totalMs, signal: call.signal, ...post });
  const receivedAtMs = now();
  const body = await bodyOf(answer, transport);
  const evidence = evidenceOf(call.shown, answer, body, receivedAtMs);
  // A body that repeats the secret is refused without its bytes: evidence is read by people, and secrets are never stored.
  if (answer.status < 400 && repeatsSecret(body, secrets))
    throw malformed('body', 'the answer repeats the game secret', null, answer.status);
  if (answer.status >= 400) throw errorOfResponse(answer, body, evidence, secrets, receivedAtMs, call.family);
  const reading = call.read(readJson(answer, body, { evidence, limits: transport.limits, parse: call.parse }));
  if (!reading.isSound) throw malformed(reading.path, reading.reason, evidence, answer.status);
  return { value: reading.value, evidence: { ...evidence, sentAt_ms } };
}

// A refusal is known by its status: a broken body takes away its details, not its meaning.
async function bodyOf(answer: Answer, transport: Transport): Promise<Buffer> {
  try {
    return await inflateBody(answer, transport.limits);
  } catch (error) {
    if (answer.status >= 400 && error instanceof InvoError) return Buffer.alloc(0);
    throw error;
  }
}
