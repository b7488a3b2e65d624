import { expect, test } from '../fixtures.ts';

// Figures by hand. Aurora Vale has 900 followers in October, every third at 9.99 and the rest at 4.99, 20 % after the fee of 10 %:
// 300 × 1.80 + 600 × 0.90 = 1,080.00. Player 9009's line of 60.00 less 6.00 at 25 % is 13.50 in October, fully reversed in November.
test.describe('one month', () => {
  test('recipients are listed by net with the totals of all of them visible', async ({ page }) => {
    await page.goto('/demo/months/2026-10');
    const grid = page.getByRole('grid', { name: 'recipients' });
    const aurora = grid.getByRole('row', { name: /Aurora Vale/ });
    await expect(aurora).toContainText('1,080.00');
    await expect(aurora).toContainText('900');
    await expect(page.getByText('75 recipients')).toBeVisible();
    await grid.getByRole('row').nth(1).click();
    await page.keyboard.press('End');
    await expect(page.getByText('75 recipients')).toBeVisible();
  });

  test('one key goes from one end of the recipients to the other', async ({ page }) => {
    await page.goto('/demo/months/2026-10');
    const grid = page.getByRole('grid', { name: 'recipients' });
    await expect(grid.getByRole('row', { name: /Aurora Vale/ })).toBeVisible();
    await page.keyboard.press('e');
    await expect(grid.getByRole('row', { name: /9019/ }).first()).toBeVisible();
    await page.keyboard.press('e');
    await expect(grid.getByRole('row', { name: /Aurora Vale/ })).toBeVisible();
  });

  test('search and order stay in the address, and the totals follow the search', async ({ page }) => {
    await page.goto('/demo/months/2026-10');
    await page.keyboard.press('/');
    await page.keyboard.type('vale');
    await expect(page.getByText('4 matching recipients')).toBeVisible();
    await expect(page).toHaveURL(/find=vale/);
    await page.getByRole('columnheader', { name: 'Renewals' }).getByRole('button').click();
    await expect(page).toHaveURL(/sort=renewal/);
    await page.reload();
    await expect(page.getByText('4 matching recipients')).toBeVisible();
    await page.getByRole('textbox', { name: /^Search name/ }).fill('no such name');
    await expect(page.getByText(/^No recipients match/)).toBeVisible();
  });

  test('recipients with a negative balance have a true minus', async ({ page }) => {
    await page.goto('/demo/months/2026-10?show=negative');
    await expect(page.getByText('2 matching recipients')).toBeVisible();
    await expect(page.getByText('−21.60').first()).toBeVisible();
  });

  test('nine hundred lines of one recipient scroll to the last', async ({ page }) => {
    await page.goto('/demo/recipients/500001?month=2026-10');
    const grid = page.getByRole('grid', { name: 'lines' });
    await grid.getByRole('row').nth(1).click();
    await page.keyboard.press('End');
    await expect(grid.locator('[aria-rowindex="901"]')).toBeVisible();
    expect(await grid.getByRole('row').count()).toBeLessThan(120);
  });

  test('a reversal without receipts shows what isn’t reported', async ({ page }) => {
    await page.goto('/demo/months/2026-10/reversals?find=2026100007');
    const row = page.getByRole('grid', { name: 'reversals' }).getByRole('row', { name: /9013/ });
    await expect(row).toContainText('not reported');
    await expect(row).toContainText('−1.35');
  });

  test('hostile names are shown as plain text', async ({ page }) => {
    await page.goto('/demo/months/2026-10?find=SUM');
    await expect(
      page
        .getByRole('grid', { name: 'recipients' })
        .getByRole('row', { name: /=SUM\(A1\)/ })
        .first(),
    ).toBeVisible();
  });

  test('an address without a month or a game names what is missing', async ({ page, allowConsoleError }) => {
    allowConsoleError(/404/);
    await page.goto('/demo/months/2026-13');
    await expect(page.getByRole('main')).toContainText('2026-13');
    await page.goto('/nowhere/months');
    await expect(page.getByRole('main')).toContainText('nowhere');
  });
});
