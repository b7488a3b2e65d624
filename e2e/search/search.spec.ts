import { expect, test } from '../fixtures.ts';
import { SearchBox } from '../pages/search-box.ts';
import { control } from '../pages/simulated-invo.ts';

// What each kind of ID opens, and what a search without a result says: search.page.test.ts.
test.use({ role: 'auditor' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

test('an email opens the player and appears in no address', async ({ page }) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto('/demo/months');
  await new SearchBox(page).search('theo.lund@players.example');
  await expect(page).toHaveURL('/demo/players/910009');
  await expect(page.getByRole('heading', { name: 'Theo Lund' })).toBeVisible();
  expect(addresses.filter((address) => /theo\.lund|%40|@/.test(address))).toEqual([]);
});

test('what I type before the code of the search box has come is in the box', async ({ page }) => {
  await page.goto('/demo/months');
  const code = Promise.withResolvers<void>();
  let heldCount = 0;
  await page.route('**/_next/static/chunks/*.js', async (route) => {
    heldCount += 1;
    await code.promise;
    await route.continue();
  });
  await expect(async () => {
    await page.keyboard.press('Control+k');
    expect(heldCount).toBeGreaterThan(0);
  }).toPass();
  await page.keyboard.type('TXN_202610001x');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('3');
  const { input } = new SearchBox(page);
  await expect(input).toHaveCount(0);
  code.resolve();
  await expect(input).toHaveValue('TXN_2026100013');
  await expect(page).toHaveURL('/demo/months');
  await input.press('Enter');
  await expect(page).toHaveURL('/demo/periods/2026100013');
});

test('local matches appear while I type and open with the keyboard', async ({ page }) => {
  await page.goto('/demo/months');
  const box = new SearchBox(page);
  await box.open();
  await page.keyboard.type('9009');
  await expect(box.choices.first()).toContainText('Halcyon Drift');
  await expect(box.choices.first()).toContainText('player 9009 · witness-9009@creators.example · also a recipient');
  await page.keyboard.press('ArrowDown');
  await expect(box.choices.first()).toHaveAttribute('data-highlighted');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/demo/players/9009');
  await page.keyboard.press('/');
  await expect(box.input).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box.input).toBeHidden();
});

test('on a page with a table filter, the slash focuses the filter', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/recipients');
  const filter = page.getByRole('textbox', { name: /^Search / });
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(filter).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('when Invo is down, the search says so, shows local matches and can be retried', { tag: '@proof' }, async ({ page }) => {
  await control('faults', [{ kind: '500', times: 50 }]);
  await page.goto('/demo/months');
  const box = new SearchBox(page);
  await box.search('404404');
  await expect(box.answer).toContainText('Invo failed on its side.');
  await expect(box.answer).toContainText('No local match.');
  await box.input.fill('9009');
  await box.choices.filter({ hasText: 'Search Invo' }).click();
  await expect(box.answer).toContainText('Local matches:');
  await expect(box.choices.first()).toContainText('Halcyon Drift');
  await control('faults', {}, 'DELETE');
  await box.input.fill('404404');
  await box.input.press('Enter');
  await expect(box.answer).toContainText('No period, order or transfer has this number');
});

test('the search box is accessible on a phone in dark mode, and a tap opens a match', async ({ page, expectAccessible }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto('/demo/months');
  await expect(async () => {
    await page
      .getByRole('button', { name: /^Search/ })
      .filter({ visible: true })
      .click();
    await expect(page.getByRole('combobox')).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.getByRole('combobox').fill('9009');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('option').first().click();
  await expect(page).toHaveURL('/demo/players/9009');
});
