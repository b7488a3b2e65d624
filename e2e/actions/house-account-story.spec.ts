import type { Locator, Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { listWrongCounts, readGivenSecrets } from '../pages/invo-counts.ts';
import { expectReadable } from '../pages/screen-check.ts';
import { SearchBox } from '../pages/search-box.ts';
import { answerOnPhone } from '../pages/simulated-invo.ts';

const SETTINGS = '/settings/desk-actions/demo';
const PHONE = { house: '+49 151 00910031', asa: '+49 151 12345678' };

// The people of one game share what is on: each test continues where the one before left it.
test.use({ role: 'support' });
test.describe.configure({ mode: 'serial' });

test('an admin adds a house account and a group, and another person confirms both', { tag: '@proof' }, async ({
  page,
  pageOf,
  expectAccessible,
}) => {
  await page.goto('/demo/players');
  await new SearchBox(page).search('house.account@players.example');
  await expect(page.getByRole('heading', { level: 1, name: 'House Account' })).toBeVisible();
  const admin = await pageOf('admin');
  await admin.goto(SETTINGS);
  await admin.getByRole('button', { name: 'Ask to turn on Sends' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Ask to turn on Sends' }).click();
  await expect(admin.getByRole('button', { name: 'Withdraw the request to turn on Sends' })).toBeVisible();
  await admin.getByRole('button', { name: 'Add house account' }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByLabel('Player ID').fill('910031');
  await dialog.getByLabel('Label').fill('Starfall House');
  await dialog.getByLabel('Phone that approves').fill(PHONE.house);
  await dialog.getByLabel('Phone again').fill('+49 151 00910032');
  await dialog.getByRole('button', { name: 'Ask to add house account' }).click();
  await expect(dialog.getByText('This isn’t the same number as above.')).toBeVisible();
  await dialog.getByLabel('Phone again').fill(PHONE.house);
  await expectReadable(admin, expectAccessible);
  await dialog.getByRole('button', { name: 'Ask to add house account' }).click();
  await expect(admin.getByRole('region', { name: 'Starfall House' })).toContainText('A second person must confirm it.');
  await expectReadable(admin, expectAccessible);

  const finance = await pageOf('finance');
  await finance.goto(SETTINGS);
  await finance.getByRole('button', { name: 'Turn on Sends', exact: true }).click();
  await finance.getByRole('dialog').getByRole('button', { name: 'Turn on Sends' }).click();
  await expect(finance.getByRole('row', { name: /^Sends/ })).toContainText('On');
  await finance.getByRole('button', { name: 'Confirm Starfall House' }).click();
  await finance.getByRole('dialog').getByRole('button', { name: 'Confirm Starfall House' }).click();
  await expect(finance.getByRole('region', { name: 'Starfall House' })).toContainText('In use');
  expect(await finance.content()).not.toContain('00910031');
});

test('coins of a house account are sent once its phone approved', { tag: '@proof' }, async ({ page, pageOf, expectAccessible }) => {
  await page.goto('/demo/players');
  await new SearchBox(page).search('asa.venn@players.example');
  await page.getByRole('link', { name: 'Send coins…' }).click();
  await page.getByLabel('From').selectOption({ label: 'Starfall House (player 910031)' });
  await page.getByLabel('Receiver’s phone', { exact: true }).fill('0151 12345678');
  await page.getByRole('button', { name: 'Look up games' }).click();
  await expect(page.getByText('Enter the number with its country code')).toBeVisible();
  await page.getByLabel('Receiver’s phone', { exact: true }).fill('+49 151 12345679');
  await page.getByRole('button', { name: 'Look up games' }).click();
  await expect(page.getByText('A wrong number looks the same.')).toBeVisible();
  await page.getByLabel('Receiver’s phone', { exact: true }).fill(PHONE.asa);
  await page.getByLabel('Receiver’s phone again').fill(PHONE.asa);
  await page.getByRole('button', { name: 'Look up games' }).click();
  await expect(page.getByLabel('Game', { exact: true })).toContainText('Starfall');
  await page.getByLabel('Amount (Lumens)').fill('25');
  await page.getByLabel('Ticket', { exact: true }).fill('T-1050');
  await expectReadable(page, expectAccessible);
  await page.getByRole('button', { name: /^Send 25\.00 .*…$/ }).click();
  await expect(page.getByRole('region', { name: /^Send 25\.00/ })).toContainText('Ends in 78');
  await page.getByRole('button', { name: /^Request: Send 25\.00/ }).click();
  await expect(page.getByText('A second person must approve it first.')).toBeVisible();
  const address = new URL(page.url()).pathname;

  const finance = await pageOf('finance');
  await finance.goto(address);
  await expectReadable(finance, expectAccessible);
  await finance.getByRole('button', { name: /^Approve: / }).click();
  await expect(finance.getByText('Ready to reserve')).toBeVisible();

  await page.reload();
  await expectReadable(page, expectAccessible);
  await page.getByLabel(/’s phone$/).fill(PHONE.asa);
  await page.getByRole('button', { name: 'Reserve the coins' }).click();
  await page.getByRole('button', { name: 'Ask the phone' }).click();
  const box = page.getByRole('region', { name: 'Code for the phone' });
  await expect(box).toContainText('The phone must show Starfall and 25.00 Lumens.');
  await expectReadable(page, expectAccessible);
  await answerOnPhone(await box.locator('code').innerText(), 'approve');
  await expect(page.getByText('Nothing has moved yet').first()).toBeVisible();
  await page.getByRole('button', { name: 'Move the coins' }).click();
  await expect(page.getByText('Invo moved the coins: the receiver can collect them.')).toBeVisible();
  await expectReadable(page, expectAccessible);
  await page.getByRole('link', { name: 'Action 1', exact: true }).click();
  await expect(page.getByText('The coins were sent. The receiver collects them in the game.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText('Starfall House');
  for (const address of ['/demo/actions', '/demo/players/910023']) {
    await page.goto(address);
    await expectReadable(page, expectAccessible);
  }
});

test('a player’s own coins move to another game once their phone approved, and I see the claim code once', { tag: '@proof' }, async ({
  page,
  pageOf,
  expectAccessible,
}) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  const admin = await pageOf('admin');
  await admin.goto(SETTINGS);
  await admin.getByRole('button', { name: 'Ask to turn on Transfers' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Ask to turn on Transfers' }).click();
  await expect(admin.getByRole('button', { name: 'Withdraw the request to turn on Transfers' })).toBeVisible();
  const finance = await pageOf('finance');
  await finance.goto(SETTINGS);
  await finance.getByRole('button', { name: 'Turn on Transfers', exact: true }).click();
  await finance.getByRole('dialog').getByRole('button', { name: 'Turn on Transfers', exact: true }).click();
  await expect(finance.getByRole('row', { name: /^Transfers/ })).toContainText('On');

  await page.goto('/demo/players/910023');
  await page.getByRole('link', { name: 'Move coins…' }).click();
  await page.getByLabel('Player’s phone', { exact: true }).fill(PHONE.asa);
  await page.getByLabel('Player’s phone again').fill(PHONE.asa);
  await page.getByRole('button', { name: 'Look up games' }).click();
  await expect(page.getByLabel('Game', { exact: true })).toContainText('Emberfall');
  const emberfall = await page.getByLabel('Game', { exact: true }).locator('option', { hasText: 'Emberfall' }).innerText();
  await page.getByLabel('Game', { exact: true }).selectOption({ label: emberfall });
  await page.getByLabel('Amount (Lumens)').fill('100');
  await page.getByLabel('Ticket', { exact: true }).fill('T-1051');
  await expectReadable(page, expectAccessible);
  await page.getByRole('button', { name: /^Move 100\.00 .*…$/ }).click();
  await page.getByRole('button', { name: /^Request: Move 100\.00/ }).click();
  await expect(page.getByText('A second person must approve it first.')).toBeVisible();
  const address = new URL(page.url()).pathname;
  await finance.goto(address);
  await expectReadable(finance, expectAccessible);
  await finance.getByRole('button', { name: /^Approve: / }).click();
  await expect(finance.getByText('Ready to reserve')).toBeVisible();

  await page.reload();
  await page.getByLabel(/’s phone$/).fill(PHONE.asa);
  await page.getByRole('button', { name: 'Reserve the coins' }).click();
  await page.getByRole('button', { name: 'Ask the phone' }).click();
  const boxOf = (tab: Page): Locator => tab.getByRole('region', { name: 'Code for the phone' });
  const codeOn = async (tab: Page): Promise<string> => await boxOf(tab).locator('code').innerText();
  await expect(boxOf(page)).toContainText('The phone must show Starfall and 100.00 Lumens.');
  await answerOnPhone(await codeOn(page), 'deny');
  await expect(page.getByText('The phone declined, and nothing has moved.')).toBeVisible();
  await page.getByRole('button', { name: 'Ask the phone again' }).click();
  await expect(boxOf(page)).toBeVisible();
  const declined = await page.content();
  expect(declined).not.toContain('The phone declined.');

  // The newest code is the only one: a screen doesn’t keep one that another replaced.
  const tab = await page.context().newPage();
  await tab.goto(address);
  await expect(tab.getByText('Its code was shown once, on the screen that asked.')).toBeVisible();
  await tab.getByRole('button', { name: 'Ask the phone again' }).click();
  await expect(boxOf(tab)).toBeVisible();
  await expect(boxOf(page)).toBeHidden();
  await expect(page.getByText('Its code was shown once, on the screen that asked.')).toBeVisible();
  await answerOnPhone(await codeOn(tab), 'approve');
  await expect(tab.getByRole('button', { name: 'Move the coins' })).toBeVisible();
  // The other tab isn’t drawn again before its own press, however slow this one is.
  await tab.route('**/demo/actions/**', async (route) => {
    if (route.request().method() === 'POST') await route.continue();
  });
  await page.getByRole('button', { name: 'Move the coins' }).click();
  await page.getByRole('button', { name: 'Show once' }).click();
  await expectReadable(page, expectAccessible);
  const code = await page.getByRole('region', { name: 'The code, shown once' }).locator('code').innerText();
  await tab.getByRole('button', { name: 'Move the coins' }).click();
  await expect(tab.getByText('This no longer waits for a phone.')).toBeVisible();
  await expect(tab.getByRole('button', { name: /Ask the phone/ })).toBeHidden();
  await page.reload();
  expect(await page.content()).not.toContain(code);
  await page.goto('/demo/actions');
  expect(await page.content()).not.toContain(code);

  // Neither the browser nor any address has a secret of Invo, and whatever moves coins was executed once.
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  const left = [...(await readGivenSecrets()).map(({ value }) => value), '15112345678', '15100910031'];
  expect(addresses.length).toBeGreaterThan(10);
  expect([stored, ...addresses].filter((text) => left.some((secret) => text.includes(secret)))).toEqual([]);
  expect(addresses.filter((address) => /@|%40/.test(address))).toEqual([]);
  expect(await listWrongCounts()).toEqual([]);
});
