import type { Caller } from './caller.ts';
import { BIG_ID_MARK, corruptBody } from './faults/body-faults.ts';
import { BODY_FAULTS, type Fault } from './faults/fault.ts';
import { faultRefusal } from './faults/transport-faults.ts';
import type { Call, Route } from './route.ts';
import { isAccepted } from './state/games.ts';
import { type Json, Refusal, Reply, wordsOnly } from './wire/answer.ts';
import { StreamedBody } from './wire/send-stream.ts';

const METER_MAX = { aggregate: 60, detail: 600, balance: 1500 };
const DETAIL_PER_SUBSCRIPTION = 120;

/**
 * Checks credential, game status and rate limits and lets the route answer, synchronously: two calls never interleave, so a key that was
 * not found is recorded before another call can look for it. Returns status and body, corrupted when the fault says so.
 */
export function executeRoute(
  call: Call,
  { caller, isMalformed, rearm }: { caller: Caller; isMalformed: boolean; rearm: () => void },
): { status: number; text: string | StreamedBody } {
  const { fault, route } = call;
  const instead = fault === null || fault.when === 'after' ? null : faultRefusal(fault);
  if (instead !== null) throw instead;
  const game = call.state.games[call.environment];
  checkCredential(caller, call);
  if (game.status !== 'live' && game.status !== 'testing')
    throw new Refusal(403, null, '', {
      error: 'This game is neither live nor testing.',
      error_id: 'err_not_active',
      timestamp: new Date().toISOString(),
      game_status: game.status,
    });
  if (route === null) throw new Refusal(404, 'NOT_FOUND', 'No such route.');
  if (isMalformed) throw new Refusal(400, 'INVALID_FIELD_VALUE', 'The path is malformed.');
  if (game.isRateLimited) takeFromMeters(route, call);
  const answered = answerOf(route, call, fault?.kind === 'duplicate');
  if (answered instanceof StreamedBody) return { status: 200, text: answered };
  const { status, body } = answered instanceof Reply ? answered : new Reply(200, answered as Json);
  if (fault !== null && isBodyFault(fault) && (body === null || Array.isArray(body) || !corruptBody(body, fault))) rearm();
  return { status, text: body === null ? '' : JSON.stringify(body).replaceAll(`"${BIG_ID_MARK}"`, '9007199254740993') };
}

// The documents name one refusal for each credential; no route takes both headers.
function checkCredential({ credential, secretSlot, token }: Caller, { state, environment, route }: Call): void {
  const { credential: required = 'secret', codeField = 'error_code' } = route ?? {};
  const isOne = credential !== 'both';
  const hasSecret = isOne && isAccepted(state.games[environment], secretSlot);
  if (required === 'either' && (hasSecret || (isOne && token !== null))) return;
  if (required === 'token') {
    if (!isOne || token === null)
      throw route?.unauthorized?.(state) ?? new Refusal(401, 'SDK_TOKEN_MALFORMED', 'This is no valid player token.').under(codeField);
  } else if (!hasSecret) {
    throw new Refusal(401, 'INVALID_GAME_SECRET', 'The game secret is missing or wrong.').under(codeField);
  }
}

/** Whether a fault corrupts a body, which needs a successful answer. */
export function isBodyFault(fault: Fault): boolean {
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
  const { limiter } = call.state;
  if (route.meter !== 'none') {
    const subscriptionId = route.subscriptionId?.(call) ?? null;
    const meters = [{ key: `${call.environment}|${route.meter}`, max: METER_MAX[route.meter] }];
    if (subscriptionId !== null) meters.push({ key: `${call.environment}|${subscriptionId}`, max: DETAIL_PER_SUBSCRIPTION });
    const seconds = limiter.take(meters);
    if (seconds !== null)
      throw new Refusal(429, 'rate_limit_exceeded', 'Too many requests.', { retry_after: seconds }, { 'retry-after': String(seconds) });
  }
  const own = route.playerMeter?.(call) ?? null;
  const wait = own === null ? null : limiter.take([{ key: `${call.environment}|${own.key}`, max: own.max }]);
  if (wait !== null) throw wordsOnly(429, 'Too many requests for this player.', { retry_after: wait });
}
