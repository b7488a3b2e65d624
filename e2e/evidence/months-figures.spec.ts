import { expect, test } from '../fixtures.ts';
import { askInvoTotals, written } from '../pages/invo-totals.ts';
import { openMonths } from '../pages/open-months.ts';

test('the trend is readable without seeing it, and every month in it links to the month', async ({ page }) => {
  await openMonths(page);
  const october = await askInvoTotals('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');
  const trend = page.getByRole('group', { name: 'Attributed by month in USD; the table below has the same figures' });
  const [net, gross, reversed] = ['net', 'gross', 'reversed'].map((name) => written(october[`${name}_attributed_usd`] ?? ''));
  const bar = trend.getByRole('link', { name: `Oct 2026: net attributed ${net}, gross ${gross}, reversed −${reversed}`, exact: true });
  await bar.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'October 2026' })).toBeVisible();
});

test('a month of the trend shows its figures when I point at it, and a click opens it', async ({ page }) => {
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

test('the arrow keys move between the months of the trend, and Enter opens one', async ({ page }) => {
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

test('the open month is hatched and labelled as open', async ({ page }) => {
  await openMonths(page);
  const trend = page.getByRole('group', { name: /^Attributed by month/ });
  const open = trend.getByRole('link', { name: /^Nov 2026: .*, open$/ });
  await expect(open.locator('[fill="url(#still-open)"]')).toHaveCount(1);
  await expect(trend.getByRole('link', { name: /, open$/ })).toHaveCount(1);
});

for (const { what, address, title } of [
  { what: 'a game that doesn’t exist', address: '/elsewhere/months', title: 'Page “/elsewhere/months” not found' },
  { what: 'a subscription that can’t be decoded', address: '/demo/subscriptions/%E0%A4%A', title: '“%E0%A4%A” isn’t a subscription ID' },
  { what: 'an unknown recipient', address: '/demo/recipients/123456789', title: 'Recipient “123456789” not found' },
]) {
  test(`the address of ${what} shows a not-found page`, async ({ page, allowConsoleError }) => {
    allowConsoleError(/status of 404/);
    const answer = await page.goto(address);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  });
}
