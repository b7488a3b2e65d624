import type { Locator } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { askInvoTotals, written } from '../pages/invo-totals.ts';

const OCTOBER = '/demo/months/2026-10';

test('the net and the money flow of a month are what Invo states, to the last digit', async ({ page }) => {
  const totals = await askInvoTotals('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');
  await page.goto(OCTOBER);
  const net = page.getByRole('region', { name: 'Net attributed', exact: true });
  await expect(net).toContainText(`$${written(totals['net_attributed_usd'] ?? '')}`);
  const flow = page.getByRole('region', { name: 'Money flow' }).getByRole('definition');
  const kept = units(totals['partner_revenue_usd']) - units(totals['net_attributed_usd']);
  await expect(flow).toHaveText([
    written(totals['settled_gross_usd'] ?? ''),
    written(`-${totals['invo_fee_usd']}`),
    written(totals['partner_revenue_settled_usd'] ?? ''),
    written(`-${totals['partner_revenue_reversed_usd']}`),
    written(`-${totals['net_attributed_usd']}`),
    written(`${kept / 10_000n}.${String(kept % 10_000n).padStart(4, '0')}`),
  ]);
});

test('I go from tab to tab and from month to month', async ({ page }) => {
  await page.goto(OCTOBER);
  const tabs = page.getByRole('navigation', { name: 'Parts of this month' });
  for (const [tab, address] of [
    ['Reversals', 'reversals'],
    ['Lines', 'lines'],
    ['Open items', 'open-items'],
    ['Reconciliation', 'reconciliation'],
  ] as const) {
    await tabs.getByRole('link', { name: tab }).click();
    await expect(page).toHaveURL(`${OCTOBER}/${address}`);
    await expect(tabs.getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page');
  }
  await page.getByRole('navigation', { name: 'Other months' }).getByRole('link', { name: 'September 2026' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'September 2026' })).toBeVisible();
});

test('the reference cases of October are open items with their figures', async ({ page }) => {
  await page.goto(`${OCTOBER}/open-items`);
  const unresolved = page.getByRole('region', { name: 'Recipients not found by Invo' }).getByRole('row', { name: /Player 9008/ });
  await expect(unresolved.getByRole('cell')).toHaveText(['1', '0.90', '0.00', '0.90']);
  const base = page.getByRole('region', { name: 'Lines with a different base' }).getByRole('row', { name: /2026100013/ });
  await expect(base.getByRole('cell')).toHaveText(['Player 9003', '1 Oct 2026 06:30:00 UTC', '95.00', '90.00', '5.00', '9.50']);
  const coarse = page.getByRole('region', { name: 'Reversals without receipts' }).getByRole('row', { name: /2026100007/ });
  const cells = ['Player 9013', '1 Oct 2026 04:00:00 UTC', 'whole period', '2.70', '−1.35', 'not reported'];
  await expect(coarse.getByRole('cell')).toHaveText(cells);
});

test('the reconciliation of a month lists every check in groups with both sides, and each matches', async ({ page }) => {
  await page.goto(`${OCTOBER}/reconciliation`);
  const checks = page.getByRole('region', { name: /^Checks of snapshot/ });
  await expect(checks).toContainText('47 of 47 checks match.');
  const groups = checks.getByRole('group');
  await expect(groups).toHaveCount(5);
  await expect(checks.getByRole('rowheader')).toHaveCount(0);
  await openGroups(checks);
  await expect(checks.getByRole('rowheader')).toHaveCount(47);
  await expect(checks.getByText('Matches', { exact: true })).toHaveCount(47);
  const totals = await askInvoTotals('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');
  const net = checks.getByRole('row', { name: /^Recipients sum to net attributed/ }).getByRole('cell');
  const figure = written(totals['net_attributed_usd'] ?? '');
  await expect(net).toContainText(['Matches', figure, figure, 'none']);
});

test('a tab other than the first shows the figures on one line, and at least fourteen rows on a laptop', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${OCTOBER}/lines`);
  await expect(page.getByRole('region', { name: 'Money flow' })).toHaveCount(0);
  await expect(page.getByRole('term').filter({ hasText: 'Net attributed' })).toBeVisible();
  const rows = page.getByRole('grid', { name: 'lines' }).locator('[role="row"][aria-selected]');
  await expect(rows.first()).toBeVisible();
  const visible = await rows.evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length);
  expect(visible).toBeGreaterThanOrEqual(14);
});

test('on a phone the recipients table shows the net beside the name without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(OCTOBER);
  const grid = page.getByRole('grid', { name: 'recipients' });
  const aurora = grid.getByRole('row', { name: /Aurora Vale/ });
  await expect(aurora.getByRole('gridcell', { name: '1,080.00' })).toBeVisible();
  expect(await grid.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});

test('the open month is provisional and has no complete file', async ({ page }) => {
  await page.goto('/demo/months/2026-11');
  await expect(page.getByRole('region', { name: 'Provisional: covered until 21 Nov 2026 11:45 UTC' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Net attributed so far' })).toBeVisible();
  await expect(page.getByText('No complete file until the month is over.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toHaveCount(0);
});

function units(amount = ''): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
}

/** Opens every folded group of checks. */
async function openGroups(checks: Locator): Promise<void> {
  const folded = checks.locator('details:not([open]) > summary');
  for (let count = await folded.count(); count > 0; count -= 1) await folded.first().click();
}
