import { expect, test } from '../fixtures.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'support' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
  await control('shape', { 'transfer-status': null, 'approval-status': null, 'inbound-pending': null });
});

test('what waits to be collected is listed with its amounts under Invo’s names, and says that no webhook announced it', async ({
  page,
}) => {
  await page.goto('/demo/transfers');
  const row = page.getByRole('region', { name: 'Waiting to be collected', exact: true }).getByRole('row').nth(1);
  await expect(row).toContainText('80.00 Lumens');
  await expect(row).toContainText('net_amount');
  await expect(page.getByRole('region', { name: 'No webhook for these transfers' })).toContainText('TRF_IN');
  expect(await page.content()).not.toContain('15112345678');
  await row.getByRole('link', { name: 'TRF_IN' }).click();
  await expect(page).toHaveURL('/demo/transfers/TRF_IN');
  await expect(page.getByRole('region', { name: 'Into this game' })).toContainText('•••• 78');
});

test('a list whose fields nobody knows is shown as it came, and an empty or unreadable one says so', async ({ page }) => {
  await control('shape', { 'inbound-pending': 'renamed' });
  await page.goto('/demo/transfers');
  await expect(page.getByText('no ID found')).toBeVisible();
  await expect(page.getByText('no amount found')).toBeVisible();
  await control('shape', { 'inbound-pending': 'pages+more' });
  await page.reload();
  await expect(page.getByText('Invo has more rows than this answer.')).toBeVisible();
  await control('shape', { 'inbound-pending': 'empty' });
  await page.reload();
  await expect(page.getByText('None.', { exact: true })).toBeVisible();
  await control('shape', { 'inbound-pending': 'none' });
  await page.reload();
  await expect(page.getByText('Sharebook doesn’t recognize this response format.')).toBeVisible();
  await control('faults', [{ kind: '503', times: 50 }]);
  await page.reload();
  await expect(page.getByText('Couldn’t load pending transfers from Invo.', { exact: true })).toBeVisible();
  await expect(page.getByText(/tored data is unchanged|stored yet/)).toHaveCount(0);
});

test('a transfer is found by its ID and shows both status fields, and then among the known ones', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('TRF_CLAIM');
  await expect(page).toHaveURL('/demo/transfers/TRF_CLAIM');
  const card = page.getByRole('region', { name: 'Out of this game' });
  await expect(card).toContainText('Waiting to be collected');
  await expect(card).toContainText('pending_claim');
  await expect(card).toContainText('approved');
  await expect(card).toContainText('95.00');
  await page.goto('/demo/transfers');
  await expect(page.getByRole('region', { name: 'Transfers known to Sharebook' }).getByRole('row', { name: /TRF_CLAIM/ })).toContainText(
    '100.00',
  );
});

test('an amount that is a JSON number is not readable on the transfer, and none is stored for the list', async ({ page }) => {
  await control('shape', { 'transfer-status': 'number_money' });
  await page.goto('/demo/transfers/TRF_CLAIM');
  await expect(page.getByRole('region', { name: 'Out of this game' })).toContainText('not readable');
  await page.goto('/demo/transfers');
  const row = page.getByRole('region', { name: 'Transfers known to Sharebook' }).getByRole('row', { name: /TRF_CLAIM/ });
  await expect(row).toContainText('not stored');
});

test('a guardian’s answer is shown where one is asked, and words nobody documents as they came', async ({ page }) => {
  await page.goto('/demo/transfers/TRF_MINOR');
  await expect(page.getByText('A guardian has been asked and hasn’t answered.')).toBeVisible();
  await expect(page.getByText('A guardian has to agree before the sender can approve.')).toBeVisible();
  await expect(page.getByText('The coins are reserved, and nothing has moved')).toHaveCount(0);
  await page.goto('/demo/transfers/TRF_DONE');
  await expect(page.getByText('Collected', { exact: true })).toBeVisible();
  await expect(page.getByText('Guardian')).toHaveCount(0);
  await control('shape', { 'transfer-status': 'new_status+fees_object', 'approval-status': 'new_state' });
  await page.goto('/demo/transfers/TRF_MINOR');
  await expect(page.getByText('under_review').first()).toBeVisible();
  await expect(page.getByText('paused_by_operator').first()).toBeVisible();
  await expect(page.getByText('escalated').first()).toBeVisible();
  await expect(page.getByText('total_fee').first()).toBeVisible();
});

