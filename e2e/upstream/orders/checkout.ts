import { createHash } from 'node:crypto';
import { formatInstant } from '../instant.ts';
import { formatUsd, parseUsd, type Usd, usd } from '../money.ts';
import { createPlayer, findPlayer } from '../players/player-data.ts';
import { type Call, countExecution, type Route, type Title } from '../route.ts';
import { nextNumber, type Session } from '../state/desk.ts';
import { type Json, Refusal, Reply, wordsOnly } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { completeOrder, endOrder, newOrder } from './purchases.ts';

/** Mints a link to the service's own payment page. It has no key: each call makes a session. */
export const checkoutRoute: Route = {
  name: 'checkout',
  method: 'POST',
  pattern: /^\/api\/checkout\/sessions$/,
  credential: 'secret',
  meter: 'none',
  subject: (_body, _params, bytes) => createHash('sha256').update(bytes).digest('hex'),
  answer: answerCheckout,
};

const SECONDS = 900;
const MAX: Usd = usd('999.99');
const RAILS = ['platform', 'game', 'pcstore'];

function answerCheckout(call: Call): Reply {
  const { view, state, origin } = call;
  const request = readRequest(call);
  if (call.state.shapes.has('checkout', 'cap_429') && request.email.startsWith('gus.hale@')) throw overCap();
  const number = String(nextNumber(view.desk, 'sessions')).padStart(6, '0');
  const session: Session = {
    ...request,
    sessionId: `cs_${view.world.gameId}_${number}`,
    token: state.secrets.make('checkout_token', 'cst_'),
    expiresMs: view.nowMs + SECONDS * 1000,
    state: 'minted',
    orderId: null,
  };
  view.desk.sessions.set(session.sessionId, session);
  countExecution(call);
  call.outcome = 'executed';
  return new Reply(201, {
    session_id: session.sessionId,
    checkout_url: state.secrets.give('checkout_url', `${origin}/checkout?token=${session.token}`),
    expires_at: formatInstant(session.expiresMs),
    expires_in_seconds: SECONDS,
  });
}

/** The monthly cap of one player. */
export function overCap(): Refusal {
  return new Refusal(429, 'spending_limit_exceeded', 'The monthly spending limit of 50.00 USD is reached.').under('error');
}

function readRequest(call: Call): Pick<Session, 'email' | 'usd' | 'rail' | 'metadata'> {
  const body = readObject(call.bytes);
  const { player_email: email, usd_amount: amount, rail = 'platform', metadata = null } = body;
  if (typeof email !== 'string' || !email.includes('@')) throw invalid(call, 'player_email is required.', 'PLAYER_EMAIL_INVALID');
  const price = typeof amount === 'string' ? parseUsd(amount) : null;
  if (price === null || price <= 0n || price > MAX || price % 100n !== 0n)
    throw invalid(call, 'usd_amount must be above 0 and at most 999.99.', 'USD_AMOUNT_OUT_OF_RANGE');
  if (!RAILS.includes(String(rail))) throw invalid(call, 'rail is platform, game or pcstore.', 'RAIL_UNKNOWN');
  if (rail === 'pcstore') throw new Refusal(403, 'PCSTORE_RAIL_NOT_ENTITLED', 'The title is not enabled for this rail.');
  const wrong = ['success_url', 'cancel_url'].find((name) => !['string', 'undefined'].includes(typeof body[name]));
  if (wrong !== undefined) throw invalid(call, `${wrong} must be a string.`, 'RETURN_ADDRESS_INVALID');
  if (metadata !== null && (typeof metadata !== 'object' || Array.isArray(metadata)))
    throw invalid(call, 'metadata must be an object.', 'METADATA_INVALID');
  return { email: email.trim().toLowerCase(), usd: formatUsd(price), rail: String(rail), metadata: metadata as Json | null };
}

// The documents show no code of these refusals.
function invalid({ state }: Call, words: string, code: string): Refusal {
  return state.shapes.has('checkout', 'codes') ? new Refusal(400, code, words) : wordsOnly(400, words);
}

/** The session of a page's token; null: nobody's. */
export function findSession({ view }: Title, token: string): Session | null {
  return [...view.desk.sessions.values()].find((session) => session.token === token) ?? null;
}

/** Opens the page of a session, once. */
export function openSession({ view }: Title, session: Session): void {
  if (session.state !== 'minted' || session.expiresMs <= view.nowMs)
    throw new Refusal(409, 'SESSION_ALREADY_CONSUMED', 'This link was used, or is too old.');
  session.state = 'opened';
}

/** What the player does on the page: pays, is declined, or leaves. A payment creates a player whom the game doesn't know. */
export function useSession(title: Title, session: Session, act: 'pay' | 'fail' | 'cancel'): Json {
  const { view } = title;
  if ((session.state !== 'minted' && session.state !== 'opened') || session.expiresMs <= view.nowMs)
    throw new Refusal(409, 'SESSION_ALREADY_CONSUMED', 'This link was used, or is too old.');
  const player = findPlayer(view, session.email)?.player ?? createPlayer(title, session.email);
  const fields = { rail: session.rail, ...(session.metadata === null ? {} : { metadata: session.metadata }) };
  const order = newOrder(title, { player, usd: usd(session.usd), key: session.sessionId, fields });
  session.orderId = order.orderId;
  if (act === 'pay' && player.email.startsWith('gus.hale@')) {
    session.state = 'failed';
    return shown(session, endOrder(title, order, 'card_declined', overCap().message));
  }
  session.state = act === 'pay' ? 'paid' : act === 'fail' ? 'failed' : 'cancelled';
  if (act === 'pay') return shown(session, completeOrder(title, order));
  if (act === 'fail') return shown(session, endOrder(title, order, 'card_declined', 'The card was declined.'));
  return shown(session, endOrder(title, order, 'payment_canceled', 'The player left the page.'));
}

function shown({ sessionId, state }: Session, order: { orderId: string; fields: Json }): Json {
  return { session_id: sessionId, state, order_id: order.orderId, order_status: order.fields['order_status'] };
}
