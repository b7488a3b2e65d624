import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PackIndex, parseIndex, writeIndex } from './pack-index.ts';

const DIGEST = 'ab'.repeat(32);
const INDEX: PackIndex = {
  pack: 3,
  banner: null,
  game: 'demo',
  environment: 'production',
  time_zone: 'Europe/Berlin',
  run_no: 7,
  window_start: '2026-09-30T22:00:00Z',
  window_end: '2026-10-31T23:00:00Z',
  snapshot_digest: DIGEST,
  content_digest: DIGEST,
  verify: 'verify --pack FILE',
  left_out: [{ what: 'payments', why: 'They are elsewhere.' }],
  entries: [{ path: 'run/lines.csv', bytes: 12, sha256: DIGEST }],
};

test('an index is read as it was written', () => {
  expect(parseIndex(writeIndex(INDEX))).toEqual({ index: INDEX, isIntact: true });
});

test('any changed character of an index shows', () => {
  const text = writeIndex(INDEX);
  const character = fc.string({ minLength: 1, maxLength: 1 });
  fc.assert(
    fc.property(fc.nat(text.length - 1), character, (position, other) => {
      fc.pre(text[position] !== other);
      const parsed = parseIndex(`${text.slice(0, position)}${other}${text.slice(position + 1)}`);
      expect(parsed === null || !parsed.isIntact).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test.each(['', '{}', '[]', 'null', '{"pack": 4}', writeIndex(INDEX).replace('"pack": 3', '"pack": 4')])('%j is no index', (text) => {
  expect(parseIndex(text)).toBeNull();
});
