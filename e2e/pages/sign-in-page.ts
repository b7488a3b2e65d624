import { expect, type Page } from 'playwright/test';
import { DEMO, type DemoRole } from './demo-people.ts';

/** Signs in as a demo person and waits for the first page. */
export async function signInAs(page: Page, role: DemoRole, address = '/sign-in'): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: DEMO[role].name }).click();
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
}

/** Fills in email and password and submits the form. */
export async function signInWith(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
