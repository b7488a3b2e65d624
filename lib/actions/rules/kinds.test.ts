import { describe, expect, test } from 'vitest';
import { type ActionKind, parseActionKind } from './kinds.ts';
import type { AnswerClass, Fields, SendingStatus } from './protocol.ts';
import { protocolOf, type RawAnswer } from './protocols.ts';

// Written from documents 2 (Confirm payment, Setup intent, Checkout session, Errors) and the page on desk actions, not from the code.
const UUID = '2f1f6a0e-6a53-4d3c-9df5-1f4f1c1f8b11';
const REQUESTS: Record<ActionKind, object> = {
  payment_confirm: { order_id: 'ORD_1', payment_intent_id: 'pi_1' },
  card_confirm: { setup_intent_id: 'seti_1' },
  payment_link: { usd_amount: '20.00', link: UUID },
  milestone: { event_type: 'game.milestone.reached', name: 'boss', occurred_at: '2026-11-20T12:00:00Z' },
  item_sale: { item_id: 'sword_1', item_name: 'Sword', item_quantity: 3, unit_price: '12.50' },
  redeem: { vault_entry_id: UUID, reward_ref: 'ref_1' },
  send_start: { house_player_id: 7, receiving_game_id: '41207', amount: '25.00', receiver_phone_end: '78' },
  send_approve: { start_id: 1, transaction_id: 'SND_1', house_player_id: 7, window_ends_at: null },
  transfer_start: { target_game_id: '41300', amount: '100.00', player_phone_end: '78' },
  transfer_approve: { start_id: 1, transaction_id: 'TRF_1', window_ends_at: null },
  owner_text: { start_id: 1, start_kind: 'transfer_start' },
  phone_enrolment: { start_id: 1, start_kind: 'transfer_start', transaction_id: 'TRF_1', decision: 'deny' },
  purchase: { usd_amount: '9.99', save_card: false },
  card_setup: {},
  claim: { transaction_id: 'TRF_1', target_currency_id: 311 },
  receipt: { transaction_id: 'TRF_1' },
  client_event: { event_type: 'game.milestone.reached', name: 'boss', occurred_at: '2026-11-20T12:00:00Z' },
  rewards_page: { link: UUID },
};
const CONFIRMED = { status: 'success', transaction_id: 'TXN_1', order_id: 'ORD_1', new_balance: '953.50', already_processed: false };
const SAVED = { status: 'success', setup_intent_id: 'seti_1', card: { id: 7, last_four: '4242' }, already_saved: false };
const MINTED = {
  session_id: 'cs_1',
  checkout_url: 'https://pay.example/checkout?token=t',
  expires_at: '2026-11-21T12:15:00Z',
  expires_in_seconds: 900,
};

function answered(status: number, json: Fields | null, ...codes: string[]): RawAnswer {
  return { phase: 'answered', status, codes, json };
}
const classOf = (kind: ActionKind, raw: RawAnswer): AnswerClass => protocolOf(kind).read(raw, REQUESTS[kind]).class;

describe('for every kind', () => {
  test.each([
    'payment_confirm',
    'card_confirm',
    'payment_link',
    'send_start',
    'send_approve',
    'transfer_start',
    'transfer_approve',
    'claim',
    'receipt',
  ] as const)('%s', (kind) => {
    expect(classOf(kind, { phase: 'not_sent', status: null, codes: [], json: null })).toBe('not_now');
    expect(classOf(kind, { phase: 'sent', status: null, codes: [], json: null })).toBe('no_answer');
    expect(classOf(kind, { phase: 'sent', status: 200, codes: [], json: null })).toBe('no_answer');
    expect(classOf(kind, answered(200, null))).toBe('open');
    expect(classOf(kind, answered(401, {}, 'INVALID_GAME_SECRET'))).toBe('not_now');
    expect(classOf(kind, answered(401, {}, 'invalid_game_secret'))).toBe('not_now');
    expect(classOf(kind, answered(401, {}, 'INVALID_GAME_SECRET', 'BRAND_NEW'))).toBe('open');
    expect(classOf(kind, answered(401, {}))).toBe('open');
    for (const status of [302, 410, 418, 500, 502, 504]) expect(classOf(kind, answered(status, {}))).toBe('open');
    for (const status of [200, 201, 400, 403, 404, 409, 422, 429, 500, 503])
      expect([status, classOf(kind, answered(status, {}, 'PAYMENT_OUTCOME_UNKNOWN', 'INTERNAL_ERROR'))]).toEqual([status, 'open']);
  });
});

