import { expect, test } from '../fixtures.ts';
import { openMonths } from '../pages/book.ts';
import { LookUpBox } from '../pages/look-up-box.ts';
import { signInAs } from '../pages/sign-in-page.ts';
import { control } from '../pages/simulated-invo.ts';

test.use({ role: 'auditor' });
test.afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

test('I paste an e-mail and land on the player, and no address carries the e-mail', async ({ page }) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto('/demo/months');
  await new LookUpBox(page).lookUp('theo.lund@players.example');
  await expect(page).toHaveURL('/demo/players/910009');
  await expect(page.getByText('Theo Lund')).toBeVisible();
  expect(addresses.filter((address) => /theo\.lund|%40|@/.test(address))).toEqual([]);
});

test('I paste a transaction id, an order id or a period id and land on the period', async ({ page }) => {
  const box = new LookUpBox(page);
  for (const id of ['TXN_2026100013', ' MINT_2026100013 ', '2026100013']) {
    await page.goto('/demo/months');
    await box.lookUp(id);
    await expect(page, id).toHaveURL('/demo/periods/2026100013');
  }
});

test('I paste a subscription id nobody looked up before and land on it', async ({ page }) => {
  await page.goto('/demo/recipients/9009');
  await new LookUpBox(page).lookUp('SUB_1733565600_DESKTHEO');
  await expect(page).toHaveURL('/demo/subscriptions/SUB_1733565600_DESKTHEO');
});

test('I see what is held while I type, and open it by the keys alone', async ({ page }) => {
  await page.goto('/demo/months');
  const box = new LookUpBox(page);
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

test('Enter on a number asks Invo for the period of it before it opens the player', async ({ page }) => {
  await page.goto('/demo/months');
  const box = new LookUpBox(page);
  await control('calls', {}, 'DELETE');
  await box.lookUp('9009');
  await expect(page).toHaveURL('/demo/players/9009');
  const { calls } = (await control('calls', undefined, 'GET')) as { calls: { path: string }[] };
  expect(calls.map(({ path }) => path)).toContainEqual(expect.stringMatching(/\/periods\/9009$/));
  await control('faults', [{ kind: '500', times: 50 }]);
  await page.goto('/demo/months');
  await box.lookUp('9009');
  await expect(box.answer).toContainText('This is what is held:');
  await expect(box.choices).toContainText([/Halcyon Drift/, /Ask Invo again/]);
});

test('where a table has a filter, the slash is the filter’s', async ({ page }) => {
  await page.goto('/demo/recipients');
  const filter = page.getByRole('textbox', { name: /^Filter by/ });
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(filter).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('I am told what a miss means: not held, not in this game, or nobody', async ({ page }) => {
  await page.goto('/demo/months');
  const box = new LookUpBox(page);
  const misses = {
    TXN_404: 'Invo cannot be asked by these; try the e-mail or the subscription id.',
    '404': 'Invo knows no period of this number: it is not in this game and environment.',
    SUB_1_NOTTHERE: 'Invo knows no such subscription: it is not in this game and environment.',
    'nobody@players.example': 'No such player',
    'two words': 'an e-mail or an id has no blanks in it',
    'someone@': 'This is not a whole e-mail address.',
  };
  for (const [text, told] of Object.entries(misses)) {
    await box.lookUp(text);
    await expect(box.answer, text).toContainText(told);
    await page.keyboard.press('Escape');
  }
});

test('when Invo is away I am told so, get what is held, and can ask again', async ({ page }) => {
  await control('faults', [{ kind: '500', times: 50 }]);
  await page.goto('/demo/months');
  const box = new LookUpBox(page);
  await box.lookUp('404404');
  await expect(box.answer).toContainText('Invo failed on its side.');
  await expect(box.answer).toContainText('Nothing of it is held either.');
  await box.input.fill('9009');
  await box.choices.filter({ hasText: 'Ask Invo too' }).click();
  await expect(box.answer).toContainText('This is what is held:');
  await expect(box.choices.first()).toContainText('Halcyon Drift');
  await control('faults', {}, 'DELETE');
  await box.input.fill('404404');
  await box.input.press('Enter');
  await expect(box.answer).toContainText('Invo knows no period of this number');
});

test('I can look something up on a telephone by night and on a desk by day', async ({ page, expectAccessible }) => {
  for (const { colorScheme, width, height } of [
    { colorScheme: 'dark', width: 390, height: 844 },
    { colorScheme: 'light', width: 1440, height: 900 },
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto('/demo/months');
    await expect(async () => {
      await page
        .getByRole('button', { name: /^Look up/ })
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

  test('I look up ids, not e-mails, and see e-mails masked', async ({ page }) => {
    await page.goto('/demo/months');
    const box = new LookUpBox(page);
    await box.lookUp('witness-9009@creators.example');
    await expect(box.answer).toContainText('Your role reads e-mails masked');
    await box.input.fill('9009');
    await expect(box.choices.first()).toContainText('w•••@c•••.example');
    await box.input.press('Enter');
    await expect(page).toHaveURL('/demo/players/9009');
    await expect(page.getByText('w•••@c•••.example')).toBeVisible();
    expect(await page.content()).not.toContain('witness-9009@creators.example');
  });
});

test.describe('signed out', () => {
  test.use({ role: null });

  test('there is no box, and after signing in there is', async ({ page }) => {
    await page.goto('/sign-in');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await signInAs(page, 'support');
    await openMonths(page);
    await new LookUpBox(page).open();
  });
});