test('the known transfers are narrowed by what is to be done about them', async ({ page }) => {
  for (const id of ['TRF_MINOR', 'TRF_DONE']) await page.goto(`/demo/transfers/${id}`);
  await page.goto('/demo/transfers');
  const known = page.getByRole('region', { name: 'Transfers known to Sharebook' });
  await expect(known.getByRole('row', { name: /TRF_DONE/ })).toBeVisible();
  await page.getByRole('link', { name: 'Reserved, not approved' }).click();
  await expect(page).toHaveURL('/demo/transfers?show=reserved');
  await expect(page.getByRole('link', { name: 'Reserved, not approved' })).toHaveAttribute('aria-current', 'page');
  await expect(known.getByRole('row', { name: /TRF_MINOR/ })).toBeVisible();
  await expect(known.getByRole('row', { name: /TRF_DONE/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Needs attention' }).click();
  await expect(page.getByText(/Sharebook never read/)).toBeVisible();
  await expect(known.getByRole('row', { name: /TRF_MINOR/ })).toHaveCount(0);
});

test('an expired transfer is shown as returning, and as returned once it was refunded', async ({ page }) => {
  await page.goto('/demo/transfers/TRF_EXPIRED');
  await expect(page.getByText('Its window ended. The coins go back to the sender.')).toBeVisible();
  await page.goto('/demo/transfers/TRF_REFUNDED');
  await expect(page.getByText('It wasn’t collected. The coins are back with the sender.')).toBeVisible();
});

test('a receiver whose identity isn’t reported is not said to share a number', async ({ page }) => {
  await control('shape', { 'transfer-status': 'no_identity' });
  await page.goto('/demo/transfers/TRF_IN');
  const card = page.getByRole('region', { name: 'Into this game' });
  await expect(card).toContainText('Receiver’s identitynot reported');
  await expect(card).not.toContainText('Several players share this number');
});

test('money that waits for a player is on the player’s tab, and its receiver leads to the player', async ({ page }) => {
  await page.goto('/demo/months');
  await new SearchBox(page).search('asa.venn@players.example');
  await expect(page).toHaveURL(/players\/910023/);
  await page.goto('/demo/transfers/TRF_IN');
  const card = page.getByRole('region', { name: 'Into this game' });
  await card.getByRole('link', { name: 'Asa Venn' }).click();
  await expect(page).toHaveURL('/demo/players/910023');
  await page.getByRole('link', { name: 'Transfers', exact: true }).last().click();
  await expect(page.getByRole('region', { name: 'Waiting to be collected' }).getByRole('row', { name: /TRF_IN/ })).toContainText(
    '80.00 Lumens',
  );
  await expect(page.getByRole('region', { name: 'Transfers known to Sharebook' }).getByRole('row', { name: /TRF_IN/ })).toContainText(
    '76.00',
  );
  await page.goto('/demo/players/910024/transfers');
  await expect(page.getByText('TRF_IN')).toHaveCount(0);
});

test('codes in an answer appear nowhere', async ({ page }) => {
  await control('shape', { 'transfer-status': 'test_code' });
  await page.goto('/demo/transfers/TRF_CLAIM');
  await page.getByText('All fields').click();
  await expect(page.getByText('verification_state').last()).toBeVisible();
  expect(await page.content()).not.toContain('canary');
});

test('transfers are readable on a desktop in light mode and on a phone in dark mode', async ({ page, expectAccessible }) => {
  for (const { colorScheme, width, height } of [
    { colorScheme: 'light', width: 1440, height: 900 },
    { colorScheme: 'dark', width: 390, height: 844 },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const path of ['transfers', 'transfers/TRF_IN', 'transfers/TRF_MINOR']) {
      await page.goto(`/demo/${path}`);
      await expect(page.getByText('Loading from Invo…')).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing overflows sideways').toBe(width);
      await expectAccessible(page);
    }
  }
});
