import { expect, test } from '../fixtures.ts';
import { openMonths } from '../pages/open-months.ts';
import { SearchBox } from '../pages/search-box.ts';
import { signInAs } from '../pages/sign-in-page.ts';
import { control } from '../pages/simulated-invo.ts';

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

test('a transaction, order or period ID opens the period', async ({ page }) => {
  const box = new SearchBox(page);
  for (const id of ['TXN_2026100013', ' MINT_2026100013 ', '2026100013']) {
    await page.goto('/demo/months');
    await box.search(id);
    await expect(page, id).toHaveURL('/demo/periods/2026100013');
  }
});

test('a subscription ID that was never searched opens the subscription', async ({ page }) => {
  await page.goto('/demo/recipients/9009');
  await new SearchBox(page).search('SUB_1733565600_DESKTHEO');
  await expect(page).toHaveURL('/demo/subscriptions/SUB_1733565600_DESKTHEO');
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

test('Enter on a number asks Invo for a period before it opens the player', async ({ page }) => {
  await page.goto('/demo/months');
  const box = new SearchBox(page);
  await control('calls', {}, 'DELETE');
  await box.search('9009');
  await expect(page).toHaveURL('/demo/players/9009');
  const { calls } = (await control('calls', undefined, 'GET')) as { calls: { path: string }[] };
  expect(calls.map(({ path }) => path)).toContainEqual(expect.stringMatching(/\/periods\/9009$/));
  await control('faults', [{ kind: '500', times: 50 }]);
  await page.goto('/demo/months');
  await box.search('9009');
  await expect(box.answer).toContainText('Local matches:');
  await expect(box.choices).toContainText([/Halcyon Drift/, /Try Invo again/]);
});

test('on a page with a table filter, the slash focuses the filter', async ({ page }) => {
  await page.goto('/demo/recipients');
  const filter = page.getByRole('textbox', { name: /^Search / });
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(filter).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a miss says whether nothing local matches, Invo has none in this game, or the player doesn’t exist', async ({ page }) => {
  await page.goto('/demo/months');
  const box = new SearchBox(page);
  const misses = {
    TXN_404: 'No order and no transfer has this ID in this game and environment.',
    '404': 'No period, order or transfer has this number in this game and environment.',
    SUB_1_NOTTHERE: 'No such subscription in this game and environment.',
    'nobody@players.example': 'No such player',
    'two words': 'Search for one email or ID at a time, without spaces.',
    'someone@': 'Enter a complete email, such as name@example.com.',
  };
  for (const [text, sentence] of Object.entries(misses)) {
    await box.search(text);
    await expect(box.answer, text).toContainText(sentence);
    await page.keyboard.press('Escape');
  }
});

test('when Invo is down, the search says so, shows local matches and can be retried', async ({ page }) => {
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

test('the search box is accessible on a phone in dark mode and on a desktop in light mode', async ({ page, expectAccessible }) => {
  for (const { colorScheme, width, height } of [
    { colorScheme: 'dark', width: 390, height: 844 },
    { colorScheme: 'light', width: 1440, height: 900 },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
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
  }
});

test.describe('as a viewer', () => {
  test.use({ role: 'viewer' });

  test('a viewer finds recipients by ID only, sees masked emails, and has no page of a player', async ({ page, allowConsoleError }) => {
    allowConsoleError(/403/);
    await page.goto('/demo/months');
    const box = new SearchBox(page);
    await box.search('witness-9009@creators.example');
    await expect(box.answer).toContainText('Your role can’t search by email.');
    await box.input.fill('9009');
    await expect(box.choices.first()).toContainText('w•••@c•••.example');
    await box.input.press('Enter');
    await expect(page).toHaveURL('/demo/recipients/9009');
    await expect(page.getByText('w•••@c•••.example').first()).toBeVisible();
    expect(await page.content()).not.toContain('witness-9009@creators.example');
    for (const path of ['/demo/players/9009', '/demo/subscriptions/SUB_1733392800_DESKMIRA', '/demo/periods/2026100013'])
      expect((await page.request.get(path)).status(), path).toBe(403);
  });
});

test.describe('signed out', () => {
  test.use({ role: null });

  test('the search box opens only after signing in', async ({ page }) => {
    await page.goto('/sign-in');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await signInAs(page, 'support');
    await openMonths(page);
    await new SearchBox(page).open();
  });
});
