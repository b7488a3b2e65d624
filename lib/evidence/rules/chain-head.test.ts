import { expect, test } from 'vitest';
import { parseChainHeads } from './chain-head.ts';

const DIGEST = 'ab'.repeat(32);
const HEAD = { game: 'demo', environment: 'production', position: 7, digest: DIGEST };

test('an exported file is read with its heads and that of the audit', () => {
  const audit = { position: 90, digest: DIGEST };
  expect(parseChainHeads(JSON.stringify({ heads: [HEAD], audit }))).toEqual({ heads: [HEAD], audit });
  expect(parseChainHeads(JSON.stringify({ heads: [HEAD] }))).toEqual({ heads: [HEAD], audit: null });
});

test('a manifest is read as the head it was written with', () => {
  const manifest = { game: 'demo', environment: 'production', rows: 3, chain_head: { position: 7, digest: DIGEST } };
  expect(parseChainHeads(JSON.stringify(manifest))).toEqual({ heads: [HEAD], audit: null });
});

test.each([
  ['no JSON', 'demo 7'],
  ['another object', '{"game":"demo"}'],
  ['a digest cut short', JSON.stringify({ heads: [{ ...HEAD, digest: 'ab' }] })],
  ['a position before the first', JSON.stringify({ heads: [{ ...HEAD, position: 0 }] })],
  ['a position that is text', JSON.stringify({ heads: [{ ...HEAD, position: '7' }] })],
])('%s is no head', (_, text) => {
  expect(parseChainHeads(text)).toBeNull();
});
