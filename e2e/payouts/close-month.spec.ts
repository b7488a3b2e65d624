import type { Page } from 'playwright/test';
import { expect, ownOrigin, test } from '../fixtures.ts';
import { PayoutPages } from '../pages/payout-pages.ts';

test.use({ role: 'finance' });

/** Amounts of the roll-forward, by their heads. */
async function readStrip(page: Page): Promise<Record<string, string>> {
  const cells = await page.locator('main dl').first().locator('div').all();
  const pairs = await Promise.all(
    cells.map(async (cell) => [await cell.locator('dt').innerText(), await cell.locator('dd').innerText()] as const),
  );
  return Object.fromEntries(pairs.map(([head, amount]) => [head.replace(/ to .*/, ''), amount.replace('$', '').replaceAll('\n', '')]));
}

test('two people close two months one after the other, the second opens with what the first carried forward, and its journal is a file', async ({
  page,
  browser,
  signedIn,
  expectAccessible,
}) => {
  test.setTimeout(300_000);
  const context = await browser.newContext({ baseURL: ownOrigin(), storageState: await signedIn('admin') });
  const [fiona, ada] = [new PayoutPages(page), new PayoutPages(await context.newPage())];
  await fiona.prepare('2026-09');
  await expectAccessible(page);
  await fiona.submit();
  await expect(page.getByRole('link', { name: /^Review / })).toHaveCount(0);
  await page.goto('/demo/payouts/1/approve');
  await expect(page.getByText('You can’t approve this run')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Approve/ })).toHaveCount(0);

  await ada.page.goto('/demo/payouts/1/approve');
  await expect(ada.page.getByText('Nothing changed since submission')).toBeVisible();
  await expect(ada.page.getByText(/^[A-Z][a-z -]+ dollars and [a-z-]+ cents?, to \d+ recipients, from snapshot \d+$/)).toBeVisible();
  await expectAccessible(ada.page);
  await ada.approve(1);
  await expectAccessible(ada.page);
  const first = await readStrip(ada.page);
  await ada.page.getByRole('grid').getByRole('link', { name: 'Statement' }).first().click();
  await expect(ada.page).toHaveURL(/\/demo\/payouts\/1\/statements\/\d+$/);
  const statement = new URL(ada.page.url()).pathname;
  await ada.page.goto(`/demo/recipients/${statement.split('/').at(-1)}`);
  await expect(ada.page.getByRole('link', { name: 'Statement', exact: true })).toHaveAttribute('href', statement);
  // Everything but the answers to the items; an ordinary month has two of these.
  expect(fiona.clicks - fiona.answers + ada.clicks + 2).toBeLessThanOrEqual(12);

  await ada.prepare('2026-10');
  await ada.submit();
  await fiona.approve(2);
  const second = await readStrip(page);
  expect(second['Opening']).toBe(first['Carried forward']);
  await expect(page.getByText('Changes since the run before')).toBeVisible();

  // The approval posted a journal; its files need the accounts of the books.
  await page.getByRole('link', { name: 'Journal', exact: true }).click();
  await expect(page.getByRole('heading', { name: '202610-A · Accrual' })).toBeVisible();
  const balance = page.getByRole('region', { name: 'Lines of 202610-A' }).getByRole('row', { name: /^Balance/ });
  const [, , debits, credits] = await balance.locator('th, td').allInnerTexts();
  expect(debits).toBe(credits);
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'QuickBooks' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts of Starfall' })).toBeVisible();
  for (const account of await page.locator('legend').allInnerTexts())
    await page.getByLabel(`${account}: QuickBooks name`).fill(`Revenue share:${account}`);
  await page.getByLabel('Adjustments: Xero code').fill('=1');
  await page.getByRole('button', { name: 'Save accounts' }).click();
  await expect(page.getByText('A spreadsheet would read this as a formula.')).toBeVisible();
  await page.getByLabel('Adjustments: Xero code').fill('');
  await page.getByRole('button', { name: 'Save accounts' }).click();
  await expect(page.getByText('Saved as account map 1.')).toBeVisible();
  await page.goto('/demo/payouts/2/journal');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'QuickBooks' }).click()]);
  expect(download.suggestedFilename()).toBe('demo-journal-202610-quickbooks-map1.csv');
  await context.close();
});
