import { expect, test } from 'vitest';
import { parseIdentity } from './person.ts';

test('an email is stored in lower case and a name without extra spaces', () => {
  expect(parseIdentity({ email: ' Ada@Studio.Example ', name: '  Ada   Moreau ' })).toEqual({
    ok: true,
    identity: { email: 'ada@studio.example', name: 'Ada Moreau' },
  });
});

test.each([
  ['', 'Ada', 'bad_email'],
  ['ada', 'Ada', 'bad_email'],
  ['ada@studio.example\r\nBcc: x@y.example', 'Ada', 'bad_email'],
  [`${'a'.repeat(250)}@studio.example`, 'Ada', 'bad_email'],
  ['ada@studio.example', '   ', 'bad_name'],
  ['ada@studio.example', 'x'.repeat(81), 'bad_name'],
  ['ada@studio.example', 'Ada\u0000', 'bad_name'],
  ['ada@studio.example', 'Ada \u202e evil', 'bad_name'],
])('%j called %j: %s', (email, name, reason) => {
  expect(parseIdentity({ email, name })).toEqual({ ok: false, reason });
});
