import { describe, expect, test } from 'vitest';
import { formatGroups, parseCode, stepOf } from './rules/code.ts';
import { computeCode, encodeSecret, findStep, formatUri, makeSecret, openSecret, sealSecret } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

test.each([
  ['1970-01-01T00:00:59Z', '287082'],
  ['2005-03-18T01:58:29Z', '081804'],
  ['2005-03-18T01:58:31Z', '050471'],
  ['2009-02-13T23:31:30Z', '005924'],
  ['2033-05-18T03:33:20Z', '279037'],
  ['2603-10-11T11:33:20Z', '353130'],
])('at %s the code is the last six digits of the vector in RFC 6238, appendix B: %s', (now, code) => {
  expect(computeCode(SECRET, stepOf(now))).toBe(code);
});

describe('a code', () => {
  const step = stepOf('2026-11-23T01:00:00Z');

  test.each([
    [-2, null],
    [-1, -1],
    [0, 0],
    [1, 1],
    [2, null],
  ])('of %i steps from now is found at step %j', (away, found) => {
    expect(findStep(SECRET, computeCode(SECRET, step + away), step)).toBe(found === null ? null : step + found);
  });

  test('of the last instant of a step belongs to that step', () => {
    expect(stepOf('2026-11-23T01:00:29.999999Z')).toBe(step);
    expect(stepOf('2026-11-23T01:00:30Z')).toBe(step + 1);
  });
});

test.each([
  ['123456', { kind: 'app', digits: '123456' }],
  [' 123 456\n', { kind: 'app', digits: '123456' }],
  ['000 000', { kind: 'app', digits: '000000' }],
  ['12345', null],
  ['1234567', null],
  ['12345a', null],
  ['１２３４５６', null],
  ['', null],
  ['0123-4567-89ab-cdef', { kind: 'backup', code: '0123456789abcdef' }],
  ['0123 4567 89AB CDEF', { kind: 'backup', code: '0123456789abcdef' }],
  ['0123-4567-89ab-cdei', null],
  ['0123-4567-89ab-cde', null],
])('%j typed as a code is %j', (typed, parsed) => {
  expect(parseCode(typed)).toEqual(parsed);
});

describe('a new secret', () => {
  const secrets = Array.from({ length: 50 }, makeSecret);

  test('is 32 letters and digits of base32 in eight groups of four, and never the same', () => {
    const shown = secrets.map((secret) => formatGroups(encodeSecret(secret), ' '));
    for (const each of shown) expect(each).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    expect(new Set(shown).size).toBe(secrets.length);
  });

  test('is in the link that an app opens, with the email and the values of its codes', () => {
    const secret = secrets[0] ?? SECRET;
    const uri = new URL(formatUri(secret, 'fiona+pay@studio.example'));
    expect(decodeURIComponent(uri.pathname)).toBe('/Sharebook:fiona+pay@studio.example');
    expect(uri.href.startsWith('otpauth://totp/')).toBe(true);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: encodeSecret(secret),
      issuer: 'Sharebook',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

test('a secret that an earlier version made and sealed opens and gives the codes that its app shows', () => {
  const stored = '0a3de7ae30c1f847177456dd0ead6b732eab9026a001dca1789944405ab369e55414d6a3c06ca6c37fb8f596edc97f66';
  const secret = openSecret(Buffer.from(stored, 'hex'), 'fiona', 'the secret of this server') ?? Buffer.alloc(0);
  expect(encodeSecret(secret)).toBe('ARKX2ZIUCR7SKCJALY5HWBKBLRRSIVRX');
  expect(findStep(secret, '364865', 59_800_001)).toBe(59_800_000);
});

test('each of the 160 bits of a new secret is random', () => {
  const secrets = Array.from({ length: 200 }, makeSecret);
  const everSet = Array.from({ length: 20 }, (_, index) => secrets.reduce((bits, secret) => bits | (secret[index] ?? 0), 0));
  expect(everSet).toEqual(Array.from({ length: 20 }, () => 0xff));
});

describe('a sealed secret', () => {
  const sealed = sealSecret(SECRET, 'fiona', 'the secret of this server');

  test('opens for its person under the same SHAREBOOK_AUTH_SECRET alone', () => {
    expect(openSecret(sealed, 'fiona', 'the secret of this server')).toEqual(SECRET);
    expect(openSecret(sealed, 'sami', 'the secret of this server')).toBeNull();
    expect(openSecret(sealed, 'fiona', 'the secret of another one')).toBeNull();
  });

  test('does not open when any byte of it was changed, or when it was cut', () => {
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(openSecret(changed, 'fiona', 'the secret of this server')).toBeNull();
    }
    for (const length of [0, 12, 28, sealed.length - 1])
      expect(openSecret(sealed.subarray(0, length), 'fiona', 'the secret of this server')).toBeNull();
  });

  test('does not hold the secret in the clear, and is another one each time', () => {
    expect(sealed.includes(SECRET)).toBe(false);
    expect(sealSecret(SECRET, 'fiona', 'the secret of this server').equals(sealed)).toBe(false);
  });
});
