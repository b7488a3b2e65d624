import { expect, test } from '../fixtures.ts';

test('I find a recipient among all of them and open their page', async ({ page }) => {
  await page.goto('/demo/recipients');
  await page.getByRole('textbox', { name: /^Search name/ }).fill('Juniper Tide');
  await page.getByRole('grid').getByRole('link', { name: 'Juniper Tide' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Juniper Tide' })).toBeVisible();
  await expect(page.getByText('witness-9010@creators.example')).toBeVisible();
});
