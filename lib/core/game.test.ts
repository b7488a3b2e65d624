import { expect, test } from 'vitest';
import { isSecret, parseBaseUrl } from './game.ts';

test.each([
  'https://api.invo.test',
  'https://api.invo.test/sandbox',
  'http://127.0.0.1:4010/sandbox',
  'http://localhost:4010',
  'http://[::1]:4010',
])('%s can be the base URL of Invo', (text) => {
  expect(parseBaseUrl(text)?.href).toContain(new URL(text).host);
});

test.each([
  'http://api.invo.test',
  'http://localhost.evil.test',
  'http://127.0.0.1.evil.test',
  'http://10.0.0.1',
  'ftp://127.0.0.1',
  'file:///etc',
  'api.invo.test',
  '',
  'https://user:canary@api.invo.test',
  'https://api.invo.test/?key=canary',
  'https://api.invo.test/#canary',
  'http://canary@127.0.0.1',
])('%s cannot be the base URL of Invo', (text) => {
  expect(parseBaseUrl(text)).toBeNull();
});

test('a secret is 1 to 1,024 characters that an HTTP header can carry', () => {
  for (const text of ['s', 'sk_live-1!~', 'x'.repeat(1_024)]) expect(isSecret(text)).toBe(true);
  for (const text of ['', 'with space', 'evil\r\nX-Evil: 1', 'nul\u0000', 'é', 'x'.repeat(1_025)]) expect(isSecret(text)).toBe(false);
});
