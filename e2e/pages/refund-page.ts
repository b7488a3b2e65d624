import { expect, type Locator, type Page } from 'playwright/test';

/** The page of one refund. */
export class RefundPage {
  readonly receipt: Locator;
  readonly timeline: Locator;
  readonly actions: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.receipt = page.getByRole('region', { name: 'Receipt and estimate' });
    this.timeline = page.getByRole('region', { name: 'Timeline', exact: true });
    this.actions = page.getByRole('region', { name: 'Actions', exact: true });
  }

  async open(refundId: number): Promise<void> {
    await this.#page.goto(`/demo/refunds/${refundId}`);
  }

  /** The state the page shows first; the page refreshes itself until then. */
  async expectState(label: string, within_ms = 30_000): Promise<void> {
    await expect(this.#page.getByRole('status').filter({ hasText: new RegExp(`^${label}$`) })).toBeVisible({ timeout: within_ms });
  }

  /** Estimate, receipt, and whether they match, of one figure by Invo's name. */
  async expectFigure(field: string, cells: [expected: string, reported: string, match: string]): Promise<void> {
    await expect(
      this.receipt
        .getByRole('row')
        .filter({ has: this.#page.getByText(field, { exact: true }) })
        .getByRole('cell'),
    ).toHaveText(cells);
  }

  button(name: string): Locator {
    return this.actions.getByRole('button', { name, exact: true });
  }
}
