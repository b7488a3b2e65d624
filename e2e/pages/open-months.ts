import { expect, type Page } from 'playwright/test';

/** Opens the list of months after the first pull of the simulated game. */
export async function openMonths(page: Page): Promise<void> {
  await page.goto('/demo/months');
  const november = page.getByRole('row', { name: /^November 2026/ });
  // The first pull of fourteen months may still run when the first test starts.
  await expect(november).toContainText('Open', { timeout: 300_000 });
}
