import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';

test.afterEach(() => control('reset'));

test('I pull a month, see how far it is, and find it proven', async ({ page }) => {
  await hold({ route: 'attribution', query: { start: '2025-03-01T00:00:00Z' } });
  await pull(page, '2025-03', 'March 2025');
  await untilHeld();
  const progress = page.getByRole('region', { name: 'Progress' });
  await expect(progress).toContainText(/\d+ of \d+ calls done|\d+ calls? done/);
  await page.reload();
  await expect(progress).toContainText('it goes on when this tab is closed');
  await letGo();
  await expectProven(page);
  await expect(progress).toHaveCount(0);
});

test('a game that is not live is told apart from a wrong secret, and can be pulled once it is', async ({ page }) => {
  await control('game', { status: 'suspended' });
  await pull(page, '2025-04', 'April 2025');
  await expect(page.getByRole('region', { name: 'The game is neither live nor in testing at Invo' })).toBeVisible({ timeout: 90_000 });
  await control('reset');
  await page.getByRole('button', { name: 'Pull again' }).click();
  await expectProven(page);
});

test('when Invo asks to wait, the page says until when, and the pull goes on by itself', async ({ page }) => {
  await control('faults', [{ kind: '429', retryAfter: 6 }]);
  await pull(page, '2025-02', 'February 2025');
  await expect(page.getByText(/Waiting for the rate limit until \d\d:\d\d(:\d\d)? UTC\./)).toBeVisible();
  await expectProven(page);
});

/** Asks for a month that was never pulled. */
async function pull(page: Page, month: string, name: string): Promise<void> {
  await page.goto(`/demo/months/${month}`);
  await page.getByRole('button', { name: `Pull ${name}` }).click();
}

async function expectProven(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toContainText('Closed, proven to the cent', { timeout: 90_000 });
}
