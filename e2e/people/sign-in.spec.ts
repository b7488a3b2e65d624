import { expect, test } from '../fixtures.ts';
import { DEMO, ROLES, signInAs, signInWith } from '../pages/sign-in-page.ts';

test.use({ role: null });

test('one click signs me in as any demo person', async ({ page, context }) => {
  for (const role of ROLES) {
    await signInAs(page, role);
    await expect(page).toHaveURL('/demo/months');
    const corner = page.getByRole('complementary', { name: 'Sidebar' });
    await expect(corner).toContainText(DEMO[role].name);
    await expect(corner).toContainText(DEMO[role].label);
    await context.clearCookies();
  }
});

test('I sign in with email and password', async ({ page }) => {
  await page.goto('/sign-in');
  await signInWith(page, DEMO.auditor.email, 'simulated data only');
  await expect(page.getByRole('heading', { level: 1, name: 'Months' })).toBeVisible();
});

test('a wrong password shows what to do and keeps the email I typed', async ({ page }) => {
  await page.goto('/sign-in');
  await signInWith(page, DEMO.support.email, 'not the password');
  await expect(page.getByRole('status').filter({ hasText: /./ })).toContainText('Incorrect email or password.');
  await expect(page.getByLabel('Email')).toHaveValue(DEMO.support.email);
  await expect(page).toHaveURL('/sign-in');
});

test('an unknown email gets the same message as a wrong password', async ({ page }) => {
  await page.goto('/sign-in');
  await signInWith(page, 'nobody@starfall.example', 'not the password');
  await expect(page.getByRole('status').filter({ hasText: /./ })).toHaveText(
    'Incorrect email or password. An admin can send you a new password link.',
  );
});

test('a link I open while signed out leads to its page after I sign in', async ({ page }) => {
  await page.goto('/demo/months/2026-10/lines?find=2026100013');
  await expect(page.getByRole('heading', { level: 1, name: 'Try Sharebook' })).toBeVisible();
  await page.getByRole('button', { name: DEMO.auditor.name }).click();
  await expect(page).toHaveURL('/demo/months/2026-10/lines?find=2026100013');
});

test('a crafted link does not lead me to another site after signing in', async ({ page }) => {
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

test('rows, files and progress are refused without a session', async ({ request }) => {
  for (const address of [
    '/demo/lists/recipients/rows?month=2026-10',
    '/demo/months/2026-10/export/recipients',
    '/demo/pulls/1',
    '/demo/lists/all-recipients/rows',
  ]) {
    const answer = await request.get(address, { maxRedirects: 0 });
    expect([307, 401], address).toContain(answer.status());
    expect(await answer.text(), address).not.toContain('Aurora');
  }
});
