import { expect, test } from 'vitest';
import type { AnswerClass, Fields } from './protocol.ts';
import { protocolOf, type RawAnswer } from './protocols.ts';

// Written from document 3 (Endpoints, States and transitions) and the page on desk actions. A claim's own test has the readings that both share.
const REQUEST = { transaction_id: 'TRF_1' };
const { read, next, write, writeDigested, repeats, inPath } = protocolOf('receipt');
const answered = (status: number, json: Fields, ...codes: string[]): RawAnswer => ({ phase: 'answered', status, codes, json });

test.each<[AnswerClass, number, Fields, string[]]>([
  ['open', 200, { status: 'success', transaction_id: 'TRF_1' }, []],
  ['open', 200, {}, []],
  ['contradiction', 200, { transaction_id: 'TRF_2' }, []],
  ['open', 400, {}, ['DEVICE_APPROVAL_NOT_APPROVED']],
  ['open', 400, {}, []],
  ['open', 401, {}, ['SDK_TOKEN_MALFORMED']],
  ['open', 403, {}, []],
  ['open', 404, {}, []],
  ['open', 429, {}, []],
  ['open', 500, {}, []],
])('a receipt is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(read(answered(status, json, ...codes), REQUEST).class).toBe(expected);
});

test('it is sent once, to its transfer, with a device code that no digest covers', () => {
  const context = { reference: null, email: 'asa@players.example', entered: null, deviceCode: 'dvc' };
  expect([repeats, inPath(REQUEST)]).toEqual(['never', 'TRF_1']);
  expect([write(REQUEST, context), writeDigested(REQUEST, context)]).toEqual(['{"device_code":"dvc"}', '{}']);
  const status = { now: 5, unanswered_count: 1, firstSentAt: 0, lastSentAt: 0, lastClass: null, sendAt: 0 };
  expect(next('open', status)).toMatchObject({ state: 'checking', readAt: 5 });
});
