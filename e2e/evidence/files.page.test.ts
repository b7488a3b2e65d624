import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readXlsx } from '#e2e/support/read-xlsx.ts';
import { ROOT } from '#lib/start/data-folder.ts';
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

test('a file of the page has the bytes the command writes, and its manifest has their digest', async () => {
  const bytes = await readBytes(`${OCTOBER}/export/reversals`);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['lib/start/command.ts', 'export', '--game', 'demo', '--month', '2026-10', '--sheet', 'reversals', '--out', '-'],
    { cwd: ROOT, encoding: 'buffer', maxBuffer: 1 << 26 },
  );
  expect(stdout.length).toBeGreaterThan(1_000);
  expect(Buffer.compare(bytes, stdout)).toBe(0);
  expect(await (await read(`${OCTOBER}/export/reversals.manifest.json`)).json()).toMatchObject({
    sha256: createHash('sha256').update(bytes).digest('hex'),
    complete: true,
    rows: 31,
    filter: null,
    attribution_notice: { not_a_remittance_advice: true, payer: 'partner' },
  });
});

test('the Excel file has the cells of the CSV and the same bytes each time, and its manifest has their digest', async () => {
  const bytes = await readBytes(`${OCTOBER}/export/reversals.xlsx`);
  expect(Buffer.compare(await readBytes(`${OCTOBER}/export/reversals.xlsx`), bytes)).toBe(0);
  expect(await (await read(`${OCTOBER}/export/reversals.xlsx.manifest.json`)).json()).toMatchObject({
    format: 'xlsx',
    numbers_as_text: 0,
    rows: 31,
    complete: true,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  const { rows, frozenRows } = readXlsx(bytes);
  // No cell of October’s reversals has a comma, a quote or a line break.
  const records = (await readBytes(`${OCTOBER}/export/reversals`))
    .toString()
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(',').filter((cell) => cell !== ''));
  expect(frozenRows).toBe(1);
  expect(rows.map((row) => Object.values(row).map(({ type, value }) => (type === 'boolean' ? String(value === '1') : value)))).toEqual(
    records,
  );
});

test('a file of filtered rows is named as filtered', async () => {
  const file = await read((await visit(`${OCTOBER}?show=negative`)).link('Export these rows'));
  expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(3);
  expect(file.headers.get('content-disposition')).toContain('.filtered.csv');
});

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

async function readBytes(path: string): Promise<Buffer> {
  return Buffer.from(await (await read(path)).arrayBuffer());
}
