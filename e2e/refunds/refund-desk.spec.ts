import type { BrowserContext, Page } from 'playwright/test';
import { test as base, expect, ownOrigin } from '../fixtures.ts';
import { RefundForm } from '../pages/refund-form.ts';
import { RefundPage } from '../pages/refund-page.ts';
import { type DemoRole, signInAs } from '../pages/sign-in-page.ts';
import { control } from '../pages/simulated-invo.ts';

/** Opens the page of somebody else, signed in afresh; all of them close with the test. */
const test = base.extend<{ pageOf: (role: DemoRole) => Promise<Page> }>({
  pageOf: async ({ browser }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (role) => {
      // A context made inside a test takes over who is signed in there, unless it is told otherwise.
      const context = await browser.newContext({ baseURL: ownOrigin(), storageState: { cookies: [], origins: [] } });
      opened.push(context);
      const page = await context.newPage();
      await signInAs(page, role);
      return page;
    });
    for (const context of opened) await context.close();
  },
});

test.use({ role: 'support' });
/** Refunds that are there whichever test runs: one that was carried out, and one that was turned down. */
const made = { landed: 0, turnedDown: 0 };

test.beforeAll(async ({ browser, signedIn }) => {
  test.setTimeout(240_000);
  await control('reset');
  const pageOf = async (role: DemoRole): Promise<Page> =>
    (await browser.newContext({ baseURL: ownOrigin(), storageState: await signedIn(role) })).newPage();
  const [sami, fiona] = [await pageOf('support'), await pageOf('finance')];
  made.landed = await new RefundForm(sami).ask(2024128007, '1.00', 'Refund 1.00 USD');
  await new RefundPage(sami).expectState('Refunded', 60_000);
  made.turnedDown = await new RefundForm(sami).ask(2024128011, '110.00', 'Ask to refund 110.00 USD');
  const theirs = new RefundPage(fiona);
  await theirs.open(made.turnedDown);
  await theirs.acts.getByLabel('Why not').fill('Not this one.');
  await theirs.act('Do not refund 110.00 USD').click();
  await theirs.expectState('Not approved');
  await Promise.all([sami.context().close(), fiona.context().close()]);
});

test('above my limit somebody else approves exactly what I asked for, and I cannot', async ({ page, pageOf }) => {
  const refundId = await new RefundForm(page).ask(2024128001, 'rest', 'Ask to refund 60.00 USD');
  const mine = new RefundPage(page);
  await mine.expectState('Waiting for approval');
  await expect(mine.acts).toContainText('You asked for it, and it is above your limit');
  await expect(mine.acts.getByRole('button', { name: /^(Approve|Confirm)/ })).toHaveCount(0);
  const fiona = await pageOf('finance');
  await fiona.goto('/demo/refunds');
  await expect(
    fiona.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Refunds [1-9]\d* need a person$/ }),
  ).toBeVisible();
  const waiting = fiona.getByRole('region', { name: 'Refunds that need a person' });
  await expect(waiting.getByRole('row', { name: new RegExp(`^Refund ${refundId} `) })).toContainText('you may approve it');
  await waiting.getByRole('link', { name: `Refund ${refundId}`, exact: true }).click();
  const theirs = new RefundPage(fiona);
  await theirs.act('Approve the refund of 60.00 USD').click();
  await theirs.expectState('Refunded');
  await expect(theirs.story).toContainText('Fiona Hale approved a refund');
  await theirs.expectFigure('net_attributed_amount_usd', ['0.00 USD', '0.00 USD', 'the same']);
  await mine.expectState('Refunded');
});

test('a refund is turned down with a reason, and the period is free again', async ({ page, pageOf }) => {
  const refundId = await new RefundForm(page).ask(2024128011, '120.00', 'Ask to refund 120.00 USD');
  const fiona = await pageOf('finance');
  const theirs = new RefundPage(fiona);
  await theirs.open(refundId);
  await theirs.acts.getByLabel('Why not').fill('The player was told otherwise.');
  await theirs.act('Do not refund 120.00 USD').click();
  await theirs.expectState('Not approved');
  const mine = new RefundPage(page);
  await mine.expectState('Not approved');
  await expect(mine.story).toContainText('“The player was told otherwise.”');
  await mine.acts.getByRole('link', { name: 'Start a new refund of this period' }).click();
  await expect(new RefundForm(page).preview).toBeVisible();
});

