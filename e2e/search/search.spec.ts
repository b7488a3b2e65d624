import type { Page } from 'playwright/test';
import { listenForKeys } from '#app/_ui/shell/page-keys.ts';
import { recordFigure } from '#e2e/support/proof.ts';
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
  await page.goto('/demo/players');
  // Its field has the focus.
  await page.keyboard.type('theo.lund@players.example');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/demo/players/910009');
  await expect(page.getByRole('heading', { name: 'Theo Lund' })).toBeVisible();
  expect(addresses.filter((address) => /theo\.lund|%40|@/.test(address))).toEqual([]);
});

test('no key typed after the search opens is lost at any moment of loading, on a processor six times slower', { tag: '@proof' }, async ({
  page,
}) => {
  const rounds = 200;
  test.setTimeout(60_000 + rounds * 15_000);
  const box = new SearchBox(page);
  const slow = await page.context().newCDPSession(page);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  for (let round = 0; round < rounds; round += 1) {
    // The page has this many of its scripts when the first key is pressed. The others come while the rest is typed.
    const arrived = (round * 7) % (SCRIPTS + 1);
    const others = await holdScripts(page, arrived);
    const way = WAYS[round % WAYS.length];
    await page.goto(way === 'field' ? '/demo/players' : (SLOW_PAGES[round % SLOW_PAGES.length] ?? ''), { waitUntil: 'commit' });
    // Until its styles have come, the page shows the button of a phone too.
    const button = page.getByRole('complementary', { name: 'Sidebar' }).getByRole('button', { name: 'Search' });
    if (way !== 'field') await expect(button).toBeVisible();
    // Of the field of a page nothing is pressed before the text.
    else await page.locator('#search').waitFor({ state: 'attached' });
    if (way === 'keys') await page.keyboard.press('Control+k');
    else if (way === 'button') await button.click();
    await page.keyboard.type(ID.slice(0, 8));
    others.resolve();
    await page.keyboard.type(ID.slice(8));
    await expect(box.input, `round ${round}, with ${arrived} scripts`).toHaveValue(ID);
    await page.keyboard.press('Enter');
    await expect(page, `round ${round}, with ${arrived} scripts`).toHaveURL('/demo/periods/2026100013');
    await page.unroute(SCRIPT_ADDRESSES);
  }
  recordFigure('Search: keys typed while the page loads', `${rounds} of ${rounds} complete`);
});

test('keys pressed before style sheets and scripts have arrived lead where they lead later', { tag: '@proof' }, async ({ page }) => {
  const box = new SearchBox(page);
  for (const path of ['/demo', ...SLOW_PAGES])
    for (const opener of ['/', 'Control+k']) {
      const files = Promise.withResolvers<void>();
      await page.route(FILES, async (route) => {
        await files.promise;
        await route.continue();
      });
      await page.goto(path, { waitUntil: 'commit' });
      // The first moment at which a page can know of a key: the browser has read its first part.
      await page.locator('#search').waitFor({ state: 'attached' });
      await page.keyboard.press(opener);
      await page.keyboard.type(ID);
      files.resolve();
      const filter = page.locator('main input[data-key="/"]');
      const field = opener === '/' && (await filter.count()) > 0 ? filter : box.input;
      await expect(field, `${opener} on ${path}`).toHaveValue(ID);
      await page.unroute(FILES);
    }
});

