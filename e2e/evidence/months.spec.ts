import { expect, test } from '../fixtures.ts';
import { askInvoTotals, written } from '../pages/invo-totals.ts';
import { openMonths } from '../pages/open-months.ts';

test('a month of the trend shows its figures when I point at it, and a click opens it', { tag: '@proof' }, async ({ page }) => {
  await openMonths(page);
  const trend = page.getByRole('group', { name: /^Attributed by month/ });
  const october = trend.getByRole('link', { name: /^Oct 2026: / });
  await october.hover();
  await expect(trend.getByRole('application')).toBeVisible();
  await trend
    .getByRole('application')
    .getByRole('link', { name: /^Oct 2026: / })
    .hover({ position: { x: 8, y: 40 } });
  const totals = await askInvoTotals('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');
  const figures = trend.getByRole('status');
  await expect(figures).toContainText('October 2026Reconciled');
  await expect(figures).toContainText(`Net attributed${written(totals['net_attributed_usd'] ?? '')}`);
  await trend
    .getByRole('application')
    .getByRole('link', { name: /^Oct 2026: / })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'October 2026' })).toBeVisible();
});

test('the arrow keys move between the months of the trend, and Enter opens one', { tag: '@proof' }, async ({ page }) => {
  await openMonths(page);
  const trend = page.getByRole('group', { name: /^Attributed by month/ });
  await trend.getByRole('link', { name: /^Oct 2025: / }).focus();
  await expect(trend.getByRole('application')).toBeFocused();
  await expect(trend.getByRole('status')).toContainText('October 2025');
  await page.keyboard.press('ArrowRight');
  await expect(trend.getByRole('status')).toContainText('November 2025');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'November 2025' })).toBeVisible();
});

test('the address of what doesn’t exist shows a not-found page that names it', { tag: '@proof' }, async ({ page, allowConsoleError }) => {
  allowConsoleError(/status of 404/);
  for (const [address, title] of [
    ['/elsewhere/months', 'Page “/elsewhere/months” not found'],
    ['/demo/subscriptions/%E0%A4%A', '“%E0%A4%A” isn’t a subscription ID'],
    ['/demo/recipients/123456789', 'Recipient “123456789” not found'],
    ['/demo/periods/abc', '“abc” isn’t a period ID'],
  ] as const) {
    expect((await page.goto(address))?.status(), address).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  await page.goto('/demo/months/2026-13');
  await expect(page.getByRole('main')).toContainText('2026-13');
});
