import { expect, test } from '../fixtures.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'auditor' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

test('I see wallet, cards and subscriptions of a player; coins are in their own name', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('mira.holt@players.example');
  await expect(page).toHaveURL('/demo/players/910001');
  await expect(page.getByText('mira.holt@players.example')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Wallet', exact: true })).toContainText('350.00 Lumens');
  const cards = page.getByRole('region', { name: 'Saved cards' });
  await expect(cards.getByRole('row')).toHaveCount(3);
  await expect(cards.getByRole('row').nth(1)).toContainText('Amex •••• 0005');
  await expect(page.getByRole('region', { name: 'Subscriptions' })).toContainText('SUB_1733392800_DESKMIRA');
});

test('a player without subscriptions is told from nobody at all', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('wren.ashby@players.example');
  await expect(page.getByText('This player exists and has no subscriptions.')).toBeVisible();
  await page.goto('/demo/players/4040');
  await expect(page.getByRole('heading', { name: 'Player 4040 is not in what Sharebook holds' })).toBeVisible();
});

test('an empty list with a wallet that cannot be read does not say that the player exists', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('wren.ashby@players.example');
  await expect(page.getByText('This player exists and has no subscriptions.')).toBeVisible();
  await control('faults', [{ kind: '500', times: 20, match: { route: 'balances' } }]);
  await page.reload();
  await expect(page.getByText('Invo lists none; whether the player still exists could not be asked.')).toBeVisible();
});

test('a long list of subscriptions has pages, and a recipient leads to what they earn', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('guild.house@players.example');
  await expect(page.getByRole('region', { name: 'Subscriptions' }).getByRole('row')).toHaveCount(64);
  await page.goto('/demo/players/910014?from=60');
  await expect(page.getByText('61 to 63 of 63 subscriptions')).toBeVisible();
  await page.getByRole('link', { name: 'Newer' }).click();
  await expect(page).toHaveURL('/demo/players/910014');
  await page.goto('/demo/players/9010');
  await page.getByRole('link', { name: 'What they earn as a recipient' }).click();
  await expect(page).toHaveURL('/demo/recipients/9010');
});

test('when Invo fails I see what it said of the player last', async ({ page }) => {
  await page.goto('/demo/players/9013');
  await expect(page.getByRole('region', { name: 'Wallet', exact: true })).toBeVisible();
  await control('faults', [{ kind: '503', times: 50 }]);
  await page.reload();
  await expect(page.getByText(/^Invo could not be asked about this player: this is what it said/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Wallet', exact: true })).toBeVisible();
});

test('I can read a player on a desk by day and on a telephone by night', async ({ page, expectAccessible }) => {
  for (const { colorScheme, width, height } of [
    { colorScheme: 'light', width: 1440, height: 900 },
    { colorScheme: 'dark', width: 390, height: 844 },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const player of ['9010', '4040']) {
      await page.goto(`/demo/players/${player}`);
      await expect(page.getByText('Asking Invo…')).toHaveCount(0);
      await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing sticks out sideways').toBe(width);
      await expectAccessible(page);
    }
  }
});
