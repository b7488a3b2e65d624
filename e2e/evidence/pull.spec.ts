import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { control, hold, letGo, untilHeld } from '../pages/simulated-invo.ts';

// Each test has a month of its own, so that none stands on what another left.
test.describe('pulling a month', () => {
  test.describe.configure({ timeout: 180_000 });
  test.afterEach(async () => {
    await control('faults', {}, 'DELETE');
    await control('game', { status: 'live', rotation: 'grace' });
  });

  test('shows how far it is, survives leaving the page, and ends proven', async ({ page }) => {
    await hold({ route: 'attribution', query: { start: '2025-08-01T00:00:00Z' } });
    await pull(page, '2025-08');
    await expect(page.getByRole('main')).toContainText(/Pulling.*calls? done/);
    await page.goto('/demo/months');
    await untilHeld();
    await letGo();
    await page.goto('/demo/months/2025-08');
    await expect(page.getByText('Closed, proven to the cent')).toBeVisible({ timeout: 90_000 });
  });

  test('with a wrong secret says so in one sentence and offers no retry', async ({ page }) => {
    await control('game', { rotation: 'expired' });
    await pull(page, '2025-07');
    await expect(page.getByRole('region', { name: 'Invo refused the game secret' })).toBeVisible({ timeout: 90_000 });
    await expect(page.getByRole('button', { name: /^(Pull|Try)/ })).toHaveCount(0);
  });

  test('of a game that is not live is told apart from a wrong secret', async ({ page }) => {
    await control('game', { status: 'suspended' });
    await pull(page, '2025-06');
    await expect(page.getByRole('region', { name: /neither live nor in testing/ })).toBeVisible({ timeout: 90_000 });
    await expect(page.getByText(/err_\w+/).first()).toBeVisible();
  });

  test('whose totals are off by a cent does not tie, shows the cent and is not exported as complete', async ({ page }) => {
    await control('faults', [{ kind: 'totals_cent', field: 'gross_attributed_usd', times: 20, match: { route: 'attribution' } }]);
    await pull(page, '2025-05');
    await expect(page.getByRole('region', { name: 'These figures do not tie' })).toContainText(/a difference of −?0\.01/, {
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

  test('again finds that nothing moved, with one call', async ({ page }) => {
    await page.goto('/demo/months/2026-02');
    await page.getByRole('button', { name: 'Re-check' }).click();
    await expect(page.getByText(/re-checked .* with 1 call/)).toBeVisible({ timeout: 90_000 });
    await expect(page.getByRole('link', { name: /^(\d+) of \1 checks tie$/ })).toBeVisible();
  });

  test('again that Invo now contradicts leaves the complete figures standing', async ({ page }) => {
    await page.goto('/demo/months/2026-01');
    const net = await page.getByRole('region', { name: 'Net attributed, to pay by you' }).innerText();
    await control('faults', [{ kind: 'totals_cent', field: 'net_attributed_usd', times: 50, match: { route: 'attribution' } }]);
    await page.getByRole('button', { name: 'Re-check' }).click();
    await expect(page.getByRole('region', { name: 'A newer pull does not tie; the figures shown are the proven ones' })).toBeVisible({
      timeout: 90_000,
    });
    expect(await page.getByRole('region', { name: 'Net attributed, to pay by you' }).innerText()).toBe(net);
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
