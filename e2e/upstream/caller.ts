import type { IncomingMessage } from 'node:http';
import type { Environment } from './model.ts';
import type { Token } from './state/desk.ts';
import { type SecretSlot, slotOf } from './state/games.ts';
import type { State } from './state/state.ts';

/** Who calls: the game, and by what. */
export interface Caller {
  environment: Environment;
  /** Which headers the call has; both: a secret and a token. */
  credential: 'secret' | 'token' | 'both' | 'none';
  secretSlot: SecretSlot;
  /** The player whom a valid token names; null: no token, or one that isn't valid in this game. */
  token: Token | null;
}

/** Outside the sandbox the games share one base URL, and the secret or the token says whose call it is. */
export function callerOf(state: State, request: IncomingMessage, url: URL): Caller {
  const secret = header(request, 'x-game-secret-key');
  const bearer = /^Bearer (.+)$/i.exec(header(request, 'authorization') ?? '')?.[1] ?? null;
  const environment = environmentOf(state, url, secret, bearer);
  const hasSecret = secret !== undefined && secret !== '';
  const credential = bearer === null ? (hasSecret ? 'secret' : 'none') : hasSecret ? 'both' : 'token';
  const known = bearer === null ? undefined : state.desk(environment).tokens.get(bearer);
  const token = known !== undefined && known.expiresMs > state.nowMs() ? known : null;
  return { environment, credential, secretSlot: slotOf(state.games[environment], secret), token };
}

function environmentOf(state: State, url: URL, secret: string | undefined, bearer: string | null): Environment {
  if (url.pathname.startsWith('/sandbox/')) return 'sandbox';
  const isOfEmberfall =
    secret === undefined
      ? bearer !== null && state.desk('emberfall').tokens.has(bearer)
      : slotOf(state.games.emberfall, secret) === 'current';
  return isOfEmberfall ? 'emberfall' : 'production';
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
