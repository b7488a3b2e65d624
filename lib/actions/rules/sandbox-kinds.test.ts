import { expect, test } from 'vitest';
import type { ActionKind } from './kinds.ts';
import type { AnswerClass, Fields, SendingStatus } from './protocol.ts';
import { parseEntered, protocolOf, type RawAnswer } from './protocols.ts';

// Written from document 2 (Purchase result bodies, Setup intent, Purchase and card errors) and the page on desk actions.
const PURCHASE = { usd_amount: '9.99', save_card: false };
const BOUGHT = { status: 'success', transaction_id: 'TXN_1', new_balance: '999.00' };
const SPENT = { status: 'failed', order_status: 'failed', order_id: 'ORD_1', transaction_id: 'TXN_1' };
const CARD = { id: 7, last_four: '4242' };

const answered = (status: number, json: Fields, ...codes: string[]): RawAnswer => ({ phase: 'answered', status, codes, json });
const classOf = (kind: ActionKind, raw: RawAnswer): AnswerClass =>
  protocolOf(kind).read(raw, kind === 'purchase' ? PURCHASE : {}, 'key').class;

test.each<[AnswerClass, number, Fields, string[]]>([
  ['done', 200, BOUGHT, []],
  ['replayed', 200, { ...BOUGHT, duplicate: true, order_id: 'ORD_1' }, []],
  ['open', 200, { status: 'requires_action', client_secret: 's', order_id: 'ORD_1', new_balance: null }, ['requires_action']],
  ['open', 200, { ...BOUGHT, status: 'processing' }, []],
  ['open', 200, { status: 'success', new_balance: '999.00' }, []],
  ['open', 200, {}, []],
  ['open', 200, BOUGHT, ['BRAND_NEW']],
  ['open', 201, BOUGHT, []],
  ['open', 409, { status: 'pending', duplicate: true }, ['pending']],
  ['refused', 409, SPENT, ['failed']],
  ['refused', 409, { ...SPENT, order_status: 'cancelled' }, ['failed']],
  ['open', 409, { status: 'failed' }, ['failed']],
  ['open', 409, SPENT, ['failed', 'PAYMENT_OUTCOME_UNKNOWN']],
  ['open', 409, {}, []],
  ['refused', 409, {}, ['PCSTORE_PURCHASE_LAYER_REQUIRED']],
  ['open', 402, { order_id: 'ORD_1', order_status: 'failed' }, ['card_declined']],
  ['open', 402, {}, []],
  ['refused', 400, {}, []],
  ['open', 400, { order_id: 'ORD_1' }, []],
  ['open', 400, {}, ['BRAND_NEW']],
  ...[
    'MISSING_PURCHASE_REFERENCE',
    'INVALID_PURCHASE_REFERENCE',
    'CLIENT_REQUEST_ID_RESERVED',
    'INVALID_SAVE_CARD',
    'RAIL_CHANNEL_MISMATCH',
  ].map((code): [AnswerClass, number, Fields, string[]] => ['refused', 400, {}, [code]]),
  ['refused', 403, {}, ['RAIL_DISABLED']],
  ['refused', 403, {}, ['PCSTORE_RAIL_NOT_ENTITLED']],
  ['refused', 403, {}, ['RAIL_NOT_AVAILABLE_TO_PLATFORM']],
  ['open', 403, {}, []],
  ['open', 403, { order_id: 'ORD_1' }, ['RAIL_DISABLED']],
  ['refused', 429, {}, ['spending_limit_exceeded']],
  ['not_now', 429, {}, []],
  ['not_now', 429, {}, ['rate_limit_exceeded']],
  ['open', 429, {}, ['INTERNAL_ERROR']],
  ['refused', 503, { status: 'service_unavailable' }, ['service_unavailable']],
  ['open', 503, {}, ['service_unavailable', 'PAYMENT_OUTCOME_UNKNOWN']],
  ['open', 503, {}, []],
  ['refused', 503, {}, ['PROCESSOR_AUTH_FAILED', 'PROCESSOR_UNAVAILABLE']],
  ['open', 503, {}, ['PAYMENT_OUTCOME_UNKNOWN']],
  ['open', 502, { order_id: 'ORD_1' }, ['PAYMENT_OUTCOME_UNKNOWN']],
  ['open', 502, { order_id: 'ORD_1' }, ['CHARGE_FAILED', 'PROCESSOR_ERROR']],
  ['open', 503, {}, ['PROCESSOR_NOT_CONFIGURED']],
  ['open', 500, {}, ['INTERNAL_ERROR']],
])('a purchase is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(classOf('purchase', answered(status, json, ...codes))).toBe(expected);
});

test.each<[AnswerClass, number, Fields, string[]]>([
  ['done', 200, { status: 'succeeded', setup_intent_id: 'seti_1', card: CARD, already_saved: false }, []],
  ['replayed', 200, { status: 'succeeded', setup_intent_id: 'seti_1', card: CARD, already_saved: true }, []],
  ['not_now', 200, { status: 'requires_action', setup_intent_id: 'seti_1', card: null }, ['requires_action']],
  ['not_now', 200, { status: 'requires_confirmation', card: null }, []],
  ['not_now', 200, { status: 'requires_payment_method', card: null }, []],
  ['open', 200, { status: 'requires_action' }, ['requires_action', 'BRAND_NEW']],
  ['open', 200, { status: 'processing' }, []],
  ['open', 200, {}, []],
  ['refused', 404, {}, ['PLAYER_NOT_FOUND']],
  ['refused', 400, {}, ['RAW_CARD_NOT_SUPPORTED']],
  ['open', 400, {}, []],
  ['open', 404, {}, []],
  ['open', 409, {}, []],
  ['open', 500, {}, ['RAW_CARD_NOT_SUPPORTED']],
])('a card set-up is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(classOf('card_setup', answered(status, json, ...codes))).toBe(expected);
});

