import type { Route } from './budget.ts';
import type { InvoError } from './invo-error.ts';
import { tryCall } from './retry/try-call.ts';
import { sleep, waitOrAbort } from './retry/wait.ts';
import type { CallEvent, InvoSettings } from './settings.ts';
import { parseBaseUrl } from './transport/access.ts';
import { type Exchange, exchange, type Reader } from './transport/exchange.ts';
import { defaultLimits } from './transport/limits.ts';
import { createSecretSlots } from './transport/secret-slots.ts';
import { openRoad } from './transport/send-request.ts';

export interface Question<T> {
  route: Route;
  path: string;
  query: Record<string, string | number | undefined>;
  read: Reader<T>;
  signal: AbortSignal | undefined;
}

export type AskInvo = <T>(question: Question<T>) => Promise<Exchange<T>>;

/** Puts budget, retries, the two secrets and the road together: one question in, one answer with its evidence out. */
export function createAsk(settings: InvoSettings): AskInvo {
  const limits = { ...defaultLimits, ...settings.limits };
  const { budget, now = Date.now, log = () => {} } = settings;
  const base = parseBaseUrl(settings.access.baseUrl);
  const slots = createSecretSlots(settings.access, settings.onPreviousSecretUsed ?? (() => {}));
  const road = openRoad(base, limits);
  const patience = { budget, now, sleep: settings.sleep ?? sleep, random: settings.random ?? Math.random, triesMax: limits.tries };

  return async <T>({ route, path, query, read, signal }: Question<T>): Promise<Exchange<T>> => {
    const request = `${base.pathname.replace(/\/+$/, '')}${path}${queryText(query)}`;
    const totalMs = route.kind === 'aggregate' ? limits.aggregateMs : limits.detailMs;
    let startedAt = now();
    const say = (tries: number, spoken: Partial<CallEvent>): void =>
      log({ ...silent, route, request, tries, tookMs: now() - startedAt, ...spoken });
    const oneTry = async (secret: string): Promise<Exchange<T>> => {
      await waitOrAbort(signal, () => budget.take(route, signal));
      startedAt = now();
      return exchange(road, { request, totalMs, read, signal }, secret, slots.all, now);
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

const silent = {
  outcome: 'answered',
  status: null,
  errorId: null,
  errorCode: null,
  receivedBytes: null,
  inflatedBytes: null,
  waitMs: null,
} as const;

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

function queryText(query: Question<unknown>['query']): string {
  const given = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}
