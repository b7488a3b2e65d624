import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BODY_FAULTS, type Fault } from './faults/fault.ts';
import { BIG_ID_MARK, spoilBody } from './faults/spoil-body.ts';
import { answerInstead, faultRefusal, sendSpoiled } from './faults/spoil-wire.ts';
import type { Environment } from './model.ts';
import type { Call, Route } from './routes/route.ts';
import { ROUTES } from './routes/routes.ts';
import type { LoggedCall } from './state/call-log.ts';
import { isAccepted, type SecretSlot, slotOf } from './state/games.ts';
import type { State } from './state/state.ts';
import { errorBody, jsonAnswer } from './wire/answer.ts';
import { Refusal } from './wire/refusal.ts';

const AGGREGATE_PER_MINUTE = 60;
const DETAIL_PER_MINUTE = 600;
const DETAIL_PER_SUBSCRIPTION = 120;
let errorCount = 0;

/** One call of the contract from key check to last byte: key, game status, meters, route, and whatever fault is armed for it. */
export async function handleCall(state: State, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const environment: Environment = url.pathname.startsWith('/sandbox/') ? 'sandbox' : 'production';
  const path = environment === 'sandbox' ? url.pathname.slice('/sandbox'.length) : url.pathname;
  const method = request.method ?? 'GET';
  const route = ROUTES.find((each) => each.method === method && each.pattern.test(path)) ?? null;
  const secretSlot = slotOf(state.games[environment], header(request, 'x-game-secret-key'));
  const fault = state.faults.take({ route: route?.name ?? null, method, environment, query: url.searchParams });
  const logged = state.calls.add({
    at: new Date().toISOString(),
    environment,
    method,
    path: url.pathname + url.search,
    route: route?.name ?? null,
    status: 0,
    secretSlot,
    fault: fault?.kind ?? null,
  });
  if (fault?.kind === 'slow') await sleep(fault.ms ?? 1000);
  if (fault !== null && answerInstead(response, fault)) {
    logged.status = fault.kind === 'reset' ? 0 : response.statusCode;
    return;
  }
  const call: Call = {
    environment,
    book: state.book(environment),
    params: [],
    search: url.searchParams,
    isPageShifted: fault?.kind === 'shifted_page',
  };
  await answer(state, request, response, { route, path, call, secretSlot, fault, logged });
}

interface Turn {
  route: Route | null;
  path: string;
  call: Call;
  secretSlot: SecretSlot;
  fault: Fault | null;
  logged: LoggedCall;
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse, turn: Turn): Promise<void> {
  try {
    const text = bodyText(state, turn);
    turn.logged.status = 200;
    sendSpoiled(response, await jsonAnswer(request, 200, text), turn.fault);
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : new Refusal(500, 'INTERNAL_ERROR', 'Something went wrong.', { detail: String(error) });
    if (turn.fault !== null && isBodyFault(turn.fault)) state.faults.giveBack(turn.fault);
    errorCount += 1;
    turn.logged.status = refusal.status;
    const body = JSON.stringify(errorBody(refusal, `err_${errorCount.toString(16).padStart(8, '0')}`));
    sendSpoiled(response, await jsonAnswer(request, refusal.status, body, refusal.headers), turn.fault);
  }
}

function bodyText(state: State, turn: Turn): string {
  const { route, path, call, fault } = turn;
  const spoiled = fault === null ? null : faultRefusal(fault);
  if (spoiled !== null) throw spoiled;
  const game = state.games[call.environment];
  if (!isAccepted(game, turn.secretSlot)) throw new Refusal(401, 'INVALID_GAME_SECRET', 'The game secret is missing or wrong.');
  if (game.status !== 'live' && game.status !== 'testing')
    throw new Refusal(403, 'GAME_NOT_ACTIVE', 'This game is neither live nor testing.', { game_status: game.status });
  if (route === null) throw new Refusal(404, 'NOT_FOUND', 'No such route.');
  call.params = decodeParams(route.pattern.exec(path));
  if (game.isRateLimited) takeFromMeters(state, route, call);
  const body = route.answer(call);
  if (fault !== null && isBodyFault(fault) && !spoilBody(body, fault)) state.faults.giveBack(fault);
  return JSON.stringify(body).replaceAll(`"${BIG_ID_MARK}"`, '9007199254740993');
}

function takeFromMeters(state: State, route: Route, call: Call): void {
  if (route.meter === 'none') return;
  const subscriptionId = route.subscriptionId?.(call) ?? null;
  const meters = [
    { key: `${call.environment}|${route.meter}`, max: route.meter === 'aggregate' ? AGGREGATE_PER_MINUTE : DETAIL_PER_MINUTE },
  ];
  if (subscriptionId !== null) meters.push({ key: `${call.environment}|${subscriptionId}`, max: DETAIL_PER_SUBSCRIPTION });
  const seconds = state.limiter.take(meters);
  if (seconds !== null)
    throw new Refusal(429, 'rate_limit_exceeded', 'Too many requests.', { retry_after: seconds }, { 'retry-after': String(seconds) });
}

function decodeParams(match: RegExpExecArray | null): string[] {
  try {
    return (match ?? []).slice(1).map(decodeURIComponent);
  } catch {
    throw new Refusal(400, 'INVALID_FIELD_VALUE', 'The path is malformed.');
  }
}

function isBodyFault(fault: Fault): boolean {
  return BODY_FAULTS.some((kind) => kind === fault.kind);
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
