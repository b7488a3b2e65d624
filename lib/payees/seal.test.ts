import { expect, test } from 'vitest';
import { fingerprintOf, nameKey, openEntries, sealEntries } from './seal.ts';

const KEY = Buffer.alloc(32, 1);
const BOUND = { gameId: 2, recipientId: 71, detailNo: 3 };
const ENTRIES = { iban: 'DE89370400440532013000', holder_name: 'Mira Välé' };

test('entries open under the key and for the row they were sealed for, and for nothing else', () => {
  const sealed = sealEntries(ENTRIES, BOUND, KEY);
  expect(openEntries(sealed, BOUND, KEY)).toEqual(ENTRIES);
  expect(openEntries(sealed, BOUND, Buffer.alloc(32, 2))).toBeNull();
  for (const other of [{ gameId: 1 }, { recipientId: 72 }, { detailNo: 4 }])
    expect(openEntries(sealed, { ...BOUND, ...other }, KEY)).toBeNull();
});

test('every changed byte is noticed, and so are bytes that were cut', () => {
  const sealed = sealEntries(ENTRIES, BOUND, KEY);
  for (const [index, byte] of sealed.entries()) {
    const changed = Buffer.from(sealed);
    changed[index] = byte ^ 1;
    expect(openEntries(changed, BOUND, KEY)).toBeNull();
  }
  for (const length of [0, 12, 28, sealed.length - 1]) expect(openEntries(sealed.subarray(0, length), BOUND, KEY)).toBeNull();
});

test('sealed bytes hold nothing readable, differ each time, and hardly tell how long the entries are', () => {
  const [one, other] = [sealEntries(ENTRIES, BOUND, KEY), sealEntries(ENTRIES, BOUND, KEY)];
  expect(one.equals(other)).toBe(false);
  expect(one.toString('latin1')).not.toContain('DE89');
  expect(sealEntries({ email: 'a@b.example' }, BOUND, KEY)).toHaveLength(one.length);
});

test('a fingerprint is the same for one account of a game under one key, and differs otherwise', () => {
  const [account, key] = ['iban DE89370400440532013000', KEY];
  expect(fingerprintOf(account, 2, key)).toEqual(fingerprintOf(account, 2, Buffer.from(key)));
  const others = [fingerprintOf(account, 3, key), fingerprintOf('iban DE00', 2, key), fingerprintOf(account, 2, Buffer.alloc(32, 9))];
  for (const other of others) expect(other.equals(fingerprintOf(account, 2, key))).toBe(false);
  expect(nameKey(key)).toMatch(/^[0-9a-f]{8}$/);
});