test.each<[AnswerClass, number, Fields, string[]]>([
  ['done', 200, CONFIRMED, []],
  ['done', 200, { ...CONFIRMED, already_processed: undefined, new_balance: null, order_id: null }, []],
  ['replayed', 200, { ...CONFIRMED, already_processed: true }, []],
  ['contradiction', 200, { ...CONFIRMED, order_id: 'ORD_2' }, []],
  ['open', 200, { ...CONFIRMED, status: 'failed' }, ['failed']],
  ['open', 200, { ...CONFIRMED, status: 'requires_action' }, []],
  ['open', 200, {}, []],
  ['open', 201, CONFIRMED, []],
  ['open', 403, {}, []],
  ['open', 403, {}, ['RAIL_NOT_AVAILABLE_TO_PLATFORM']],
  ['open', 400, {}, []],
  ['open', 402, {}, ['card_declined']],
  ['open', 404, {}, []],
  ['open', 409, { status: 'pending' }, ['pending']],
  ['open', 422, {}, []],
  ['open', 429, {}, ['rate_limit_exceeded']],
  ['open', 503, {}, ['PROCESSOR_UNAVAILABLE']],
])('a payment confirmation is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(classOf('payment_confirm', answered(status, json, ...codes))).toBe(expected);
});

test.each<[AnswerClass, number, Fields, string[]]>([
  ['done', 200, SAVED, []],
  ['replayed', 200, { ...SAVED, already_saved: true }, []],
  ['contradiction', 200, { ...SAVED, setup_intent_id: 'seti_2' }, []],
  ['open', 200, { ...SAVED, status: 'requires_action' }, ['requires_action']],
  ['not_now', 400, { status: 'still_requires_action' }, ['still_requires_action']],
  ['open', 400, {}, []],
  ['open', 400, {}, ['RAW_CARD_NOT_SUPPORTED']],
  ['open', 400, {}, ['still_requires_action', 'PROCESSOR_ERROR', 'INTERNAL_ERROR']],
  ['open', 409, { status: 'still_requires_action' }, ['still_requires_action']],
  ['refused', 404, {}, []],
  ['refused', 404, {}, ['PLAYER_NOT_FOUND']],
  ['refused', 404, {}, ['setup_not_found']],
  ['open', 422, {}, []],
  ['open', 429, {}, []],
])('a card confirmation is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(classOf('card_confirm', answered(status, json, ...codes))).toBe(expected);
});

