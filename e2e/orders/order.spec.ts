import { expect, test } from '../fixtures.ts';
import { expectReadable } from '../pages/screen-check.ts';

test.use({ role: 'support' });

test('an order is readable on a desktop and on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  await page.goto('/demo/orders/ORD_BREE_03');
  await page.getByText('All fields').click();
  await expect(page.getByText('campaign').first()).toBeVisible();
  await expectReadable(page, expectAccessible);
});
