import { expect, type Locator, type Page } from 'playwright/test';

/** What is confirmed before a card charge is refunded. */
export const UNKNOWN_COINS = /^I understand that it is unknown how many coins are taken/;

/** The refund form of one period, and the way through it to the page of the refund. */
export class RefundForm {
  readonly preview: Locator;
  readonly confirmation: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.preview = page.getByRole('region', { name: 'Estimated effects' });
    this.confirmation = page.getByRole('region', { name: /^Refund \$.*\?$/ });
  }

  async open(periodId: number): Promise<void> {
    await this.#page.goto(`/demo/periods/${periodId}/refund`);
    await expect(this.preview).toBeVisible();
  }

  /** Fills in the form and continues to the confirmation. */
  async fill(amount: 'rest' | string, reason = 'Goodwill'): Promise<void> {
    if (amount !== 'rest') {
      await this.#page.getByLabel('Partial amount').check();
      await this.#page.getByLabel('Amount (USD)').fill(amount);
    }
    await this.#page.getByLabel('Reason', { exact: true }).selectOption(reason);
    await this.continue();
  }

  async continue(): Promise<void> {
    await this.#page.getByRole('button', { name: /^Refund \$.*…$/ }).click();
    await expect(this.confirmation).toBeVisible();
  }

  /** What a line of the estimate says. */
  line(within: Locator, label: string): Locator {
    return within
      .locator('dl > div')
      .filter({ has: this.#page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
      .locator('dd');
  }

  /** The button that requests the refund, by its full name. */
  final(name: string): Locator {
    return this.confirmation.getByRole('button', { name, exact: true });
  }

  /** Confirms that it is unknown how many coins are taken, where the refund takes back a card charge. */
  async confirmUnknownCoins(): Promise<void> {
    const box = this.confirmation.getByRole('checkbox', { name: UNKNOWN_COINS });
    if ((await box.count()) > 0) await box.check();
  }

  /** Requests a refund from the form to the page of the refund; returns its number. */
  async request(periodId: number, amount: 'rest' | string, final: string): Promise<number> {
    await this.open(periodId);
    await this.fill(amount);
    await this.confirmUnknownCoins();
    await this.final(final).click();
    return await this.expectRefundPage();
  }

  /** Waits for the page of the refund; returns its number. */
  async expectRefundPage(): Promise<number> {
    await this.#page.waitForURL(/\/refunds\/\d+$/);
    return Number(this.#page.url().split('/').at(-1));
  }
}
