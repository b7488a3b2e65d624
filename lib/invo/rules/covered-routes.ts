/** How Sharebook uses a route: it reads, it changes something at Invo, Invo calls it, or it isn't used. */
export type RouteUse = 'read' | 'write' | 'received' | 'not_used';

/** The word for each use. */
export const USE_LABELS: Record<RouteUse, string> = { read: 'Read', write: 'Write', received: 'Received', not_used: 'Not used' };

/** One route of the contract. */
export interface CoveredRoute {
  family: RouteFamily;
  /** The document of the contract that describes it. */
  document: 1 | 2 | 3;
  /** Null where the documents show no method. */
  method: 'GET' | 'POST' | null;
  /** Invo's, with its placeholders; null where the documents name a route and show no path. */
  path: string | null;
  use: RouteUse;
  /** What Sharebook does with it, or why it isn't used. */
  note: string;
}

type Row = [CoveredRoute['document'], CoveredRoute['method'], CoveredRoute['path'], RouteUse, note: string];

const PIN = 'Invo is retiring text message PINs.';
const OWNER = 'Only the owner of the phone answers.';
const NO_SHAPE = 'The contract doesn’t show what to send.';
const SANDBOX = 'In games of the sandbox only.';

/** The routes under the heads they are listed by. */
const ROUTES = {
  subscriptions: [
    [2, 'GET', '/api/subscriptions/{subscription_id}', 'read', 'Subscription page, and before every change.'],
    [2, 'GET', '/api/subscriptions/player', 'read', 'The player’s subscriptions.'],
    [2, 'POST', '/api/subscriptions/{subscription_id}/cancel', 'write', 'Cancel a subscription.'],
    [2, 'POST', '/api/subscriptions/{subscription_id}/amount', 'write', 'Change the price.'],
    [2, 'POST', '/api/subscriptions/{subscription_id}/payment-method', 'write', 'Change the card.'],
    [2, 'POST', '/api/subscriptions/{subscription_id}/refund', 'write', 'Refund a period, each with its own idempotency key.'],
    [2, 'POST', null, 'not_used', `Create a subscription. ${NO_SHAPE}`],
  ],
  reports: [
    [2, 'GET', '/api/subscriptions/reporting/attribution', 'read', 'Pulls, control totals and re-checks of every month.'],
    [2, 'GET', '/api/subscriptions/reporting/subscriptions/{subscription_id}/attribution', 'read', 'Periods of a subscription.'],
    [2, 'GET', '/api/subscriptions/reporting/periods/{period_id}', 'read', 'Period page, refunds and the fees of a month.'],
  ],
  balances: [
    [2, 'GET', '/api/player-balances/player/by-email/{email}', 'read', 'The player’s wallet.'],
    [2, 'POST', '/api/player-balances/batch', 'read', 'Balance file of a list of players.'],
    [2, 'GET', '/api/player-balances/stream-all', 'read', 'Balance file of all players.'],
    [2, 'GET', '/api/withdrawals/available-balance', 'read', 'What the studio can withdraw, as Invo wrote it.'],
    [2, 'GET', '/api/withdrawals/history', 'read', 'Earlier withdrawals, as Invo wrote them.'],
    [2, 'POST', '/api/withdrawals/request', 'not_used', `Request a withdrawal in Invo’s console. ${NO_SHAPE}`],
  ],
  purchases: [
    [2, 'GET', '/api/currency-purchases/order-details', 'read', 'One purchase of coins.'],
    [2, 'POST', '/api/checkout/sessions', 'write', 'Payment link for a player.'],
    [2, 'POST', '/api/currency-purchases/purchase-currency', 'write', `Buy coins with a test card. ${SANDBOX}`],
    [2, 'POST', '/api/currency-purchases/confirm-payment', 'write', 'Confirm a payment after the bank’s check.'],
    [2, 'POST', null, 'not_used', `Purchase in the PC store, in two calls. ${NO_SHAPE}`],
  ],
  cards: [
    [2, 'GET', '/api/currency-purchases/player-cards', 'read', 'The player’s valid cards.'],
    [2, 'POST', '/api/currency-purchases/setup-intent', 'write', `Save a test card. ${SANDBOX}`],
    [2, 'POST', '/api/currency-purchases/setup-intent/confirm', 'write', 'Confirm a card after the bank’s check.'],
  ],
  items: [
    [2, 'GET', '/api/item-purchases/order-details', 'read', 'One purchase of an item.'],
    [2, 'GET', '/api/item-purchases/player-purchase-history', 'read', 'The player’s purchases of items.'],
    [2, 'POST', '/api/item-purchases/purchase-item', 'write', 'Sell an item for a player’s coins.'],
  ],
  loyalty: [
    [1, 'GET', '/api/sdk/loyalty/players/rewards', 'read', 'The player’s loyalty cards.'],
    [1, 'POST', '/api/sdk/loyalty/server-events', 'write', 'Report a milestone. It can pay out a reward.'],
    [1, 'GET', '/api/sdk/loyalty/me/card', 'not_used', 'The player’s loyalty cards are the same, and need no player token.'],
    [1, 'GET', '/api/sdk/loyalty/me/offers', 'read', 'What the player is offered, when someone presses for it.'],
    [1, 'GET', '/api/sdk/loyalty/me/vault', 'read', 'What the player holds, when someone presses for it, and what became of a redemption.'],
    [1, 'POST', '/api/sdk/loyalty/me/vault/{vault_entry_id}/redeem', 'write', 'Redeem a reward for a player. Its code is shown once.'],
    [1, 'POST', '/api/sdk/loyalty/me/rewards-page', 'write', `Link to the player’s rewards page. ${SANDBOX}`],
    [1, 'POST', '/api/sdk/loyalty/events', 'write', `Report an event as the player’s client. ${SANDBOX}`],
  ],
  transfers: [
    [3, 'GET', '/api/transfers/{id}/status', 'read', 'One transfer.'],
    [3, 'GET', '/api/transactions/{id}/approval-status', 'read', 'A guardian’s approval.'],
    [3, 'GET', '/api/transfers/inbound-pending', 'read', 'Transfers waiting to be collected.'],
    [3, 'GET', '/api/wallet/phone-share/status', 'read', 'Whether the owner of a shared phone agreed, while someone waits for it.'],
    [3, 'POST', '/api/players/destinations', 'read', 'The games that coins can go to. Nothing of it is stored.'],
    [3, 'POST', '/api/transfers/initiate-transfer', 'write', 'Move a player’s own coins to another game.'],
    [3, 'POST', '/api/currency-sends/initiate-send', 'write', 'Send coins of a house account.'],
    [3, 'POST', '/api/transfers/claim-transfer', 'write', 'Collect a transfer with its code.'],
    [3, null, '/api/currency-sends/claim-currency', 'not_used', `Collect sent coins. ${NO_SHAPE}`],
    [3, null, '/api/transfers/available-destinations', 'not_used', 'The contract doesn’t show its request or answer.'],
    [3, 'POST', '/api/sdk/transfers/{id}/approve', 'write', 'Move the coins of a transfer, once its player’s phone approved.'],
    [3, 'POST', '/api/sdk/transfers/{id}/approve/webauthn/begin', 'not_used', 'Belongs to the player’s own device.'],
    [3, 'POST', '/api/sdk/transfers/{id}/confirm-receipt', 'write', 'Collect a transfer, once its receiver’s phone approved.'],
    [3, 'POST', '/api/sdk/send/{id}/approve', 'write', 'Move the coins of a send, once its phone approved.'],
    [3, 'POST', '/api/transfers/verify-sms', 'not_used', PIN],
    [3, 'POST', '/api/transfers/resend-pin', 'not_used', PIN],
    [3, null, '/api/currency-sends/verify-sms', 'not_used', PIN],
    [3, 'POST', '/api/wallet/phone-share/initiate', 'write', 'Text the owner of a shared phone, where Invo sent no text.'],
    [3, 'POST', '/api/wallet/phone-share/approve', 'not_used', OWNER],
    [3, 'POST', '/api/wallet/phone-share/reject', 'not_used', OWNER],
  ],
  tokens: [
    [3, 'POST', '/api/sdk/player-token', 'read', 'A token for one press that acts as a player. It is never stored.'],
    [3, 'POST', '/api/sdk/approvals/device/begin', 'write', 'Ask the phone of a house account, or of a player.'],
    [3, 'POST', '/api/sdk/approvals/device/poll', 'read', 'What the phone has answered.'],
    [3, 'POST', '/api/sdk/approvals/device/confirm-enrollment', 'write', 'Deny a new phone, or approve one of a house account.'],
  ],
  webhooks: [[2, 'POST', null, 'received', 'Deliveries of events. Each opens a reading; none changes a figure.']],
} satisfies Record<string, Row[]>;

