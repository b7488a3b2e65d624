import { describe, expect, test } from 'vitest';
import { findSubjects, followEvent, isHiddenKey, openRead, readAgainAfter_seconds } from './event.ts';
import { canonicalMeaning, type Envelope, parseBody } from './parse-body.ts';

function envelopeOf(body: Record<string, unknown>): Envelope {
  const parsed = parseBody(Buffer.from(JSON.stringify({ event_type: 'purchase.completed', tenant_id: '41207', data: {}, ...body })));
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

describe('the ids an event names', () => {
  test('are found anywhere in its data, as text or as whole numbers, each once', () => {
    const envelope = envelopeOf({ data: { order_id: 90412, nested: [{ order_id: '90412', player_id: 910001 }], identity_id: 'idn_7' } });
    expect(findSubjects(envelope)).toEqual([
      { kind: 'order', idText: '90412' },
      { kind: 'identity', idText: 'idn_7' },
      { kind: 'player', idText: '910001' },
    ]);
  });

  test('are not those of the caller’s metadata, and never an email', () => {
    const data = { metadata: { order_id: 'ORD_FOREIGN' }, order_id: 'vera@players.example', charge_id: { id: 'x' }, dispute_id: 1.5 };
    expect(findSubjects(envelopeOf({ data }))).toEqual([]);
  });

  test('are of no name that every object has', () => {
    const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];
    const data = `{${names.map((name) => `"${name}":"x"`).join(',')},"order_id":"O1"}`;
    const parsed = parseBody(Buffer.from(`{"event_type":"purchase.completed","data":${data}}`));
    expect(typeof parsed === 'string' ? parsed : findSubjects(parsed)).toEqual([{ kind: 'order', idText: 'O1' }]);
  });

  test('are those of a recipient where they stand with an attribution', () => {
    const recipient = { player_id: 910099, identity_id: 'idn_9' };
    const data = { player_id: 910001, order_id: 'O1', attribution: { percent: 10, recipient } };
    expect(findSubjects(envelopeOf({ data }))).toEqual([
      { kind: 'player', idText: '910001' },
      { kind: 'order', idText: 'O1' },
      { kind: 'recipient', idText: '910099' },
      { kind: 'recipient', idText: 'idn_9' },
    ]);
  });

  test('are a digest where a refund’s key holds an email', () => {
    const key = 'refund-ana@players.example-10';
    const [subject] = findSubjects(envelopeOf({ event_type: 'subscription.refunded', data: { client_request_id: key } }));
    expect(subject).toEqual({ kind: 'client_request', idText: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
    expect(isHiddenKey(subject?.idText ?? '')).toBe(true);
  });

  test('name a period by its subscription and number', () => {
    const data = { subscription_id: 'SUB_1_A', period_seq: 7 };
    expect(findSubjects(envelopeOf({ event_type: 'subscription.refunded', data }))).toContainEqual({
      kind: 'subscription_period',
      idText: 'SUB_1_A 7',
    });
  });

  test('are bounded', () => {
    const data = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`at${index}`, { order_id: `ORD_${index}` }]));
    expect(findSubjects(envelopeOf({ data }))).toHaveLength(50);
  });
});

describe('what an event opens', () => {
  test.each([
    ['purchase.completed', { order_id: 'O1', transaction_id: 'T1' }, { kind: 'order', subject: 'O1' }],
    ['purchase.disputed', { order_id: 'O1', dispute_id: 'D1' }, { kind: 'order', subject: 'O1' }],
    ['purchase.completed', { transaction_id: 'T1' }, 'no_id'],
    ['purchase.completed', { order_id: 'ORD/2026/1' }, 'no_id'],
    ['transfer.sent', { transaction_id: 'заказ-1' }, 'no_id'],
    ['subscription.renewed', { subscription_id: 'S'.repeat(120) }, 'no_id'],
    ['purchase.completed', null, 'no_id'],
    ['device_approval.approved', null, null],
    ['wallet.migrated', [1, 2], null],
    ['subscription.renewed', { subscription_id: 'S1' }, { kind: 'subscription', subject: 'S1' }],
    ['subscription.canceled', { subscription: { subscription_id: 'S1' } }, { kind: 'subscription', subject: 'S1' }],
    ['subscription.refunded', { subscription_id: 'S1', client_request_id: 'K1' }, { kind: 'refund', subject: 'K1' }],
    ['subscription.refunded', { subscription_id: 'S1' }, { kind: 'subscription', subject: 'S1' }],
    ['transfer.claim_pending', { transaction_id: 'T1', direction: 'inbound' }, { kind: 'transfer', subject: 'T1' }],
    ['transfer.refunded', { transfer: { transfer_id: 'T1' } }, { kind: 'transfer', subject: 'T1' }],
    ['device_approval.approved', { transaction_id: 'T1' }, null],
    ['wallet.migrated', { order_id: 'O1' }, null],
    ['__proto__', { order_id: 'O1' }, null],
  ])('%s with %j', (event_type, data, read) => {
    expect(openRead(event_type, findSubjects(envelopeOf({ event_type, data })))).toEqual(read);
  });

  test('an event of another game opens nothing, and a late one sets nothing', () => {
    const subjects = findSubjects(envelopeOf({ data: { order_id: 'O1' } }));
    const follow = (tenantId: string | null, isStale: boolean, pinnedId: string | null = '41207') =>
      followEvent({ eventType: 'purchase.completed', tenantId }, subjects, { pinnedId, isStale });
    expect(follow('90417', false)).toEqual({ state: 'other_game', problem: null, read: null });
    expect(follow(null, false)).toMatchObject({ state: 'other_game' });
    expect(follow('90417', false, null)).toMatchObject({ state: 'received' });
    expect(follow('41207', true)).toEqual({ state: 'stale', problem: null, read: { kind: 'order', subject: 'O1' } });
  });
});

test('the meaning of an event is the same in any order of keys and at any attempt, and another for any other fact', () => {
  const meaning = (body: Record<string, unknown>): string => canonicalMeaning(envelopeOf(body));
  const first = meaning({ event_id: 'e1', data: { a: '1', b: [1, 2] } });
  expect(meaning({ event_id: 'e2', created_at: 'later', data: { b: [1, 2], a: '1' } })).toBe(first);
  for (const data of [{ a: 1, b: [1, 2] }, { a: '1', b: [2, 1] }, { a: '1', b: [1, 2], c: null }, { a: '1' }])
    expect(meaning({ data })).not.toBe(first);
  expect(meaning({ tenant_id: '41208', data: { a: '1', b: [1, 2] } })).not.toBe(first);
});

test('a failed reading is tried again after 1, 5, 15 minutes, 1, 3 and 6 hours, and after a day it is a person’s', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((count) => readAgainAfter_seconds(count, 0))).toEqual([60, 300, 900, 3_600, 10_800, 21_600, 21_600]);
  expect(readAgainAfter_seconds(9, 86_399)).toBe(21_600);
  expect(readAgainAfter_seconds(9, 86_400)).toBeNull();
});
