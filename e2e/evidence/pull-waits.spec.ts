import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';

test.afterEach(() => control('reset'));

test('I pull a month, see its progress, and find it reconciled', async ({ page, allowConsoleError }) => {
  await hold({ route: 'attribution', query: { start: '2025-03-01T00:00:00Z' } });
  await pull(page, '2025-03', 'March 2025');
  await untilHeld();
  const progress = page.getByRole('region', { name: 'Progress' });
  await expect(progress).toContainText(/\d+ of \d+ calls made|\d+ calls? made/);
  await page.reload();
  await expect(progress).toContainText('continues when you close this tab');
  allowConsoleError(/ERR_FAILED/);
  await page.route('**/demo/jobs/pull/*', (route) => route.abort());
  await expect(progress).toContainText('Couldn’t reach Sharebook. Retrying…');
  await page.unroute('**/demo/jobs/pull/*');
  await expect(progress).not.toContainText('Retrying…');
  await letGo();
  await expectReconciled(page);
  await expect(progress).toHaveCount(0);
});

test('a game that isn’t live is distinguished from a wrong secret, and can be pulled once it is live', async ({ page }) => {
  await control('game', { status: 'suspended' });
  await pull(page, '2025-04', 'April 2025');
  await expect(page.getByRole('region', { name: 'The game is neither live nor in testing at Invo' })).toBeVisible({ timeout: 90_000 });
  await control('reset');
  await page.getByRole('button', { name: 'Pull again' }).click();
  await expectReconciled(page);
});

test('when Invo asks to wait, the page shows until when, and the pull continues', async ({ page }) => {
  await control('faults', [{ kind: '429', retryAfter: 6 }]);
  await pull(page, '2025-02', 'February 2025');
  await expect(page.getByText(/Waiting for the rate limit until \d\d:\d\d(:\d\d)? UTC\./)).toBeVisible();
  await expectReconciled(page);
});

/** Pulls a month that isn’t pulled yet. */
async function pull(page: Page, month: string, name: string): Promise<void> {
  await page.goto(`/demo/months/${month}`);
  await page.getByRole('button', { name: `Pull ${name}` }).click();
}

async function expectReconciled(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByText('Reconciled', { exact: true })).toBeVisible({ timeout: 90_000 });
}
