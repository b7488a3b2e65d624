import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestSigned, digestToken, makeToken, sessionCookieName, signToken } from './session-token.ts';

const SECRET = 'a secret of at least thirty-two characters';

test('a signed token is read back as its digest, and each token is another one', () => {
  const token = makeToken();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(makeToken()).not.toBe(token);
  expect(digestSigned(signToken(token, SECRET), SECRET)).toBe(digestToken(token));
  expect(digestToken(token)).toMatch(/^[0-9a-f]{64}$/);
});

test('a cookie that is cut, doubled, unsigned, or signed with another key or for another purpose is not ours', () => {
  const [token, other] = [makeToken(), makeToken()];
  const cookie = signToken(token, SECRET);
  const [, signature = ''] = cookie.split('.');
  const plain = createHmac('sha256', SECRET).update(token).digest('base64url');
  const made = [
    '',
    '.',
    token,
    `${token}.`,
    `.${signature}`,
    cookie.slice(0, -2),
    cookie.slice(1),
    `${cookie}.${signature}`,
    `${cookie}${cookie}`,
    `${other}.${signature}`,
    signToken(token, 'another secret of thirty-two characters'),
    signToken('', SECRET),
    `${token}.${plain}`,
  ];
  for (const forged of made) expect(digestSigned(forged, SECRET), forged).toBeNull();
});

test('the cookie is of this host alone under https', () => {
  expect(sessionCookieName('https://sharebook.studio.example')).toBe('__Host-sharebook_session');
  expect(sessionCookieName('http://127.0.0.1:3000')).toBe('sharebook_session');
});
