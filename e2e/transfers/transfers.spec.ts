import { expect, test } from '../fixtures.ts';
import { expectReadable } from '../pages/screen-check.ts';
import { SearchBox } from '../pages/search-box.ts';

test.use({ role: 'support' });

test('a transfer is found by its ID', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('TRF_CLAIM');
  await expect(page).toHaveURL('/demo/transfers/TRF_CLAIM');
  await expect(page.getByRole('region', { name: 'Out of this game' })).toContainText('Waiting to be collected');
});

test('transfers are readable on a desktop and on a phone', async ({ page, expectAccessible }) => {
  for (const path of ['transfers', 'transfers/TRF_IN', 'transfers/TRF_MINOR']) {
    await page.goto(`/demo/${path}`);
    await expectReadable(page, expectAccessible);
  }
});
