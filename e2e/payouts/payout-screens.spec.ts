import { expect, ownOrigin, test } from '../fixtures.ts';
import { PayoutPages } from '../pages/payout-pages.ts';
import { expectUsable, type Screen } from '../pages/screen-check.ts';
import { type Counted, expectFewStatements } from '../pages/statement-counts.ts';

// September is approved and October a draft of Ada's, in a world of their own: each test continues where the one before left it.
test.use({ role: 'finance', world: 'payout-screens' });
test.describe.configure({ mode: 'serial' });

test('two people close September, and one of them starts October', async ({ page, browser, signedIn }) => {
  test.setTimeout(180_000);
  const context = await browser.newContext({ baseURL: ownOrigin(), storageState: await signedIn('admin') });
  const [fiona, ada] = [new PayoutPages(page), new PayoutPages(await context.newPage())];
  await fiona.prepare('2026-09');
  await fiona.submit();
  await ada.approve(1);
  await ada.start('2026-10');
  await context.close();
});

const SCREENS: Record<string, Screen> = {
  'the close of a month with a draft': { address: '/demo/months/2026-10/close', title: 'October 2026' },
  'the close of a month with an approved run': { address: '/demo/months/2026-09/close', title: 'September 2026' },
  'the list of runs': { address: '/demo/payouts', title: 'Payouts' },
  'the lines of an approved run': { address: '/demo/payouts/1', title: 'Run 1 · September 2026' },
  'the lines of a draft': { address: '/demo/payouts/2', title: 'Run 2 · October 2026' },
  'the holds of a draft': { address: '/demo/payouts/2/holds', title: 'Run 2 · October 2026' },
  'the journal of a run': { address: '/demo/payouts/1/journal', title: 'Run 1 · September 2026' },
  'the journal of a draft': { address: '/demo/payouts/2/journal', title: 'Run 2 · October 2026' },
  'the statements of a run': { address: '/demo/payouts/1/statements', title: 'Run 1 · September 2026' },
  'the statements of a draft': { address: '/demo/payouts/2/statements', title: 'Run 2 · October 2026' },
  'one statement': { address: '/demo/payouts/1/statements/9019', title: 'Statement, September 2026' },
  'a recipient with payouts': { address: '/demo/recipients/9019', title: 'Sable Quill' },
  notices: { address: '/notices', title: 'Notices' },
};

for (const [name, screen] of Object.entries(SCREENS)) {
  test(`I can use ${name} on a desktop and on a phone`, async ({ page, expectAccessible }) => {
    await expectUsable(page, screen, expectAccessible);
  });
}

test('I can use the opened form of a payout policy on a phone', async ({ page, expectAccessible }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/settings');
  await page.getByText('Propose another policy').click();
  await expect(page.getByRole('button', { name: 'Propose policy' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
});

test('the page of a draft leads to where it is submitted', async ({ page }) => {
  await page.goto('/demo/payouts/2');
  await page.getByRole('link', { name: 'Review and submit' }).click();
  await expect(page).toHaveURL('/demo/months/2026-10/close');
  await expect(page.getByRole('heading', { name: 'October 2026' })).toBeVisible();
  await page.goto('/demo/payouts/1');
  await expect(page.getByRole('heading', { name: 'Run 1 · September 2026' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Review and submit' })).toHaveCount(0);
});

test('I select lines of a run by keyboard', async ({ page }) => {
  await page.goto('/demo/payouts/2');
  const grid = page.getByRole('grid', { name: 'lines' });
  await grid.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(page.getByText('2 selected')).toBeVisible();
  await expect(grid.getByRole('row', { selected: true })).toHaveCount(2);
  await page.keyboard.press('Space');
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(grid.getByRole('row', { selected: true })).toHaveCount(0);
});

/** As in `operate/statements.spec.ts`. The close of a draft is judged again each time it is opened, one fact after another. */
const STATEMENTS_MAX: Record<string, Counted> = {
  '/[game]/payouts': { path: '/demo/payouts', max: 4 },
  '/[game]/payouts/adjustments': { path: '/demo/payouts/adjustments', max: 4 },
  '/[game]/payouts/[runNo]': { path: '/demo/payouts/1', max: 8 },
  '/[game]/payouts/[runNo]/holds': { path: '/demo/payouts/1/holds', max: 5 },
  '/[game]/payouts/[runNo]/journal': { path: '/demo/payouts/1/journal', max: 4 },
  '/[game]/payouts/[runNo]/statements': { path: '/demo/payouts/1/statements', max: 5 },
  '/[game]/payouts/[runNo]/statements/[playerId]': { path: '/demo/payouts/1/statements/9019', max: 3 },
  '/[game]/lists/[list]/rows': { path: '/demo/lists/run-lines/rows?run=1&sort=due_usd&dir=desc&chip=all&limit=200', max: 3 },
  '/[game]/recipients/[playerId]': { path: '/demo/recipients/9019', max: 4 },
  '/[game]/months/[month]/close': { path: '/demo/months/2026-10/close', max: 31 },
};

test('no page of payouts sends more statements than it may', async ({ page }) => {
  await expectFewStatements(page, STATEMENTS_MAX);
});

test('I can use the approval of a run on a desktop and on a phone', async ({ page, browser, signedIn, expectAccessible }) => {
  test.setTimeout(120_000);
  const context = await browser.newContext({ baseURL: ownOrigin(), storageState: await signedIn('admin') });
  const ada = new PayoutPages(await context.newPage());
  await ada.page.goto('/demo/months/2026-10/close');
  await ada.answer();
  await ada.submit();
  await context.close();
  await expectUsable(page, { address: '/demo/payouts', title: 'Payouts' }, expectAccessible);
  await expectUsable(page, { address: '/demo/payouts/2/approve', title: 'Approve run 2 · October 2026' }, expectAccessible);
  await expectFewStatements(page, { '/[game]/payouts/[runNo]/approve': { path: '/demo/payouts/2/approve', max: 16 } });
});
