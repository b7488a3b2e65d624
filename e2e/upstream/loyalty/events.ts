import { readInstant } from '../instant.ts';
import type { Player } from '../model.ts';
import { findPlayer } from '../players/player-data.ts';
import { type Call, countExecution, type Route } from '../route.ts';
import { type Json, type Refusal, Reply, sdkRefusal } from '../wire/answer.ts';
import { parseObject } from '../wire/read-request.ts';
import { isSetUp, notSetUp, unauthorized } from './loyalty.ts';

/** Gameplay events that the game's server reports. */
export const serverEventsRoute: Route = {
  name: 'server-events',
  method: 'POST',
  pattern: /^\/api\/sdk\/loyalty\/server-events$/,
  credential: 'secret',
  codeField: 'code',
  meter: 'none',
  subject: (body) => (typeof body['event_id'] === 'string' ? body['event_id'] : null),
  answer(call) {
    const body = readBody(call);
    const email = body['player_email'];
    if (typeof email !== 'string' || email === '') throw sdkRefusal(400, 'MISSING_PLAYER_EMAIL', 'player_email is required.');
    checkEvent(body, 'EVENT_TYPE_NOT_ALLOWED');
    if (!isSetUp(call.state, call.environment)) throw notSetUp();
    const known = findPlayer(call.view, email.trim().toLowerCase());
    if (known === null) throw sdkRefusal(404, 'PLAYER_NOT_FOUND', 'No such player in this game yet.');
    return record(call, body, { player: known.player, source: 'server' });
  },
};

/** Gameplay events that the player's client reports. Alone they unlock no reward of value. */
export const clientEventsRoute: Route = {
  name: 'client-events',
  method: 'POST',
  pattern: /^\/api\/sdk\/loyalty\/events$/,
  credential: 'token',
  codeField: 'code',
  meter: 'none',
  unauthorized,
  subject: (body) => (typeof body['event_id'] === 'string' ? body['event_id'] : null),
  answer(call) {
    const body = readBody(call);
    checkEvent(body, 'RESERVED_EVENT_TYPE');
    if (!isSetUp(call.state, call.environment) || call.token === null) throw notSetUp();
    return record(call, body, { player: call.token.player, source: 'client' });
  },
};

/** Names registered in the console, each with the bounds of its value. */
const REGISTERED: Readonly<Record<string, { min: number; max: number }>> = {
  lantern_lit: { min: 1, max: 10 },
  regatta_finished: { min: 1, max: 100 },
};
const SESSION_TYPES = ['game.session.started', 'game.session.heartbeat', 'game.session.ended'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const OLD_MS = 86_400_000;

function readBody({ bytes }: Call): Json {
  const body = parseObject(bytes);
  if (body === null) throw sdkRefusal(400, 'INVALID_BODY', 'The body must be a JSON object.');
  return body;
}

/** Refuses an event whose fields the documents name as wrong, in their order. */
function checkEvent(body: Json, foreignCode: string): void {
  const { event_type: type, event_id: id, occurred_at: at, payload, surface_id: surface } = body;
  if (typeof type !== 'string' || type === '') throw sdkRefusal(400, 'MISSING_EVENT_TYPE', 'event_type is required.');
  if (!type.startsWith('game.')) throw sdkRefusal(400, foreignCode, 'Only game.* types are accepted.');
  if (typeof id !== 'string' || !UUID.test(id)) throw sdkRefusal(400, 'INVALID_EVENT_ID', 'event_id must be a UUID.');
  const hasZone = typeof at === 'string' && readInstant(at) !== null && /(Z|[+-]\d{2}:?\d{2})$/i.test(at);
  if (at !== undefined && !hasZone) throw sdkRefusal(400, 'INVALID_OCCURRED_AT', 'occurred_at must be an instant with a timezone.');
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw sdkRefusal(400, 'INVALID_PAYLOAD', 'payload must be a JSON object.');
  if (surface !== undefined && typeof surface !== 'string') throw sdkRefusal(400, 'INVALID_SURFACE_ID', 'surface_id must be a string.');
}

/** Records an event once under its id, whatever a repeat says. */
function record(call: Call, body: Json, { player, source }: { player: Player; source: 'server' | 'client' }): Reply {
  const { events } = call.view.desk;
  const id = String(body['event_id']).toLowerCase();
  const before = events.get(id);
  if (before?.isDenied === true) {
    events.set(id, { ...before, isDenied: false });
    throw notSetUp();
  }
  if (before !== undefined) {
    call.outcome = 'repeated';
    return recorded(call);
  }
  const name = nameOf(call, String(body['event_type']), body);
  const isDenied = call.stateFault?.kind === 'deny_event';
  if (isDenied && call.stateFault !== null) call.stateFault.isDone = true;
  events.set(id, { playerId: player.playerId, source, type: String(body['event_type']), name, isDenied });
  countExecution(call);
  call.outcome = 'executed';
  return recorded(call);
}

/** The milestone or registered event that a payload names. Refuses what isn't registered or lies outside its bounds. */
function nameOf(call: Call, type: string, body: Json): string | null {
  const payload = body['payload'] as Json;
  const occurredAt = body['occurred_at'];
  const isOld = typeof occurredAt === 'string' && call.view.nowMs - Date.parse(occurredAt) > OLD_MS;
  if (isOld && call.state.shapes.has('server-events', 'old_422')) throw failed('occurred_at is too long ago.');
  if (SESSION_TYPES.includes(type)) {
    if (typeof payload['session_ref'] !== 'string') throw failed('session_ref is required.');
    return null;
  }
  const value = payload['value'];
  if (type === 'game.milestone.reached') {
    if (typeof payload['milestone_key'] !== 'string') throw failed('milestone_key is required.');
    return payload['milestone_key'];
  }
  if (type !== 'game.custom.recorded') throw failed(`The event type ${type.slice(0, 80)} is not known.`);
  const name = String(payload['event_name']);
  const bounds = Object.hasOwn(REGISTERED, name) ? REGISTERED[name] : undefined;
  if (bounds === undefined) throw failed(`The event ${name.slice(0, 80)} is not registered.`);
  if (value !== undefined && (typeof value !== 'number' || value < bounds.min || value > bounds.max))
    throw failed(`value must be a number from ${bounds.min} to ${bounds.max}.`);
  return name;
}

function failed(words: string): Refusal {
  return sdkRefusal(422, 'validation_failed', words);
}

// The documents show no body of a recorded event.
function recorded({ state }: Call): Reply {
  if (state.shapes.has('server-events', 'empty')) return new Reply(202, null);
  return new Reply(state.shapes.has('server-events', 'ok') ? 200 : 202, { status: 'recorded' });
}