test('what nobody can tell is decided by two people', async ({ page, pageOf }) => {
  await control('faults', { kind: 'lookup_failed', match: { route: 'refund', subscription_id: 'SUB_1733400000_DESKINES' } });
  const refundId = await new RefundForm(page).ask(2024128003, '2.00', 'Refund 2.00 USD');
  const mine = new RefundPage(page);
  await mine.expectState('Needs two people');
  await expect(page.getByText(/Whether money moved is not known\. Do not refund this period elsewhere/).first()).toBeVisible();
  await mine.act('Read the period at Invo now').click();
  await expect(mine.story).toContainText('Read the period to find out what happened: 0.00 USD refunded so far of 20.00, 0 refunds.');
  await mine.acts.getByLabel(/^It did not happen/).check();
  await mine.acts.getByLabel('What you looked at, and what you saw').fill('The period shows nothing.');
  await mine.act('Say so of the refund of 2.00 USD').click();
  await expect(mine.acts).toContainText('only on a reading of the period taken half an hour or more after the last try');
  await mine.acts.getByLabel(/^Send the same request once more/).check();
  await mine.act('Say so of the refund of 2.00 USD').click();
  await expect(mine.acts).toContainText('You have said what happened. A second person');
  await expect(mine.acts.getByRole('button', { name: /^Agree/ })).toHaveCount(0);
  const fiona = await pageOf('finance');
  const theirs = new RefundPage(fiona);
  await theirs.open(refundId);
  await expect(theirs.acts).toContainText('“The period shows nothing.”');
  await theirs.act('Agree: send the refund of 2.00 USD once more').click();
  await theirs.expectState('Refunded');
  await mine.expectState('Refunded');
});

test('anybody who refunds stops all refunds, and two people let them go on', async ({ page, pageOf }) => {
  await page.goto('/demo/refunds');
  await page.getByRole('button', { name: 'Stop all refunds' }).click();
  await page.getByLabel('Why').fill('Receipts look wrong.');
  await page.getByRole('button', { name: 'Stop all refunds of Starfall' }).click();
  const notice = page.getByRole('region', { name: 'Refunds of Starfall are stopped: nothing is sent to Invo' });
  await expect(notice).toContainText('Sami Okafor stopped them at');
  await expect(notice).toContainText('“Receipts look wrong.”');
  await new RefundForm(page).ask(2024128010, '1.00', 'Refund 1.00 USD');
  const held = new RefundPage(page);
  await held.expectState('About to be sent');
  await expect(notice).toBeVisible();
  const [fiona, ada] = [await pageOf('finance'), await pageOf('admin')];
  await fiona.goto('/demo/refunds');
  await fiona.getByRole('button', { name: 'Ask to send refunds again' }).click();
  await expect(fiona.getByText('You asked for them to be sent again')).toBeVisible();
  await expect(fiona.getByRole('button', { name: /send refunds again/i })).toHaveCount(0);
  await held.expectState('About to be sent');
  await ada.goto('/demo/refunds');
  await ada.getByRole('button', { name: 'Send refunds again' }).click();
  await expect(ada.getByRole('region', { name: /are stopped/ })).toHaveCount(0);
  await held.expectState('Refunded');
});