export type RouteFamily = keyof typeof ROUTES;

/** The head of each family, in the order of the page. */
export const FAMILY_LABELS: Record<RouteFamily, string> = {
  subscriptions: 'Subscriptions',
  reports: 'Attribution reports',
  balances: 'Balances and withdrawals',
  purchases: 'Purchases of coins',
  cards: 'Cards',
  items: 'Purchases of items',
  loyalty: 'Loyalty',
  transfers: 'Transfers and sends',
  tokens: 'Player tokens and approvals',
  webhooks: 'Webhooks',
};

/** Every route of Invo's three documents, family by family, and how Sharebook uses it. */
export const COVERED_ROUTES: readonly CoveredRoute[] = Object.entries(ROUTES).flatMap(([family, rows]) =>
  rows.map(([document, method, path, use, note]) => ({ family: family as RouteFamily, document, method, path, use, note })),
);

/** A route in one text: its method and path as far as the documents show them. */
export function formatRoute({ method, path, note }: CoveredRoute): string {
  if (path === null) return `${note.split('.')[0]} (path not shown)`;
  return method === null ? `${path} (method not shown)` : `${method} ${path}`;
}

/** How many routes there are and how many are used, in a sentence. */
export function formatCoverage(routes: readonly CoveredRoute[]): string {
  const count = (...uses: RouteUse[]): number => routes.filter(({ use }) => uses.includes(use)).length;
  const [read, write, received] = [count('read'), count('write'), count('received')];
  const parts = [`reads ${read}`, `writes through ${write}`, ...(received === 0 ? [] : [`receives ${received}`])];
  return `Invo’s contract names ${routes.length} routes. Sharebook ${parts.join(', ')} and doesn’t use ${count('not_used')}.`;
}
