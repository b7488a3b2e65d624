import type { ServerResponse } from 'node:http';
import { formatInstant } from '../instant.ts';
import { type Call, countExecution, openTitle, type Route } from '../route.ts';
import type { State } from '../state/state.ts';
import type { Json } from '../wire/answer.ts';
import { escapeHtml, sendPage } from '../wire/page.ts';
import { isSetUp, notSetUp, unauthorized } from './loyalty.ts';
import { vaultOf } from './vault-data.ts';

/** Mints a personal link to the service's page of rewards. Each call makes another. */
export const rewardsPageRoute: Route = {
  name: 'rewards-page',
  method: 'POST',
  pattern: /^\/api\/sdk\/loyalty\/me\/rewards-page$/,
  credential: 'token',
  codeField: 'code',
  meter: 'none',
  unauthorized,
  answer: answerLink,
};

const LIFETIME_MS = 5 * 60_000;

function answerLink(call: Call): Json {
  const { view, state, environment, token, origin } = call;
  if (!isSetUp(state, environment) || token === null) throw notSetUp();
  const linkToken = state.secrets.make('rewards_token', 'rwt_');
  const expiresMs = view.nowMs + LIFETIME_MS;
  view.desk.rewardsLinks.set(linkToken, { playerId: token.player.playerId, expiresMs });
  call.subject = token.player.identityId;
  state.executions.called({ environment, kind: 'rewards-page', subject: call.subject });
  countExecution(call);
  call.outcome = 'executed';
  return { url: state.secrets.give('rewards_url', `${origin}/rewards?token=${linkToken}`), expires_at: formatInstant(expiresMs) };
}

/** The page of a link, as long as the link lives: the rewards of one player. It redeems nothing. */
export function answerRewardsPage(state: State, response: ServerResponse, url: URL): void {
  const token = url.searchParams.get('token') ?? '';
  for (const environment of ['production', 'sandbox'] as const) {
    const { view } = openTitle(state, environment);
    const link = view.desk.rewardsLinks.get(token);
    if (link === undefined || link.expiresMs <= view.nowMs) continue;
    const items = vaultOf(view, link.playerId).map(({ number, state: itemState }) => `<li>Reward ${number}: ${escapeHtml(itemState)}</li>`);
    return sendPage(response, 200, 'Rewards', `<ul>${items.join('')}</ul>`);
  }
  sendPage(response, 404, 'Rewards', '<p>This link is not valid any more.</p>');
}
