import type { Route } from './budget.ts';
import type { InvoError } from './invo-error.ts';
import { type Door, requestText, silentEvent } from './open-door.ts';
import { tryCall } from './retry/try-call.ts';
import { sleep, waitOrAbort } from './retry/wait.ts';
import type { CallEvent, InvoSettings } from './settings.ts';
import { type Exchange, exchange, type Reader } from './transport/exchange.ts';
import { openRoad } from './transport/send-request.ts';

interface Question<T> {
  route: Route;
  path: string;
  query: Query;
  /** Path and query as people may read them in logs and evidence, where those sent carry an e-mail. */
  shown?: string;
  read: Reader<T>;
  signal: AbortSignal | undefined;
}

type Query = Record<string, string | number | undefined>;

export type AskInvo = <T>(question: Question<T>) => Promise<Exchange<T>>;

/** Puts budget, retries, the two secrets and the road together: one question in, one answer with its evidence out. */
export function createAsk(settings: InvoSettings, { limits, base, slots, now, log }: Door): AskInvo {
  const { budget } = settings;
  const road = openRoad(base, limits);
  const patience = { budget, now, sleep: settings.sleep ?? sleep, random: settings.random ?? Math.random, triesMax: limits.tries };

  return async <T>(question: Question<T>): Promise<Exchange<T>> => {
    const { route, read, signal } = question;
    const request = requestText(base, `${question.path}${queryText(question.query)}`);
    const shown = question.shown === undefined ? request : requestText(base, question.shown);
    const totalMs = route.kind === 'aggregate' ? limits.aggregateMs : limits.detailMs;
    let startedAt = now();
    const say = (tries: number, spoken: Partial<CallEvent>): void =>
      log({ ...silentEvent, route, request: shown, tries, tookMs: now() - startedAt, ...spoken });
    const oneTry = async (secret: string): Promise<Exchange<T>> => {
      await waitOrAbort(signal, () => budget.take(route, signal));
      startedAt = now();
      return exchange(road, { request, shown, totalMs, read, signal }, secret, slots.all, now);
    };
    const onFailure = (error: InvoError, waitMs: number | null, tries: number): void => say(tries, failureOf(error, waitMs));
    return tryCall({ ...patience, onFailure }, route, signal, async (tries) => {
      const answer = await slots.callWith(oneTry);
      const { status, received, inflatedBytes } = answer.evidence;
      say(tries, { outcome: 'answered', status, receivedBytes: received.length, inflatedBytes });
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

/** A query as it is sent, question mark included; nothing when nothing is asked for. */
export function queryText(query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}
