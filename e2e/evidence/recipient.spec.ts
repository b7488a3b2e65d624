import { expect, test } from '../fixtures.ts';

test('a recipient has gross in even months and reversals in odd ones', async ({ page }) => {
  await page.goto('/demo/recipients/9009');
  await expect(page.getByRole('heading', { level: 1, name: 'Halcyon Drift' })).toBeVisible();
  const months = page.getByRole('region', { name: 'Months' });
  await expect(months.getByRole('row', { name: /^October 2026/ }).getByRole('cell')).toContainText([
    '1',
    '13.50',
    '0.00',
    '13.50',
    '0',
    'Complete',
  ]);
  const september = ['0', '0.00', '−13.50', '−13.50', '1', 'Complete'];
  await expect(months.getByRole('row', { name: /^September 2026/ }).getByRole('cell')).toContainText(september);
  await expect(months.getByRole('row', { name: /^November 2026/ })).toContainText('Open, covered until 21 Nov 2026 11:45 UTC');
});

test('the totals of a recipient cover complete months only', async ({ page }) => {
  await page.goto('/demo/recipients/9009');
  const months = page.getByRole('region', { name: 'Months' });
  const complete = months.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Complete', exact: true }) });
  await expect(complete.first()).toBeVisible();
  const reversedCount = await complete.filter({ hasText: '−' }).count();
  const count = await complete.count();
  // Every even month has 13.50 and every odd one reverses 13.50; the open November, which reverses October, isn’t included.
  const [gross, reversed] = [(count - reversedCount) * 1350, reversedCount * 1350];
  const total = months.getByRole('row', { name: /^Complete months/ }).getByRole('cell');
  await expect(total).toContainText([String(count - reversedCount), cents(gross), `−${cents(reversed)}`, cents(gross - reversed)]);
});

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

test('a recipient not found by Invo keeps the amount under the player ID', async ({ page }) => {
  await page.goto('/demo/recipients/9008');
  await expect(page.getByRole('heading', { level: 1, name: 'Player 9008' })).toBeVisible();
  await expect(page.getByText('Not found by Invo').first()).toBeVisible();
});

function cents(amount: number): string {
  return (amount / 100).toFixed(2);
}
