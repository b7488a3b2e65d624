import { expect, test } from '../fixtures.ts';
import { openMonths } from '../pages/book.ts';

test('the first start pulls fourteen months: thirteen reconciled, and November open', async ({ page }) => {
  test.setTimeout(180_000);
  await openMonths(page);
  await expect(page.getByRole('row', { name: /^November 2026/ })).toContainText('Open');
  await expect(page.getByRole('row', { name: /^October 2026/ })).toContainText('Reconciled');
  await expect(page.getByRole('row', { name: /^October 2025/ })).toContainText('Reconciled');
  await expect(page.getByText('Simulated data. No real money moved.')).toBeVisible();
  await expect(page.getByText('Attribution report. Invo settles to the partner only and hasn’t paid any recipient.')).toBeVisible();
});

test('the trend labels every month, and November as open', async ({ page }) => {
  await page.goto('/demo/months');
  const trend = page.getByRole('region', { name: 'Attributed to recipients' });
  await expect(trend.getByRole('link', { name: /^Nov 2026: .*, open$/ })).toBeVisible();
  await page
    .getByRole('rowheader', { name: /^October 2026/ })
    .getByRole('link')
    .focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/demo/months/2026-10');
});
