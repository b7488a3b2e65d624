import { describe, expect, it, test } from 'vitest';
import { afterReading, sendJson } from '#e2e/support/invo/canned-server.ts';
import { talkTo } from '#e2e/support/invo/talk-to.ts';
import { ACTION_ROUTE_NAMES, type ActionRequest, type ActionRouteName, actionLimit, sendAction } from './send-action.ts';

const REQUEST: ActionRequest = { body: Buffer.from('{}'), playerId: 910023, token: null, subject: null, sentBy: 'press' };

// Written from the documents: where a route goes, and a field of its answer with whether it may be stored.
const ROUTES: [ActionRouteName, path: string, field: string, isStored: boolean][] = [
  ['payment_confirm', '/api/currency-purchases/confirm-payment', 'order_id', true],
  ['card_confirm', '/api/currency-purchases/setup-intent/confirm', 'setup_intent_id', true],
  ['payment_link', '/api/checkout/sessions', 'checkout_url', false],
  ['milestone', '/api/sdk/loyalty/server-events', 'event_id', true],
  ['item_sale', '/api/item-purchases/purchase-item', 'transaction_id', true],
];

test('every route of the desk is one of the table', () => {
  expect(ROUTES.map(([name]) => name)).toEqual(ACTION_ROUTE_NAMES);
});

test.each(ROUTES)('%s goes to %s', async (name, path, field, isStored) => {
  const { invo, server } = await talkTo(
    afterReading((_request, response) => sendJson(response, 200, { [field]: 'canary-answer' })),
    { prefix: '/sandbox' },
  );
  const body = Buffer.from('{"b":"1.50", "a":1}');
  const result = await sendAction(invo, name, { ...REQUEST, body });
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
