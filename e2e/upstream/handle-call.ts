import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, callerOf } from './caller.ts';
import { executeRoute, isBodyFault } from './execute-route.ts';
import { type Fault, meaningOf } from './faults/fault.ts';
import { answerInstead, faultRefusal, sendFaulty } from './faults/transport-faults.ts';
import { type Call, openTitle } from './route.ts';
import { ROUTES } from './routes.ts';
import type { LoggedCall } from './state/calls.ts';
import type { State } from './state/state.ts';
import { errorBody, jsonAnswer, Refusal } from './wire/answer.ts';
import { keyIn, parseObject, readRequestBody } from './wire/read-request.ts';
import { type StreamedBody, sendStream } from './wire/send-stream.ts';

let errorCount = 0;

/** Handles one call from first byte to last: reads the body, takes an armed fault, sends the answer or what replaces it. */
export async function handleCall(state: State, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const caller = callerOf(state, request, url);
  const { environment, secretSlot } = caller;
  const path = environment === 'sandbox' ? url.pathname.slice('/sandbox'.length) : url.pathname;
  const method = request.method ?? 'GET';
  const route = ROUTES.find((each) => each.method === method && each.pattern.test(path)) ?? null;
  const bytes = method === 'GET' ? Buffer.alloc(0) : await readRequestBody(request, route?.bodyBytes_max);
  if (bytes === null) return void response.socket?.destroy();
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
    credential: caller.credential,
    secretSlot,
    fault: armed?.kind ?? null,
    ...(method === 'GET' ? {} : { bodySha256: createHash('sha256').update(bytes).digest('hex'), clientRequestId, outcome: null }),
  });
  const params = decodeParams(route?.pattern.exec(path) ?? null);
  const subject =
    route?.subject === undefined ? null : route.subject(parseObject(bytes) ?? {}, params ?? [], bytes, openTitle(state, environment));
  if (route !== null && subject !== null) state.executions.called({ environment, kind: route.name, subject });
  if (fault?.when !== 'after' && (await isAnsweredInstead(state, response, fault, logged))) return;
  const call: Call = {
    environment,
    view: state.view(environment),
    params: params ?? [],
    search: url.searchParams,
    bytes,
    isPageShifted: fault?.kind === 'shifted_page',
    stateFault: fault?.stateFault === undefined ? null : { kind: fault.stateFault, isDone: false },
    fault,
    state,
    support: state.support(environment),
    outcome: null,
    subject,
    route,
    token: caller.token,
    origin: `http://${request.headers.host ?? '127.0.0.1'}`,
  };
  await answer(request, response, { call, caller, isMalformed: params === null, armed, fault, logged });
}

interface Exchange {
  call: Call;
  caller: Caller;
  /** The path's captures can't be decoded. */
  isMalformed: boolean;
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

function outcomeOf({ call, caller, isMalformed, armed, fault, logged }: Exchange): Outcome {
  const rearm = (): void => {
    if (armed !== null) call.state.faults.rearm(armed);
  };
  try {
    const { status, text } = executeRoute(call, { caller, isMalformed, rearm });
    if (fault?.kind === 'code_in') rearm();
    return { status, text, headers: {}, isSuccessful: true };
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : new Refusal(500, 'INTERNAL_ERROR', 'Something went wrong.', { detail: String(error) });
    if (fault?.codeIn !== undefined) refusal.under(fault.codeIn);
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

function decodeParams(match: RegExpExecArray | null): string[] | null {
  try {
    return (match ?? []).slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}
