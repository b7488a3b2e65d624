import { describe, expect, test } from 'vitest';
import type { AnswerClass, Fields, SendingStatus } from './protocol.ts';
import { protocolOf, type RawAnswer } from './protocols.ts';
import { sendAgainAt, sendsUntil } from './settling-times.ts';
import { misplacedTime } from './typed-entries.ts';

// Written from document 1 (Server event route refusals, Limits), document 2 (Idempotency, Item purchase) and the page on desk actions.
const EVENT = { event_type: 'game.milestone.reached', name: 'boss_1', value: 3, occurred_at: '2026-11-20T12:00:00Z' };
const SALE = { item_id: 'sword_1', item_name: 'Sword', item_quantity: 3, unit_price: '12.50' };
const IDS = { transaction_id: 'TXN_1', order_id: 'ITO_1' };

const milestone = protocolOf('milestone');
const itemSale = protocolOf('item_sale');

function answered(status: number, json: Fields | null, ...codes: string[]): RawAnswer {
  return { phase: 'answered', status, codes, json };
}

describe.each([
  ['milestone', milestone, EVENT],
  ['item_sale', itemSale, SALE],
] as const)('%s, as every kind', (_, protocol, request) => {
  const classOf = (raw: RawAnswer): AnswerClass => protocol.read(raw, request).class;
  test.each<[AnswerClass, RawAnswer]>([
    ['not_now', { phase: 'not_sent', status: null, codes: [], json: null }],
    ['no_answer', { phase: 'sent', status: null, codes: [], json: null }],
    ['no_answer', { phase: 'sent', status: 200, codes: [], json: null }],
    ['no_answer', { phase: 'sent', status: 503, codes: [], json: null }],
    ['open', answered(200, null)],
    ['not_now', answered(401, {}, 'INVALID_GAME_SECRET')],
    ['not_now', answered(401, {}, 'invalid_game_secret')],
    ['open', answered(401, {}, 'INVALID_GAME_SECRET', 'BRAND_NEW')],
    ['open', answered(401, {})],
    ['not_now', answered(403, {})],
    ['open', answered(403, {}, 'BRAND_NEW')],
    ...[302, 402, 405, 410, 418, 500, 502, 503, 504].map((status): [AnswerClass, RawAnswer] => ['open', answered(status, {})]),
    ...[200, 400, 403, 404, 422, 500, 502, 503, 504].map((status): [AnswerClass, RawAnswer] => [
      'open',
      answered(status, {}, 'INTERNAL_ERROR', 'PLAYER_NOT_FOUND'),
    ]),
  ])('is %s after %j', (expected, raw) => {
    expect(classOf(raw)).toBe(expected);
  });
});

test.each<[AnswerClass, number, Fields, string[]]>([
  ['done', 202, {}, []],
  ['done', 202, { status: 'recorded' }, []],
  ['done', 202, { status: 'odd_word' }, ['odd_word']],
  ['done', 200, { status: 'recorded' }, []],
  ['done', 201, {}, []],
  ['open', 200, {}, ['validation_failed']],
  ['open', 200, {}, ['BRAND_NEW']],
  ...[
    'INVALID_BODY',
    'MISSING_PLAYER_EMAIL',
    'MISSING_EVENT_TYPE',
    'EVENT_TYPE_NOT_ALLOWED',
    'RESERVED_EVENT_TYPE',
    'INVALID_EVENT_ID',
  ].map((code): [AnswerClass, number, Fields, string[]] => ['refused', 400, {}, [code]]),
  ['refused', 400, {}, ['INVALID_OCCURRED_AT']],
  ['refused', 400, {}, ['INVALID_PAYLOAD']],
  ['refused', 400, {}, ['INVALID_SURFACE_ID']],
  ['refused', 400, {}, ['invalid_payload']],
  ['refused', 400, {}, []],
  ['refused', 400, {}, ['BRAND_NEW']],
  ['refused', 404, {}, ['PLAYER_NOT_FOUND']],
  ['refused', 404, {}, []],
  ['refused', 422, {}, ['validation_failed']],
  ['refused', 422, {}, []],
  ['refused', 409, {}, []],
  ['refused', 409, { transaction_id: 'TXN_1' }, ['DUPLICATE_EVENT']],
  ['refused', 409, {}, ['INTERNAL_ERROR']],
  ['not_now', 429, {}, []],
  ['not_now', 429, {}, ['rate_limit_exceeded']],
  ['not_now', 429, {}, ['INTERNAL_ERROR']],
  ...[500, 502, 503, 504].map((status): [AnswerClass, number, Fields, string[]] => ['open', status, {}, ['validation_failed']]),
  ['open', 403, {}, ['PLAYER_NOT_FOUND']],
])('a milestone is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(milestone.read(answered(status, json, ...codes), EVENT).class).toBe(expected);
});

