import type { Exchange, Invo, Question } from '../invo.ts';
import { type InvoError, malformed } from '../invo-error.ts';
import { queryText } from '../request-path.ts';
import { sleep, tryCall, waitOrAbort } from '../retry.ts';
import {
  type CallEvent,
  checkToken,
  type Endpoint,
  emptyEvent,
  type InvoSettings,
  type Route,
  repeatsSecret,
  requestText,
} from '../settings.ts';
import { evidenceOf, inflateBody, readJson } from './body.ts';
import { refusalOf } from './error-response.ts';
import { type Credential, openTransport, sendRequest } from './exchange.ts';

/** Opens the reads of one game: one question in, one answer with its evidence out. */
export function openReads(settings: InvoSettings, endpoint: Endpoint): Invo['ask'] {
  const { base, limits, slots, now } = endpoint;
  const transport = openTransport(base, limits);
  const call = openCalls(settings, endpoint);
  return async <T>(question: Question<T>): Promise<Exchange<T>> => {
    const { route, family, path, query = {}, post, token, read, parse, signal } = question;
    const request = requestText(base, `${path}${queryText(query)}`);
    const shown = question.shown === undefined ? request : requestText(base, question.shown);
    const secrets = token === undefined ? slots.all : [...slots.all, checkToken(token)];
    const isStored = question.isStored ?? true;
    const totalMs = route.kind === 'aggregate' || post ? limits.aggregateMs : limits.detailMs;
    /** One call, one try: sends, inflates, collects the evidence, parses. Throws InvoError with the evidence of a refused body. */
    async function readOnce(credential: Credential): Promise<Exchange<T>> {
      const sentAt_ms = performance.now();
      const answer = await sendRequest(transport, { path: request, credential, totalMs, signal, post: post && { body: post } });
      const receivedAtMs = now();
      if (answer.status >= 400) throw await refusalOf(answer, { shown, receivedAtMs, limits, secrets, family, isStored });
      const body = await inflateBody(answer, limits);
      // A body that repeats the secret is refused without its bytes: evidence is read by people, and secrets are never stored.
      if (repeatsSecret(body, secrets)) throw malformed('body', 'the answer repeats a secret', null, answer.status);
      const evidence = evidenceOf(shown, answer, body, receivedAtMs);
      const refused = isStored ? evidence : null;
      const reading = read(readJson(answer, body, { evidence: refused, limits, parse }));
      if (!reading.isSound) throw malformed(reading.path, reading.reason, refused, answer.status);
      return { value: reading.value, evidence: { ...evidence, sentAt_ms } };
    }
    return call({ route, shown, signal, token, triesMax: limits.tries }, readOnce, ({ evidence: { status, received, inflatedBytes } }) => ({
      status,
      receivedBytes: received.length,
      inflatedBytes,
    }));
  };
}

interface Call {
  route: Route;
  /** Path and query as people may read them in logs: without emails. */
  shown: string;
  signal: AbortSignal | undefined;
  /** Of the player who calls; absent: the game calls. */
  token?: string | undefined;
  triesMax: number;
}

/** Puts budget, retries, the two secrets and the log together, for calls that only read. `seenIn` is what the log states of an answer. */
export function openCalls(
  settings: InvoSettings,
  { slots, now, log }: Endpoint,
): <T>(call: Call, once: (credential: Credential) => Promise<T>, seenIn: (answer: T) => Partial<CallEvent>) => Promise<T> {
  const { budget } = settings;
  const policy = { budget, now, sleep: settings.sleep ?? sleep, random: settings.random ?? Math.random };
  return ({ route, shown, signal, token, triesMax }, once, seenIn) => {
    let startedAt = now();
    const logCall = (tries: number, seen: Partial<CallEvent>): void =>
      log({ ...emptyEvent, route, request: shown, tries, tookMs: now() - startedAt, ...seen });
    const onFailure = (error: InvoError, waitMs: number | null, tries: number): void => logCall(tries, failureOf(error, waitMs));
    return tryCall({ ...policy, triesMax, onFailure }, route, signal, async (tries) => {
      const callAs = async (credential: Credential): ReturnType<typeof once> => {
        await waitOrAbort(signal, () => budget.take(route, signal));
        startedAt = now();
        return once(credential);
      };
      // A refused token says nothing about the game's secrets.
      const answer = token === undefined ? await slots.callWith((secret) => callAs({ secret })) : await callAs({ token });
      logCall(tries, seenIn(answer));
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
