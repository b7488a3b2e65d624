import { BODY_FAULTS, type Fault } from './faults/fault.ts';
import { BIG_ID_MARK, spoilBody } from './faults/spoil-body.ts';
import { faultRefusal } from './faults/spoil-wire.ts';
import type { Call, Route } from './routes/route.ts';
import { isAccepted, type SecretSlot } from './state/games.ts';
import type { Json } from './wire/json.ts';
import { Refusal } from './wire/refusal.ts';

const METER_MAX = { aggregate: 60, detail: 600, balance: 1500 };
const DETAIL_PER_SUBSCRIPTION = 120;

/**
 * Checks key, game status and meters and lets the route answer, all in one go: two calls never interleave, so a key that was
 * looked up is recorded before any other call can look. Gives the body as text, spoiled where the fault says so.
 */
export function executeRoute(
  route: Route | null,
  path: string,
  call: Call,
  secretSlot: SecretSlot,
  fault: Fault | null,
  giveBack: () => void,
): string {
  const instead = fault === null || fault.when === 'after' ? null : faultRefusal(fault);
  if (instead !== null) throw instead;
  const game = call.state.games[call.environment];
  if (!isAccepted(game, secretSlot)) throw new Refusal(401, 'INVALID_GAME_SECRET', 'The game secret is missing or wrong.');
  if (game.status !== 'live' && game.status !== 'testing')
    throw new Refusal(403, 'GAME_NOT_ACTIVE', 'This game is neither live nor testing.', { game_status: game.status });
  if (route === null) throw new Refusal(404, 'NOT_FOUND', 'No such route.');
  call.params = decodeParams(route.pattern.exec(path));
  if (game.isRateLimited) takeFromMeters(route, call);
  const body = answerOf(route, call, fault?.kind === 'duplicate');
  if (fault !== null && isBodyFault(fault) && !spoilBody(body, fault)) giveBack();
  return JSON.stringify(body).replaceAll(`"${BIG_ID_MARK}"`, '9007199254740993');
}

/** Whether a fault is one of the body, which needs a good answer to spoil. */
export function isBodyFault(fault: Fault): boolean {
  return BODY_FAULTS.some((kind) => kind === fault.kind);
}

function answerOf(route: Route, call: Call, isTwice: boolean): Json {
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
