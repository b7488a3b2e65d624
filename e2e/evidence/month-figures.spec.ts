import { expect, test } from '../fixtures.ts';
import { askInvoTotals, written } from '../pages/invo-totals.ts';

const OCTOBER = '/demo/months/2026-10';

test('the net of a month and where the money went are what Invo states, to the last digit', async ({ page }) => {
  const totals = await askInvoTotals('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');
  await page.goto(OCTOBER);
  const net = page.getByRole('region', { name: 'Net attributed, to pay by you' });
  await expect(net).toContainText(`${written(totals['net_attributed_usd'] ?? '')} USD`);
  const walk = page.getByRole('region', { name: 'Where the money went' }).getByRole('definition');
  const kept = units(totals['partner_revenue_usd']) - units(totals['net_attributed_usd']);
  await expect(walk).toHaveText([
    written(totals['settled_gross_usd'] ?? ''),
    written(`-${totals['invo_fee_usd']}`),
    written(totals['partner_revenue_settled_usd'] ?? ''),
    written(`-${totals['partner_revenue_reversed_usd']}`),
    written(totals['net_attributed_usd'] ?? ''),
    written(`${kept / 10_000n}.${String(kept % 10_000n).padStart(4, '0')}`),
  ]);
});

test('I walk from tab to tab and from month to month', async ({ page }) => {
  await page.goto(OCTOBER);
  const tabs = page.getByRole('navigation', { name: 'Parts of this month' });
  for (const [tab, address] of [
    ['Reversals', 'reversals'],
    ['Lines', 'lines'],
    ['Questions', 'questions'],
    ['Proof', 'proof'],
  ] as const) {
    await tabs.getByRole('link', { name: tab }).click();
    await expect(page).toHaveURL(`${OCTOBER}/${address}`);
    await expect(tabs.getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page');
  }
  await page.getByRole('navigation', { name: 'Months beside this one' }).getByRole('link', { name: 'September 2026' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'September 2026' })).toBeVisible();
});

test('the witnesses of October are among the questions with their figures', async ({ page }) => {
  await page.goto(`${OCTOBER}/questions`);
  const unresolved = page.getByRole('region', { name: 'Recipients not found at Invo' }).getByRole('row', { name: /Player 9008/ });
  await expect(unresolved.getByRole('cell')).toHaveText(['1', '0.90', '0.00', '0.90']);
  const base = page.getByRole('region', { name: 'Lines whose base differs' }).getByRole('row', { name: /2026100013/ });
  await expect(base.getByRole('cell')).toHaveText(['Player 9003', '1 Oct 2026 06:30:00 UTC', '95.00', '90.00', '5.00', '9.50']);
  const coarse = page.getByRole('region', { name: 'Reversals without receipts' }).getByRole('row', { name: /2026100007/ });
  const cells = ['Player 9013', '1 Oct 2026 04:00:00 UTC', 'coarse, whole period', '2.70', '−1.35', 'not recorded'];
  await expect(coarse.getByRole('cell')).toHaveText(cells);
});

test('the proof of a month shows both sides of every check, and each ties', async ({ page }) => {
  await page.goto(`${OCTOBER}/proof`);
  const rows = page.getByRole('region', { name: /^Checks of snapshot/ }).getByRole('row');
  await expect(rows).toHaveCount(1 + 47);
  await expect(rows.filter({ hasText: 'Does not tie' })).toHaveCount(0);
  const totals = await askInvoTotals('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');
  const net = rows.filter({ hasText: 'Recipients add up to the net' }).getByRole('cell');
  const figure = written(totals['net_attributed_usd'] ?? '');
  await expect(net).toContainText(['Ties', figure, figure, 'none']);
});

test('the open month says that it is not final and has no complete file', async ({ page }) => {
  await page.goto('/demo/months/2026-11');
  await expect(page.getByRole('region', { name: 'Not final: covered until 21 Nov 2026 11:45 UTC' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Net attributed so far, not final' })).toBeVisible();
  await expect(page.getByText('The month is not over: no complete file yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toHaveCount(0);
});

function units(amount = ''): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
}
