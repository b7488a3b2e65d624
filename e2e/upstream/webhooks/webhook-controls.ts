import { formatInstant } from '../instant.ts';
import type { Environment } from '../model.ts';
import type { State } from '../state/state.ts';
import { type Json, Refusal } from '../wire/answer.ts';
import { addRenewals } from './events.ts';
import type { Outbox, OutboxEvent } from './outbox.ts';
import { MANGLES, post, sendEvent } from './send-delivery.ts';

/** The console's side of webhooks: registering, rotating, looking at deliveries, sending and replaying them. */
export const WEBHOOK_CONTROLS: Record<string, (state: State, environment: Environment, fields: Json) => Json | Promise<Json>> = {
  'POST webhooks': (state, environment, { url, types, secret }) => {
    const listed = Array.isArray(types) ? types.map(String) : ['*'];
    const made = state.outbox(environment).register(String(url), listed, secret === undefined ? undefined : String(secret));
    state.save();
    return { url: made.url, types: made.types, signing_secret: made.secret, version: made.version };
  },
  'POST webhooks/rotate': (state, environment, { secret }) => {
    const made = state.outbox(environment).rotate(state.nowMs(), secret === undefined ? undefined : String(secret));
    state.save();
    return { signing_secret: made.secret, version: made.version };
  },
  'POST webhooks/silence': (state, environment) => {
    state.outbox(environment).unregister();
    state.save();
    return { done: true };
  },
  'GET deliveries': (state, environment) => ({ deliveries: state.outbox(environment).events().map(shown) }),
  'POST deliveries/mangle': (state, environment, { mangles }) => {
    state.outbox(environment).arm(manglesOf(mangles));
    return { done: true };
  },
  'POST deliveries/run': async (state, environment, { renewals }) => {
    if (renewals === true) addRenewals(state, environment);
    return { sent: await sendDue(state, environment) };
  },
  'POST deliveries/replay': async (state, environment, { key }) => {
    const event = state.outbox(environment).find(String(key));
    if (event === null) throw new Refusal(404, 'NOT_FOUND', 'No event has this key.');
    return { status: await send(state, environment, event) };
  },
  // Any event, or any bytes with any headers, to the registered address.
  'POST deliveries/send': async (state, environment, { event_type, data, key, mangles, body, headers }) => {
    const outbox = state.outbox(environment);
    const url = outbox.registration()?.url;
    if (url === undefined) throw new Refusal(409, 'NO_WEBHOOK', 'No webhook is registered.');
    if (typeof body === 'string') return { status: await post(url, (headers ?? {}) as Record<string, string>, Buffer.from(body)) };
    outbox.arm(manglesOf(mangles));
    const given = typeof data === 'object' && data !== null ? (data as Json) : {};
    const event = outbox.add(String(event_type), given, state.nowMs(), key === undefined ? undefined : String(key));
    if (event === null) return { status: null };
    return { key: event.key, status: event.dueMs === null ? null : await send(state, environment, event) };
  },
};

/** Sends every event that is due, one after the other; returns how many were tried. */
export async function sendDue(state: State, environment: Environment): Promise<number> {
  const due = state.outbox(environment).due(state.nowMs());
  for (const event of due) await send(state, environment, event);
  return due.length;
}

async function send(state: State, environment: Environment, event: OutboxEvent): Promise<number> {
  const outbox: Outbox = state.outbox(environment);
  const status = await sendEvent(event, { outbox, tenantId: state.worlds[environment].gameId, nowMs: state.nowMs() });
  state.save();
  return status;
}

function manglesOf(given: unknown): string[] {
  const mangles = Array.isArray(given) ? given.map(String) : given === undefined ? [] : [String(given)];
  const wrong = mangles.find((mangle) => !MANGLES.includes(mangle));
  if (wrong !== undefined) throw new Refusal(400, 'INVALID_BODY', `No mangle ${wrong}. Use: ${MANGLES.join(', ')}.`);
  return mangles;
}

function shown({ key, eventType, createdMs, dueMs, attempts, mangles }: OutboxEvent): Json {
  return {
    key,
    event_type: eventType,
    created_at: formatInstant(createdMs),
    next_attempt_at: dueMs === null ? null : formatInstant(dueMs),
    attempts,
    mangles,
  };
}
