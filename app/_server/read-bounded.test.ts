import { pathToFileURL } from 'node:url';
import type { NextConfig } from 'next';
import { expect, test } from 'vitest';
import { FILE_BYTES_MAX as LIST_BYTES_MAX } from '#lib/balances/rules/address-list.ts';
import { FILE_BYTES_MAX as IMPORT_BYTES_MAX } from '#lib/payees/rules/import-file.ts';
import { REPORT_BYTES_MAX } from '#lib/payments/reports/read-report.ts';
import { readBounded } from './read-bounded.ts';

const MIB = 1024 * 1024;

const requestOf = (bytes: number, headers: Record<string, string> = {}): Request =>
  new Request('http://localhost/', { method: 'POST', body: new Uint8Array(bytes), headers });

test('a body is read up to its limit, and a larger one isn’t', async () => {
  expect((await readBounded(requestOf(10), 10))?.length).toBe(10);
  expect(await readBounded(requestOf(11), 10)).toBeNull();
});

test('a body that the server cut on its way is refused: half a file would be taken for a whole one', async () => {
  expect(await readBounded(requestOf(10, { 'content-length': '11' }), 20)).toBeNull();
  expect((await readBounded(requestOf(10, { 'content-length': '10' }), 20))?.length).toBe(10);
});

test('the server cuts no body that a route reads, and one that is too large only beyond its limit', async () => {
  const { default: config }: { default: NextConfig } = await import(pathToFileURL('next.config.mjs').href);
  const limit = config.experimental?.proxyClientMaxBodySize;
  expect(limit).toEqual(expect.any(Number));
  // A body ends before the piece by which it is too large.
  expect(Number(limit)).toBeGreaterThanOrEqual(Math.max(LIST_BYTES_MAX, IMPORT_BYTES_MAX, REPORT_BYTES_MAX) + MIB);
});