test('an answer that names another event contradicts a milestone, whatever its status', () => {
  const classUnder = (event_id: string, status: number): AnswerClass => milestone.read(answered(status, { event_id }), EVENT, 'ab-1').class;
  expect([classUnder('AB-1', 202), classUnder('ab-2', 202), classUnder('ab-2', 200), classUnder('ab-2', 400)]).toEqual([
    'done',
    'contradiction',
    'contradiction',
    'refused',
  ]);
});

test('a 202 without a body records a milestone, and says nothing of a sale', () => {
  const empty: RawAnswer = { phase: 'sent', status: 202, codes: [], json: null };
  expect(milestone.read(empty, EVENT).class).toBe('done');
  expect(itemSale.read(empty, SALE).class).toBe('no_answer');
});

test.each<[AnswerClass, number, Fields, string[]]>([
  ['done', 200, IDS, []],
  ['done', 201, { status: 'success', purchase: IDS }, []],
  ['done', 202, { data: { sale: { order_id: 7 } } }, []],
  ['done', 200, { transaction_id: 73, total_price: '37.5', item_id: 'sword_1' }, []],
  ['contradiction', 200, { ...IDS, total_price: '37.49' }, []],
  ['contradiction', 200, { ...IDS, item: { item_id: 'sword_2' } }, []],
  ['open', 200, {}, []],
  ['open', 200, { status: 'success', new_balance: '4962.50' }, []],
  ['open', 200, { ...IDS, order_status: 'failed' }, []],
  ['open', 200, { ...IDS, status: 'pending' }, []],
  ['open', 200, IDS, ['BRAND_NEW']],
  ['replayed', 409, IDS, []],
  ['replayed', 409, { order_id: 'ITO_1' }, []],
  ['replayed', 409, IDS, ['DUPLICATE_REQUEST']],
  ['replayed', 409, IDS, ['request_conflict', 'already_processed']],
  ['open', 409, IDS, ['ITEM_SOLD_OUT']],
  ['open', 409, { ...IDS, order_status: 'failed' }, []],
  ['open', 409, {}, []],
  ['open', 409, {}, ['DUPLICATE_REQUEST']],
  ['refused', 400, {}, []],
  ['refused', 400, {}, ['PRICE_INVALID']],
  ['refused', 400, {}, ['CLIENT_REQUEST_ID_RESERVED']],
  ['refused', 404, {}, []],
  ['refused', 422, {}, []],
  ['open', 400, {}, ['INVALID_GAME_SECRET']],
  ['open', 422, {}, ['service_unavailable']],
  ['not_now', 429, {}, []],
  ['not_now', 429, {}, ['rate_limit_exceeded']],
  ['open', 429, {}, ['INTERNAL_ERROR']],
  ['open', 500, IDS, []],
  ['open', 503, {}, ['service_unavailable']],
])('an item sale is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(itemSale.read(answered(status, json, ...codes), SALE).class).toBe(expected);
});

test.each([milestone, itemSale])('what the worker repeats is refused by its first certain answer only', ({ next, repeats }) => {
  const status: SendingStatus = { now: 0, unanswered_count: 0, firstSentAt: 0, lastSentAt: 0, lastClass: null, sendAt: 2_000 };
  const later = { ...status, unanswered_count: 1 };
  expect(repeats).toBe('worker');
  for (const answer of ['done', 'replayed'] as const) expect(next(answer, later)).toEqual({ state: 'done' });
  expect(next('refused', status)).toEqual({ state: 'refused' });
  expect(next('refused', later)).toEqual({ state: 'unknown', sendAt: 2_000 });
  expect(next('not_now', status)).toEqual({ state: 'waiting', sendAt: 2_000 });
  expect(next('not_now', later)).toEqual({ state: 'unknown', sendAt: 2_000 });
  for (const answer of ['open', 'no_answer'] as const) expect(next(answer, later)).toEqual({ state: 'unknown', sendAt: 2_000 });
  expect(next('contradiction', later)).toEqual({ state: 'attention', reason: 'answer_contradicts' });
});

test('the same bytes go out for 23.5 hours, at the times of refunds, and never sooner than Invo requested', () => {
  const HOUR = 3_600_000;
  expect(sendsUntil({ firstSentAt: null, approvedAt: HOUR })).toBe(24.5 * HOUR);
  expect(sendsUntil({ firstSentAt: 2 * HOUR, approvedAt: HOUR })).toBe(25.5 * HOUR);
  const tried = { now: 0, until: 23.5 * HOUR, attempt_count: 1, status: 503, retryAfterMs: null, jitter: 1 };
  expect([1, 2, 3, 4].map((attempt_count) => sendAgainAt({ ...tried, attempt_count }))).toEqual([2_000, 10_000, 30_000, 120_000]);
  expect(sendAgainAt({ ...tried, retryAfterMs: 600_000 })).toBe(600_000);
  expect(sendAgainAt({ ...tried, status: 401 })).toBe(300_000);
  expect(sendAgainAt({ ...tried, until: 1_000 })).toBe(1_000);
});

