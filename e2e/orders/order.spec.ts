import { expect, test } from '../fixtures.ts';
import { expectReadable } from '../pages/screen-check.ts';
import { SearchBox } from '../pages/search-box.ts';

test.use({ role: 'support' });

test('an order is found by its ID', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('ORD_BREE_02');
  await expect(page).toHaveURL('/demo/orders/ORD_BREE_02');
  await expect(page.getByRole('region', { name: 'Currency purchase' })).toContainText('Awaiting bank check');
});

test('an order is readable on a desktop and on a phone', async ({ page, expectAccessible }) => {
  await page.goto('/demo/orders/ORD_BREE_03');
  await page.getByText('All fields').click();
  await expect(page.getByText('campaign').first()).toBeVisible();
  await expectReadable(page, expectAccessible);
});
