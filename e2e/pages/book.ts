import { expect, type Page } from 'playwright/test';

/** Opens the list of months once the first pull of the simulated game is through. */
export async function openMonths(page: Page): Promise<void> {
  await page.goto('/demo/months');
  const november = page.getByRole('row', { name: /^November 2026/ });
  // The first pull of fourteen months may still be at work when the first test begins.
  await expect(november).toContainText('Open', { timeout: 300_000 });
}
