import type { Browser, Locator, Page } from 'playwright/test';
import { expect, ownOrigin, test } from '../fixtures.ts';
import { signInWith } from '../pages/sign-in-page.ts';

const PASSWORD = 'seven quiet lanterns on the quay';

test.use({ role: 'admin' });

test('I add a person, whose link works once, and whose role I change', async ({ page, browser }) => {
  const email = `nora.${Date.now()}@starfall.example`;
  const link = await invite(page, 'Nora Quist', email);
  const hers = await openAs(browser, link);
  await expect(hers.getByRole('heading', { level: 1, name: 'Welcome to Sharebook' })).toBeVisible();
  await expect(hers.getByLabel('E-mail')).toHaveValue(email);
  await hers.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await hers.getByLabel('The same password again').fill(PASSWORD);
  await hers.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(hers.getByRole('heading', { level: 1, name: 'Months' })).toBeVisible();

  await hers.goto(link);
  await expect(hers.getByRole('heading', { level: 1, name: 'This link was used' })).toBeVisible();

  await page.reload();
  const dialog = await change(page, 'Nora Quist', email);
  await dialog.getByRole('radio', { name: /^Support/ }).check();
  await dialog.getByRole('button', { name: 'Change the role' }).click();
  await expect(dialog.getByText('Their role is Support now. They were signed out where they were signed in.')).toBeVisible();
  await hers.goto('/demo/months');
  await expect(hers.getByRole('heading', { level: 1, name: 'Look around' })).toBeVisible();

  await signInWith(hers, email, PASSWORD);
  await expect(hers.getByRole('complementary', { name: 'Places, and who is signed in' })).toContainText('Support');
  await hers.context().close();
});

test('a person I disable is signed out and cannot come in', async ({ page, browser }) => {
  const email = `pavel.${Date.now()}@starfall.example`;
  const his = await openAs(browser, await invite(page, 'Pavel Horn', email));
  await his.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await his.getByLabel('The same password again').fill(PASSWORD);
  await his.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(his.getByRole('heading', { level: 1, name: 'Months' })).toBeVisible();
  await page.reload();
  const dialog = await change(page, 'Pavel Horn', email);
  await dialog.getByRole('button', { name: 'Disable Pavel Horn' }).click();
  await expect(dialog.getByRole('heading', { name: 'Disabled' })).toBeVisible();
  await his.goto('/demo/months');
  await signInWith(his, email, PASSWORD);
  await expect(his.getByText('These do not open Sharebook.')).toBeVisible();
  await his.context().close();
});

test('a password too short and two that differ are said beside their lines', async ({ page, browser }) => {
  const hers = await openAs(browser, await invite(page, 'Rhea Moss', `rhea.${Date.now()}@starfall.example`));
  await hers.getByLabel('Password', { exact: true }).fill('short');
  await hers.getByLabel('The same password again').fill('shorter');
  await hers.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(hers.getByRole('alert').filter({ hasText: 'The two passwords differ.' })).toBeVisible();
  await hers.getByLabel('The same password again').fill('short');
  await hers.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(hers.getByRole('alert').filter({ hasText: 'Too short' })).toBeVisible();
  await hers.context().close();
});

test('a link that was never made opens nothing', async ({ page }) => {
  await page.goto('/set-up?token=made-up');
  await expect(page.getByRole('heading', { level: 1, name: 'This link is not known here' })).toBeVisible();
});

test('the last admin cannot give the role away', async ({ page }) => {
  await page.goto('/settings');
  const dialog = await change(page, 'Ada Moreau', 'admin@starfall.example');
  await dialog.getByRole('radio', { name: /^Viewer/ }).check();
  await dialog.getByRole('button', { name: 'Change the role' }).click();
  await expect(dialog.getByText('They are the last admin who can sign in.')).toBeVisible();
});

test.describe('as finance', () => {
  test.use({ role: 'finance' });

  test('I see my own role in the settings and nobody else', async ({ page }) => {
    await page.goto('/settings');
    await expect(page.getByText('You are signed in as Fiona Hale (finance@starfall.example).')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'People' })).toHaveCount(0);
    await expect(page.getByText('viewer@starfall.example')).toHaveCount(0);
  });
});

/** Adds a viewer and gives back the link to hand over. */
async function invite(page: Page, name: string, email: string): Promise<string> {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a person' });
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Add this person' }).click();
  const link = dialog.getByText(/\/set-up\?token=/);
  await expect(link).toBeVisible();
  return (await link.innerText()).trim();
}

async function change(page: Page, name: string, email: string): Promise<Locator> {
  await page
    .getByRole('row')
    .filter({ hasText: email })
    .getByRole('button', { name: `Change ${name}` })
    .click();
  return page.getByRole('dialog', { name });
}

/** Opens a link in a browser of somebody else, signed out. */
async function openAs(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: ownOrigin(), storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await page.goto(link);
  return page;
}
