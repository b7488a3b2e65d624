import type { Browser, Locator, Page } from 'playwright/test';
import { expect, ownOrigin, test } from '../fixtures.ts';
import { signInWith } from '../pages/sign-in-page.ts';

const PASSWORD = 'seven quiet lanterns on the quay';

test.use({ role: 'admin' });

test('an admin adds a person, whose link works once, and changes their role', async ({ page, browser }) => {
  const email = `nora.${Date.now()}@starfall.example`;
  const link = await invite(page, 'Nora Quist', email);
  const hers = await openAs(browser, link);
  await expect(hers.getByRole('heading', { level: 1, name: 'Welcome to Sharebook' })).toBeVisible();
  await expect(hers.getByLabel('Email')).toHaveValue(email);
  await hers.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await hers.getByLabel('Repeat password').fill(PASSWORD);
  await hers.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(hers.getByRole('heading', { level: 1, name: 'Months' })).toBeVisible();

  await hers.goto(link);
  await expect(hers.getByRole('heading', { level: 1, name: 'This link was already used' })).toBeVisible();

  await page.reload();
  const dialog = await openPerson(page, 'Nora Quist', email);
  await dialog.getByRole('checkbox', { name: /^Viewer/ }).uncheck();
  await dialog.getByRole('checkbox', { name: /^Support/ }).check();
  await dialog.getByRole('button', { name: 'Change roles' }).click();
  await expect(dialog.getByText('Roles changed to Support. Signed out of 1 session.')).toBeVisible();
  await hers.goto('/demo/months');
  await expect(hers.getByRole('heading', { level: 1, name: 'Try Sharebook' })).toBeVisible();

  await signInWith(hers, email, PASSWORD);
  await expect(hers.getByRole('complementary', { name: 'Sidebar' })).toContainText('Support');
  await hers.context().close();
});

test('a person I disable is signed out and can’t sign in', async ({ page, browser }) => {
  const email = `pavel.${Date.now()}@starfall.example`;
  const his = await openAs(browser, await invite(page, 'Pavel Horn', email));
  await his.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await his.getByLabel('Repeat password').fill(PASSWORD);
  await his.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(his.getByRole('heading', { level: 1, name: 'Months' })).toBeVisible();
  await page.reload();
  const dialog = await openPerson(page, 'Pavel Horn', email);
  await dialog.getByRole('button', { name: 'Disable Pavel Horn' }).click();
  await expect(dialog.getByRole('heading', { name: 'Disabled' })).toBeVisible();
  await his.goto('/demo/months');
  await signInWith(his, email, PASSWORD);
  await expect(his.getByText('Incorrect email or password.')).toBeVisible();
  await his.context().close();
});

test('a password that is too short or doesn’t match is marked beside its field', async ({ page, browser }) => {
  const hers = await openAs(browser, await invite(page, 'Rhea Moss', `rhea.${Date.now()}@starfall.example`));
  await hers.getByLabel('Password', { exact: true }).fill('short');
  await hers.getByLabel('Repeat password').fill('shorter');
  await hers.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(hers.getByRole('alert').filter({ hasText: 'The passwords don’t match.' })).toBeVisible();
  await hers.getByLabel('Repeat password').fill('short');
  await hers.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(hers.getByRole('alert').filter({ hasText: 'Use at least 12 characters.' })).toBeVisible();
  await hers.context().close();
});

test('the last admin cannot give the role away', async ({ page }) => {
  await page.goto('/settings');
  const dialog = await openPerson(page, 'Ada Moreau', 'admin@starfall.example');
  await dialog.getByRole('checkbox', { name: /^Admin/ }).uncheck();
  await dialog.getByRole('button', { name: 'Change roles' }).click();
  await expect(dialog.getByText('This is the last admin who can sign in.')).toBeVisible();
});

/** Adds a viewer and returns the one-time link. */
async function invite(page: Page, name: string, email: string): Promise<string> {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Add person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add person' });
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Add person' }).click();
  const link = dialog.getByText(/\/set-up\?token=/);
  await expect(link).toBeVisible();
  return (await link.innerText()).trim();
}

async function openPerson(page: Page, name: string, email: string): Promise<Locator> {
  await page
    .getByRole('row')
    .filter({ hasText: email })
    .getByRole('button', { name: `Edit ${name}` })
    .click();
  return page.getByRole('dialog', { name });
}

/** Opens a link in another browser without a session. */
async function openAs(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: ownOrigin(), storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await page.goto(link);
  return page;
}
