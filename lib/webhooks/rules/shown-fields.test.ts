import { expect, test } from 'vitest';
import { canonicalMeaning, type Envelope, parseBody } from './parse-body.ts';
import { compareFields, holdsSecret, showFields } from './shown-fields.ts';

function dataOf(data: string): Envelope['data'] {
  const parsed = parseBody(Buffer.from(`{"event_type":"purchase.completed","tenant_id":"41207","data":${data}}`));
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed.data;
}

test('fields are listed by their paths with the digits they were signed with', () => {
  const data = dataOf('{"usd_amount":4.990,"refund":{"card_refunded_usd":"1.00","parts":[1,true,null]},"metadata":{},"note":"a\\u00e9"}');
  expect(showFields(data, { canSeeEmails: false })).toEqual([
    { path: 'usd_amount', text: '4.990' },
    { path: 'refund.card_refunded_usd', text: '1.00' },
    { path: 'refund.parts[0]', text: '1' },
    { path: 'refund.parts[1]', text: 'true' },
    { path: 'refund.parts[2]', text: 'null' },
    { path: 'metadata', text: '{}' },
    { path: 'note', text: 'aé' },
  ]);
});

test.each(['12.00', '1e400', '123456789012345678901', '-0', '0.1000000000000000055511151231257827', '1E-7', '-0.00'])(
  'the number %s is shown and compared with the digits it was signed with',
  (token) => {
    const data = dataOf(`{"usd_amount":${token},"parts":[${token}]}`);
    expect(showFields(data, { canSeeEmails: false })).toEqual([
      { path: 'usd_amount', text: token },
      { path: 'parts[0]', text: token },
    ]);
    const meaning = canonicalMeaning({ eventType: 'purchase.completed', tenantId: '41207', data });
    expect(meaning).toBe(`{"event_type":"purchase.completed","tenant_id":"41207","data":{"parts":[${token}],"usd_amount":${token}}}`);
  },
);

test('emails are masked without the right to see them, phone numbers and codes always', () => {
  const data = dataOf(
    '{"player_email":"vera@players.example","note":"from Vera <vera@players.example>","player_phone":"+15550100","claim_code":"K7QX","failure_code":"card_declined"}',
  );
  const shown = (canSeeEmails: boolean): Record<string, string> =>
    Object.fromEntries(showFields(data, { canSeeEmails }).map(({ path, text }) => [path, text]));
  expect(JSON.stringify(shown(false))).not.toContain('vera@');
  expect(shown(true)).toEqual({
    player_email: 'vera@players.example',
    note: 'from Vera <vera@players.example>',
    player_phone: '•••',
    claim_code: '•••',
    failure_code: 'card_declined',
  });
});

test.each([
  '{"player_phone":15550100123}',
  '{"phones":["15550100123"]}',
  '{"phones":{"home":["15550100123"]}}',
  '{"msisdn":"15550100123"}',
  '{"phoneNumber":"15550100123"}',
  '{"contact":"+1 555 0100 123"}',
  '{"number":"15551234567"}',
  '{"pin":1555}',
  '{"claimCode":"1555"}',
])('%s is hidden from everyone', (data) => {
  const shown = showFields(dataOf(data), { canSeeEmails: true });
  expect(shown.map(({ text }) => text)).toEqual(['•••']);
});

test('a phone within a sentence is hidden from everyone', () => {
  const shown = showFields(dataOf('{"message":"Code sent to +15551234567, order 4100000000001","order_id":"4100000000001"}'), {
    canSeeEmails: true,
  });
  expect(shown.map(({ text }) => text)).toEqual(['Code sent to •••, order 4100000000001', '4100000000001']);
});

test('an email that is a name is masked like one that is a value', () => {
  const data = dataOf('{"shares":{"vera@players.example":"1.00"}}');
  expect(JSON.stringify(showFields(data, { canSeeEmails: false }))).not.toContain('vera@');
  expect(showFields(data, { canSeeEmails: true })).toEqual([{ path: 'shares.vera@players.example', text: '1.00' }]);
});

test.each([
  ['{"redirect_url":"https://pay.example/s"}', true],
  ['{"secret":"s"}', true],
  ['{"new_password":"s"}', true],
  ['{"backup_codes":["a"]}', true],
  ['{"CLAIM_CODE":"K7QX"}', true],
  ['{"token":{"value":"t"}}', true],
  ['{"reason_code":"fraud","logo_url":"https://studio.example/logo.png"}', false],
  ['{"claim_code":"K7QX"}', true],
  ['{"transfer":{"parts":[{"device_code":"d"}]}}', true],
  ['{"client_secret":"s"}', true],
  ['{"failure_code":"card_declined","order_id":"ORD_1"}', false],
  ['{"metadata":{"promo_code":"AUTUMN","campaignCode":"A1","language_code":"en"}}', false],
  ['{"metadata":{"gift_code":"G-1","voucher_code":"V-1"}}', true],
  ['{"claim\\u005fcode":"K7QX"}', true],
  ['{"note":"a claim_code: K7QX","why":"claim_code"}', false],
  ['{"note":"\\"claim_code\\": none"}', false],
])('an event with %s carries what must not be stored: %s', (data, isSecret) => {
  expect(holdsSecret(Buffer.from(`{"event_type":"purchase.completed","data":${data}}`))).toBe(isSecret);
});

test.each([
  ['beside its data', '{"event_type":"purchase.completed","token":"t","data":{}}'],
  ['in a list', '[{"claim_code":"K7QX"}]'],
  ['in a field that comes twice', '{"data":{"a":1,"a":2,"claim_code":"K7QX"}}'],
  ['before its end is cut off', '{"data":{"claim_code" : "K7QX","order'],
  ['after bytes that are no text', Buffer.concat([Buffer.from([0xff]), Buffer.from('{"data":{"claim_code":"K7QX"}}')])],
])('a body that carries a code %s is recognized', (_, body) => {
  expect(holdsSecret(Buffer.from(body))).toBe(true);
});

test('two events are compared by path, and a field only one has is marked as missing in the other', () => {
  const one = showFields(dataOf('{"a":"1","b":{"c":"2"}}'), { canSeeEmails: true });
  const other = showFields(dataOf('{"a":"1","b":{"c":"3"},"d":4}'), { canSeeEmails: true });
  expect(compareFields(one, other)).toEqual([
    { path: 'a', one: '1', other: '1' },
    { path: 'b.c', one: '2', other: '3' },
    { path: 'd', one: null, other: '4' },
  ]);
});
