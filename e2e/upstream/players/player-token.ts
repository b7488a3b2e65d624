import { formatInstant } from '../instant.ts';
import { type Call, countExecution, type Route } from '../route.ts';
import type { Token } from '../state/desk.ts';
import { type Json, sdkRefusal } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { findPlayer } from './player-data.ts';

/** Mints a token that names one player of one game for a quarter of an hour. Each call makes another. */
export const playerTokenRoute: Route = {
  name: 'player-token',
  method: 'POST',
  pattern: /^\/api\/sdk\/player-token$/,
  credential: 'secret',
  codeField: 'code',
  meter: 'none',
  subject: ({ player_email: email }) => (typeof email === 'string' ? email.trim().toLowerCase() : null),
  answer: answerToken,
};

const LIFETIME_MS = 15 * 60_000;

function answerToken(call: Call): Json {
  const { view, state } = call;
  const has = (variant: string): boolean => state.shapes.has('player-token', variant);
  const { player_email: email } = readObject(call.bytes);
  if (has('disabled')) throw sdkRefusal(503, 'sdk_verification_disabled', 'In-app verification is not enabled for this environment.');
  if (has('not_migrated')) throw sdkRefusal(403, 'TENANT_NOT_MIGRATED', 'This title does not use player tokens yet.');
  const known = typeof email === 'string' ? findPlayer(view, email.trim().toLowerCase()) : null;
  if (known === null) throw sdkRefusal(404, 'player_not_found', 'No such player in this game.');
  if (has('no_identity')) throw sdkRefusal(422, 'identity_unavailable', 'The player has no identity yet.');
  const token: Token = { token: state.secrets.make('token', 'ptk_'), player: known.player, expiresMs: view.nowMs + LIFETIME_MS };
  view.desk.tokens.set(token.token, token);
  countExecution(call);
  call.outcome = 'executed';
  return { token: token.token, expires_at: formatInstant(token.expiresMs), identity_id: known.player.identityId };
}
