import { expect, test } from '../fixtures.ts';
import { expectReadable } from '../pages/screen-check.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

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
test('a player whom nobody knows is readable on a desktop and on a phone', { tag: '@proof' }, async ({ page, expectAccessible }) => {
  await page.goto('/demo/players/4040');
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expectReadable(page, expectAccessible);
});

test('I refresh one part of a player and the others stay as they are', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('mira.holt@players.example');
  const wallet = page.getByRole('region', { name: 'Wallet balances' });
  const loyalty = page.getByRole('region', { name: 'Loyalty' });
  await expect(wallet).toContainText('350.00');
  await expect(loyalty).toContainText('Loyalty data isn’t stored.');
  await loyalty.evaluate((element) => element.setAttribute('data-seen', 'before'));
  await control('faults', [{ kind: 'put', puts: { 'balances.0.available_balance': '351.00' }, match: { route: 'balances' } }]);
  await page.getByRole('button', { name: 'Refresh: the wallet' }).click();
  await expect(wallet).toContainText('351.00');
  await control('faults', [{ kind: '503', times: 9, match: { route: 'balances' } }]);
  await page.getByRole('button', { name: 'Refresh: the wallet' }).click();
  await expect(page.getByText('Couldn’t refresh the wallet. Showing data from')).toBeVisible();
  await expect(wallet).toContainText('351.00');
  await expect(loyalty).toHaveAttribute('data-seen', 'before');
  await control('faults', {}, 'DELETE');
  await page.getByRole('button', { name: 'Try again: the wallet' }).click();
  await expect(wallet).toContainText('350.00');
});
