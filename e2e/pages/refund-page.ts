import { expect, type Locator, type Page } from 'playwright/test';

/** The page of one refund. */
export class RefundPage {
  readonly receipt: Locator;
  readonly story: Locator;
  readonly acts: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.receipt = page.getByRole('region', { name: 'Receipt beside estimate' });
    this.story = page.getByRole('region', { name: 'What happened, newest first' });
    this.acts = page.getByRole('region', { name: 'What you can do' });
  }

  async open(refundId: number): Promise<void> {
    await this.#page.goto(`/demo/refunds/${refundId}`);
  }

  /** What the page says first; it looks again by itself until then. */
  async expectState(label: string, within_ms = 30_000): Promise<void> {
    await expect(this.#page.getByRole('status').filter({ hasText: new RegExp(`^${label}$`) })).toBeVisible({ timeout: within_ms });
  }

  /** Expected, told, and whether they agree, of one figure by Invo's name. */
  async expectFigure(field: string, cells: [expected: string, told: string, agree: string]): Promise<void> {
    await expect(
      this.receipt
        .getByRole('row')
        .filter({ has: this.#page.getByText(field, { exact: true }) })
        .getByRole('cell'),
    ).toHaveText(cells);
  }

  act(name: string): Locator {
    return this.acts.getByRole('button', { name, exact: true });
  }
}
