import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { request, visit } from '../pages/visit.ts';

const OCTOBER = '/demo/months/2026-10';
const read = async (path: string, headers: Record<string, string> = {}) => await request(path, 'finance', headers);

test.each(['reversals.xls', 'reversals.gz.manifest.json', 'wages.xlsx'])(
  '%s names no file of a sheet and is refused in a sentence',
  async (name) => {
    const refused = await read(`${OCTOBER}/export/${name}`);
    expect([refused.status, await refused.text()]).toEqual([404, `Sheet "${name}" doesn’t exist.\n`]);
  },
);

test('an open month has no complete file', async () => {
  const open = await read('/demo/months/2026-11/export/recipients.xlsx');
  expect([open.status, await open.text()]).toEqual([409, expect.stringContaining('nothing is exported as complete')]);
});

test('a filter that a sheet doesn’t have is refused in a sentence', async () => {
  const refused = await read(`${OCTOBER}/export/recipients?recipient=9001`);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('use find instead of recipient');
});

test('a stored answer and a gzip file have a strong ETag, and aren’t sent twice', async () => {
  const snapshot = (await visit(OCTOBER)).links.find((link) => /^snapshot \d+$/.test(link))?.replace('snapshot ', '');
  for (const path of ['table/recipients', 'table/comparison', 'export/renewals.gz']) {
    const address = `${OCTOBER}/${path}${path.startsWith('table') ? `?snapshot=${snapshot}` : ''}`;
    const first = await read(address);
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, /^"[0-9a-f]{64}"$/.test(etag)], path).toEqual([200, true]);
    await first.body?.cancel();
    expect((await read(address, { 'if-none-match': etag })).status, path).toBe(304);
  }
  const [gzip, plain] = [await read(`${OCTOBER}/export/renewals.gz`), await read(`${OCTOBER}/export/renewals`)];
  expect(gunzipSync(Buffer.from(await gzip.arrayBuffer())).equals(Buffer.from(await plain.arrayBuffer()))).toBe(true);
});

test('Sharebook reports that it is live and ready, and its metrics', async () => {
  expect((await request('/healthz', 'admin')).status).toBe(200);
  expect((await request('/readyz', 'admin')).status).toBe(200);
  const metrics = await (await request('/metrics', 'admin')).text();
  expect(metrics).toMatch(/^# HELP/m);
  expect(metrics).not.toContain('@');
});
