import type { ActionWriteResult, Invo } from '../invo.ts';
import { recordSegment, vaultEntrySegment } from '../request-path.ts';
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
  send_start: route('/api/currency-sends/initiate-send', 'send_start', { limit: 'initiate' }),
  send_approve: route('/api/sdk/send/{id}/approve', 'approve', { as: 'player' }),
  owner_text: route('/api/wallet/phone-share/initiate', 'phone_share'),
  device_begin: route('/api/sdk/approvals/device/begin', 'grant', { as: 'player' }),
  device_poll: route('/api/sdk/approvals/device/poll', 'grant', { as: 'player' }),
  phone_enrolment: route('/api/sdk/approvals/device/confirm-enrollment', 'grant', { as: 'player' }),
  redeem: route('/api/sdk/loyalty/me/vault/{vault_entry_id}/redeem', 'redeem', { as: 'player', limit: 'loyalty' }),
  transfer_start: route('/api/transfers/initiate-transfer', 'transfer_start', { limit: 'initiate' }),
  transfer_approve: route('/api/sdk/transfers/{id}/approve', 'approve', { as: 'player' }),
  receipt: route('/api/sdk/transfers/{id}/confirm-receipt', 'receipt', { as: 'player' }),
  claim: route('/api/transfers/claim-transfer', 'claim'),
  purchase: route('/api/currency-purchases/purchase-currency', 'purchase', { limit: 'purchase' }),
  card_setup: route('/api/currency-purchases/setup-intent', 'card_setup'),
  client_event: route('/api/sdk/loyalty/events', 'loyalty_event', { as: 'player', limit: 'loyalty' }),
  rewards_page: route('/api/sdk/loyalty/me/rewards-page', 'loyalty_player', { as: 'player', limit: 'loyalty' }),
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

/** Whether a player acts on a route, with a token that is minted for the press. */
export function isSentAsPlayer(name: ActionRouteName): boolean {
  return ACTION_ROUTES[name].as === 'player';
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
  const [hole, name] = HOLE.exec(path) ?? [];
  if ((hole !== undefined) !== (subject !== null)) throw new Error(`${path} names no such subject`);
  if (hole === undefined || subject === null) return path;
  return path.replace(hole, name === 'vault_entry_id' ? vaultEntrySegment(subject) : recordSegment(subject));
}
