import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { attributionRoute } from './evidence/attribution.ts';
import { BIG_ID_MARK, corruptBody } from './faults/body-faults.ts';
import { BODY_FAULTS, type Fault, meaningOf } from './faults/fault.ts';
import { answerInstead, faultRefusal, sendFaulty } from './faults/transport-faults.ts';
import { loyaltyRoute } from './loyalty/loyalty.ts';
import type { Environment } from './model.ts';
import { itemHistoryRoute, itemOrderDetailsRoute, orderDetailsRoute } from './orders/orders.ts';
import { balanceBatchRoute, balanceStreamRoute, withdrawalsRoute } from './players/balance-files.ts';
import { balancesRoute, playerCardsRoute } from './players/player.ts';
import { refundRoute } from './refunds/refund.ts';
import type { Call, Route } from './route.ts';
import type { LoggedCall } from './state/calls.ts';
import { isAccepted, type SecretSlot, slotOf } from './state/games.ts';
import type { State } from './state/state.ts';
import { amountRoute } from './subscriptions/amount.ts';
import { cancelRoute } from './subscriptions/cancel.ts';
import { paymentMethodRoute } from './subscriptions/payment-method.ts';
import { periodRoute, subscriptionAttributionRoute } from './subscriptions/periods.ts';
import { playerSubscriptionsRoute, subscriptionRoute } from './subscriptions/subscription.ts';
import { approvalStatusRoute, inboundPendingRoute, transferStatusRoute } from './transfers/transfers.ts';
import { errorBody, jsonAnswer, Refusal } from './wire/answer.ts';
import { keyIn, readRequestBody } from './wire/read-request.ts';
import { StreamedBody, sendStream } from './wire/send-stream.ts';

let errorCount = 0;

/** Handles one call from first byte to last: reads the body, takes an armed fault, sends the answer or what replaces it. */
export async function handleCall(state: State, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const gameSecret = header(request, 'x-game-secret-key');
  const environment = environmentOf(state, url, gameSecret);
  const path = environment === 'sandbox' ? url.pathname.slice('/sandbox'.length) : url.pathname;
  const method = request.method ?? 'GET';
  const route = ROUTES.find((each) => each.method === method && each.pattern.test(path)) ?? null;
  const bytes = method === 'GET' ? Buffer.alloc(0) : await readRequestBody(request, route?.bodyBytes_max);
  if (bytes === null) return void response.socket?.destroy();
  const secretSlot = slotOf(state.games[environment], gameSecret);
  const clientRequestId = keyIn(bytes);
  const armed = state.faults.take({
    route: route?.name ?? null,
    method,
    environment,
    query: url.searchParams,
    path,
    clientRequestId,
  });
  const fault = armed === null ? null : meaningOf(armed);
  const logged = state.calls.add({
    at: new Date().toISOString(),
    environment,
    method,
    path: url.pathname + url.search,
    route: route?.name ?? null,
    status: 0,
    secretSlot,
    fault: armed?.kind ?? null,
    ...(method === 'GET' ? {} : { bodySha256: createHash('sha256').update(bytes).digest('hex'), clientRequestId, outcome: null }),
  });
  if (fault?.when !== 'after' && (await isAnsweredInstead(state, response, fault, logged))) return;
  const call: Call = {
    environment,
    view: state.view(environment),
    params: [],
    search: url.searchParams,
    bytes,
    isPageShifted: fault?.kind === 'shifted_page',
    stateFault: fault?.stateFault === undefined ? null : { kind: fault.stateFault, isDone: false },
    fault,
    state,
    support: state.support(environment),
    outcome: null,
  };
  await answer(request, response, { route, path, call, secretSlot, armed, fault, logged });
}

// Outside the sandbox the games share one base URL, and the secret says whose call it is.
function environmentOf(state: State, url: URL, secret: string | undefined): Environment {
  if (url.pathname.startsWith('/sandbox/')) return 'sandbox';
  return slotOf(state.games.emberfall, secret) === 'current' ? 'emberfall' : 'production';
}

interface Exchange {
  route: Route | null;
  path: string;
  call: Call;
  secretSlot: SecretSlot;
  /** As armed, for arming it again; `fault` is what the name means. */
  armed: Fault | null;
  fault: Fault | null;
  logged: LoggedCall;
}