test.each<[AnswerClass, number, Fields, string[]]>([
  ['done', 201, MINTED, []],
  ['done', 201, { ...MINTED, checkout_url: 'http://127.0.0.1:8000/checkout?token=t', session_id: null }, []],
  ['open', 201, { ...MINTED, checkout_url: 'http://pay.example/checkout' }, []],
  ['open', 201, { ...MINTED, checkout_url: 'javascript:alert(1)' }, []],
  ['open', 201, { ...MINTED, checkout_url: undefined }, []],
  ['open', 200, MINTED, []],
  ['refused', 400, {}, ['RAIL_CHANNEL_MISMATCH']],
  ['refused', 403, {}, ['PCSTORE_RAIL_NOT_ENTITLED']],
  ['refused', 403, {}, ['RAIL_NOT_AVAILABLE_TO_PLATFORM']],
  ['refused', 409, {}, ['pcstore_purchase_layer_required']],
  ['refused', 503, {}, ['PROCESSOR_UNAVAILABLE', 'stripe_key_invalid']],
  ['refused', 503, {}, ['PROCESSOR_NOT_CONFIGURED']],
  ['refused', 503, { status: 'service_unavailable' }, ['service_unavailable']],
  ['open', 503, {}, ['service_unavailable', 'INTERNAL_ERROR']],
  ['open', 500, {}, ['service_unavailable']],
  ['open', 502, {}, ['PROCESSOR_ERROR']],
  ['open', 409, {}, ['SESSION_ALREADY_CONSUMED']],
  ['open', 409, {}, []],
  ['open', 403, {}, []],
  ['refused', 400, {}, []],
  ['refused', 404, {}, ['no_such_player']],
  ['refused', 422, {}, []],
  ['not_now', 429, {}, []],
  ['not_now', 429, {}, ['spending_limit_exceeded']],
  ['open', 400, {}, ['INTERNAL_ERROR']],
])('a payment link is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(classOf('payment_link', answered(status, json, ...codes))).toBe(expected);
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const statusOf = (changed: Partial<SendingStatus> = {}): SendingStatus => ({
  now: HOUR,
  unanswered_count: 0,
  firstSentAt: HOUR - 1_000,
  lastSentAt: HOUR - 1_000,
  lastClass: null,
  sendAt: HOUR,
  ...changed,
});
const READ_NOW = { state: 'checking', readAt: HOUR, settleUntil: 25 * HOUR - 1_000 };

test('an answer to a payment confirmation never ends it: the order is read at once', () => {
  const { next } = protocolOf('payment_confirm');
  for (const answer of ['done', 'replayed', 'open', 'no_answer'] as const) expect(next(answer, statusOf())).toEqual(READ_NOW);
  expect(next('not_now', statusOf())).toEqual({ state: 'approved' });
  expect(next('not_now', statusOf({ unanswered_count: 1 }))).toEqual(READ_NOW);
  expect(next('contradiction', statusOf({ unanswered_count: 1 }))).toEqual({ state: 'attention', reason: 'answer_contradicts' });
});

test('a card confirmation is refused by its first certain answer only', () => {
  const { next } = protocolOf('card_confirm');
  expect(next('refused', statusOf())).toEqual({ state: 'refused' });
  expect(next('refused', statusOf({ unanswered_count: 1 }))).toEqual(READ_NOW);
  expect(next('not_now', statusOf())).toEqual({ state: 'approved' });
  expect(next('not_now', statusOf({ unanswered_count: 1 }))).toEqual(READ_NOW);
  expect(next('done', statusOf())).toEqual(READ_NOW);
});

test('a payment link is never sent again: without an answer it ends 15 minutes later', () => {
  const { next, repeats } = protocolOf('payment_link');
  expect(repeats).toBe('never');
  expect(next('done', statusOf())).toEqual({ state: 'done' });
  expect(next('not_now', statusOf())).toEqual({ state: 'refused' });
  for (const answer of ['open', 'no_answer'] as const)
    expect(next(answer, statusOf({ unanswered_count: 1 }))).toEqual({ state: 'unknown', settleUntil: HOUR + 15 * MINUTE });
});

const FACTS = { version: 1 as const, request: {}, wallet: null, order: null, cards: null, read_at: '2026-11-21T12:00:00Z' };
const ORDER = {
  kind: 'order' as const,
  order_id: 'ORD_1',
  transaction_id: null,
  payment_intent_id: 'pi_1',
  player_id: 1,
  amounts: [],
  currency_name: null,
};

test.each([
  ['completed', 'done'],
  ['failed', 'not_done'],
  ['cancelled', 'not_done'],
  ['requires_action', 'open'],
  ['pending_payment', 'open'],
  ['refunded', 'open'],
  ['disputed_lost', 'open'],
  ['held_for_review', 'open'],
  [null, 'open'],
])('an order that is %s says %s of the confirmation of its payment', (status, judged) => {
  expect(protocolOf('payment_confirm').judge({ ...ORDER, status }, { ...statusOf(), facts: FACTS })).toBe(judged);
});

test('only an answer settles a card confirmation: a new card can be from another set-up of the player', () => {
  const { judge } = protocolOf('card_confirm');
  const card = (id: number) => ({ id, brand: null, last_four: '4242' });
  const list = (...ids: number[]) => ({ kind: 'cards' as const, player_id: 1, cards: ids.map(card) });
  const facts = { ...FACTS, cards: list(1) };
  for (const lastClass of [null, 'no_answer', 'open'] as const)
    expect(judge(list(2, 1), { ...statusOf({ lastClass }), facts })).toBe('open');
  for (const lastClass of ['done', 'replayed'] as const) expect(judge(list(1), { ...statusOf({ lastClass }), facts })).toBe('done');
});

test('each body has exactly the documented fields, in a fixed order', () => {
  const write = (kind: ActionKind): string =>
    protocolOf(kind).write(REQUESTS[kind], { reference: 'key', email: 'asa@players.example', entered: 'pm_ok' });
  expect(write('payment_confirm')).toBe('{"payment_intent_id":"pi_1","order_id":"ORD_1"}');
  expect(write('card_confirm')).toBe('{"setup_intent_id":"seti_1"}');
  expect(write('payment_link')).toBe(`{"player_email":"asa@players.example","usd_amount":"20.00","metadata":{"sharebook_link":"${UUID}"}}`);
});

test('a link passes to the screen only where Invo made it, and is in nothing that is stored', () => {
  const read = protocolOf('payment_link').read(answered(201, MINTED), REQUESTS.payment_link);
  expect(read.passes).toEqual({ what: 'payment_link', text: MINTED.checkout_url });
  expect(JSON.stringify(read.result)).not.toContain('token');
  expect(protocolOf('payment_link').read(answered(500, MINTED), REQUESTS.payment_link).passes).toBeNull();
});

test.each<[ActionKind, object]>([
  ['card_confirm', { setup_intent_id: '4242424242424242' }],
  ['card_confirm', { setup_intent_id: 'seti_4242424242424242' }],
  ['card_confirm', { setup_intent_id: '../secrets' }],
  ['card_confirm', { setup_intent_id: '' }],
  ['payment_link', { usd_amount: '0.00', link: UUID }],
  ['payment_link', { usd_amount: '1000.00', link: UUID }],
  ['payment_link', { usd_amount: '20.001', link: UUID }],
  ['payment_link', { usd_amount: '-1.00', link: UUID }],
])('%s refuses the request %j unsent', (kind, request) => {
  expect(protocolOf(kind).parseRequest(request)).toBeNull();
});

test('a kind is parsed by its name', () => {
  expect(parseActionKind('payment_link')).toBe('payment_link');
  expect(parseActionKind('refund')).toBeNull();
});