const EVENT = { event_type: 'game.milestone.reached', name: 'boss', value: 3, occurred_at: '2026-11-20T12:00:00Z' };

test.each<[AnswerClass, number, Fields, string[]]>([
  ['done', 202, {}, []],
  ['done', 200, { event_id: 'KEY' }, []],
  ['contradiction', 202, { event_id: 'another' }, []],
  ['refused', 400, {}, ['RESERVED_EVENT_TYPE']],
  ['refused', 409, {}, []],
  ['refused', 422, {}, []],
  ['not_now', 401, {}, []],
  ['not_now', 401, {}, ['SDK_TOKEN_MALFORMED']],
  ['open', 401, {}, ['SDK_TOKEN_MALFORMED', 'INTERNAL_ERROR']],
  ['not_now', 429, {}, []],
  ['open', 403, {}, ['RESERVED_EVENT_TYPE']],
  ['open', 503, {}, ['RESERVED_EVENT_TYPE']],
])('a client event is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(protocolOf('client_event').read(answered(status, json, ...codes), EVENT, 'key').class).toBe(expected);
});

const PAGE = { url: 'https://pay.example/rewards?token=t', expires_at: '2026-11-21T12:05:00Z' };

test.each<[AnswerClass, number, Fields, string[]]>([
  ['done', 200, PAGE, []],
  ['done', 201, PAGE, []],
  ['open', 200, { ...PAGE, url: 'http://pay.example/rewards' }, []],
  ['open', 200, {}, []],
  ['open', 200, PAGE, ['BRAND_NEW']],
  ['not_now', 401, {}, ['SDK_TOKEN_MALFORMED']],
  ['not_now', 401, {}, []],
  ['not_now', 429, {}, []],
  ['refused', 409, {}, ['BRAND_NEW']],
  ['open', 409, {}, []],
  ['open', 404, {}, ['INTERNAL_ERROR']],
  ['open', 500, {}, ['BRAND_NEW']],
])('a rewards page is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  const read = protocolOf('rewards_page').read(answered(status, json, ...codes), { link: '2f1f6a0e-6a53-4d3c-9df5-1f4f1c1f8b11' });
  expect([read.class, JSON.stringify(read.result).includes('token=')]).toEqual([expected, false]);
  expect(read.passes).toEqual(expected === 'done' ? { what: 'rewards_page', text: PAGE.url } : null);
});

test('a client event is written without an email, because the client is the player, and a rewards page without a body', () => {
  const context = { reference: 'key', email: 'asa@players.example', entered: null };
  expect(protocolOf('client_event').write(EVENT, context)).toBe(
    '{"event_type":"game.milestone.reached","event_id":"key","occurred_at":"2026-11-20T12:00:00Z","payload":{"milestone_key":"boss","value":3}}',
  );
  expect(protocolOf('rewards_page').write({ link: '2f1f6a0e-6a53-4d3c-9df5-1f4f1c1f8b11' }, context)).toBe('');
});

test('after a call that may have charged, a refusal of a purchase proves nothing, and only its order ends it', () => {
  const { next, judge } = protocolOf('purchase');
  const status: SendingStatus = { now: 5, unanswered_count: 0, firstSentAt: 0, lastSentAt: 0, lastClass: null, sendAt: 0 };
  expect(next('refused', status)).toEqual({ state: 'refused' });
  expect(next('not_now', status)).toEqual({ state: 'approved' });
  for (const answer of ['refused', 'not_now', 'open', 'done'] as const)
    expect(next(answer, { ...status, unanswered_count: 1 })).toEqual({ state: 'checking', readAt: 5, settleUntil: 24.5 * 3_600_000 });
  const facts = { version: 1 as const, request: PURCHASE, wallet: null, order: null, cards: null, read_at: '' };
  const order = {
    kind: 'order' as const,
    order_id: 'ORD_1',
    transaction_id: null,
    payment_intent_id: null,
    player_id: 1,
    amounts: [],
    currency_name: null,
  };
  const judged = (word: string | null): string => judge({ ...order, status: word }, { ...status, facts });
  expect(['completed', 'refunded', 'disputed_lost', 'failed', 'cancelled', 'pending_payment', 'requires_action', null].map(judged)).toEqual(
    ['done', 'done', 'done', 'not_done', 'not_done', 'open', 'open', 'open'],
  );
});

test('a token goes into the body and nowhere else, a card is saved only where that was chosen, and neither a card number nor a client secret is a token', () => {
  const context = { reference: 'key', email: 'asa@players.example', entered: 'pm_ok' };
  expect(protocolOf('purchase').write(PURCHASE, context)).toBe(
    '{"player_email":"asa@players.example","usd_amount":"9.99","payment_method_id":"pm_ok","purchase_reference":"key"}',
  );
  expect(protocolOf('purchase').write({ ...PURCHASE, save_card: true }, context)).toContain('"save_card":true}');
  expect(protocolOf('card_setup').write({}, { ...context, entered: null })).toBe(
    '{"player_email":"asa@players.example","setup_reference":"key"}',
  );
  expect(protocolOf('card_setup').write({}, context)).toContain('"payment_method_id":"pm_ok"}');
  expect(parseEntered('purchase', ' pm_ok ')).toBe('pm_ok');
  for (const [kind, typed] of [
    ['purchase', ''],
    ['purchase', '4242424242424242'],
    ['purchase', 'pi_1_secret_abc'],
    ['card_setup', 'pm 1'],
  ] as const)
    expect(parseEntered(kind, typed)).toBeUndefined();
  expect([parseEntered('card_setup', ''), parseEntered('milestone', 'pm_ok')]).toEqual([null, null]);
});
