import { describe, expect, test } from 'vitest';
import { isStale, parseKey, parseSignatureHeader, verifySignature } from './rules/signature-header.ts';

// Worked out with another implementation of HMAC-SHA256.
const BODY = Buffer.from(
  '{"event_id":"evt_w1","event_type":"purchase.completed","created_at":"2026-11-18T10:26:40Z","tenant_id":"41207","data":{"order_id":"ORD_W1"}}',
);
const NEW = { secret: 'whsec-witness-new', v1: 'a9f1a96d75734e917f4c6049216d45399f7696b8319cbae7288042049587e0f5' };
const OLD = { secret: 'whsec-witness-old', v1: '66aed59e0b7c3247f91f9f494b8346535746169ace6d0a52ef0a9134f84a91cb' };
const T = '1795000000';

function verify(body: Uint8Array, header: string, secrets = { current: NEW.secret, previous: OLD.secret as string | undefined }) {
  const parsed = parseSignatureHeader(header);
  return parsed === null ? 'malformed' : verifySignature(body, parsed, secrets);
}

test.each([
  [`t=${T},v1=${NEW.v1}`, 'current'],
  [`t=${T},v1=${OLD.v1}`, 'previous'],
  [`t=${T},v1=${OLD.v1},v1=${NEW.v1}`, 'both'],
  [`t=${T},v1=${'0'.repeat(64)},v1=${OLD.v1}`, 'previous'],
  [`t=${T},v1=${NEW.v1.toUpperCase()}`, 'current'],
  [`t=${T},v1=${'0'.repeat(64)}`, null],
  [`t=${T}${`,v1=${'0'.repeat(64)}`.repeat(4)}`, null],
])('the fixed vector %s is verified by slot %s', (header, slot) => {
  expect(verify(BODY, header)).toBe(slot);
});

test('the fixed vector is refused with any one byte, digit or secret changed', () => {
  const header = `t=${T},v1=${NEW.v1}`;
  for (let index = 0; index < BODY.length; index += 1) {
    const altered = Buffer.from(BODY);
    altered[index] = (altered[index] ?? 0) ^ 1;
    expect(verify(altered, header), `byte ${index}`).toBeNull();
  }
  for (let index = 0; index < 64; index += 1) {
    const digit = NEW.v1[index] === '0' ? '1' : '0';
    expect(verify(BODY, `t=${T},v1=${NEW.v1.slice(0, index)}${digit}${NEW.v1.slice(index + 1)}`), `digit ${index}`).toBeNull();
  }
  expect(verify(BODY, `t=1795000001,v1=${NEW.v1}`)).toBeNull();
  expect(verify(BODY, header, { current: 'whsec-witness-nev', previous: undefined })).toBeNull();
  expect(verify(BODY, `t=${T},v1=${OLD.v1}`, { current: NEW.secret, previous: undefined })).toBeNull();
});

describe('the header', () => {
  const v1 = `v1=${NEW.v1}`;
  test.each([
    null,
    '',
    v1,
    `t=${T}`,
    `t=${T},`,
    `t=179500000,${v1}`,
    `t=17950000000,${v1}`,
    `t=-795000000,${v1}`,
    `t=${T}, ${v1}`,
    `t=${T},${v1},`,
    `${v1},t=${T}`,
    `t=${T},t=${T},${v1}`,
    `t=${T},${v1}0`,
    `t=${T},v1=${NEW.v1.slice(1)}g`,
    `t=${T},v0=${NEW.v1}`,
    `t=${T},${v1}, t=${T},${v1}`,
    `t=${T}${`,${v1}`.repeat(5)}`,
    `t=${T},${v1}\n`,
  ])('%s is malformed', (header) => {
    expect(parseSignatureHeader(header)).toBeNull();
  });
});

test.each([
  ['2026-11-18T11:06:40Z', 0],
  ['2026-11-18T11:11:40.999999Z', 0],
  ['2026-11-18T11:11:41Z', 1],
  ['2026-11-18T11:01:40Z', 0],
  ['2026-11-18T11:01:39.999999Z', 1],
])('a delivery signed for 2026-11-18T11:06:40Z that arrives at %s: stale %i', (now, stale) => {
  expect(isStale(Number(T), now)).toBe(stale === 1);
});

test.each([
  [null, 'missing'],
  ['', 'missing'],
  ['one, two', 'repeated'],
  ['k'.repeat(256), 'too_long'],
  ['ключ', 'not_ascii'],
])('the key %s can’t be used: %s', (key, problem) => {
  expect(parseKey(key)).toEqual({ key: null, problem });
});
