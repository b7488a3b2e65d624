import { expect, ownOrigin, test } from '../fixtures.ts';
import { PayoutPages } from '../pages/payout-pages.ts';
import { control, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';

// Each test continues where the one before left it.
test.use({ role: 'finance', world: 'recheck-run' });
test.describe.configure({ mode: 'serial' });

/** The totals of a window are read with a limit of 1, its pages with one of 100. */
const failing = (limit: string) => control('faults', [{ kind: 'html', times: 99, match: { route: 'attribution', query: { limit } } }]);

test('a run in review whose month couldn’t be compared with Invo waits, and the approver re-checks the month and approves', async ({
  page,
  browser,
  signedIn,
  expectAccessible,
}) => {
  test.setTimeout(300_000);
  const context = await browser.newContext({ baseURL: ownOrigin(), storageState: await signedIn('admin') });
  const [fiona, ada] = [new PayoutPages(page), new PayoutPages(await context.newPage())];
  await fiona.prepare('2026-09');
  await fiona.submit();
  await failing('1');
  await page.goto('/demo/months/2026-09/close');
  await page.getByRole('button', { name: 'Re-check now', exact: true }).click();
  await expect(page.getByRole('region', { name: 'The last pull of September 2026 failed' })).toBeVisible({ timeout: 60_000 });
  await page.goto('/demo/months/2026-09/close');
  await expect(page.getByRole('region', { name: 'Blocks submission' })).toContainText('The last pull of this month failed');
  await page.goto('/demo/payouts/1');
  await expect(page.getByRole('region', { name: 'The last pull of this month failed' })).toContainText('The run stays in review.');
  await control('faults', {}, 'DELETE');

  await ada.page.goto('/demo/payouts/1/approve');
  await expect(ada.page.getByRole('region', { name: 'The last pull of this month failed' })).toBeVisible();
  await expect(ada.page.getByRole('button', { name: /^Approve \$/ })).toHaveCount(0);
  await expectAccessible(ada.page);
  await hold({ route: 'attribution' });
  await ada.page.getByRole('button', { name: 'Re-check now (1 call)' }).click();
  await expect(ada.page.getByRole('region', { name: 'A pull of this month hasn’t ended' })).toContainText('The run stays in review.');
  await untilHeld();
  await expect(ada.page).toHaveURL('/demo/payouts/1/approve');
  await expect(ada.page.getByRole('progressbar')).toBeVisible();
  await expect(ada.page.getByRole('button', { name: /^Approve \$/ })).toHaveCount(0);
  await letGo();
  await expect(ada.page.getByText('Nothing changed since submission')).toBeVisible({ timeout: 60_000 });
  await expect(ada.page.getByText(/^Re-checked with Invo on /)).toBeVisible();
  await ada.page.getByRole('button', { name: /^Approve \$/ }).click();
  await expect(ada.page.getByText(/^Approved by/)).toBeVisible();
  await context.close();
});

test('a run in review whose re-check found other totals is named on every page and returns to draft', async ({
  page,
  browser,
  signedIn,
  expectAccessible,
}) => {
  test.setTimeout(300_000);
  const context = await browser.newContext({ baseURL: ownOrigin(), storageState: await signedIn('admin') });
  const [fiona, ada] = [new PayoutPages(page), new PayoutPages(await context.newPage())];
  await fiona.prepare('2026-10');
  await fiona.submit();
  await control('refunds', { period_id: 2026100014, refunded_at: '2026-10-20T12:00:00Z' });
  await failing('100');
  await page.goto('/demo/months/2026-10');
  await page.getByRole('button', { name: 'Re-check now', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Invo reports other totals for October 2026' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('region', { name: 'The last pull of October 2026 failed' })).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  await page.goto('/demo/months/2026-10/close');
  await expect(page.getByRole('region', { name: 'Blocks submission' })).toContainText('Invo reports other totals');
  await page.goto('/demo/payouts/2');
  await expect(page.getByRole('region', { name: 'Invo reports other totals' })).toBeVisible();
  await ada.page.goto('/demo/payouts/2/approve');
  await expect(ada.page.getByRole('region', { name: 'Invo reports other totals' })).toBeVisible();
  await expect(ada.page.getByRole('button', { name: /^Approve \$/ })).toHaveCount(0);
  await ada.page.getByRole('button', { name: 'Return run 2 to draft' }).click();
  await expect(ada.page.getByText('Run 2 isn’t in review')).toBeVisible();
  await control('faults', {}, 'DELETE');
  await context.close();
});
