import { expect, test } from '../fixtures.ts';

test('I choose a month of a recipient and see its lines below', async ({ page }) => {
  await page.goto('/demo/recipients/9003');
  await page.getByRole('region', { name: 'Months' }).getByRole('link', { name: 'October 2026', exact: true }).click();
  await expect(page).toHaveURL('/demo/recipients/9003?month=2026-10');
  const lines = page.getByRole('grid', { name: 'lines' });
  await expect(lines).toContainText('2026100013');
  await expect(lines).toContainText('base differs, 90.00 expected');
});

test('I find a recipient among all of them and open their page', async ({ page }) => {
  await page.goto('/demo/recipients');
  await page.getByRole('textbox', { name: /^Search name/ }).fill('Juniper Tide');
  await page.getByRole('grid').getByRole('link', { name: 'Juniper Tide' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Juniper Tide' })).toBeVisible();
  await expect(page.getByText('witness-9010@creators.example')).toBeVisible();
});
