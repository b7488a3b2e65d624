import { expect, type Page } from 'playwright/test';

/** The demo people, written out here so that the tests share no code with what they test. */
export const DEMO = {
  finance: { name: 'Fiona Hale', email: 'finance@starfall.example', label: 'Finance' },
  support: { name: 'Sami Okafor', email: 'support@starfall.example', label: 'Support' },
  auditor: { name: 'Anton Reyes', email: 'auditor@starfall.example', label: 'Auditor' },
  viewer: { name: 'Vera Lind', email: 'viewer@starfall.example', label: 'Viewer' },
  admin: { name: 'Ada Moreau', email: 'admin@starfall.example', label: 'Admin' },
};
export type DemoRole = keyof typeof DEMO;
export const ROLES = Object.keys(DEMO) as DemoRole[];

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
