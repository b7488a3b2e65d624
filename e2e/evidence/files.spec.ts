import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readXlsx } from '#e2e/support/read-xlsx.ts';
import { expect, test } from '../fixtures.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

test.describe('files of a month', () => {
  test('a file from the page has the bytes the command writes, and its manifest has their digest', async ({ page }) => {
    test.setTimeout(120_000);
    await page.goto('/demo/months/2026-10');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /^Reversals: CSV/ }).click()]);
    expect(download.suggestedFilename()).toBe('demo-reversals-2026-10-01-2026-11-01.csv');
    const page_bytes = await (await page.request.get('/demo/months/2026-10/export/reversals')).body();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['lib/start/command.ts', 'export', '--game', 'demo', '--month', '2026-10', '--sheet', 'reversals', '--out', '-'],
      {
        cwd: ROOT,
        env: { ...process.env, SHAREBOOK_DATA: process.env['SHAREBOOK_DATA'] ?? '.data/test/browser' },
        encoding: 'buffer',
        maxBuffer: 1 << 26,
      },
    );
    expect(Buffer.compare(page_bytes, stdout)).toBe(0);
    const manifest = (await (await page.request.get('/demo/months/2026-10/export/reversals.manifest.json')).json()) as Record<
      string,
      unknown
    >;
    expect(manifest['sha256']).toBe(createHash('sha256').update(page_bytes).digest('hex'));
    expect(manifest).toMatchObject({
      complete: true,
      rows: 31,
      filter: null,
      attribution_notice: { not_a_remittance_advice: true, payer: 'partner' },
    });
  });

  test('the Excel file has the cells of the CSV and the same bytes each time, and its manifest has their digest', async ({ page }) => {
    await page.goto('/demo/months/2026-10');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^Reversals: Excel/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('demo-reversals-2026-10-01-2026-11-01.xlsx');
    const bytes = readFileSync(await download.path());
    const manifest = (await (await page.request.get('/demo/months/2026-10/export/reversals.xlsx.manifest.json')).json()) as object;
    expect(manifest).toMatchObject({
      format: 'xlsx',
      numbers_as_text: 0,
      rows: 31,
      complete: true,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const { rows, frozenRows } = readXlsx(bytes);
    const csv = await (await page.request.get('/demo/months/2026-10/export/reversals')).text();
    // No cell of October’s reversals has a comma, a quote or a line break.
    const records = csv
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').filter((cell) => cell !== ''));
    expect(frozenRows).toBe(1);
    expect(rows.map((row) => Object.values(row).map(({ type, value }) => (type === 'boolean' ? String(value === '1') : value)))).toEqual(
      records,
    );
  });

  test('a file of filtered rows is named as filtered', async ({ page }) => {
    await page.goto('/demo/months/2026-10?show=negative');
    const href = await page.getByRole('link', { name: 'Export these rows' }).getAttribute('href');
    const file = await page.request.get(href ?? '');
    expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(3);
    expect(file.headers()['content-disposition']).toContain('.filtered.csv');
  });
});
