import { expect, test } from '../fixtures.ts';

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
