import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control } from '../pages/simulated-invo.ts';

// A month of its own. Its first day holds the reference cases: four renewals without attribution, 2026020008 to …11 (.github/docs/simulated-invo.md).
const FEBRUARY = '/demo/months/2026-02';

test.describe('the fees of a month', () => {
  test.describe.configure({ mode: 'serial', timeout: 240_000 });

  test('state the periods they were read for, and what Invo doesn’t list stays not available', { tag: '@proof' }, async ({ page }) => {
    // What support looks at is known from then on, and a later search for renewals without attribution finds it.
    for (const slot of ['09', '10', '11']) {
      const subscription = await page.request.get(`/demo/subscriptions/SUB_1767225600_WITN${slot}AL`);
      expect(await subscription.text()).toContain('Periods');
    }
    await page.goto(`${FEBRUARY}/fees`);
    await page.getByLabel('Read all card periods').selectOption('Never');
    await page.getByLabel('Read all subscriptions').selectOption('Never');
    await page.getByRole('button', { name: 'Save for all months' }).click();
    const fees = page.getByRole('region', { name: 'After fees' }).first();
    await expect(fees).toBeVisible({ timeout: 200_000 });
    await expect(rowOf(page, 'Card fee on refunds')).toContainText(/Read for (\d+) of \1 refunded periods/);
    await expect(rowOf(page, 'Chargeback fees')).toContainText(/Read for \d+ of \d+ card periods, \d+ not read/);
    await expect(rowOf(page, 'Partner revenue after fees')).toContainText('not available');
    await expect(fees).toContainText('Not every card period of the month is read.');
  });

  test('name renewals without attribution, whose finding and assignee stay with the month', { tag: '@proof' }, async ({ page }) => {
    await page.goto(`${FEBRUARY}/open-items`);
    const named = page.getByRole('table').filter({ hasText: 'Finding' });
    const row = named.getByRole('row').filter({ hasText: 'Period 2026020009' });
    await expect(row).toContainText('Settlement record unreachable');
    await expect(row.getByRole('link', { name: 'Period 2026020009' })).toHaveAttribute('href', '/demo/periods/2026020009');
    await row.getByText('Add finding').click();
    await row.getByLabel('Finding').fill('Invo looks for the order.');
    await row.getByLabel('Assignee').selectOption('Me');
    await row.getByRole('button', { name: 'Save finding' }).click();
    await expect(row).toContainText('Assigned to Fiona');
    await page.reload();
    await expect(row).toContainText('Invo looks for the order.');
    await expect(row).toContainText('Assigned to Fiona');
  });

  test('leave support a period to look at while Invo is down', { tag: '@proof' }, async ({ page }) => {
    await control('faults', [{ kind: '503', times: 50, match: { route: 'period' } }]);
    // Refunded in February, so the month's job read it; nobody opened it before.
    await page.goto('/demo/periods/2026020004');
    await expect(page.getByText(/Couldn’t refresh this period\. Showing data from/)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Where the money went' })).toBeVisible();
    await control('faults', {}, 'DELETE');
  });

  test.describe('of a viewer', () => {
    test.use({ role: 'viewer' });

    test('are read-only, and so are findings', { tag: '@proof' }, async ({ page }) => {
      await page.goto(`${FEBRUARY}/fees`);
      await expect(page.getByRole('region', { name: 'After fees' }).first()).toBeVisible();
      await expect(page.getByRole('button', { name: /Read again|Save for all months/ })).toHaveCount(0);
      await page.goto(`${FEBRUARY}/open-items`);
      await expect(page.getByText('Invo looks for the order.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Save finding' })).toHaveCount(0);
    });
  });
});

function rowOf(page: Page, label: string): ReturnType<Page['getByRole']> {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${label}`) }) });
}
