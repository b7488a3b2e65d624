import { expect, test } from '../fixtures.ts';
import { expectReadable } from '../pages/screen-check.ts';
import { SearchBox } from '../pages/search-box.ts';

test.use({ role: 'auditor' });

test('I go from the search to a player and from tab to tab', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('mira.holt@players.example');
  await expect(page).toHaveURL('/demo/players/910001');
  await page.getByRole('link', { name: 'Cards' }).click();
  await expect(page.getByRole('region', { name: 'Saved cards' }).getByRole('row').nth(1)).toContainText('Amex •••• 0005');
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await expect(page.getByRole('region', { name: 'Subscriptions' })).toContainText('SUB_1733392800_DESKMIRA');
});

// player-tabs.spec.ts looks at those of a known player.
test('a player whom nobody knows is readable on a desktop and on a phone', async ({ page, expectAccessible }) => {
  await page.goto('/demo/players/4040');
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expectReadable(page, expectAccessible);
});
