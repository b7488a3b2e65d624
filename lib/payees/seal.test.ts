import { expect, test } from 'vitest';
import { digestFacts, fingerprintOf, nameKey, openEntries, sealEntries } from './seal.ts';

const KEY = Buffer.alloc(32, 1);
const BOUND = {
  gameId: 2,
  recipientId: 71,
  detailNo: 3,
  identityId: 'idn_71',
  holderKind: 'person',
  method: 'sepa',
  country: 'DE',
  mask: 'DE •••• 3000',
  fingerprint: Buffer.alloc(32, 5),
} as const;
const ENTRIES = { iban: 'DE89370400440532013000', holder_name: 'Mira Välé' };
const SEALED = { entries: ENTRIES, account: `iban ${ENTRIES.iban}` };

test('entries open under the key and for the row they were sealed for, and for nothing else', () => {
  const sealed = sealEntries(SEALED, BOUND, KEY);
  expect(openEntries(sealed, BOUND, KEY)).toEqual(ENTRIES);
  expect(openEntries(sealed, BOUND, Buffer.alloc(32, 2))).toBeNull();
  const changes = [
    { gameId: 1 },
    { recipientId: 72 },
    { detailNo: 4 },
    { identityId: null },
    { identityId: 'idn_72' },
    { holderKind: 'company' },
    { method: 'other' },
    { country: null },
    { mask: 'DE •••• 3001' },
    { fingerprint: Buffer.alloc(32, 6) },
    { fingerprint: null },
  ] as const;
  for (const other of changes) expect(openEntries(sealed, { ...BOUND, ...other }, KEY)).toBeNull();
});

test('the digest of the facts changes with each of them and with the salt', () => {
  const salt = Buffer.alloc(32, 4);
  const same = digestFacts({ ...BOUND }, Buffer.from(salt));
  expect(digestFacts(BOUND, salt)).toEqual(same);
  const others = [
    { gameId: 1 },
    { recipientId: 72 },
    { detailNo: 4 },
    { identityId: null },
    { method: 'other' },
    { mask: 'x' },
    { country: null },
  ] as const;
  for (const other of others) expect(digestFacts({ ...BOUND, ...other }, salt)).not.toEqual(same);
  expect(digestFacts(BOUND, Buffer.alloc(32, 5))).not.toEqual(same);
});

test('every changed byte is noticed, and so are bytes that were cut', () => {
  const sealed = sealEntries(SEALED, BOUND, KEY);
  for (const [index, byte] of sealed.entries()) {
    const changed = Buffer.from(sealed);
    changed[index] = byte ^ 1;
    expect(openEntries(changed, BOUND, KEY)).toBeNull();
  }
  for (const length of [0, 12, 28, sealed.length - 1]) expect(openEntries(sealed.subarray(0, length), BOUND, KEY)).toBeNull();
});

test('sealed bytes hold nothing readable, differ each time, and hardly tell how long the entries are', () => {
  const [one, other] = [sealEntries(SEALED, BOUND, KEY), sealEntries(SEALED, BOUND, KEY)];
  expect(one.equals(other)).toBe(false);
  expect(one.toString('latin1')).not.toContain('DE89');
  expect(sealEntries({ entries: { email: 'a@b.example' }, account: 'paypal a@b.example' }, BOUND, KEY)).toHaveLength(one.length);
});

test('a fingerprint is the same for one account of a game under one key, and differs otherwise', () => {
  const [account, key] = ['iban DE89370400440532013000', KEY];
  expect(fingerprintOf(account, 2, key)).toEqual(fingerprintOf(account, 2, Buffer.from(key)));
  const others = [fingerprintOf(account, 3, key), fingerprintOf('iban DE00', 2, key), fingerprintOf(account, 2, Buffer.alloc(32, 9))];
  for (const other of others) expect(other.equals(fingerprintOf(account, 2, key))).toBe(false);
  expect(nameKey(key)).toMatch(/^[0-9a-f]{8}$/);
});
