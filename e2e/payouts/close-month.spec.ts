import type { Page } from 'playwright/test';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { addMonths, listMonths } from '#lib/core/month.ts';
import { expect, test } from '../fixtures.ts';
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

/** Checks that a roll-forward adds up to the last digit. Reversals are shown below zero. */
function expectRollForward(strip: Record<string, string>): void {
  const exact = (head: string): bigint => {
    const [, sign = '', whole = '', fraction = ''] = /^(−?)([\d,]+)(?:\.(\d+))?$/.exec(strip[head] ?? '') ?? [];
    return BigInt(`${sign === '' ? '' : '-'}${whole.replaceAll(',', '')}${fraction.padEnd(18, '0')}`);
  };
  const parts = ['Opening', 'Earned', 'Reversed', 'Already deducted', 'Adjustments', 'Returned'];
  expect(
    parts.map(exact).reduce((sum, amount) => sum + amount),
    JSON.stringify(strip),
  ).toBe(exact('Due'));
  expect(exact('Due') - exact('Payable'), JSON.stringify(strip)).toBe(exact('Carried forward'));
}

/** Ending with the newest complete month. `npm run prove` closes all twelve. */
const MONTHS = proofSize(2, 12);

test('two people close months one after the other, each opens with what the one before carried forward, and the last journal is a file', {
  tag: '@proof',
}, async ({ page, pageOf, expectAccessible }) => {
  test.setTimeout(MONTHS * 150_000);
  const [fiona, ada] = [new PayoutPages(page), new PayoutPages(await pageOf('admin'))];
  const [begin = '', ...following] = listMonths(addMonths('2026-10', 1 - MONTHS), '2026-10');
  await fiona.prepare(begin);
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
  let before = await readStrip(ada.page);
  expectRollForward(before);
  await ada.page.getByRole('grid').getByRole('link', { name: 'Statement' }).first().click();
  await expect(ada.page).toHaveURL(/\/demo\/payouts\/1\/statements\/\d+$/);
  const statement = new URL(ada.page.url()).pathname;
  await ada.page.goto(`/demo/recipients/${statement.split('/').at(-1)}`);
  await expect(ada.page.getByRole('link', { name: 'Statement', exact: true })).toHaveAttribute('href', statement);
  // Everything but the answers to the items; an ordinary month has two of these.
  expect(fiona.clicks - fiona.answers + ada.clicks + 2).toBeLessThanOrEqual(12);

  // The two take turns; Ada prepares the second month.
  for (const [index, month] of following.entries()) {
    const [preparer, approver] = index % 2 === 0 ? [ada, fiona] : [fiona, ada];
    await preparer.prepare(month);
    await preparer.submit();
    await approver.approve(index + 2);
    const run = await readStrip(approver.page);
    expectRollForward(run);
    expect(run['Opening'], month).toBe(before['Carried forward']);
    await expect(approver.page.getByText('Changes since the last run')).toBeVisible();
    before = run;
  }
  recordFigure('Months closed one after another by two people in the browser', String(MONTHS));

  // The approval posted a journal; its files need the names of the accounts.
  await page.goto(`/demo/payouts/${MONTHS}`);
  await page.getByRole('link', { name: 'Journal', exact: true }).click();
  await expect(page.getByRole('heading', { name: '202610-A · Accrual' })).toBeVisible();
  const balance = page.getByRole('region', { name: 'Lines of 202610-A' }).getByRole('row', { name: /^Balance/ });
  const [, debits, credits] = await balance.locator('th, td').allInnerTexts();
  expect(debits).toBe(credits);
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'QuickBooks' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Set accounts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts of Starfall' })).toBeVisible();
  for (const account of await page.locator('legend').allInnerTexts())
    await page.getByLabel(`${account}: QuickBooks name`).fill(`Revenue share:${account}`);
  await page.getByLabel('Adjustments: Xero code').fill('=1');
  await page.getByRole('button', { name: 'Save accounts' }).click();
  await expect(page.getByText('A spreadsheet would read this as a formula.')).toBeVisible();
  // A phone shows the fields of one program, and whatever has to be corrected.
  const wide = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByLabel('Fields for')).toHaveValue('xero');
  await page.getByLabel('Fields for').selectOption('QuickBooks');
  await expect(page.getByLabel('Revenue share: QuickBooks name')).toBeVisible();
  await expect(page.getByLabel('Revenue share: Xero code')).toBeHidden();
  await expect(page.getByLabel('Adjustments: Xero code')).toBeVisible();
  await page.setViewportSize(wide);
  await page.getByLabel('Adjustments: Xero code').fill('');
  await page.getByRole('button', { name: 'Save accounts' }).click();
  await expect(page.getByText('Saved as account map 1.')).toBeVisible();
  await page.goto(`/demo/payouts/${MONTHS}/journal`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'QuickBooks' }).click()]);
  expect(download.suggestedFilename()).toBe('demo-journal-202610-quickbooks-map1.csv');
});
