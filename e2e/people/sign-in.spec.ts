import { expect, test } from '../fixtures.ts';
import { DEMO } from '../pages/demo-people.ts';
import { signInAs, signInWith } from '../pages/sign-in-page.ts';

test.use({ role: null });

test('a wrong password shows what to do and leaves the email I typed, and the right one signs me in', async ({ page }) => {
  await page.goto('/sign-in');
  await signInWith(page, DEMO.auditor.email, 'not the password');
  await expect(page.getByRole('status').filter({ hasText: /./ })).toHaveText(
    'Incorrect email or password. An admin can send you a new password link.',
  );
  await expect(page.getByLabel('Email')).toHaveValue(DEMO.auditor.email);
  await expect(page).toHaveURL('/sign-in');
  await signInWith(page, DEMO.auditor.email, 'simulated data only');
  await expect(page.getByRole('heading', { level: 1, name: 'Exceptions' })).toBeVisible();
});

test('a link I open while signed out leads to its page after I sign in', { tag: '@proof' }, async ({ page }) => {
  await page.goto('/demo/months/2026-10/lines?find=2026100013');
  await expect(page.getByRole('heading', { level: 1, name: 'Try Sharebook' })).toBeVisible();
  await page.getByRole('button', { name: DEMO.auditor.name }).click();
  await expect(page).toHaveURL('/demo/months/2026-10/lines?find=2026100013');
});

test('a crafted link does not lead me to another site after signing in', { tag: '@proof' }, async ({ page }) => {
  await signInAs(page, 'viewer', `/sign-in?next=${encodeURIComponent('//elsewhere.example/months')}`);
  await expect(page).toHaveURL('/demo/months');
});

test('after I sign out, neither the back button nor an old link shows data', async ({ page }) => {
  await signInAs(page, 'support');
  await page.goto('/demo/months/2026-10');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/sign-in');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Try Sharebook' })).toBeVisible();
  await page.goto('/demo/recipients');
  await expect(page.getByRole('heading', { level: 1, name: 'Try Sharebook' })).toBeVisible();
});