async function answer(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Promise<void> {
  const { call, logged, armed } = exchange;
  const { status, text, headers, isSuccessful } = outcomeOf(exchange);
  const isPending = call.stateFault !== null && !call.stateFault.isDone;
  if (armed !== null && (isPending || (!isSuccessful && isBodyFault(armed)))) call.state.faults.rearm(armed);
  const fault = isPending ? null : exchange.fault;
  logged.status = status;
  if (fault?.when === 'after') {
    if (await isAnsweredInstead(call.state, response, fault, logged)) return;
    const refusal = faultRefusal(fault);
    if (refusal !== null) {
      logged.status = refusal.status;
      return sendFaulty(response, await jsonAnswer(request, refusal.status, refusalText(refusal), refusal.headers), null);
    }
  }
  if (typeof text !== 'string') return await sendStream(response, text, fault);
  sendFaulty(response, await jsonAnswer(request, status, text, headers), fault);
}

interface Outcome {
  status: number;
  text: string | StreamedBody;
  headers: Record<string, string>;
  isSuccessful: boolean;
}

function outcomeOf({ route, path, call, secretSlot, armed, fault, logged }: Exchange): Outcome {
  try {
    const text = executeRoute(route, path, call, secretSlot, fault, () => armed !== null && call.state.faults.rearm(armed));
    return { status: 200, text, headers: {}, isSuccessful: true };
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : new Refusal(500, 'INTERNAL_ERROR', 'Something went wrong.', { detail: String(error) });
    call.outcome ??= `refused ${refusal.code ?? refusal.status}`;
    return { status: refusal.status, text: refusalText(refusal), headers: refusal.headers, isSuccessful: false };
  } finally {
    if (logged.method !== 'GET') logged.outcome = call.outcome;
  }
}

async function isAnsweredInstead(state: State, response: ServerResponse, fault: Fault | null, logged: LoggedCall): Promise<boolean> {
  if (fault?.kind === 'slow') await sleep(fault.ms ?? 1000);
  if (fault?.kind === 'hold' && !(await state.held.keep())) {
    response.socket?.destroy();
    logged.status = 0;
    return true;
  }
  if (fault === null || !answerInstead(response, fault)) return false;
  logged.status = fault.kind === 'reset' ? 0 : response.statusCode;
  return true;
}

function refusalText(refusal: Refusal): string {
  errorCount += 1;
  return JSON.stringify(errorBody(refusal, `err_${errorCount.toString(16).padStart(8, '0')}`));
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const METER_MAX = { aggregate: 60, detail: 600, balance: 1500 };
const DETAIL_PER_SUBSCRIPTION = 120;

/**
 * Checks secret, game status and rate limits and lets the route answer, synchronously: two calls never interleave, so a key that was
 * not found is recorded before another call can look for it. Returns the body as text, corrupted when the fault says so.
 */
function executeRoute(
  route: Route | null,
  path: string,
  call: Call,
  secretSlot: SecretSlot,
  fault: Fault | null,
  rearm: () => void,
): string | StreamedBody {
  const instead = fault === null || fault.when === 'after' ? null : faultRefusal(fault);
  if (instead !== null) throw instead;
  const game = call.state.games[call.environment];
  if (!isAccepted(game, secretSlot)) throw new Refusal(401, 'INVALID_GAME_SECRET', 'The game secret is missing or wrong.');
  if (game.status !== 'live' && game.status !== 'testing')
    throw new Refusal(403, null, '', {
      error: 'This game is neither live nor testing.',
      error_id: 'err_not_active',
      timestamp: new Date().toISOString(),
      game_status: game.status,
    });
  if (route === null) throw new Refusal(404, 'NOT_FOUND', 'No such route.');
  call.params = decodeParams(route.pattern.exec(path));
  if (game.isRateLimited) takeFromMeters(route, call);
  const body = answerOf(route, call, fault?.kind === 'duplicate');
  if (body instanceof StreamedBody) return body;
  if (fault !== null && isBodyFault(fault) && (Array.isArray(body) || !corruptBody(body, fault))) rearm();
  return JSON.stringify(body).replaceAll(`"${BIG_ID_MARK}"`, '9007199254740993');
}

/** Whether a fault corrupts a body, which needs a successful answer. */
function isBodyFault(fault: Fault): boolean {
  return BODY_FAULTS.some((kind) => kind === fault.kind);
}

function answerOf(route: Route, call: Call, isTwice: boolean): ReturnType<Route['answer']> {
  try {
    if (isTwice) route.answer(call);
    return route.answer(call);
  } finally {
    if (route.method === 'POST') call.state.save();
  }
}

function takeFromMeters(route: Route, call: Call): void {
  if (route.meter === 'none') return;
  const subscriptionId = route.subscriptionId?.(call) ?? null;
  const meters = [{ key: `${call.environment}|${route.meter}`, max: METER_MAX[route.meter] }];
  if (subscriptionId !== null) meters.push({ key: `${call.environment}|${subscriptionId}`, max: DETAIL_PER_SUBSCRIPTION });
  const seconds = call.state.limiter.take(meters);
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

/** Every route. The first whose method and pattern match answers. */
const ROUTES: readonly Route[] = [
  attributionRoute,
  subscriptionAttributionRoute,
  periodRoute,
  playerSubscriptionsRoute,
  subscriptionRoute,
  balancesRoute,
  balanceBatchRoute,
  balanceStreamRoute,
  withdrawalsRoute,
  playerCardsRoute,
  orderDetailsRoute,
  itemOrderDetailsRoute,
  itemHistoryRoute,
  loyaltyRoute,
  transferStatusRoute,
  approvalStatusRoute,
  inboundPendingRoute,
  cancelRoute,
  amountRoute,
  paymentMethodRoute,
  refundRoute,
];