test('keys pressed while a page is still being read act as soon as it has what they are for', { tag: '@proof' }, async ({ page }) => {
  const BOX = '<dialog id="search"><input></dialog>';
  const SLASH = '<button data-key="/" data-search="">Search</button>';
  const FILTER = '<main><input id="filter" data-key="/"></main>';
  const FIRST = '<input data-search-field>';
  const END = '<p data-frame-end></p>';
  for (const [keys, before, after, field, text] of [
    [['Control+k', 'T', 'X', 'Backspace', 'Y'], '', BOX, '#search input', 'TY'],
    [['Control+k', 'T', 'Y'], BOX, SLASH + END, '#search input', 'TY'],
    [['/', 'T', 'Y', 'Enter'], BOX, SLASH + END, '#search input', 'TY'],
    [['/', 'T', 'Y'], BOX + SLASH, FILTER + END, '#filter', 'TY'],
    [['g', 'g', 'm', 'x'], BOX, `<input id="opened"><a data-key="g m" onclick="opened.value = 'months'"></a>${END}`, '#opened', 'months'],
    [['g', 'm', 'T', 'Backspace', 'Y', 'Enter'], BOX, FIRST + END, '#search input', 'gmY'],
    [['T', 'Y'], BOX + FIRST + END, '', '#search input', 'TY'],
    [['/', 'T'], `${BOX}<p data-single-keys="off">`, FILTER + END, '#filter', ''],
  ] as const) {
    await page.goto('about:blank');
    // An opened document is read until it is closed.
    await page.evaluate(`document.open(); (${listenForKeys})(); document.write(${JSON.stringify(`<body>${before}`)})`);
    for (const key of keys) await page.keyboard.press(key);
    await page.evaluate((html) => document.write(html), after);
    await expect(page.locator(field), keys.join(' ')).toHaveValue(text);
    if (keys.some((key) => key === 'Enter')) await expect(page.locator('#search')).toHaveAttribute('data-entered', text);
  }
});

/** Lets the first scripts of the next page through. The others wait until the result is resolved. */
async function holdScripts(page: Page, firstCount: number): Promise<PromiseWithResolvers<void>> {
  const others = Promise.withResolvers<void>();
  let count = 0;
  await page.route(SCRIPT_ADDRESSES, async (route) => {
    count += 1;
    if (count > firstCount) await others.promise;
    await route.continue();
  });
  return others;
}

const FILES = '**/_next/static/**';
const SCRIPT_ADDRESSES = '**/_next/static/chunks/*.js';
/** About as many as a page has: more or fewer only repeat a moment. */
const SCRIPTS = 16;
const WAYS = ['keys', 'button', 'field'] as const;
const SLOW_PAGES = ['/demo/months', '/demo/recipients', '/demo/refunds'];
const ID = 'TXN_2026100013';

test('local matches appear while I type and open with the keyboard', async ({ page }) => {
  await page.goto('/demo/months');
  const box = new SearchBox(page);
  await box.open();
  await page.keyboard.type('9009');
  await expect(box.choices.first()).toContainText('Halcyon Drift');
  await expect(box.choices.first()).toContainText('player 9009 · witness-9009@creators.example · also a recipient');
  await page.keyboard.press('ArrowDown');
  await expect(box.choices.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/demo/players/9009');
  await page.keyboard.press('/');
  await expect(box.input).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box.input).toBeHidden();
});

test('I go to a page by two keys and walk its list, but not while I type, and can switch single keys off', { tag: '@proof' }, async ({
  page,
  expectAccessible,
}) => {
  await page.goto('/demo/months');
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page).toHaveURL('/settings');
  // A second g begins again.
  for (const key of 'ggm') await page.keyboard.press(key);
  await expect(page).toHaveURL('/demo/months');
  await expect(page.getByRole('table')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(page.getByRole('table').getByRole('row').nth(1).getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/demo\/months\/2026-/);
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys).toContainText('Months');
  await expectAccessible(page);
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(keys, 'single keys rest while a dialog is open').toBeVisible();
  await keys.getByRole('link', { name: 'your account' }).click();
  await expect(page).toHaveURL(/\/settings\/account/);
  await page.getByRole('button', { name: 'Switch single keys off' }).click();
  await expect(page.getByRole('button', { name: 'Switch single keys on' })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\/settings\/account/);
  const box = new SearchBox(page);
  await box.open();
  await page.keyboard.type('g m?/');
  await expect(box.input).toHaveValue('g m?/');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Switch single keys on' }).click();
  await expect(page.getByRole('button', { name: 'Switch single keys off' })).toBeVisible();
});

test('on a page with a table filter, the slash focuses the filter', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/recipients');
  const filter = page.getByRole('textbox', { name: /^Search / });
  await page.keyboard.press('/');
  await expect(filter).toBeFocused();
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

test('the search box is accessible on a phone in dark mode, and a tap opens a match', { tag: '@proof' }, async ({
  page,
  expectAccessible,
}) => {
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
