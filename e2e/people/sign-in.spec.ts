import { expect, test } from '../fixtures.ts';
import { DEMO, ROLES, signInAs, signInWith } from '../pages/sign-in-page.ts';

test.use({ role: null });

test('I look around as any of the demo people with one click', async ({ page, context }) => {
  for (const role of ROLES) {
    await signInAs(page, role);
    await expect(page).toHaveURL('/demo/months');
    const corner = page.getByRole('complementary', { name: 'Places, and who is signed in' });
    await expect(corner).toContainText(DEMO[role].name);
    await expect(corner).toContainText(DEMO[role].label);
    await context.clearCookies();
  }
});

test('I sign in with e-mail and password', async ({ page }) => {
  await page.goto('/sign-in');
  await signInWith(page, DEMO.auditor.email, 'simulated data only');
  await expect(page.getByRole('heading', { level: 1, name: 'Months' })).toBeVisible();
});

test('a wrong password tells me what to do and keeps what I typed', async ({ page }) => {
  await page.goto('/sign-in');
  await signInWith(page, DEMO.support.email, 'not the password');
  await expect(page.getByRole('status').filter({ hasText: /./ })).toContainText('These do not open Sharebook.');
  await expect(page.getByLabel('E-mail')).toHaveValue(DEMO.support.email);
  await expect(page).toHaveURL('/sign-in');
});

test('an unknown address is answered in the same words as a wrong password', async ({ page }) => {
  await page.goto('/sign-in');
  await signInWith(page, 'nobody@starfall.example', 'not the password');
  await expect(page.getByRole('status').filter({ hasText: /./ })).toHaveText(
    'These do not open Sharebook. Check the e-mail and the password; an admin can hand you a new password link.',
  );
});

test('signed out, an address asks me to sign in and then leads to where I wanted to go', async ({ page }) => {
  await page.goto('/demo/months/2026-10/lines?find=2026100013');
  await expect(page.getByRole('heading', { level: 1, name: 'Look around' })).toBeVisible();
  await page.getByRole('button', { name: DEMO.auditor.name }).click();
  await expect(page).toHaveURL('/demo/months/2026-10/lines?find=2026100013');
});

test('a crafted link does not lead me to another site after signing in', async ({ page }) => {
  await signInAs(page, 'viewer', `/sign-in?next=${encodeURIComponent('//elsewhere.example/months')}`);
  await expect(page).toHaveURL('/demo/months');
});

test('after I sign out, the back button and the old address show nothing', async ({ page }) => {
  await signInAs(page, 'support');
  await page.goto('/demo/months/2026-10');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/sign-in');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Look around' })).toBeVisible();
  await page.goto('/demo/recipients');
  await expect(page.getByRole('heading', { level: 1, name: 'Look around' })).toBeVisible();
});

test('signed out, neither rows nor files nor progress are handed out', async ({ request }) => {
  for (const address of [
    '/demo/months/2026-10/rows/recipients',
    '/demo/months/2026-10/export/recipients',
    '/demo/pulls/1',
    '/demo/recipients/rows',
  ]) {
    const answer = await request.get(address, { maxRedirects: 0 });
    expect([307, 401], address).toContain(answer.status());
    expect(await answer.text(), address).not.toContain('Aurora');
  }
});
