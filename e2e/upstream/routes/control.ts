import type { Fault } from '../faults/fault.ts';
import type { GameSettings } from '../state/games.ts';
import { readClock, type State } from '../state/state.ts';
import type { Json } from '../wire/json.ts';
import { Refusal } from '../wire/refusal.ts';
import { controlWallet, listRefunds } from './control-desk.ts';
import { controlRefund } from './control-refund.ts';
import { environmentOf } from './environment-of.ts';

type Control = (state: State, body: unknown) => Json;

/** What only a test or a supervisor may do, on loopback: set the clock, arm faults, refund, turn a game's knobs, read the calls. */
export function answerControl(state: State, method: string, path: string, body: unknown): Json {
  const control = CONTROLS[`${method} ${path}`];
  if (control === undefined) throw new Refusal(404, 'NOT_FOUND', `No control ${method} ${path}.`);
  return control(state, body);
}

const CONTROLS: Record<string, Control> = {
  'GET calls': (state) => ({ calls: state.calls.all() }),
  'DELETE calls': (state) => done(() => state.calls.clear()),
  'GET faults': (state) => ({ faults: state.faults.all() }),
  'POST faults': (state, body) => {
    try {
      state.faults.arm((Array.isArray(body) ? body : [body]) as Fault[]);
    } catch (error) {
      throw new Refusal(400, 'INVALID_BODY', error instanceof Error ? error.message : 'No such fault.');
    }
    return { faults: state.faults.all() };
  },
  'GET held': (state) => ({ held: state.held.count() }),
  'POST release': (state) => ({ released: state.held.release() }),
  'DELETE faults': (state) => done(() => state.faults.clear()),
  'GET clock': (state) => ({ now: new Date(state.nowMs()).toISOString() }),
  'POST clock': (state, body) => {
    const now = fieldsOf(body)['now'] ?? null;
    state.setClock(now === null ? null : readClock(String(now)));
    return { now: new Date(state.nowMs()).toISOString() };
  },
  'GET refunds': (state) => listRefunds(state),
  'GET wallet': (state, query) => controlWallet(state, fieldsOf(query)),
  'POST wallet': (state, body) => controlWallet(state, fieldsOf(body)),
  'POST refunds': (state, body) => controlRefund(state, fieldsOf(body)),
  'POST game': (state, body) => setGame(state, fieldsOf(body)),
  'POST reset': (state) => done(() => state.reset()),
};

const CHOICES: Record<string, readonly unknown[]> = {
  rotation: ['grace', 'current', 'previous', 'expired'],
  lineOrder: ['newest', 'oldest', 'shuffled'],
  rateLimit: [true, false],
};

function setGame(state: State, fields: Json): Json {
  const game: GameSettings = state.games[environmentOf(fields)];
  const wrong = Object.keys(CHOICES).find((name) => fields[name] !== undefined && !CHOICES[name]?.includes(fields[name]));
  if (wrong !== undefined) throw new Refusal(400, 'INVALID_BODY', `${wrong} is one of ${CHOICES[wrong]?.join(', ')}.`);
  const known = Object.entries({
    status: 'status',
    rotation: 'rotation',
    lineOrder: 'lineOrder',
    rateLimit: 'isRateLimited',
    secret: 'secret',
    previousSecret: 'previousSecret',
  });
  Object.assign(
    game,
    Object.fromEntries(known.filter(([name]) => fields[name] !== undefined).map(([name, field]) => [field, fields[name]])),
  );
  return { status: game.status, rotation: game.rotation, lineOrder: game.lineOrder, rateLimit: game.isRateLimited };
}

function fieldsOf(body: unknown): Json {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(400, 'INVALID_BODY', 'The body must be a JSON object.');
  return body as Json;
}

function done(act: () => void): Json {
  act();
  return { done: true };
}
