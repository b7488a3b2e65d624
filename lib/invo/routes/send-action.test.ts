import { describe, expect, it, test } from 'vitest';
import { afterReading, sendJson } from '#e2e/support/invo/canned-server.ts';
import { talkTo } from '#e2e/support/invo/talk-to.ts';
import { ACTION_ROUTE_NAMES, type ActionRequest, type ActionRouteName, actionLimit, isSentAsPlayer, sendAction } from './send-action.ts';

const REQUEST: ActionRequest = { body: Buffer.from('{}'), playerId: 910023, token: null, subject: null, sentBy: 'press' };

const ENTRY = '0b7e4a52-6f3c-4d8e-9a1b-5c2d3e4f5a6b';
const TOKEN = 'a-token-of-a-player';

// Written from the documents: where a route goes, and a field of its answer with whether it may be stored.
const ROUTES: [ActionRouteName, path: string, field: string, isStored: boolean][] = [
  ['payment_confirm', '/api/currency-purchases/confirm-payment', 'order_id', true],
  ['card_confirm', '/api/currency-purchases/setup-intent/confirm', 'setup_intent_id', true],
  ['payment_link', '/api/checkout/sessions', 'checkout_url', false],
  ['milestone', '/api/sdk/loyalty/server-events', 'event_id', true],
  ['item_sale', '/api/item-purchases/purchase-item', 'transaction_id', true],
  ['send_start', '/api/currency-sends/initiate-send', 'verification_required', false],
  ['send_approve', '/api/sdk/send/TX_1/approve', 'claim_code', false],
  ['owner_text', '/api/wallet/phone-share/initiate', 'phone', false],
  ['device_begin', '/api/sdk/approvals/device/begin', 'device_code', false],
  ['device_poll', '/api/sdk/approvals/device/poll', 'match_code', false],
  ['phone_enrolment', '/api/sdk/approvals/device/confirm-enrollment', 'device_label', false],
  ['redeem', `/api/sdk/loyalty/me/vault/${ENTRY}/redeem`, 'code', false],
  ['transfer_start', '/api/transfers/initiate-transfer', 'verification_required', false],
  ['transfer_approve', '/api/sdk/transfers/TX_1/approve', 'claim_code', false],
  ['receipt', '/api/sdk/transfers/TX_1/confirm-receipt', 'transaction_id', false],
  ['claim', '/api/transfers/claim-transfer', 'transaction_id', false],
  ['purchase', '/api/currency-purchases/purchase-currency', 'client_secret', false],
  ['card_setup', '/api/currency-purchases/setup-intent', 'client_side_key', false],
  ['client_event', '/api/sdk/loyalty/events', 'event_id', false],
  ['rewards_page', '/api/sdk/loyalty/me/rewards-page', 'url', false],
];

// Of document 1 and 3, Endpoints: the routes whose caller is the player.
const AS_PLAYER = new Set<ActionRouteName>([
  'send_approve',
  'device_begin',
  'device_poll',
  'phone_enrolment',
  'redeem',
  'transfer_approve',
  'receipt',
  'client_event',
  'rewards_page',
]);

test('every route of the desk is one of the table', () => {
  expect(ROUTES.map(([name]) => name)).toEqual(ACTION_ROUTE_NAMES);
});

test.each(ROUTES)('%s goes to %s', async (name, path, field, isStored) => {
  const { invo, server } = await talkTo(
    afterReading((_request, response) => sendJson(response, 200, { [field]: 'canary-answer' })),
    { prefix: '/sandbox' },
  );
  const body = Buffer.from('{"b":"1.50", "a":1}');
  const token = AS_PLAYER.has(name) ? TOKEN : null;
  const subject = ['TX_1', ENTRY].find((each) => path.includes(each)) ?? null;
  const result = await sendAction(invo, name, { ...REQUEST, body, token, subject });
  expect(isSentAsPlayer(name)).toBe(token !== null);
  expect(server.seen[0]?.headers.authorization).toBe(token === null ? undefined : `Bearer ${token}`);
  expect('x-game-secret-key' in (server.seen[0]?.headers ?? {})).toBe(token === null);
  expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([`POST /sandbox${path}`]);
  expect(server.bodies).toEqual([body]);
  expect(result.json).toEqual({ [field]: 'canary-answer' });
  expect(result.evidence?.received.includes('canary-answer') ?? false).toBe(isStored);
});

describe('what a call counts against', () => {
  it.each([
    ['item_sale', { kind: 'item', playerId: 910023 }],
    ['milestone', { kind: 'loyalty' }],
    ['payment_link', { kind: 'other' }],
    ['purchase', { kind: 'purchase', playerId: 910023 }],
    ['send_start', { kind: 'initiate', playerId: 910023 }],
    ['transfer_start', { kind: 'initiate', playerId: 910023 }],
    ['redeem', { kind: 'loyalty' }],
    ['client_event', { kind: 'loyalty' }],
    ['rewards_page', { kind: 'loyalty' }],
    ['send_approve', { kind: 'other' }],
    ['device_poll', { kind: 'other' }],
  ] as const)('%s counts against %j', (name, route) => {
    expect(actionLimit(name, 910023)).toEqual(route);
  });
  it('a limit of each player needs one', () => {
    expect(() => actionLimit('item_sale', null)).toThrow('counts the calls of a player');
  });
});

test.each([
  ['with a token', { token: 'a-token-of-a-player' }],
  ['with a subject', { subject: 'TX_1' }],
])('a route of the game is not called %s', async (_, changed) => {
  const { invo, server } = await talkTo((_request, response) => sendJson(response, 200, {}));
  await expect(sendAction(invo, 'payment_confirm', { ...REQUEST, ...changed })).rejects.toThrow();
  expect(server.seen).toHaveLength(0);
});

test.each([
  ['redeem', 'TX_1'],
  ['redeem', `${ENTRY}/../x`],
  ['transfer_approve', '../status'],
  ['send_approve', null],
] as const)('%s is not sent about %j', async (name, subject) => {
  const { invo, server } = await talkTo((_request, response) => sendJson(response, 200, {}));
  await expect(sendAction(invo, name, { ...REQUEST, token: TOKEN, subject })).rejects.toThrow();
  expect(server.seen).toHaveLength(0);
});

test.each([
  ['redeem', ENTRY],
  ['rewards_page', null],
] as const)('%s has no body, and no type of one', async (name, subject) => {
  const { invo, server } = await talkTo(afterReading((_request, response) => sendJson(response, 200, {})));
  await sendAction(invo, name, { ...REQUEST, body: Buffer.alloc(0), token: TOKEN, subject });
  expect(server.seen[0]?.headers).toMatchObject({ 'content-length': '0' });
  expect(server.seen[0]?.headers).not.toHaveProperty('content-type');
});
