import { expect, test } from '../fixtures.ts';

test.use({ role: 'viewer' });

test('a viewer sees masked emails, can’t export and can’t start a pull', async ({ page }) => {
  await page.goto('/demo/months/2026-10');
  await expect(page.getByText('a•••@c•••.example').first()).toBeVisible();
  expect(await page.content()).not.toContain('aurora.vale@creators.example');
  await expect(page.getByRole('button', { name: 'Re-check now' })).toHaveCount(0);
  await expect(page.getByText('Your role can’t export files.')).toBeVisible();
  const rows = await page.request.get('/demo/lists/recipients/rows?month=2026-10&sort=net&dir=desc');
  expect(await rows.text()).not.toContain('@creators.example');
  expect((await page.request.get('/demo/months/2026-10/export/recipients')).status()).toBe(403);
  expect((await page.request.get('/demo/months/2026-10/export/recipients.manifest.json')).status()).toBe(403);
});
