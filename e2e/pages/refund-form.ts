import { expect, type Locator, type Page } from 'playwright/test';

/** The form for a refund of one period, and the way through it to the page of the refund. */
export class RefundForm {
  readonly preview: Locator;
  readonly confirmation: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.preview = page.getByRole('region', { name: 'What it does, an estimate' });
    this.confirmation = page.getByRole('region', { name: /^Refund .* USD\?$/ });
  }

  async open(periodId: number): Promise<void> {
    await this.#page.goto(`/demo/periods/${periodId}/refund`);
    await expect(this.preview).toBeVisible();
  }

  /** Fills in the form and goes on to the confirmation. */
  async fill(amount: 'rest' | string, reason = 'Goodwill'): Promise<void> {
    if (amount !== 'rest') {
      await this.#page.getByLabel('A part of it').check();
      await this.#page.getByLabel('Amount, USD').fill(amount);
    }
    await this.#page.getByLabel('Reason', { exact: true }).selectOption(reason);
    await this.goOn();
  }

  async goOn(): Promise<void> {
    await this.#page.getByRole('button', { name: /USD…$/ }).click();
    await expect(this.confirmation).toBeVisible();
  }

  /** What a line of the estimate says. */
  line(within: Locator, label: string): Locator {
    return within
      .locator('dl > div')
      .filter({ has: this.#page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
      .locator('dd');
  }

  /** The button that does it, by its whole name. */
  final(name: string): Locator {
    return this.confirmation.getByRole('button', { name, exact: true });
  }

  /** Asks for a refund from the first look to the page of the refund, whose number it answers. */
  async ask(periodId: number, amount: 'rest' | string, final: string): Promise<number> {
    await this.open(periodId);
    await this.fill(amount);
    await this.final(final).click();
    return await this.expectLed();
  }

  /** The page of the refund is there; its number. */
  async expectLed(): Promise<number> {
    await this.#page.waitForURL(/\/refunds\/\d+$/);
    return Number(this.#page.url().split('/').at(-1));
  }
}