test('an admin sets what support refunds alone, and the form says so', async ({ page, pageOf }) => {
  const ada = await pageOf('admin');
  const set = async (amount: string): Promise<void> => {
    await ada.goto('/settings');
    await ada.getByLabel('Support alone, up to, USD').fill(amount);
    await ada.getByRole('button', { name: 'Change the limits of Starfall' }).click();
  };
  await set('-1');
  await expect(ada.getByText('Write an amount of zero or more, such as 50.00.')).toBeVisible();
  await set('3.00');
  await expect(ada.getByText('Changed. It holds for what is asked for from now on.')).toBeVisible();
  try {
    await new RefundForm(page).open(2024128006);
    await page.getByLabel('A part of it').check();
    await page.getByLabel('Amount, USD').fill('3.00');
    await expect(page.getByText('Within your limit of 3.00 USD: it is sent at once after you confirm.')).toBeVisible();
    await page.getByLabel('Amount, USD').fill('3.01');
    await expect(page.getByText('A second person has to approve it: your limit is 3.00 USD.')).toBeVisible();
  } finally {
    // With this limit every other refund of support's would wait for a second person.
    await set('50.00');
  }
  await expect(ada.getByText('Changed. It holds for what is asked for from now on.')).toBeVisible();
});

test('the register is found by state and text, and a link is a view', async ({ page, expectAccessible }) => {
  await page.goto('/demo/refunds?show=not_carried_out');
  const register = page.getByRole('grid', { name: 'refunds' });
  await expect(register.getByRole('row', { name: new RegExp(`^Refund ${made.turnedDown} `) })).toContainText('Not approved');
  await expect(register.getByRole('row').filter({ hasText: /^Refund \d+Refunded/ })).toHaveCount(0);
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Refunded', exact: true }).click();
  await expect(page).toHaveURL(/show=landed/);
  await page.getByRole('textbox', { name: /^Filter by/ }).fill('2024128007');
  const landed = register.getByRole('row', { name: new RegExp(`^Refund ${made.landed} `) });
  await expect(landed).toContainText('1.00');
  await expect(register.getByRole('row').filter({ hasText: /2024128(?!007)/ })).toHaveCount(0);
  for (const { colorScheme, ...size } of [
    { colorScheme: 'light', width: 1440, height: 900 },
    { colorScheme: 'dark', width: 390, height: 844 },
  ] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto('/demo/refunds');
    await expect(page.getByRole('heading', { level: 1, name: 'Refunds' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
    await expectAccessible(page);
    await register.getByRole('link', { name: `Refund ${made.landed}`, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: `Refund ${made.landed}`, exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
    await expectAccessible(page);
  }
});

test('finance takes the register as a file, support takes none', async ({ page, pageOf }) => {
  const fiona = await pageOf('finance');
  await fiona.goto('/demo/refunds?show=landed');
  const [download] = await Promise.all([fiona.waitForEvent('download'), fiona.getByRole('link', { name: 'CSV of these rows' }).click()]);
  expect(download.suggestedFilename()).toMatch(/^demo-refunds-2026-.*Z\.filtered\.csv$/);
  const text = await (await fiona.request.get('/demo/refunds/export?chip=landed')).text();
  expect(text).toMatch(/^game,environment,refund_id,client_request_id,state,/);
  expect(text.split('\r\n')[1]).toMatch(/^demo,production,\d+,[^,]+,landed,SUB_/);
  await page.goto('/demo/refunds');
  await expect(page.getByRole('grid', { name: 'refunds' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'CSV of these rows' })).toHaveCount(0);
  expect((await page.request.get('/demo/refunds/export')).status()).toBe(403);
});

test.describe('as a viewer', () => {
  test.use({ role: 'viewer' });

  test('I read the register and the refunds, and there is nothing to press', async ({ page, expectTrouble }) => {
    expectTrouble(/403/);
    await page.goto('/demo/refunds');
    await expect(
      page.getByRole('grid', { name: 'refunds' }).getByRole('link', { name: `Refund ${made.landed}`, exact: true }),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: /Stop|Send refunds/ })).toHaveCount(0);
    await page.goto(`/demo/refunds/${made.landed}`);
    await expect(new RefundPage(page).acts.getByRole('button')).toHaveCount(0);
    await expect(page.locator('main')).not.toContainText('@');
    await page.goto('/demo/periods/2024128010/refund');
    await expect(new RefundForm(page).preview).toHaveCount(0);
  });
});
