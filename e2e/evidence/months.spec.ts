import { expect, test } from '../fixtures.ts';
import { openMonths } from '../pages/book.ts';

test('after the first start fourteen months are there, thirteen of them proven and November open', async ({ page }) => {
  test.setTimeout(180_000);
  await openMonths(page);
  await expect(page.getByRole('row', { name: /^November 2026/ })).toContainText('Open');
  await expect(page.getByRole('row', { name: /^October 2026/ })).toContainText('Proven');
  await expect(page.getByRole('row', { name: /^October 2025/ })).toContainText('Proven');
  await expect(page.getByText('Simulated data. No real money moved.')).toBeVisible();
  await expect(page.getByText('Attribution report, not a remittance advice.')).toBeVisible();
});

test('the trend says each month in words, and that November is still open', async ({ page }) => {
  await page.goto('/demo/months');
  const trend = page.getByRole('region', { name: 'Attributed to recipients' });
  await expect(trend.getByRole('link', { name: /^Nov 2026: .*still open$/ })).toBeVisible();
  await page
    .getByRole('rowheader', { name: /^October 2026/ })
    .getByRole('link')
    .focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/demo/months/2026-10');
});
