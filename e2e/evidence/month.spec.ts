import { expect, test } from '../fixtures.ts';

// Figures by hand. Aurora Vale has 900 followers in October, every third at 9.99 and the rest at 4.99, 20 % after the fee of 10 %:
// 300 × 1.80 + 600 × 0.90 = 1,080.00. Player 9009's line of 60.00 less 6.00 at 25 % is 13.50 in October, taken back whole in November.
test.describe('one month', () => {
  test('says its window, its proof and where the money went', async ({ page }) => {
    await page.goto('/demo/months/2026-10');
    await expect(page.getByText('Closed, proven to the cent')).toBeVisible();
    await expect(page.getByText('Settled from 1 Oct 2026 00:00 up to, not including, 1 Nov 2026 00:00 UTC')).toBeVisible();
    await expect(page.getByRole('link', { name: /^(\d+) of \1 checks tie$/ })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Where the money went' })).toContainText('Invo fee, never returned');
    await expect(page.getByText('Card fees that Invo charges you on refunds are not in this report.')).toBeVisible();
  });

  test('lists recipients by net with the totals of all of them in sight', async ({ page }) => {
    await page.goto('/demo/months/2026-10');
    const grid = page.getByRole('grid', { name: 'recipients' });
    const aurora = grid.getByRole('row', { name: /Aurora Vale/ });
    await expect(aurora).toContainText('1,080.00');
    await expect(aurora).toContainText('900');
    await expect(page.getByText('All 75 recipients')).toBeVisible();
    await grid.getByRole('row').nth(1).click();
    await page.keyboard.press('End');
    await expect(page.getByText('All 75 recipients')).toBeVisible();
  });

  test('shows both ends of the list one key apart', async ({ page }) => {
    await page.goto('/demo/months/2026-10');
    const grid = page.getByRole('grid', { name: 'recipients' });
    await expect(grid.getByRole('row', { name: /Aurora Vale/ })).toBeVisible();
    await page.keyboard.press('e');
    await expect(grid.getByRole('row', { name: /9019/ }).first()).toBeVisible();
    await page.keyboard.press('e');
    await expect(grid.getByRole('row', { name: /Aurora Vale/ })).toBeVisible();
  });

  test('keeps filter and order in the address, and totals the filter', async ({ page }) => {
    await page.goto('/demo/months/2026-10');
    await page.keyboard.press('/');
    await page.keyboard.type('vale');
    await expect(page.getByText('These 4 recipients')).toBeVisible();
    await expect(page).toHaveURL(/find=vale/);
    await page.getByRole('columnheader', { name: 'Renewals' }).getByRole('button').click();
    await expect(page).toHaveURL(/sort=renewal/);
    await page.reload();
    await expect(page.getByText('These 4 recipients')).toBeVisible();
    await page.getByRole('textbox', { name: /^Filter/ }).fill('nobody of that name');
    await expect(page.getByText(/No recipient/i)).toBeVisible();
  });

  test('shows those who owe back, red and with a true minus', async ({ page }) => {
    await page.goto('/demo/months/2026-10?show=owe');
    await expect(page.getByText('These 2 recipients')).toBeVisible();
    await expect(page.getByText('−21.60').first()).toBeVisible();
  });

  test('scrolls nine hundred lines of one recipient to the last', async ({ page }) => {
    await page.goto('/demo/recipients/500001?month=2026-10');
    const grid = page.getByRole('grid', { name: 'lines' });
    await grid.getByRole('row').nth(1).click();
    await page.keyboard.press('End');
    await expect(grid.locator('[aria-rowindex="901"]')).toBeVisible();
    expect(await grid.getByRole('row').count()).toBeLessThan(120);
  });

  test('says of a reversal without receipts what was not recorded', async ({ page }) => {
    await page.goto('/demo/months/2026-10/reversals?find=2026100007');
    const row = page.getByRole('grid', { name: 'reversals' }).getByRole('row', { name: /9013/ });
    await expect(row).toContainText('not recorded');
    await expect(row).toContainText('−1.35');
  });

  test('names every open question and lists the benign reason apart', async ({ page }) => {
    await page.goto('/demo/months/2026-10/questions');
    for (const reason of ['spend_order_not_found', 'attribution_not_recorded', 'attribution_malformed', 'no_revenue_share_configured']) {
      await expect(page.getByRole('main')).toContainText(reason);
    }
    await expect(page.getByRole('main')).toContainText('Investigate before paying');
    await expect(page.getByRole('main')).toContainText(/nobody earned anything/i);
    await expect(page.getByRole('heading', { name: /not found at Invo/ })).toBeVisible();
  });

  test('proves each equation with both its sides', async ({ page }) => {
    await page.goto('/demo/months/2026-10/proof');
    const row = page.getByRole('row', { name: /The lines of every recipient add up to what they earned/ });
    await expect(row.getByText('2,424.1294')).toHaveCount(2);
    await expect(row).toContainText('Ties');
  });

  test('shows hostile names as harmless text', async ({ page }) => {
    await page.goto('/demo/months/2026-10?find=SUM');
    await expect(
      page
        .getByRole('grid', { name: 'recipients' })
        .getByRole('row', { name: /=SUM\(A1\)/ })
        .first(),
    ).toBeVisible();
  });

  test('tells one recipient over all months', async ({ page }) => {
    await page.goto('/demo/recipients/9009');
    await expect(page.getByRole('row', { name: /^October 2026/ })).toContainText('13.50');
    await expect(page.getByRole('row', { name: /^November 2026/ })).toContainText('−13.50');
    await expect(page.getByText('Attribution report, not a remittance advice.')).toBeVisible();
  });

  test('that is not there is a page that says what was looked for', async ({ page, expectTrouble }) => {
    expectTrouble(/404/);
    await page.goto('/demo/months/2026-13');
    await expect(page.getByRole('main')).toContainText('2026-13');
    await page.goto('/nowhere/months');
    await expect(page.getByRole('main')).toContainText('nowhere');
  });

  test('that was never pulled offers to pull it', async ({ page }) => {
    await page.goto('/demo/months/2024-02');
    await expect(page.getByRole('main')).toContainText(/never (been )?pulled/i);
    await expect(page.getByRole('button', { name: /^Pull/ }).first()).toBeVisible();
  });
});
