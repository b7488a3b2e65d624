import { expect, test } from '../fixtures.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'auditor' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

test('I see the wallet, cards and subscriptions of a player, with coins under their own name', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('mira.holt@players.example');
  await expect(page).toHaveURL('/demo/players/910001');
  await expect(page.getByText('mira.holt@players.example')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Wallet balances' }).getByRole('row', { name: /^Lumens/ })).toContainText('350.00');
  await page.getByRole('link', { name: 'Cards' }).click();
  const cards = page.getByRole('region', { name: 'Saved cards' });
  await expect(cards.getByRole('row')).toHaveCount(3);
  await expect(cards.getByRole('row').nth(1)).toContainText('Amex •••• 0005');
  await expect(page.getByText('Expired cards aren’t listed')).toBeVisible();
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await expect(page.getByRole('region', { name: 'Subscriptions' })).toContainText('SUB_1733392800_DESKMIRA');
});

test('a player without subscriptions differs from no player at all', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('wren.ashby@players.example');
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await expect(page.getByText('This player exists and has no subscriptions.')).toBeVisible();
  await page.goto('/demo/players/4040');
  await expect(page.getByRole('heading', { name: 'Player 4040 isn’t known to Sharebook' })).toBeVisible();
});

test('an empty list with a wallet that can’t be read doesn’t claim that the player exists', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('wren.ashby@players.example');
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await expect(page.getByText('This player exists and has no subscriptions.')).toBeVisible();
  await control('faults', [{ kind: '500', times: 20, match: { route: 'balances' } }]);
  await page.reload();
  await expect(page.getByText('Invo lists no subscriptions. Sharebook couldn’t check whether the player still exists.')).toBeVisible();
});

test('a long list of subscriptions has pages, and a player who is a recipient links to the recipient page', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('guild.house@players.example');
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await expect(page.getByRole('region', { name: 'Subscriptions' }).getByRole('row')).toHaveCount(64);
  await page.goto('/demo/players/910014/subscriptions?from=60');
  await expect(page.getByText('61–63 of 63 subscriptions')).toBeVisible();
  await page.getByRole('link', { name: 'Newer' }).click();
  await expect(page).toHaveURL('/demo/players/910014/subscriptions');
  await page.goto('/demo/players/9010');
  await page.getByRole('link', { name: 'View recipient' }).click();
  await expect(page).toHaveURL('/demo/recipients/9010');
});

test('when Invo fails I see the stored data of a player', async ({ page }) => {
  await page.goto('/demo/players/9013');
  await expect(page.getByRole('region', { name: 'Wallet balances' })).toBeVisible();
  await control('faults', [{ kind: '503', times: 50 }]);
  await page.reload();
  await expect(page.getByText(/^Couldn’t refresh this player\. Showing data from/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Wallet balances' })).toBeVisible();
});

test('a player is readable on a desktop in light mode and on a phone in dark mode', async ({ page, expectAccessible }) => {
  for (const { colorScheme, width, height } of [
    { colorScheme: 'light', width: 1440, height: 900 },
    { colorScheme: 'dark', width: 390, height: 844 },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const player of ['9010', '4040']) {
      await page.goto(`/demo/players/${player}`);
      await expect(page.getByText('Loading from Invo…')).toHaveCount(0);
      await expect(page.getByRole('heading').first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing overflows sideways').toBe(width);
      await expectAccessible(page);
    }
  }
});
