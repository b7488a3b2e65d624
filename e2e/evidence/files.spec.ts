import { expect, test } from '../fixtures.ts';

// What is in the files: files.page.test.ts.
test('the menu of a month downloads each sheet as CSV and as Excel', async ({ page }) => {
  await page.goto('/demo/months/2026-10');
  for (const [entry, name] of [
    [/^Reversals: CSV/, 'demo-reversals-2026-10-01-2026-11-01.csv'],
    [/^Reversals: Excel/, 'demo-reversals-2026-10-01-2026-11-01.xlsx'],
  ] as const) {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: entry }).click()]);
    expect(download.suggestedFilename()).toBe(name);
  }
});
