import type { ActionWriteResult, Invo } from '../invo.ts';
import { recordSegment } from '../request-path.ts';
import type { RouteFamily } from '../rules/route-codes.ts';
import type { PlayerLimit, Route } from '../settings.ts';

/** One route of the desk: where it goes, whose codes a refusal has, what may be stored of its answer, who calls, and which limit counts. */
interface ActionRoute {
  path: string;
  family: RouteFamily;
  keep: 'answer' | 'nothing';
  /** A player acts with a token, the game with its secret. */
  as: 'game' | 'player';
  limit: PlayerLimit | 'loyalty' | 'other';
}

/**
 * The writes of documents 1 to 3 that people at the desk make, beside refunds and changes of subscriptions. Answers are stored only where none of
 * their documented fields opens or moves something.
 */
const ACTION_ROUTES = {
  payment_confirm: route('/api/currency-purchases/confirm-payment', 'payment_confirm', { keep: 'answer' }),
  card_confirm: route('/api/currency-purchases/setup-intent/confirm', 'card_setup', { keep: 'answer' }),
  payment_link: route('/api/checkout/sessions', 'checkout'),
  milestone: route('/api/sdk/loyalty/server-events', 'loyalty_event', { keep: 'answer', limit: 'loyalty' }),
  item_sale: route('/api/item-purchases/purchase-item', 'item', { keep: 'answer', limit: 'item' }),
} as const satisfies Record<string, ActionRoute>;

export type ActionRouteName = keyof typeof ACTION_ROUTES;

/** Every route of the desk. */
export const ACTION_ROUTE_NAMES = Object.keys(ACTION_ROUTES) as ActionRouteName[];

function route(path: string, family: RouteFamily, more: Partial<Omit<ActionRoute, 'path' | 'family'>> = {}): ActionRoute {
  return { path, family, keep: 'nothing', as: 'game', limit: 'other', ...more };
}

/** What is sent to a route of the desk. */
export interface ActionRequest {
  /** The bytes of a JSON object; empty where the route takes none. */
  body: Uint8Array;
  /** Whose calls it counts; a route with a limit of each player needs it. */
  playerId: number | null;
  /** Of the player who acts; null: the game does. */
  token: string | null;
  /** The transaction or the reward that the path names; null: none. */
  subject: string | null;
  sentBy: 'press' | 'worker';
}

/** The limit that a call of the desk counts against: it is taken from the budget before the attempt is stored. Throws an Error where it needs a player. */
export function actionLimit(name: ActionRouteName, playerId: number | null): Route {
  const { limit }: ActionRoute = ACTION_ROUTES[name];
  if (limit === 'loyalty' || limit === 'other') return { kind: limit };
  if (playerId === null) throw new Error(`${name} counts the calls of a player`);
  return { kind: limit, playerId };
}

/**
 * Sends one action, exactly once (once more with the other secret when Invo refused the first with a 401), on a new connection. Never throws for an error
 * of Invo; throws an Error for a subject, a token or a body that no request can carry.
 */
export async function sendAction(
  { writeAction }: Invo,
  name: ActionRouteName,
  { body, playerId, token, subject, sentBy }: ActionRequest,
  signal?: AbortSignal,
): Promise<ActionWriteResult> {
  const { path, family, keep, as }: ActionRoute = ACTION_ROUTES[name];
  if ((token === null) === (as === 'player')) throw new Error(`${name} is sent as the ${as}`);
  const sent = { route: actionLimit(name, playerId), family, path: pathOf(path, subject), body, keep, sentBy, signal };
  return await writeAction(token === null ? sent : { ...sent, token });
}

const HOLE = /\{(\w+)\}/;

function pathOf(path: string, subject: string | null): string {
  if (HOLE.test(path) !== (subject !== null)) throw new Error(`${path} names no such subject`);
  return subject === null ? path : path.replace(HOLE, recordSegment(subject));
}
