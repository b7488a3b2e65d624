import { expect, test } from '../fixtures.ts';

// Figures by hand. Aurora Vale has 900 followers in October, every third at 9.99 and the rest at 4.99, 20 % after the fee of 10 %:
// 300 × 1.80 + 600 × 0.90 = 1,080.00. Player 9009's line of 60.00 less 6.00 at 25 % is 13.50 in October, fully reversed in November.
test.describe('one month', () => {
  test('a month shows its state, its window and its money flow', async ({ page }) => {
    await page.goto('/demo/months/2026-10');
    await expect(page.getByText('Reconciled', { exact: true })).toBeVisible();
    await expect(page.getByText('1 Oct – 31 Oct 2026 UTC')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Reconciliation 47' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Money flow' })).toContainText('Kept before card fees');
    await expect(page.getByText('Card fees on refunds aren’t in this report.')).toBeVisible();
  });

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

  test('every reason without attribution is an open item, and the harmless one is listed separately', async ({ page }) => {
    await page.goto('/demo/months/2026-10/open-items');
    for (const reason of ['spend_order_not_found', 'attribution_not_recorded', 'attribution_malformed', 'no_revenue_share_configured']) {
      await expect(page.getByRole('main')).toContainText(reason);
    }
    await expect(page.getByRole('main')).toContainText('Investigate before paying');
    await expect(page.getByRole('main')).toContainText('No recipient earns on');
    await expect(page.getByRole('heading', { name: /not found by Invo/ })).toBeVisible();
  });

  test('each check has both its sides', async ({ page }) => {
    await page.goto('/demo/months/2026-10/reconciliation');
    await page.locator('summary', { hasText: /^Lines/ }).click();
    const row = page.getByRole('row', { name: /^Lines of each recipient sum to gross/ });
    await expect(row.getByRole('cell', { name: '2,424.1294', exact: true })).toHaveCount(2);
    await expect(row).toContainText('Matches');
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

  test('one recipient has a page over all months', async ({ page }) => {
    await page.goto('/demo/recipients/9009');
    await expect(page.getByRole('row', { name: /^October 2026/ })).toContainText('13.50');
    await expect(page.getByRole('row', { name: /^November 2026/ })).toContainText('−13.50');
    await expect(page.getByText('Attribution report. Invo settles to the partner only and hasn’t paid any recipient.')).toBeVisible();
  });

  test('an address without a month or a game names what is missing', async ({ page, expectTrouble }) => {
    expectTrouble(/404/);
    await page.goto('/demo/months/2026-13');
    await expect(page.getByRole('main')).toContainText('2026-13');
    await page.goto('/nowhere/months');
    await expect(page.getByRole('main')).toContainText('nowhere');
  });

  test('a month that is not pulled offers a pull', async ({ page }) => {
    await page.goto('/demo/months/2024-02');
    await expect(page.getByRole('main')).toContainText('February 2024 is not pulled');
    await expect(page.getByRole('button', { name: /^Pull/ }).first()).toBeVisible();
  });
});
