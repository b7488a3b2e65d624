import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';

// Each test has its own month, so that none depends on another.
test.describe('pulling a month', () => {
  test.describe.configure({ timeout: 180_000 });
  test.afterEach(async () => {
    await control('faults', {}, 'DELETE');
    await control('game', { status: 'live', rotation: 'grace' });
  });

  test('a pull shows its progress, survives leaving the page, and ends reconciled', async ({ page }) => {
    await hold({ route: 'attribution', query: { start: '2025-08-01T00:00:00Z' } });
    await pull(page, '2025-08');
    await expect(page.getByRole('main')).toContainText(/Pulling.*calls? made/);
    await page.goto('/demo/months');
    await untilHeld();
    await letGo();
    await page.goto('/demo/months/2025-08');
    await expect(page.getByText('Reconciled', { exact: true })).toBeVisible({ timeout: 90_000 });
  });

  test('a pull with a wrong secret says so and offers no retry', async ({ page }) => {
    await control('game', { rotation: 'expired' });
    await pull(page, '2025-07');
    await expect(page.getByRole('region', { name: 'Invo refused the game secret' })).toBeVisible({ timeout: 90_000 });
    await expect(page.getByRole('button', { name: /^(Pull|Try)/ })).toHaveCount(0);
  });

  test('a pull of a game that isn’t live is distinguished from a wrong secret', async ({ page }) => {
    await control('game', { status: 'suspended' });
    await pull(page, '2025-06');
    await expect(page.getByRole('region', { name: /neither live nor in testing/ })).toBeVisible({ timeout: 90_000 });
    await expect(page.getByText(/err_\w+/).first()).toBeVisible();
  });

  test('a month whose totals are off by a cent doesn’t reconcile and isn’t exported as complete', async ({ page }) => {
    await control('faults', [{ kind: 'totals_cent', field: 'gross_attributed_usd', times: 20, match: { route: 'attribution' } }]);
    await pull(page, '2025-05');
    await expect(page.getByRole('region', { name: 'This month doesn’t reconcile' })).toContainText(/a difference of −?0\.01/, {
      timeout: 90_000,
    });
    const file = await page.request.get('/demo/months/2025-05/export/recipients');
    expect(file.status()).toBe(409);
    const incomplete = await page.request.get('/demo/months/2025-05/export/recipients?incomplete=1');
    expect(incomplete.headers()['content-disposition']).toContain('.incomplete.csv');
    const manifest = (await (await page.request.get('/demo/months/2025-05/export/recipients.manifest.json?incomplete=1')).json()) as {
      complete: boolean;
      reasons: string[];
    };
    expect(manifest.complete).toBe(false);
    expect(manifest.reasons.join()).toContain('gross');
  });

  test('a month whose settled gross is off by a cent reconciles with a warning', async ({ page }) => {
    await control('faults', [{ kind: 'totals_cent', field: 'settled_gross_usd', times: 20, match: { route: 'attribution' } }]);
    await pull(page, '2024-12');
    await expect(page.getByText('Reconciled with 1 warning')).toBeVisible({ timeout: 90_000 });
    await page.getByRole('link', { name: 'Reconciliation 1 warning' }).click();
    const failing = page.getByRole('region', { name: 'Checks that don’t match' });
    await expect(failing.getByRole('row', { name: /^Settled gross equals Invo fee plus partner revenue/ })).toContainText('Warning');
    await expect(page.getByText('1 warning doesn’t block the month.')).toBeVisible();
    const file = await page.request.get('/demo/months/2024-12/export/recipients.manifest.json');
    expect(((await file.json()) as { complete: boolean }).complete).toBe(true);
  });

  test('a re-check finds no changes', async ({ page }) => {
    await page.goto('/demo/months/2026-02');
    await page.getByRole('button', { name: 'Re-check now' }).click();
    await expect(page.getByText(/re-checked .*, no changes/)).toBeVisible({ timeout: 90_000 });
    await expect(page.getByText('Reconciled', { exact: true })).toBeVisible();
  });

  test('a re-check that doesn’t reconcile keeps the reconciled figures', async ({ page }) => {
    await page.goto('/demo/months/2026-01');
    const net = await page.getByRole('region', { name: 'Net attributed', exact: true }).innerText();
    await control('faults', [{ kind: 'totals_cent', field: 'net_attributed_usd', times: 50, match: { route: 'attribution' } }]);
    await page.getByRole('button', { name: 'Re-check now' }).click();
    await expect(
      page.getByRole('region', { name: 'A newer snapshot doesn’t reconcile. The last reconciled figures are shown.' }),
    ).toBeVisible({
      timeout: 90_000,
    });
    expect(await page.getByRole('region', { name: 'Net attributed', exact: true }).innerText()).toBe(net);
    const file = await page.request.get('/demo/months/2026-01/export/recipients.manifest.json');
    const manifest = (await file.json()) as { complete: boolean; reasons: string[] };
    expect(manifest.complete).toBe(true);
    expect(manifest.reasons.join()).toContain('newer');
  });
});

async function pull(page: Page, month: string): Promise<void> {
  await page.goto(`/demo/months/${month}`);
  await page.getByRole('button', { name: /^Pull/ }).first().click();
}
