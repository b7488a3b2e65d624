import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';

// How each pull ends: pull.page.test.ts.
test.afterEach(() => control('reset'));

test('I pull a month, see its progress, leave the page, and find it reconciled', async ({ page, allowConsoleError }) => {
  allowConsoleError(/ERR_FAILED/);
  await hold({ route: 'attribution', query: { start: '2025-03-01T00:00:00Z' } });
  await pull(page, '2025-03', 'March 2025');
  await untilHeld();
  const progress = page.getByRole('region', { name: 'Progress' });
  await expect(progress).toContainText(/\d+ of \d+ calls made|\d+ calls? made/);
  await page.route('**/demo/jobs/pull/*', (route) => route.abort());
  await expect(progress).toContainText('Couldn’t reach Sharebook. Retrying…');
  await page.unroute('**/demo/jobs/pull/*');
  await expect(progress).not.toContainText('Retrying…');
  await page.reload();
  await expect(progress).toContainText('continues when you close this tab');
  await page.goto('/demo/months');
  await letGo();
  await page.goto('/demo/months/2025-03');
  await expectReconciled(page);
  await expect(progress).toHaveCount(0);
});

test('a game that isn’t live is distinguished from a wrong secret, and can be pulled once it is live', { tag: '@proof' }, async ({
  page,
}) => {
  await control('game', { status: 'suspended' });
  await pull(page, '2025-04', 'April 2025');
  await expect(page.getByRole('region', { name: 'The game is neither live nor in testing at Invo' })).toBeVisible({ timeout: 90_000 });
  await control('reset');
  await page.getByRole('button', { name: 'Pull again' }).click();
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
