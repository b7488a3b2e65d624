import { expect, test } from '../fixtures.ts';

const OCTOBER = '/demo/months/2026-10';

test('I go from tab to tab and from month to month', async ({ page }) => {
  await page.goto(OCTOBER);
  const tabs = page.getByRole('navigation', { name: 'Parts of this month' });
  for (const [tab, address] of [
    ['Reversals', 'reversals'],
    ['Lines', 'lines'],
    ['Open items', 'open-items'],
    ['Reconciliation', 'reconciliation'],
  ] as const) {
    await tabs.getByRole('link', { name: tab }).click();
    await expect(page).toHaveURL(`${OCTOBER}/${address}`);
    await expect(tabs.getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page');
  }
  await page.getByRole('navigation', { name: 'Other months' }).getByRole('link', { name: 'September 2026' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'September 2026' })).toBeVisible();
});

test('a tab other than the first shows the figures on one line, and at least fourteen rows on a laptop', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${OCTOBER}/lines`);
  await expect(page.getByRole('region', { name: 'Money flow' })).toHaveCount(0);
  await expect(page.getByRole('term').filter({ hasText: 'Net attributed' })).toBeVisible();
  const rows = page.getByRole('grid', { name: 'lines' }).locator('[role="row"][aria-selected]');
  await expect(rows.first()).toBeVisible();
  const visible = await rows.evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length);
  expect(visible).toBeGreaterThanOrEqual(14);
});

test('on a phone the recipients table shows the net beside the name without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(OCTOBER);
  const grid = page.getByRole('grid', { name: 'recipients' });
  const aurora = grid.getByRole('row', { name: /Aurora Vale/ });
  await expect(aurora.getByRole('gridcell', { name: '1,080.00' })).toBeVisible();
  expect(await grid.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});
