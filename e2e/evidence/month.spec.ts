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

test('a tab other than the first shows the figures on one line, and at least fourteen rows on a laptop', { tag: '@proof' }, async ({
  page,
}) => {
  await page.goto(`${OCTOBER}/lines`);
  await expect(page.getByRole('region', { name: 'Money flow' })).toHaveCount(0);
  await expect(page.getByRole('term').filter({ hasText: 'Net attributed' })).toBeVisible();
  const rows = page.getByRole('grid', { name: 'lines' }).locator('[role="row"][aria-selected]');
  await expect(rows.first()).toBeVisible();
  const visible = await rows.evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length);
  expect(visible).toBeGreaterThanOrEqual(14);
});

test('the totals stay visible while one key goes from one end of the recipients to the other, and a phone shows the net beside the name', async ({
  page,
}) => {
  await page.goto(OCTOBER);
  const grid = page.getByRole('grid', { name: 'recipients' });
  const aurora = grid.getByRole('row', { name: /Aurora Vale/ });
  await expect(aurora).toBeVisible();
  await page.keyboard.press('e');
  await expect(grid.getByRole('row', { name: /9019/ }).first()).toBeVisible();
  await expect(page.getByText('75 recipients')).toBeVisible();
  await page.keyboard.press('e');
  await expect(aurora).toBeVisible();
  await expect(page.getByText('75 recipients')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(aurora.getByRole('gridcell', { name: '1,080.00' })).toBeVisible();
  await expect.poll(async () => await grid.evaluate((box) => box.scrollWidth - box.clientWidth), 'nothing to scroll sideways').toBe(0);
});

test('nine hundred lines of one recipient scroll to the last', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/recipients/500001?month=2026-10');
  const grid = page.getByRole('grid', { name: 'lines' });
  await grid.getByRole('row').nth(1).click();
  await page.keyboard.press('End');
  await expect(grid.locator('[aria-rowindex="901"]')).toBeVisible();
  expect(await grid.getByRole('row').count()).toBeLessThan(120);
});
