import { describe, expect, it } from 'vitest';
import { checkSecret, parseBaseUrl } from './access.ts';

describe('the door', () => {
  it.each([
    'https://api.invo.test',
    'https://api.invo.test/sandbox',
    'http://127.0.0.1:4010/sandbox',
    'http://localhost:4010',
    'http://[::1]:4010',
  ])('may be %s', (url) => {
    expect(parseBaseUrl(url).href).toContain(new URL(url).host);
  });
  it.each([
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
  ])('may not be %s, and the complaint does not repeat it', (url) => {
    expect(() => parseBaseUrl(url)).toThrow(/base URL/);
    expect(() => parseBaseUrl(url)).not.toThrow(/canary/);
  });
  it.each(['', 'canary with space', 'canary\r\nX-Evil: 1', 'canary\u0000', 'canaryé'])(
    'takes no secret like %j, and the complaint does not repeat it',
    (secret) => {
      expect(() => checkSecret(secret, 'current')).toThrow(/current game secret/);
      expect(() => checkSecret(secret, 'current')).not.toThrow(/canary/);
    },
  );
});
