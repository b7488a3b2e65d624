import type { Locator, Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { signInWith } from '../pages/sign-in-page.ts';

const PASSWORD = 'seven quiet lanterns on the quay';

test.use({ role: 'admin' });

test('an admin adds a person, whose link works once, changes their role, and disables them', { tag: '@proof' }, async ({
  page,
  pageOf,
}) => {
  const email = `nora.${Date.now()}@starfall.example`;
  const link = await invite(page, 'Nora Quist', email);
  const hers = await pageOf(null);
  await hers.goto(link);
  await expect(hers.getByRole('heading', { level: 1, name: 'Welcome to Sharebook' })).toBeVisible();
  await expect(hers.getByLabel('Email')).toHaveValue(email);
  const choose = async (password: string, repeated: string): Promise<void> => {
    await hers.getByLabel('Password', { exact: true }).fill(password);
    await hers.getByLabel('Repeat password').fill(repeated);
    await hers.getByRole('button', { name: 'Set password and sign in' }).click();
  };
  await choose('short', 'shorter');
  await expect(hers.getByRole('alert').filter({ hasText: 'The passwords don’t match.' })).toBeVisible();
  await choose('short', 'short');
  await expect(hers.getByRole('alert').filter({ hasText: 'Use at least 12 characters.' })).toBeVisible();
  await choose(PASSWORD, PASSWORD);
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

  await dialog.getByRole('button', { name: 'Disable Nora Quist' }).click();
  await expect(dialog.getByRole('heading', { name: 'Disabled' })).toBeVisible();
  await hers.goto('/demo/months');
  await signInWith(hers, email, PASSWORD);
  await expect(hers.getByText('Incorrect email or password.')).toBeVisible();
});

test('the last admin cannot give the role away', { tag: '@proof' }, async ({ page }) => {
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
  // The first field has the focus as soon as the dialog is there.
  await page.keyboard.type(email);
  await expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveValue(email);
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
