import { expect, test } from 'vitest';
import { type ErasedPeople, leaveOutPeople, mayName } from './leave-out-people.ts';

const ERASED: ErasedPeople = { playerIds: new Set(['9010']), emails: ['kim@players.example'], identities: new Set(['idn_9010']) };
const KIM = { player_id: 9010, player_name: 'Kim', player_email: 'Kim@players.example', identity_id: 'idn_9010', resolved: true };
const GONE = { player_id: 9010, player_name: null, player_email: null, identity_id: null, resolved: true };
const LEE = { player_id: 9001, player_name: 'Lee', player_email: 'lee@players.example', identity_id: 'idn_9001', resolved: true };

test.each<[string, unknown, unknown]>([
  ['a recipient', { recipient: KIM }, { recipient: GONE }],
  ['an ID that is text', { player_id: '9010', name: 'Kim' }, { player_id: '9010', name: null }],
  [
    'a block inside the object with the ID',
    { recipient_player_id: 9010, recipient: { player_name: 'Kim' }, item_name: 'Pass' },
    { recipient_player_id: 9010, recipient: { player_name: null }, item_name: 'Pass' },
  ],
  [
    'another person inside it',
    { player_id: 9010, periods: [{ recipient: LEE }, { recipient: KIM }] },
    { player_id: 9010, periods: [{ recipient: LEE }, { recipient: GONE }] },
  ],
  ['a text with the email', { note: 'Sent to KIM@players.example.' }, { note: '(erased)' }],
  ['a field that is named by the email', { 'kim@players.example': 1 }, { '(erased)': 1 }],
  ['an identity without an ID', { to: 'idn_9010' }, { to: '(erased)' }],
])('%s is left out, and all the rest stays', (_, value, left) => {
  expect(leaveOutPeople(value, ERASED)).toEqual(left);
});

test.each<[string, unknown]>([
  ['another recipient', { recipient: LEE }],
  ['an amount of the same digits', { amount_usd: '9010', period_id: 9010, name: 'Pass' }],
  ['a longer email', { note: 'not-kim@players.example' }],
  ['no JSON object', null],
])('%s is returned as it is', (_, value) => {
  expect(leaveOutPeople(value, ERASED)).toBe(value);
});

test('an email in any spelling of JSON, an ID and an identity are seen before the text is parsed', () => {
  const sees = (text: string): boolean => mayName(Buffer.from(text), ERASED);
  expect(['{"a":"Kim\\u0040players.example"}', '{"player_id":9010}', '{"a":"idn_9010"}', '{"player_id":9001}'].map(sees)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
