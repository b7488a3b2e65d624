import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { executeRoute, isBodyFault } from './execute-route.ts';
import type { Fault } from './faults/fault.ts';
import { meaningOf } from './faults/fault-names.ts';
import { answerInstead, faultRefusal, sendSpoiled } from './faults/spoil-wire.ts';
import type { Environment } from './model.ts';
import type { Call, Route } from './routes/route.ts';
import { ROUTES } from './routes/routes.ts';
import type { LoggedCall } from './state/call-log.ts';
import { type SecretSlot, slotOf } from './state/games.ts';
import type { State } from './state/state.ts';
import { errorBody, jsonAnswer } from './wire/answer.ts';
import { Refusal } from './wire/refusal.ts';
import { keyIn, readRequestBody } from './wire/request-body.ts';

let errorCount = 0;

/** One call of the contract from first byte to last: its body, the fault armed for it, and the answer or what comes in its place. */
export async function handleCall(state: State, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const environment: Environment = url.pathname.startsWith('/sandbox/') ? 'sandbox' : 'production';
  const path = environment === 'sandbox' ? url.pathname.slice('/sandbox'.length) : url.pathname;
  const method = request.method ?? 'GET';
  const bytes = method === 'GET' ? Buffer.alloc(0) : await readRequestBody(request);
  if (bytes === null) return void response.socket?.destroy();
  const route = ROUTES.find((each) => each.method === method && each.pattern.test(path)) ?? null;
  const secretSlot = slotOf(state.games[environment], header(request, 'x-game-secret-key'));
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
    book: state.book(environment),
    params: [],
    search: url.searchParams,
    bytes,
    isPageShifted: fault?.kind === 'shifted_page',
    trick: fault?.trick === undefined ? null : { kind: fault.trick, isDone: false },
    state,
    desk: state.desk(environment),
    outcome: null,
  };
  await answer(request, response, { route, path, call, secretSlot, armed, fault, logged });
}

interface Turn {
  route: Route | null;
  path: string;
  call: Call;
  secretSlot: SecretSlot;
  /** As armed, to be given back; `fault` is what it means. */
  armed: Fault | null;
  fault: Fault | null;
  logged: LoggedCall;
}

async function answer(request: IncomingMessage, response: ServerResponse, turn: Turn): Promise<void> {
  const { call, logged, armed } = turn;
  const { status, text, headers, isGood } = outcomeOf(turn);
  const isUnplayed = call.trick !== null && !call.trick.isDone;
  if (armed !== null && (isUnplayed || (!isGood && isBodyFault(armed)))) call.state.faults.giveBack(armed);
  const fault = isUnplayed ? null : turn.fault;
  logged.status = status;
  if (fault?.when === 'after') {
    if (await isAnsweredInstead(call.state, response, fault, logged)) return;
    const refusal = faultRefusal(fault);
    if (refusal !== null) {
      logged.status = refusal.status;
      return sendSpoiled(response, await jsonAnswer(request, refusal.status, refusalText(refusal), refusal.headers), null);
    }
  }
  sendSpoiled(response, await jsonAnswer(request, status, text, headers), fault);
}

interface Outcome {
  status: number;
  text: string;
  headers: Record<string, string>;
  isGood: boolean;
}

function outcomeOf({ route, path, call, secretSlot, armed, fault, logged }: Turn): Outcome {
  try {
    const text = executeRoute(route, path, call, secretSlot, fault, () => armed !== null && call.state.faults.giveBack(armed));
    return { status: 200, text, headers: {}, isGood: true };
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : new Refusal(500, 'INTERNAL_ERROR', 'Something went wrong.', { detail: String(error) });
    call.outcome ??= `refused ${refusal.code ?? refusal.status}`;
    return { status: refusal.status, text: refusalText(refusal), headers: refusal.headers, isGood: false };
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
