import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'support' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
  await control('shape', { loyalty: null, 'item-history': null });
});

const ASA = '/demo/players/910023';

async function open(page: Page, name: string): Promise<void> {
  await page.goto('/demo/months');
  await new SearchBox(page).search(`${name}@players.example`);
  await expect(page).toHaveURL(/players/);
}

test('a wallet shows available, reserved and total as reported', async ({ page }) => {
  await open(page, 'asa.venn');
  const row = page.getByRole('region', { name: 'Wallet balances' }).getByRole('row', { name: /^Lumens/ });
  await expect(row.getByRole('cell')).toHaveText([/5,000\.00/, /250\.00/, /5,250\.00/]);
  await expect(page.getByText(/^Read from Invo at/)).toBeVisible();
  await open(page, 'bree.okoro');
  await expect(page.getByRole('region', { name: 'Wallet balances' })).toContainText('−45.50');
});

test('a wallet of two currencies adds nothing up', async ({ page }) => {
  await open(page, 'juno.marl');
  await expect(page.getByRole('region', { name: 'Wallet balances' }).getByRole('row')).toHaveCount(3);
  await expect(page.getByText('Currencies are never added up.')).toBeVisible();
});

test('a player without a valid card has an empty list that says expired cards aren’t in it', async ({ page }) => {
  await open(page, 'ruth.amsel');
  await page.goto('/demo/players/910007/cards');
  await expect(page.getByText('No valid cards. Invo doesn’t list expired cards.')).toBeVisible();
});

test('loyalty shows states as reported, a code by its last four characters, and loads no picture', async ({ page }) => {
  await open(page, 'asa.venn');
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await control('shape', { loyalty: 'full_code' });
  await page.goto(`${ASA}/loyalty`);
  const harbour = page.getByRole('region', { name: 'Harbour week' });
  await expect(harbour).toContainText('1 of 3 steps complete, in order');
  await expect(harbour.getByRole('listitem').nth(1)).toHaveText('Light five lanternsOpen · 2 of 5');
  await expect(harbour.getByRole('listitem').nth(2), 'no progress was reported').toHaveText('Send Lumens to EmberfallLocked');
  await expect(page.getByRole('region', { name: 'Lantern parade' })).toContainText('Finished, reward being checked');
  await expect(page.getByRole('region', { name: 'Founders’ regatta' })).toContainText('••••7K2Q');
  await expect(page.getByRole('region', { name: 'Night market' })).toContainText('rehearsal');
  await expect(page.getByText('Loyalty data isn’t stored.')).toBeVisible();
  expect(await page.content()).not.toContain('CANARY');
  expect([...hosts]).toEqual([new URL(page.url()).host]);
});

test('the loyalty tab says why it has no cards, and offers to try again only where that can help', async ({ page }) => {
  await open(page, 'mira.holt');
  await page.getByRole('link', { name: 'Loyalty' }).click();
  await expect(page.getByRole('heading', { name: 'No loyalty cards' })).toBeVisible();
  await open(page, 'asa.venn');
  await control('shape', { loyalty: 'not_set_up' });
  await page.goto(`${ASA}/loyalty`);
  await expect(page.getByRole('heading', { name: 'Loyalty isn’t set up' })).toBeVisible();
  await control('shape', { loyalty: null });
  await page.goto(`${ASA}/loyalty`);
  await expect(page.getByRole('region', { name: 'Harbour week' })).toBeVisible();
  await control('faults', [{ kind: '404', code: 'PLAYER_NOT_FOUND', times: 9, match: { route: 'loyalty' } }]);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Not a loyalty player' })).toBeVisible();
  for (const [status, code, title] of [
    [403, 'TENANT_NOT_MIGRATED', 'This game isn’t migrated at Invo'],
    [503, 'sdk_verification_disabled', 'In-app verification isn’t enabled'],
  ] as const) {
    await control('faults', {}, 'DELETE');
    await control('faults', [{ kind: 'refuse', status, code, times: 9, match: { route: 'loyalty' } }]);
    await page.reload();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  }
  await control('faults', {}, 'DELETE');
  await control('faults', [{ kind: '503', times: 9, match: { route: 'loyalty' } }]);
  await page.reload();
  await expect(page.getByText('Loyalty couldn’t be read')).toBeVisible();
  await expect(page.getByText('Harbour week')).toHaveCount(0);
  await control('faults', {}, 'DELETE');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Harbour week' })).toBeVisible();
});

test('a card of another version is shown raw', async ({ page }) => {
  await open(page, 'asa.venn');
  await control('shape', { loyalty: 'version_2' });
  await page.goto(`${ASA}/loyalty`);
  await expect(page.getByText('Sharebook doesn’t know version 2 of this card.').first()).toBeVisible();
  await expect(page.getByText('In progress')).toHaveCount(0);
  expect(await page.content()).not.toContain('CANARY');
});

test('a slow or failing loyalty doesn’t hold the wallet', async ({ page }) => {
  await open(page, 'asa.venn');
  await control('faults', [{ kind: '500', times: 50, match: { route: 'loyalty' } }]);
  await page.goto(ASA);
  await expect(page.getByRole('region', { name: 'Wallet balances' })).toBeVisible();
});

test('item purchases are shown under Invo’s names, and an unknown form as it came', async ({ page }) => {
  await open(page, 'asa.venn');
  await page.goto(`${ASA}/orders`);
  const rows = page.getByRole('region', { name: 'Item purchases' });
  await expect(rows.getByRole('columnheader').nth(1)).toHaveText('Item');
  await expect(rows.getByRole('row')).toHaveCount(5);
  await expect(page.getByText(/Invo doesn’t list a player’s orders/)).toBeVisible();
  await expect(page.getByText('Invo has more rows than this answer.')).toHaveCount(0);
  await control('shape', { 'item-history': 'pages+more' });
  await page.reload();
  await expect(page.getByText('Invo has more rows than this answer.')).toBeVisible();
  await control('shape', { 'item-history': 'none' });
  await page.reload();
  await expect(page.getByText('Sharebook doesn’t recognize this response format.')).toBeVisible();
});

test('every tab is readable on a desktop in light mode and on a phone in dark mode', async ({ page, expectAccessible }) => {
  await open(page, 'asa.venn');
  for (const { colorScheme, width, height } of [
    { colorScheme: 'light', width: 1440, height: 900 },
    { colorScheme: 'dark', width: 390, height: 844 },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const tab of ['', '/cards', '/orders', '/subscriptions', '/loyalty', '/transfers']) {
      await page.goto(`${ASA}${tab}`);
      await expect(page.getByText('Loading from Invo…')).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `nothing overflows sideways in ${tab}`).toBe(width);
      await expectAccessible(page);
    }
  }
});