test('bodies have exactly the documented fields in a fixed order, and a value is a number only where one was typed', () => {
  const context = { reference: 'key', email: 'asa@players.example', entered: null };
  const typed = (value: unknown, event_type = EVENT.event_type) => milestone.parseRequest({ ...EVENT, event_type, value });
  expect(milestone.write(typed('3'), context)).toBe(
    '{"player_email":"asa@players.example","event_type":"game.milestone.reached","event_id":"key","occurred_at":"2026-11-20T12:00:00Z","payload":{"milestone_key":"boss_1","value":3}}',
  );
  expect(milestone.write(typed('03', 'game.custom.recorded'), context)).toContain('"payload":{"event_name":"boss_1","value":"03"}');
  expect(milestone.write(typed(undefined), context)).toContain('"payload":{"milestone_key":"boss_1"}');
  expect(itemSale.write(SALE, context)).toBe(
    '{"client_request_id":"key","player_email":"asa@players.example","item_id":"sword_1","item_name":"Sword","item_quantity":3,"unit_price":"12.50","total_price":"37.50"}',
  );
  expect(itemSale.amountOf({ ...SALE, item_quantity: 9_999, unit_price: '999999999.99' })).toBe('9998999999900.01');
});

test.each([
  [milestone, { ...EVENT, value: '123456789012' }],
  [milestone, { ...EVENT, value: 'asa@players.example' }],
  [milestone, { ...EVENT, value: '1,000' }],
  [milestone, { ...EVENT, event_type: 'game.session.started' }],
  [milestone, { ...EVENT, name: ' boss' }],
  [milestone, { ...EVENT, occurred_at: '2026-11-20T12:00:00' }],
  [milestone, { ...EVENT, occurred_at: '2026-02-31T12:00:00Z' }],
  [itemSale, { ...SALE, item_quantity: 0 }],
  [itemSale, { ...SALE, item_quantity: 1.5 }],
  [itemSale, { ...SALE, item_quantity: '1e3' }],
  [itemSale, { ...SALE, item_quantity: '10000' }],
  [itemSale, { ...SALE, unit_price: '0.00' }],
  [itemSale, { ...SALE, unit_price: '-1.00' }],
  [itemSale, { ...SALE, unit_price: '1.005' }],
  [itemSale, { ...SALE, item_name: 'asa@players.example' }],
  [itemSale, { ...SALE, item_name: '' }],
  [itemSale, { ...SALE, item_id: '4242424242424242' }],
])('%# is refused unsent', (protocol, request) => {
  expect(protocol.parseRequest(request)).toBeNull();
});

test.each([
  ['2026-11-20T12:00:00Z', null],
  ['2026-11-21T12:00:59Z', null],
  ['2026-11-21T12:01:01Z', 'time_ahead'],
  ['2026-10-22T12:00:00Z', null],
  ['2026-10-22T11:59:59Z', 'time_too_old'],
])('a milestone of %s that is requested on 21 November at noon is placed as %s', (at, blocker) => {
  expect(misplacedTime(at, '2026-11-21T12:00:00Z')).toBe(blocker);
});

const walletOf = (...available: string[]) => ({
  kind: 'wallet' as const,
  player_id: 1,
  balances: available.map((available_balance, index) => ({
    currency_id: String(index),
    currency_name: 'Lumens',
    available_balance,
    reserved_balance: null,
    total_balance: null,
  })),
});

test('a sale needs one currency that covers it, and the balance itself may change', () => {
  const facts = (...available: string[]) => ({
    version: 1 as const,
    request: SALE,
    wallet: walletOf(...available),
    order: null,
    cards: null,
    read_at: '2026-11-21T12:00:00Z',
  });
  expect(itemSale.blockerOf(SALE, facts('37.50'))).toBeNull();
  expect(itemSale.blockerOf(SALE, facts('37.49'))).toBe('not_covered');
  expect(itemSale.blockerOf(SALE, facts('99.00', '99.00'))).toBe('not_covered');
  expect(itemSale.decidingOf(facts('37.50'))).toEqual(itemSale.decidingOf(facts('5000.00')));
  expect(itemSale.decidingOf(facts('37.50'))).not.toEqual(itemSale.decidingOf(facts('37.49')));
});
